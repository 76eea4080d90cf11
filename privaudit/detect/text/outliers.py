"""Cells that are written unlike the others of their column.

Question: in a column of numbers, dates or codes, which few cells could contain something else: a note, an address?
Method: a cell is an outlier if it has a feature that few others have: a punctuation mark or a blank, two letters in
sequence, more than twice the usual length. A feature is rare if less than `RARE` of the cells have it.
Limits: a foreign value written exactly like the others has no such feature: bare digits among numbers are found by
check digits only, where they have any.
"""

from __future__ import annotations

import numpy as np

from privaudit.detect.column import Column, Mask

RARE = 0.02
_LETTERS = [*range(65, 91), *range(97, 123)]
_MARKS = [byte for byte in range(32, 127) if not chr(byte).isalnum()]
_CONTROL = slice(0, 32)


def unusual_cells(column: Column) -> Mask:
    """Return which distinct values of `column` have a feature that less than `RARE` of its cells have.

    Returns
    -------
    bool array of shape (d,)
    """
    found = np.zeros(column.n_distinct, dtype=bool)
    for having in _features(column):
        if 0 < column.cells(having) < RARE * column.n_present:
            found |= having
    return found


def _features(column: Column) -> list[Mask]:
    """Return, for each feature that occurs, which distinct values have it."""
    import pyarrow.compute as pc

    seen = column.alphabet
    features = [
        np.asarray(pc.match_substring(column.values, chr(mark)), dtype=np.bool_)
        for mark in _MARKS
        if seen[mark]
    ]
    if seen[_CONTROL].any():
        features.append(column.matches(r"[\x00-\x1f]"))
    if seen[_LETTERS].any() or column.foreign:
        features.append(column.matches(r"\p{L}\p{L}"))
    lengths = column.lengths
    if column.longest > 2 * column.shortest:
        features.append(lengths > 2 * _median(column))
    return features


def _median(column: Column) -> int:
    """Return the median length of the cells."""
    rows = np.bincount(column.lengths, weights=column.counts)
    return int(np.searchsorted(np.cumsum(rows), column.n_present / 2))
