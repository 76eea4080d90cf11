"""Rows that stand for several: each has a ``weight``, the number of records that are like it.

Question: which records do weighted rows stand for, whatever rows they are divided into?
Method: Arrow groups the texts and adds up the weights.
Limits: none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privaudit.source.cells.dictionaries import written_out

if TYPE_CHECKING:
    import pyarrow as pa


def added_up(table: pa.Table, columns: Sequence[str]) -> pa.Table:
    """Return the distinct rows over text columns with the sums of their weights."""
    import pyarrow as pa

    plain = pa.table([written_out(table[name]) for name in columns], names=list(columns))
    found = plain.append_column("weight", table["weight"]).group_by(list(columns)).aggregate([("weight", "sum")])
    return found.rename_columns([*columns, "weight"])


def has_frequencies(table: pa.Table, column: str, values: pa.Array, weights: pa.Array) -> bool:
    """Return whether a text column of weighted rows has each of `values`, and nothing else, as often as stated."""
    import pyarrow.compute as pc

    found = added_up(table, [column])
    if len(found) != len(values):
        return False
    stated = weights.take(pc.index_in(found[column].combine_chunks(), value_set=values))  # a missing cell is found too
    return bool(pc.all(pc.fill_null(pc.equal(found["weight"], stated), False), min_count=0).as_py())
