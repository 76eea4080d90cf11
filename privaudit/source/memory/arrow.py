"""An Arrow table becomes a `Dataset`: every column cast to its one canonical text, dictionaries kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from privaudit.base.arrow import pa
from privaudit.base.parallel import each, threads_for
from privaudit.model import Limit
from privaudit.settings.config import Settings
from privaudit.source.cells.blocks import types_of
from privaudit.source.cells.column_names import clean_names
from privaudit.source.cells.dictionaries import text_of
from privaudit.source.dataset import Dataset
from privaudit.source.engine.engine import connect

if TYPE_CHECKING:
    from privaudit.source.engine.sql_table import SqlTable


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
        Columns of any type; names may be empty, repeated or personal data, see `privaudit.source.cells.column_names`.
    declared : mapping of column position to kind, optional
        Kinds the reader knows of columns that reach here as text.
    """
    names, renamed = clean_names(table.column_names)
    chosen = settings or Settings()
    cells = each(text_of, table.columns, threads_for(table.num_rows, chosen.threads))
    texts = [text for text, _ in cells]
    kinds = {i: kind for i, (_, kind) in enumerate(cells) if kind is not None} | dict(declared or {})
    engine = ExitStack()
    made: Dataset = Dataset(
        lambda: _on_engine(made.held, chosen, engine),
        columns=names,
        name=name,
        format=format,
        declared={names[i]: kind for i, kind in sorted(kinds.items())},
        limits=(*limits, *renamed),
        on_close=engine.close,
        arrow=pa.table(texts, names=[f"c{i}" for i in range(len(texts))]),
    )
    made.types = dict(zip(names, types_of(table), strict=True))
    return made


def from_engine(
    table: SqlTable,
    *,
    names: Sequence[str],
    name: str,
    format: str,
    engine: str = "duckdb",
    limits: Sequence[Limit] = (),
    declared: Mapping[int, str] | None = None,
) -> Dataset:
    """Return a table on an engine as a `Dataset`; parameters as those of `from_arrow`."""
    names, renamed = clean_names(names)
    kinds = {**{int(column[1:]): kind for column, kind in table.declared.items()}, **(declared or {})}
    made = Dataset(
        table,
        columns=names,
        name=name,
        format=format,
        engine=engine,
        declared={names[i]: kind for i, kind in sorted(kinds.items())},
        limits=(*limits, *renamed),
        on_close=table.close,
    )
    made.types = dict(zip(names, table.arrow_types.values(), strict=True))
    return made


def _on_engine(table: pa.Table, settings: Settings, stop: ExitStack) -> SqlTable:
    """Start the embedded engine and return `table` in it; `stop` gets what stops the engine."""
    from privaudit.source.engine.queries import Queries
    from privaudit.source.engine.spool import Connection
    from privaudit.source.engine.sql_table import SqlTable

    connection, close = connect(settings)
    stop.callback(close)
    connection.register("source", table)
    run = Connection(connection, settings.threads)
    return SqlTable(run, Queries("duckdb"), table.column_names, stream=run.stream)
