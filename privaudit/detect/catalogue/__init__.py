"""The catalogue of detectors: records, the expressions and check digits they name, and what they accept.

Question: which values does a detector accept, as a whole cell and inside a text?
Method: a record of `rules/detectors/` is read and validated once; one expression serves both uses, with their
boundaries.
Limits: it knows no column and no table: what a column is, `privaudit.detect` decides.
"""
