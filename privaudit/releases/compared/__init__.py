"""Two given tables next to each other: a table and its synthetic or remedied counterpart.

Question: what of the first table does the second keep?
Method: `pairing` codes the columns of both in the same bands and categories, `result` compares them.
Limits: exact counts of the first table: the comparison is as confidential as that table.
"""
