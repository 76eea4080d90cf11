"""Was this table measured before, with the same program and the same settings?"""
