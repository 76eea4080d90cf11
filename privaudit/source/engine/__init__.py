"""How are tables counted that are larger than memory, or live in a database?"""
