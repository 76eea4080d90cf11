"""Columns of a written table that disclose the order of the rows of its source.

Question: which column of a table that keeps the order of its source numbers the rows, whatever it holds?
Method: a column that differs in every row and rises or falls with the rows: by value, by text, or by length and text
after a common prefix, as keys are ranked.
Limits: below `FEWEST` rows an order is likely by chance. Only remedied tables are examined: an order that the source
has anyway discloses nothing, and a table in sorted or shuffled order is not in that of its source.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from privaudit.base.arrow import pa, pc
from privaudit.detect.pseudonyms.keys import ranks
from privaudit.model import ColumnProfile
from privaudit.source.dataset import Dataset
from privaudit.source.profile.numbers import parse_numbers

FEWEST = 6
"""Rows from which an order is hardly by chance: of the 6! orders of six rows two are ascending or descending."""


def columns_in_order(dataset: Dataset, profiles: Iterable[ColumnProfile]) -> frozenset[str]:
    """Return the columns that differ in every row and rise or fall with the rows."""
    if dataset.n_rows < FEWEST:
        return frozenset()
    different = [profile.name for profile in profiles if profile.n_distinct == dataset.n_rows]
    return frozenset(name for name in different if orders_rows(dataset.rows([name])[name]))


def orders_rows(column: pa.ChunkedArray) -> bool:
    """Return whether the cells of a column of texts all differ and rise or fall with the rows."""
    cells = column.combine_chunks()
    if cells.null_count or pc.count_distinct(cells).as_py() < len(cells):
        return False
    by_value, by_text = parse_numbers(cells), np.argsort(np.asarray(pc.sort_indices(cells)))
    orders = (by_value, ranks(cells), by_text)
    return any((steps > 0).all() or (steps < 0).all() for steps in map(np.diff, orders))
