"""Declared columns: which values a column may have, as a person states them in TOML.

Question: which values are counted, answered and made?
Method: one grammar for plans of answers and for domains of synthetic tables; nothing is read from the data.
Limits: what is counted or made of the columns is in `answers` and `synthetic`.
"""
