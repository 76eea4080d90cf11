"""Which few columns are all in which two rows of a table differ?

Question: without which sets of columns do any two rows become equal?
Method: the columns are dealt into one block more than the columns that may differ, so rows that differ in so few agree
on all of at least one block. Only pairs that agree on a block are compared.
Limits: nothing is known where more pairs than `MOST_PAIRS` agree on a block.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

import numpy as np

from privaudit.base.arrays import Codes, Ints
from privaudit.risk.codes.packing import Packing, number_rows

ColumnSet = tuple[int, ...]
MOST_PAIRS = 1_000_000
CELLS_AT_ONCE = 20_000_000


def joining_sets(codes: Sequence[Codes], widths: Sequence[int], largest: int) -> list[ColumnSet] | None:
    """Return the sets of up to `largest` columns without which some two rows are equal.

    Parameters
    ----------
    codes : sequence of int32 arrays of shape (d,)
        Distinct rows, by column.
    widths : sequence of int
        Codes that each column may have.
    largest : int

    Returns
    -------
    list of sets, ascending, or None where they are not known
    """
    found = _differing(codes, widths, largest)
    if found is None:
        return None
    everything = range(len(codes))
    joining = {
        tuple(sorted((*differ, *more)))
        for differ in found
        for n in range(largest - len(differ) + 1)
        for more in combinations([i for i in everything if i not in differ], n)
    }
    return sorted(joining)


def _differing(codes: Sequence[Codes], widths: Sequence[int], largest: int) -> Collection[ColumnSet] | None:
    """Return the sets of up to `largest` columns that are all in which some two rows differ."""
    rows = np.stack(codes, axis=1)
    found: set[ColumnSet] = set()
    for block in range(largest + 1):
        packing = Packing(widths[block :: largest + 1])
        keys = packing.pack(codes[block :: largest + 1], len(rows))
        labels, distinct = number_rows(keys, packing.space)
        sizes = np.bincount(labels, minlength=len(distinct))
        if int((sizes * (sizes - 1) // 2).sum()) > MOST_PAIRS:
            return None
        for left, right in _pairs(labels, int(sizes.max(initial=0)), CELLS_AT_ONCE // len(widths)):
            differ = rows[left] != rows[right]
            few = np.unique(np.packbits(differ[differ.sum(axis=1) <= largest], axis=1), axis=0)
            found.update(tuple(np.flatnonzero(line).tolist()) for line in np.unpackbits(few, axis=1))
    return found


def _pairs(labels: Ints, largest: int, most: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of rows with equal labels, at most so many at a time."""
    order = np.argsort(labels, kind="stable")
    ranked = labels[order]
    for apart in range(1, largest):
        same = np.flatnonzero(ranked[apart:] == ranked[:-apart])
        for start in range(0, len(same), most):
            some = same[start : start + most]
            yield order[some], order[some + apart]
