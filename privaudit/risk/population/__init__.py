"""How many of the sample uniques are unique in the population?"""
