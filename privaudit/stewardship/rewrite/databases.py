"""Write SQLite and DuckDB files anew.

Question: how does a database lose some rows, and every page, index and free list that holds them?
Method: SQLite: VACUUM INTO a copy, delete there, VACUUM INTO the new file, which has no free page; foreign keys are
checked. DuckDB: the schema is copied into a new database and filled with the rows that stay, because deleted rows stay
in its blocks.
Limits: rows of a table are numbered as a query without order returns them; what is written is compared with what was
read, so that another order is an error. Triggers of the copy do not run.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from privaudit.base.errors import ConfigError
from privaudit.base.extras import ENGINES, needing
from privaudit.base.sql_text import sql_name, sql_text
from privaudit.settings.config import Settings
from privaudit.source.places.location import Location
from privaudit.stewardship import stores, swap
from privaudit.stewardship.changes import Change
from privaudit.stewardship.rewrite.text_files import native

T = TypeVar("T")
_STORED = """
SELECT column_name, data_type FROM duckdb_columns()
WHERE database_name = 'old' AND schema_name = ? AND table_name = ? AND NOT is_generated ORDER BY column_index
"""


def rewrite_sqlite(where: Location, changes: Mapping[str, Change], target: Path, settings: Settings) -> None:
    """Write a SQLite file without the deleted rows, and with replaced cells.

    Raises
    ------
    ConfigError
        If a foreign key would lead nowhere, or a cell that must not be missing would be masked.
    """
    part = target.with_name(f"{target.name}.1")
    with _removed(part):
        with stores.read_only(where.path) as source:
            source.execute("VACUUM INTO ?", (str(part),))
        part.chmod(0o600)
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            # Actions such as ON DELETE CASCADE would delete rows that the plan does not list.
            copy.execute("PRAGMA foreign_keys = OFF")
            # References that lead nowhere already are not the fault of the erasure: only new ones refuse it.
            broken = len(copy.execute("PRAGMA foreign_key_check").fetchall())
            triggers = copy.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for name, _ in triggers:  # a trigger could copy a deleted row
                copy.execute(f"DROP TRIGGER {sql_name(name)}")
            try:
                for table, change in changes.items():
                    _change_sqlite(copy, table, change)
            except sqlite3.IntegrityError:
                raise ConfigError(
                    "A cell that is to be masked must not be missing, or a pseudonym violates a condition of "
                    "its table.",
                    hint='write erase = "pseudonymise" or "delete" for the table',
                ) from None
            for _, text in triggers:
                copy.execute(text)
            if len(copy.execute("PRAGMA foreign_key_check").fetchall()) > broken:
                raise ConfigError(
                    "Remaining rows would refer to erased rows.",
                    hint='set erase = "mask" for the table they refer to, or decide about the affected rows (several)',
                )
            # Once more, because deleting leaves the bytes of the rows in the pages of the copy.
            copy.execute("VACUUM INTO ?", (str(target),))


@contextmanager
def _removed(part: Path) -> Iterator[None]:
    try:
        yield
    finally:
        for suffix in ("", *swap.LOGS):
            with suppress(OSError):
                part.with_name(part.name + suffix).unlink(missing_ok=True)


def _change_sqlite(connection: sqlite3.Connection, table: str, change: Change) -> None:
    keys = _keys(connection, table)
    # All columns, as the reader asks for them: SQLite may read an index that holds them all, in its order.
    cursor = connection.execute(f"SELECT *, {', '.join(map(sql_name, keys))} FROM {sql_name(table)}")
    order = [row[-len(keys) :] for row in cursor.fetchall()]
    at = " AND ".join(f"{sql_name(key)} IS ?" for key in keys)
    for column, cells in change.cells.items():
        for row, replacement in cells.items():
            if row in change.delete:
                continue
            (value,) = connection.execute(
                f"SELECT {sql_name(column)} FROM {sql_name(table)} WHERE {at}", order[row]
            ).fetchone()
            connection.execute(
                f"UPDATE {sql_name(table)} SET {sql_name(column)} = ? WHERE {at}",
                (native(value, replacement), *order[row]),
            )
            # The row has another key from here on, by which the next statements must find it.
            if column in keys:
                position = keys.index(column)
                order[row] = (*order[row][:position], native(value, replacement), *order[row][position + 1 :])
    connection.executemany(f"DELETE FROM {sql_name(table)} WHERE {at}", [order[row] for row in sorted(change.delete)])


def _keys(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns by which the rows of a table are stored: rowid, or the primary key of a table without it."""
    columns = connection.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
    (without,) = connection.execute("SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'", (table,)).fetchone()
    primary = [name for name, pk in sorted(columns, key=lambda each: each[1]) if pk]
    if without:
        return primary
    hidden = {name.lower() for name, _ in columns}
    rowid = next(name for name in ("rowid", "oid", "_rowid_") if name not in hidden)
    return primary if len(primary) == 1 and _is_rowid(connection, table, primary[0], rowid) else [rowid]


