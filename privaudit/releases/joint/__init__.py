"""How large are the equivalence classes of tables that stay where they are?"""
