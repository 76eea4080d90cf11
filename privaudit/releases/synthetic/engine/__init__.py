"""Distributions over coded columns that are fitted to margins: junction trees in NumPy.

Question: which joint distribution has these margins, as well as noise allows, and assumes nothing else?
Method: a Markov random field over a junction tree, fitted by mirror descent, sampled by conditional shares.
Limits: memory and time grow with the cells of the largest clique; the methods bound them.
"""
