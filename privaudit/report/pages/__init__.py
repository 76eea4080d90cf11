"""Pages that are not the report of one table: indexes, comparisons, remedies, answers, synthetic tables.

Question: how do the results of the other commands read?
Method: a module for each page; `page` is the general one of sections, sentences and tables.
Limits: the report of one table is `privaudit.report.view`.
"""