def _is_rowid(connection: sqlite3.Connection, table: str, column: str, rowid: str) -> bool:
    """Whether a column is the rowid under another name, as an INTEGER PRIMARY KEY is: who changes one changes both."""
    other = connection.execute(f"SELECT 1 FROM {sql_name(table)} WHERE {rowid} IS NOT {sql_name(column)} LIMIT 1")
    return other.fetchone() is None


def rewrite_duckdb(where: Location, changes: Mapping[str, Change], target: Path, settings: Settings) -> None:
    """Write a DuckDB file without the deleted rows, and with replaced cells.

    Raises
    ------
    ConfigError
        If a foreign key would lead nowhere, or a cell that must not be missing would be masked.
    """
    with needing(ENGINES, "Writing DuckDB files"):
        import duckdb
    with closing(duckdb.connect(":memory:")) as connection:
        connection.execute(f"ATTACH {sql_text(str(where.path))} AS old (READ_ONLY)")
        connection.execute(f"ATTACH {sql_text(str(target))} AS new")
        connection.execute("COPY FROM DATABASE old TO new (SCHEMA)")
        waiting = connection.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'old' AND NOT internal"
        ).fetchall()
        write_referenced_first(waiting, lambda table: _filled(connection, table[0], table[1], changes))
        # Written into the file itself, so that no log next to it holds data.
        connection.execute("CHECKPOINT new")
        connection.execute("DETACH new")


def write_referenced_first(tables: Iterable[T], write: Callable[[T], bool]) -> None:
    """Call `write` for each table, and again for those that it refuses, until every table is written.

    `write` returns False if a foreign key leads to a table that is not written yet.

    Raises
    ------
    ConfigError
        If none of the tables that are left can be written.
    """
    waiting = list(tables)
    while waiting:
        left = [table for table in waiting if not write(table)]
        if len(left) == len(waiting):
            raise ConfigError(
                "Remaining rows would refer to erased rows, or a column that must not be null would be masked.",
                hint='set erase = "mask" or "pseudonymise" for the table, or decide about the affected rows (several)',
            )
        waiting = left


def _filled(connection: Any, schema: str, table: str, changes: Mapping[str, Change]) -> bool:
    import duckdb

    # The reader names the tables of the main schema without it.
    name = table if schema == "main" else f"{schema}.{table}"
    change = changes.get(name, Change())
    old, new = (f"{database}.{sql_name(schema)}.{sql_name(table)}" for database in ("old", "new"))
    rowids = [row[0] for row in connection.execute(f"SELECT rowid FROM {old}").fetchall()]
    columns = connection.execute(_STORED, [schema, table]).fetchall()
    selected = ", ".join(_selected(column, kind, change, rowids) for column, kind in columns)
    gone = ", ".join(str(rowids[i]) for i in sorted(change.delete)) or "-1"
    names = ", ".join(sql_name(column[0]) for column in columns)
    try:
        connection.execute(f"INSERT INTO {new} ({names}) SELECT {selected} FROM {old} WHERE rowid NOT IN ({gone})")
    except duckdb.ConstraintException:
        connection.execute(f"DELETE FROM {new}")
        return False
    return True


def _selected(name: str, kind: str, change: Change, rowids: Sequence[int]) -> str:
    column = sql_name(name)
    cells = change.cells.get(name, {})
    if not cells:
        return column
    cases = []
    for row, replacement in cells.items():
        made: Any = None if replacement is None else replacement.number if "INT" in kind else replacement.text
        value = "NULL" if made is None else str(made) if isinstance(made, int) else sql_text(made)
        cases.append(f"WHEN rowid = {rowids[row]} THEN {value}")
    return f"CASE {' '.join(cases)} ELSE {column} END AS {column}"
