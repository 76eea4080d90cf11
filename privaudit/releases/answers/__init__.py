"""Answers under differential privacy: counts, means, quantiles, margins and models, paid from a ledger.

Question: what may be answered about a table whose rows may not be released?
Method: a plan declares queries with bounds, categories and epsilon; the ledger is charged; the queries read the table
once and answer with exact noise.
Limits: the noise bounds what the answers disclose about one unit; what is true of a whole group is disclosed.
"""
