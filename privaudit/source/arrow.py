"""An Arrow table becomes a `Dataset`: every column cast to its one canonical text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from privaudit.config import Settings
from privaudit.model import Limit
from privaudit.source.canonical import to_text
from privaudit.source.dataset import Dataset
from privaudit.source.engine import connect
from privaudit.source.names import clean_names

if TYPE_CHECKING:
    import pyarrow as pa


def from_arrow(
    table: pa.Table,
    *,
    name: str = "table",
    format: str = "arrow",
    settings: Settings | None = None,
    limits: Sequence[Limit] = (),
    declared: Mapping[int, str] | None = None,
) -> Dataset:
    """Register `table` with the embedded engine and return it as a `Dataset`.

    Text columns without a blank cell are taken as they are, without a copy.

    Parameters
    ----------
    table : pyarrow.Table
        Columns of any type; names may be empty, repeated or personal data, see `privaudit.source.names`.
    declared : mapping of column position to kind, optional
        Kinds the reader knows of columns that reach here as text.
    """
    import pyarrow as pa

    names, renamed = clean_names(table.column_names)
    texts, kinds = [], dict(declared or {})
    for i, column in enumerate(table.columns):
        text, kind = to_text(column)
        texts.append(text)
        if kind is not None:
            kinds.setdefault(i, kind)
    connection, close = connect(settings or Settings())
    connection.con.register("source", pa.table(texts, names=[f"c{i}" for i in range(len(texts))]))
    return Dataset(
        connection.table("source"),
        columns=names,
        name=name,
        format=format,
        declared={names[i]: kind for i, kind in sorted(kinds.items())},
        limits=(*limits, *renamed),
        on_close=close,
    )
