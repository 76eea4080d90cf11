"""How are the equivalence classes of all combinations of columns counted?"""
