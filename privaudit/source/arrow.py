"""An Arrow table becomes a `Dataset`: every column cast to its one canonical text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privaudit.config import Settings
from privaudit.model import Limit
from privaudit.source.dataset import Dataset
from privaudit.source.engine import connect

if TYPE_CHECKING:
    import pyarrow as pa


def from_arrow(
    table: pa.Table,
    *,
    name: str = "table",
    format: str = "arrow",
    settings: Settings | None = None,
    limits: Sequence[Limit] = (),
) -> Dataset:
    """Register `table` with the embedded engine and return it as a `Dataset`."""
    import pyarrow as pa

    connection, close = connect(settings or Settings())
    text = pa.table({f"c{i}": column.cast(pa.string()) for i, column in enumerate(table.columns)})
    connection.con.register("source", text)
    return Dataset(
        connection.table("source"),
        columns=table.column_names,
        name=name,
        format=format,
        limits=limits,
        on_close=close,
    )
