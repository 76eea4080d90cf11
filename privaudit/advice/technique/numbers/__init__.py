"""Techniques for columns of numbers.

Question: what is written in the place of a number?
Method: one module for each technique: bands, codes of limits, rounding, means of groups, noise, draws and components.
Limits: cells that are not numbers stay as they are, or are refused, as each technique states.
"""
