"""Rows drawn at random from what they contain.

Question: which rows does a seed draw, whatever the order of the file is?
Method: each row has the sum of a hash for every cell, and the rows are sorted by it before they are drawn by position.
Limits: equal rows are next to each other in the sorted order, so a sample is drawn from the whole order, not from a
part of it.
"""

from __future__ import annotations

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa
from privaudit.base.sampling import keyed_hashes
from privaudit.risk.codes.coded import encode_column

Rows = Ints


def random_rows(table: pa.Table, random: np.random.Generator) -> Rows:
    """Return all rows of a table of text in a random order; rows with equal cells are interchangeable."""
    return rows_by_content(table)[random.permutation(table.num_rows)]


def rows_by_content(table: pa.Table) -> Rows:
    """Return the rows of a table of text in an order that their cells alone determine.

    Parameters
    ----------
    table : pyarrow.Table of text, or of dictionaries of text, of n rows

    Returns
    -------
    int64 array of shape (n,)
    """
    sums = np.zeros(table.num_rows, dtype=np.uint64)
    for place, column in enumerate(table.columns):
        codes, values = encode_column(column, is_ordered=False)
        missing = np.uint64(0)
        sums += np.append(keyed_hashes(values, place), missing)[codes]  # the sums wrap around: they are only compared
    return np.argsort(sums, kind="stable")
