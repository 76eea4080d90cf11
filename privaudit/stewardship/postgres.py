"""Erase the rows of a person from the tables of a PostgreSQL server.

Question: how does a server lose some rows, all of them or none?
Method: one transaction of isolation level SERIALIZABLE reads the tables again, compares them with what the plan saw,
deletes and updates rows by their place (ctid), checks that exactly these rows changed, and commits. Tables are changed
until no foreign key refuses, each try in a savepoint. After the commit VACUUM (FULL) writes the tables anew, because
deleted rows stay in the pages.
Limits: write-ahead logs, replicas and base backups keep the rows; they are lines of the map. VACUUM (FULL) locks a
table while it runs, and needs its owner.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from privaudit.base.errors import ChangedSinceDryRun, EngineError, PrivauditError, foreign_errors_as
from privaudit.base.sql_text import sql_name
from privaudit.source.places.addresses import address_of
from privaudit.stewardship import stores
from privaudit.stewardship.changes import Change, Token
from privaudit.stewardship.data_map import Store
from privaudit.stewardship.erase import StoreResult
from privaudit.stewardship.person import Reader
from privaudit.stewardship.rewrite.databases import write_referenced_first


def erase(store: Store, changes: dict[str, Change], reader: Reader) -> StoreResult:
    """Erase rows of a server, verified before the commit.

    Raises
    ------
    ConfigError
        If a table changed since it was read, or remaining rows would refer to erased rows.
    EngineError
        If the server refuses.
    """
    address = address_of(store.source)
    assert address is not None
    with stores.connected(address, reader.settings) as connection, foreign_errors_as(_refused):
        cursor = connection.cursor()
        with _transaction(cursor):
            write_referenced_first(changes.items(), lambda each: _changed(cursor, store, *each, reader))
        for table in changes:
            cursor.execute(f"VACUUM (FULL) {_name(table or address.table)}")
    n = sum(len(change.rows) for change in changes.values())
    return StoreResult(store=store.name, sha256="", n_searched=0, n_compared=n)


@contextmanager
def _transaction(cursor: Any) -> Iterator[None]:
    cursor.execute("BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE")
    with ExitStack() as if_it_fails:
        if_it_fails.callback(cursor.execute, "ROLLBACK")
        yield
        if_it_fails.pop_all()
    cursor.execute("COMMIT")


def _name(table: str) -> str:
    return ".".join(map(sql_name, table.split(".", 1)))


def _changed(cursor: Any, store: Store, table: str, change: Change, reader: Reader) -> bool:
    """Change one table; False where a foreign key or a condition refuses, and nothing was changed."""
    cursor.execute("SAVEPOINT one_table")
    try:
        with foreign_errors_as(_Refused):
            _change(cursor, store, table, change, reader)
    except _Refused:
        cursor.execute("ROLLBACK TO SAVEPOINT one_table")
        return False
    cursor.execute("RELEASE SAVEPOINT one_table")
    return True


class _Refused(EngineError):
    """The server refused one statement; the table is tried again after the others."""

    def __init__(self) -> None:
        super().__init__("The server refused a change.")


def _change(cursor: Any, store: Store, table: str, change: Change, reader: Reader) -> None:
    address = address_of(store.source)
    assert address is not None
    name = _name(table or address.table)
    places = _places(cursor, name)
    described = next(each for each in store.table if each.name == table)
    n_rows = len(reader.rows(store, table, [described.columns[0].name]))
    if len(places) != n_rows:
        raise _listed_again()
    for column, cells in change.cells.items():
        kind = _kind(cursor, name, column)
        for row, replacement in cells.items():
            if row not in change.delete:
                # An update moves the row: its new place is returned.
                cursor.execute(
                    f"UPDATE {name} SET {sql_name(column)} = {_literal(replacement, kind)} "
                    f"WHERE ctid = '{places[row]}' RETURNING ctid::text"
                )
                ((places[row],),) = cursor.fetchall()
    gone = [places[row] for row in sorted(change.delete)]
    if gone:
        listed = ", ".join(f"'{place}'::tid" for place in gone)
        cursor.execute(f"DELETE FROM {name} WHERE ctid IN ({listed}) RETURNING 1")
        if len(cursor.fetchall()) != len(gone):
            raise _listed_again()


def _places(cursor: Any, name: str) -> list[str]:
    """Return the place of each row, in the order in which a scan without index reads them."""
    cursor.execute("SET LOCAL enable_indexscan = off")
    cursor.execute("SET LOCAL enable_indexonlyscan = off")
    cursor.execute("SET LOCAL synchronize_seqscans = off")
    cursor.execute(f"SELECT ctid::text FROM {name}")
    return [place for (place,) in cursor.fetchall()]


def _kind(cursor: Any, name: str, column: str) -> str:
    cursor.execute(f"SELECT pg_typeof({sql_name(column)})::text FROM {name} LIMIT 1")
    ((kind,),) = cursor.fetchall()
    return str(kind)


def _literal(replacement: Token | None, kind: str) -> str:
    if replacement is None:
        return "NULL"
    return str(replacement.number) if kind in ("integer", "bigint", "numeric") else f"'{replacement.text}'"


def _listed_again() -> PrivauditError:
    return ChangedSinceDryRun("A table of the server changed since it was listed.", hint="list the changes again")


def _refused() -> PrivauditError:
    return EngineError("The PostgreSQL server refused the erasure; nothing was changed.", hint="check your rights")
