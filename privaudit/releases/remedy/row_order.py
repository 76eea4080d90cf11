"""Columns of a written table that disclose the order of the rows of its source.

Question: which column of a table that keeps the order of its source numbers the rows, whatever it holds?
Method: a column that differs in every row and rises or falls with the rows: by value, by text, or by length and text
after a common prefix, as keys are ranked. Tables in sorted or shuffled order are in no order of their source.
Limits: below `FEWEST` rows an order is likely by chance. Time and measurements of things are in order by their nature,
so tables that are not about people are not examined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from privaudit.base.errors import ConfigError
from privaudit.detect.pseudonyms.keys import ranks
from privaudit.model import Report
from privaudit.model.unit import PEOPLE
from privaudit.releases.remedy.plan import Plan
from privaudit.source.profile.numbers import parse_numbers

if TYPE_CHECKING:
    import pyarrow as pa

FEWEST = 6
"""Rows from which an order is hardly by chance: of the 6! orders of six rows two are ascending or descending."""


def check_order(texts: pa.Table, plan: Plan, before: Report) -> None:
    """Check that no column of a table about people numbers rows that keep their order.

    Raises
    ------
    ConfigError
        If one does.
    """
    unit = before.dataset.unit
    if plan.order != "kept" or texts.num_rows < FEWEST or (unit is not None and unit.kind not in PEOPLE):
        return
    for name in texts.column_names:
        if name not in plan.replaced and orders_rows(texts[name]):
            raise ConfigError(
                f'The plan keeps the order of the rows, and "{name}" numbers them: it differs in every row, in order.',
                hint=f'write order = "shuffled" in the plan, or drop "{name}"',
            )


def orders_rows(column: pa.ChunkedArray) -> bool:
    """Return whether the cells of a column of texts all differ and rise or fall with the rows."""
    import pyarrow.compute as pc

    cells = column.combine_chunks()
    if cells.null_count or pc.count_distinct(cells).as_py() < len(cells):
        return False
    by_value, by_text = parse_numbers(cells), np.argsort(np.asarray(pc.sort_indices(cells)))
    orders = (by_value, ranks(cells), by_text)
    return any((steps > 0).all() or (steps < 0).all() for steps in map(np.diff, orders))
