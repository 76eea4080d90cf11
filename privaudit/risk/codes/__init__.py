"""How does a table become codes, and which rows are equal?"""
