"""An Arrow table becomes a `Dataset`: every column cast to its one canonical text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from privaudit.config import Settings
from privaudit.model import Limit
from privaudit.source.cell_text import to_text
from privaudit.source.column_names import clean_names
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
    declared: Mapping[int, str] | None = None,
) -> Dataset:
    """Return `table` as a `Dataset`; the embedded engine starts when it is first needed.

    Text columns without a blank cell are taken as they are, without a copy.

    Parameters
    ----------
    table : pyarrow.Table
        Columns of any type; names may be empty, repeated or personal data, see `privaudit.source.column_names`.
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
    engine = _Engine(pa.table(texts, names=[f"c{i}" for i in range(len(texts))]), settings or Settings())
    return Dataset(
        engine.open,
        columns=names,
        name=name,
        format=format,
        declared={names[i]: kind for i, kind in sorted(kinds.items())},
        limits=(*limits, *renamed),
        on_close=engine.close,
        arrow=engine.text,
    )


class _Engine:
    """The embedded engine over a table in memory, started when it is first needed."""

    def __init__(self, text: pa.Table, settings: Settings) -> None:
        self.text = text
        self._settings = settings
        self._close: Callable[[], None] | None = None

    def open(self) -> Any:
        """Start the engine and return the table in it."""
        connection, self._close = connect(self._settings)
        connection.con.register("source", self.text)
        return connection.table("source")

    def close(self) -> None:
        """Stop the engine if it was started."""
        if self._close is not None:
            self._close()
            self._close = None
