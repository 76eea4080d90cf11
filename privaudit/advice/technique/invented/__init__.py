"""Techniques that write invented values: names, addresses, dates, places and numbers, for test data.

Question: how does a table keep the look of a table about people without a value of theirs?
Method: one module for each kind of value; `people` gives each person the same random numbers in every table.
Limits: an invented value can be that of a person who exists.
"""
