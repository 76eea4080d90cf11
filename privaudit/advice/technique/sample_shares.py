"""Replace a column by independent draws from the shares of its values.

Limits: the shares are published exactly, in expectation, and the dependence on other columns is destroyed. A rare value
remains in the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.record import Context, Technique

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Draw each cell of the columns from all cells of its column, missing cells among them."""
    for name in parameters["columns"]:
        drawn = context.random.integers(0, table.num_rows, table.num_rows)
        table = with_column(table, name, table[name].take(drawn))
    return table


TECHNIQUE = Technique(
    name="sample_shares",
    meaning="Replaces a column by independent draws from the shares of its values.",
    scope="columns",
    keeps_meaning=True,
    is_perturbation=True,
    apply=apply,
)
