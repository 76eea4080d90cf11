"""Replace a column by independent draws from shares: those of its values, or stated ones.

Question: what does a column look like whose cells say nothing of their record, and what is lost?
Method: each cell is drawn by the shares, independent of all others. Cramér's V with the other columns of categories is
stated before and after, for the three columns with the strongest dependence.
Limits: the shares of the table are published exactly, in expectation, and the dependence on other columns is destroyed.
A rare value remains in the table, unless shares are stated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from privaudit.advice.technique.association import cramers_v
from privaudit.advice.technique.columns import ROW, with_column
from privaudit.advice.technique.record import Context
from privaudit.model.wording import Columns, Fact, Number, fact

MOST_COMPARED = 60
NAMED = 3


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Draw each cell of the columns, by stated shares or from all cells of its column, missing cells among them."""
    stated, before = parameters.get("shares"), table
    for name in parameters["columns"]:
        if stated is None:
            # Each column is drawn by itself: drawing whole rows would keep the dependence that is to be destroyed.
            cells = table[name].take(context.random.integers(0, table.num_rows, table.num_rows))
        else:
            weights = np.array(list(stated.values()), dtype=np.float64)
            drawn = context.random.choice(len(stated), table.num_rows, p=weights / weights.sum())
            cells = pa.array(list(stated), pa.string()).take(pa.array(drawn))
        table = with_column(table, name, cells)
    for name in parameters["columns"]:
        context.facts.extend(_dependence(before, table, name))
    return table


def _dependence(before: pa.Table, after: pa.Table, name: str) -> Iterator[Fact]:
    """Yield Cramér's V with the columns that the column depends on most, before and after."""
    others = [other for other in before.column_names if other not in (name, ROW)][:MOST_COMPARED]
    found = [(v, other) for other in others if (v := cramers_v(before[name], before[other])) is not None]
    for v, other in sorted(found, reverse=True)[:NAMED]:
        left = cramers_v(after[name], after[other])
        yield fact(
            "remedies.dependence",
            column=Columns(names=(name,)),
            other=Columns(names=(other,)),
            before=Number(value=round(v, 4)),
            after=Number(value=round(left or 0.0, 4)),
        )
