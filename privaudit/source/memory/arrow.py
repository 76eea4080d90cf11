"""An Arrow table becomes a `Dataset`: every column cast to its one canonical text, dictionaries kept.

Column names as they may be shown: made unique, and replaced where they are personal data themselves.

Question: can the names of this table's columns be printed?
Method: spaces are trimmed; empty names and names that are personal data (`model.headers.personal_names`) become
``column_<position>``; repeated names get a number.
Limits: those of the recognition of personal data in names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from privaudit.base.parallel import each, threads_for
from privaudit.model import Limit, limit
from privaudit.model.headers import is_personal, people_in
from privaudit.model.wording import Columns
from privaudit.settings.config import Settings
from privaudit.source.cells.blocks import types_of
from privaudit.source.cells.dictionaries import text_of
from privaudit.source.dataset import Dataset
from privaudit.source.engine.collapse import Collapse
from privaudit.source.engine.engine import connect

if TYPE_CHECKING:
    import pyarrow as pa

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
        Columns of any type; names may be empty, repeated or personal data, see `privaudit.source.memory.arrow`.
    declared : mapping of column position to kind, optional
        Kinds the reader knows of columns that reach here as text.
    """
    import pyarrow as pa

    names, renamed = clean_names(table.column_names)
    chosen = settings or Settings()
    cells = each(text_of, table.columns, threads_for(table.num_rows, chosen.threads))
    texts = [text for text, _ in cells]
    kinds = {i: kind for i, (_, kind) in enumerate(cells) if kind is not None} | dict(declared or {})
    engine = _Engine(chosen)
    made: Dataset = Dataset(
        lambda: engine.open(made.held),
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


class _Engine:
    """The embedded engine over a table in memory, started when it is first needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._close: Callable[[], None] | None = None

    def open(self, table: pa.Table) -> Collapse:
        """Start the engine and return `table` in it."""
        from privaudit.source.engine.queries import Queries
        from privaudit.source.engine.spool import Connection
        from privaudit.source.engine.sql_table import SqlTable

        connection, self._close = connect(self._settings)
        connection.register("source", table)
        run = Connection(connection, self._settings.threads)
        return SqlTable(run, Queries("duckdb"), table.column_names, stream=run.stream)

    def close(self) -> None:
        """Stop the engine if it was started."""
        if self._close is not None:
            self._close()
            self._close = None


_UNSHOWABLE = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")


def clean_names(raw: Sequence[object]) -> tuple[list[str], list[Limit]]:
    """Return one printable, different name for each of `raw`, and what had to be changed.

    Parameters
    ----------
    raw : sequence of length n_columns
        The names as the source has them; None where it has none.

    Returns
    -------
    (list of str, list of Limit)
    """
    given = [" ".join(_UNSHOWABLE.sub(" ", "" if name is None else str(name)).split()) for name in raw]
    empty = [i for i, name in enumerate(given) if not name]
    people = set(people_in(given))
    personal = [i for i, name in enumerate(given) if i in people or is_personal(name)]
    for i in (*empty, *personal):
        given[i] = f"column_{i + 1}"
    names, repeated = _unique(given)
    limits = []
    if empty:
        limits.append(limit("source.unnamed_columns", columns=_at(names, empty)))
    if personal:
        limits.append(limit("source.personal_column_names", columns=_at(names, personal)))
    if repeated:
        limits.append(limit("source.repeated_column_names", columns=_at(names, repeated)))
    return names, limits


def _unique(given: list[str]) -> tuple[list[str], list[int]]:
    taken = set(given)
    seen: set[str] = set()
    names, repeated = [], []
    for i, name in enumerate(given):
        chosen, n = name, 1
        while chosen in seen or (n > 1 and chosen in taken):
            n += 1
            chosen = f"{name}_{n}"
        if n > 1:
            repeated.append(i)
        seen.add(chosen)
        names.append(chosen)
    return names, repeated


def _at(names: Sequence[str], positions: Sequence[int]) -> Columns:
    return Columns(names=tuple(names[i] for i in positions))
