"""Which combinations of columns single people out?"""
