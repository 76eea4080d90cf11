"""Estimators for scikit-learn that learn from noisy integers, paid from a ledger.

Question: which models can be trained on a table whose rows may not be released?
Method: `fit` charges the ledger and reads the rows once, as noisy counts or sums; everything else is calculated from
these, so predictions cost nothing. Bounds and classes are declared, never read from the data.
Limits: the models are those whose training needs few noisy numbers; any other model is trained on a synthetic table.
"""
