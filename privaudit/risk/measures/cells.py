"""Count what the cells of an aggregate disclose: small counts, zeros, dominance.

Question: which cells of a table of counts would reveal single people or single contributors?
Method: the counts of each cell are read once. A small count is one from 1 to below a threshold (frequency rule). A zero
discloses where all cells of a group, equal in all keys but one, are 0 except a single one: everyone in the group then
has the same value of that key (group disclosure). Where the table has the largest contribution to each total, the
dominance of a cell is its share (Hundepool et al. 2012, Statistical Disclosure Control, ch. 4, with n = 1).
Limits: one table; differences between tables are not examined. Suppressed cells that follow from totals are computed by
`attacks.published.reconstruction`. Cells that are not listed are not counted as zeros, because they may be impossible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.model import CellCounts, DatasetUnit
from privaudit.model.headers.lexicon import lines, read_file
from privaudit.model.headers.tokens import tokenise
from privaudit.risk.codes.coded import encode_column
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

Counts = Floats


def count_cells(dataset: Dataset, unit: DatasetUnit, *, thresholds: Sequence[int]) -> tuple[CellCounts, ...]:
    """Return the record of every column of counts of the aggregate `dataset`; none for other units.

    Parameters
    ----------
    dataset : Dataset
    unit : DatasetUnit
        Names the keys and the counts.
    thresholds : sequence of int
        Counts below which a cell is small.
    """
    if unit.kind != "aggregate" or dataset.n_rows > ROWS_IN_MEMORY:
        return ()
    dominant = _dominant(dataset)
    return tuple(_count(dataset, unit.keys, column, thresholds, dominant) for column in unit.counts)


def _count(
    dataset: Dataset, keys: Sequence[str], column: str, thresholds: Sequence[int], dominant: float | None
) -> CellCounts:
    values = _numbers(dataset, column)
    known = values[np.isfinite(values)]
    positive = known[known > 0]
    return CellCounts(
        column=column,
        n_cells=len(known),
        n_zero=int((known == 0).sum()),
        smallest=int(positive.min()) if len(positive) else None,
        n_below={str(k): int((positive < k).sum()) for k in thresholds},
        n_disclosing=_disclosing(dataset, keys, values) if keys else None,
        dominant=dominant,
        n_hidden=len(values) - len(known),
    )


def _numbers(dataset: Dataset, column: str) -> Counts:
    """Return the numbers of `column` in the order of the rows; NaN for other cells."""
    codes, dictionary = encode_column(dataset.rows([column]).column(0))
    numbers = np.array([_number(text) for text in dictionary.to_pylist()] + [np.nan])
    return numbers[codes]


def _number(text: str) -> float:
    try:
        # Published tables separate thousands by commas.
        return float(text.replace(",", ""))
    except ValueError:
        return math.nan


def _disclosing(dataset: Dataset, keys: Sequence[str], values: Counts) -> int:
    """Count the groups, equal in all keys but one, in which one cell has a count and the others are listed as 0."""
    if len(keys) == 1:
        return 0
    rows = dataset.rows(keys)
    codes = [encode_column(rows.column(i))[0] for i in range(len(keys))]
    known = np.isfinite(values)
    found = 0
    for varied in range(len(keys)):
        others = [code for i, code in enumerate(codes) if i != varied]
        _, group = np.unique(np.stack(others), axis=1, return_inverse=True)
        group = group.ravel()
        n_groups = int(group.max()) + 1
        cells = np.bincount(group[known], minlength=n_groups)
        filled = np.bincount(group[known & (values > 0)], minlength=n_groups)
        # A hidden cell may have people: only where all are known does the one that has a count disclose.
        complete = np.bincount(group) == cells
        found += int(((filled == 1) & (cells >= 2) & complete).sum())
    return found


def _dominant(dataset: Dataset) -> float | None:
    """Return the largest share of a total that the largest contribution has; None without such columns."""
    words = {column: set(tokenise(column)) for column in dataset.columns}
    lists = read_file("units")
    largest = [c for c, w in words.items() if w & set(lines(lists["largest"]))]
    totals = [c for c, w in words.items() if w & set(lines(lists["totals"])) and c not in largest]
    if len(largest) != 1 or len(totals) != 1:
        return None
    part, whole = _numbers(dataset, largest[0]), _numbers(dataset, totals[0])
    valid = np.isfinite(part) & np.isfinite(whole) & (whole > 0) & (part >= 0)
    # A largest contribution above its total shows that the columns are not what their names suggest.
    if not valid.any() or (part[valid] > whole[valid]).any():
        return None
    return float((part[valid] / whole[valid]).max())
