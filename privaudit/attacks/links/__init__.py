"""Whose rows of two tables belong to one person? Imports `attacks.values` and `attacks.inputs`."""
