"""Which cells of a column are not like the others?

Question: in a column of numbers, dates or codes, which few cells could hold something else: a note, an address?
Method: a cell strays that bears a sign few others bear: a punctuation mark or a blank, two letters in a row, more
than twice the usual length. A sign is rare where less than `RARE` of the cells bear it.
Limits: a foreign value written exactly like its neighbours has no such sign: bare digits among numbers are told by
check digits alone, where they can be told.
"""

from __future__ import annotations

import numpy as np

from privaudit.detect.column import Column, Mask

RARE = 0.02
_LETTERS = [*range(65, 91), *range(97, 123)]
_MARKS = [byte for byte in range(32, 127) if not chr(byte).isalnum()]
_CONTROL = slice(0, 32)


def strays(column: Column) -> Mask:
    """Return which distinct values of `column` bear a sign that less than `RARE` of its cells bear.

    Returns
    -------
    bool array of shape (d,)
    """
    found = np.zeros(column.n_distinct, dtype=bool)
    for borne in _signs(column):
        if 0 < column.cells(borne) < RARE * column.n_present:
            found |= borne
    return found


def _signs(column: Column) -> list[Mask]:
    """Return, for each sign that occurs at all, which distinct values bear it."""
    import pyarrow.compute as pc

    seen = column.alphabet
    signs = [
        np.asarray(pc.match_substring(column.values, chr(mark)), dtype=np.bool_)
        for mark in _MARKS
        if seen[mark]
    ]
    if seen[_CONTROL].any():
        signs.append(column.matches(r"[\x00-\x1f]"))
    if seen[_LETTERS].any() or column.foreign:
        signs.append(column.matches(r"\p{L}\p{L}"))
    lengths = column.lengths
    if column.longest > 2 * column.shortest:
        signs.append(lengths > 2 * _median(column))
    return signs


def _median(column: Column) -> int:
    """Return the length that half of the cells do not exceed."""
    rows = np.bincount(column.lengths, weights=column.counts)
    return int(np.searchsorted(np.cumsum(rows), column.n_present / 2))
