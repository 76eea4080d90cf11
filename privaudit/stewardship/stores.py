"""What a store of the data map is: a file, a database or a server, and the tables in it.

Question: which tables does a store hold now, and how is each of them read?
Method: the reader of every other command opens the tables, so that the map and a scan see the same cells. A file of one
table has a table without a name.
Limits: a compressed file is one store; object stores and Spark are read for the map, and no command erases there.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from privaudit.base.arrow import pa
from privaudit.base.errors import EngineUnavailable, ScanIncomplete, UnreadableSource, foreign_errors_as
from privaudit.base.extras import POSTGRES, needing
from privaudit.model.file_formats import FILE_FORMATS
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.files.readers.reader_client import list_tables
from privaudit.source.places.addresses import Address, address_of, password_of
from privaudit.source.places.location import locate
from privaudit.stewardship.data_map import Format, Store

if TYPE_CHECKING:
    from collections.abc import Sequence


_TABLES = """
SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema')
AND n.nspname NOT LIKE 'pg_toast%' ORDER BY 1, 2
"""
_FOREIGN_KEYS = """
SELECT n.nspname, c.relname, a.attname, m.nspname, t.relname, b.attname FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class t ON t.oid = k.confrelid JOIN pg_catalog.pg_namespace m ON m.oid = t.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
JOIN pg_catalog.pg_attribute b ON b.attrelid = t.oid AND b.attnum = k.confkey[1]
WHERE k.contype = 'f' AND cardinality(k.conkey) = 1 AND k.conparentid = 0 ORDER BY 1, 2, 3, 4, 5, 6
"""
ForeignKey = tuple[str, str, str, str]
"""Table, column, and the table and column they refer to."""


def read_only(path: Path) -> closing[sqlite3.Connection]:
    """Return an SQLite file, opened for reading alone; nothing is left next to it."""
    log = path.with_name(f"{path.name}-wal")
    # Immutable creates no files, but would miss rows that are still in a write-ahead log.
    is_whole = not (log.exists() and log.stat().st_size)
    # As an address, in which "%", "?" and "#" of a file name are escaped.
    address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if is_whole else ''}"
    return closing(sqlite3.connect(address, uri=True))


def format_of(source: str) -> Format:
    """Return the format of a store; "other" for one that no command changes."""
    address = address_of(source)
    found = address.format if address is not None else locate(source).format
    return next((known for known in get_args(Format) if known == found), "other")


def is_server(source: str) -> bool:
    """Whether a store is an address, not a file."""
    return address_of(source) is not None


def resolved(source: str, folder: Path) -> str:
    """Return a source of the map as it is opened: a path is relative to the folder of the map."""
    return source if is_server(source) else os.path.join(folder, source)


def tables_of(source: str, settings: Settings) -> tuple[str, ...]:
    """Return the names of the tables of a store now; one empty name for a file that is one table.

    Raises
    ------
    PrivauditError
        If the store cannot be opened.
    """
    address = address_of(source)
    if address is not None and address.format == "postgresql" and not address.table:
        with connected(address, settings) as connection, foreign_errors_as(_not_listed):
            cursor = connection.cursor()
            cursor.execute(_TABLES)
            return tuple(f"{schema}.{name}" for schema, name in cursor.fetchall())
    if address is not None:
        return ("",)
    where = locate(source)
    return list_tables(where, settings) if FILE_FORMATS[where.format].lister else ("",)


def foreign_keys_of_postgresql(source: str, settings: Settings) -> Iterator[ForeignKey]:
    """Yield the foreign keys of one column that a server declares, where the store is the whole server.

    Raises
    ------
    PrivauditError
        If they cannot be listed.
    """
    address = address_of(source)
    if address is None or address.table:
        return
    with connected(address, settings) as connection, foreign_errors_as(_not_listed):
        cursor = connection.cursor()
        cursor.execute(_FOREIGN_KEYS)
        for schema, table, column, to_schema, to, key in cursor.fetchall():
            yield f"{schema}.{table}", column, f"{to_schema}.{to}", key


def _not_listed() -> UnreadableSource:
    return UnreadableSource("The tables of the database cannot be listed.", hint="check your rights")


@contextmanager
def connected(address: Address, settings: Settings) -> Iterator[Any]:
    """Yield a connection to a PostgreSQL server, in which every statement commits by itself."""
    with needing(POSTGRES, "PostgreSQL"):
        from adbc_driver_postgresql import dbapi
    from privaudit.source.servers.postgres import connection_text

    with foreign_errors_as(
        lambda: EngineUnavailable("The PostgreSQL server did not accept the connection.", hint="check the address")
    ):
        connection = dbapi.connect(connection_text(address, password_of(settings)), autocommit=True)
    try:
        yield connection
    finally:
        connection.close()


def table_source(source: str, table: str) -> str:
    """Return the source of one table of a store, as a scan takes it."""
    if not table:
        return source
    if is_server(source):
        return f"{source}{'&' if '?' in source else '?'}table={table}"
    return f"{source}#{table}"


def columns_of(source: str, table: str, settings: Settings) -> tuple[str, ...]:
    """Return the names of the columns of a table now; none where it does not have a row.

    Raises
    ------
    PrivauditError
        If the table cannot be read.
    """
    try:
        with open_dataset(table_source(source, table), settings) as dataset:
            return dataset.columns
    except ScanIncomplete:
        return ()


def read_rows(source: str, table: str, columns: Sequence[str], settings: Settings) -> pa.Table:
    """Return columns of every row of a table as text, in the order of the store; no row where the table is empty.

    Raises
    ------
    PrivauditError
        If the table cannot be read or lacks a column.
    """
    try:
        with open_dataset(table_source(source, table), settings) as dataset:
            return dataset.rows(list(columns))
    except ScanIncomplete:
        return pa.table({column: pa.array([], pa.string()) for column in columns})


def is_there(store: Store, folder: Path) -> bool:
    """Whether the file of a store exists; a server is asked when it is read."""
    return is_server(store.source) or Path(resolved(store.source, folder)).exists()
