"""A table of an SQLite file becomes columns of text.

Question: what does one table of this database hold?
Method: Python's own driver on a read-only connection that trusts nothing in the file; SQLite types cells, not columns,
so the kind is declared only where all cells agree. The definitions of tables, views, triggers and indexes have
defaults, checks and comments in them. A page of a table keeps deleted rows in its free blocks until the room is used
again; their texts are read, page by page.
Limits: a table or view must be named where the file holds several tables. Views are offered by name only. Numbers in
free blocks are not read, so a database with free blocks is not assessed as a whole. Bytes between the pointers and the
cells of a page are not read: they may be copies of rows that are in the table.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from privaudit.base.arrow import pa
from privaudit.base.errors import ScanIncomplete, UnreadableSource
from privaudit.base.sql_text import sql_name
from privaudit.model import Limit, limit
from privaudit.model.wording import Number
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.cells.cell_text import scalar_text
from privaudit.source.files.formats.jsonl import kind_of_types
from privaudit.source.input.allowed_size import check_columns
from privaudit.source.input.table import Outside, Read
from privaudit.source.places.location import Location, choose_part, no_such_part

BATCH_ROWS = 50_000


def read_sqlite(where: Location, settings: Settings, progress: Progress = silent) -> Read:
    """Read the table `where.part` of an SQLite file, or its only table.

    Raises
    ------
    UnreadableSource
        If the file is not a SQLite database, is damaged, or does not contain the table.
    ScanIncomplete
        If it contains no table.
    """
    progress(f"Reading {where.shown}", None)
    try:
        with _connect(where) as connection:
            found = _read(connection, _chosen(connection, where), where, settings)
            views, limits = _besides(connection, where)
            return replace(found, limits=limits, outside=views)
    except (sqlite3.Error, UnicodeError, OverflowError):
        raise UnreadableSource(
            f"{where.shown} is damaged, locked, or no SQLite database.",
            hint="copy it again, or close what writes to it",
        ) from None


def tables_of_sqlite(where: Location, _settings: Settings) -> tuple[str, ...]:
    """Return the names of the tables of an SQLite file, without its views, sorted."""
    with _connect(where) as connection:
        return tuple(name for kind, name in _listed(connection) if kind == "table")


@contextlib.contextmanager
def _connect(where: Location) -> Iterator[sqlite3.Connection]:
    log = where.path.with_name(where.path.name + "-wal")
    # Immutable leaves no trace next to the file, but would miss rows that are still in a write-ahead log.
    mode = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    connection = sqlite3.connect(f"file:{quote(os.fsencode(where.path))}?{mode}", uri=True)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        yield connection
    finally:
        connection.close()


def _chosen(connection: sqlite3.Connection, where: Location) -> str:
    found = _listed(connection)
    tables = [name for kind, name in found if kind == "table"]
    if where.part is not None:
        if where.part not in {name for _, name in found}:
            raise no_such_part(where, tables)
        return where.part
    if not tables:
        raise ScanIncomplete(f"{where.shown} holds no table.", hint="was the right file named?")
    if len(tables) > 1:
        raise choose_part(where, tables)
    return tables[0]


def _listed(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return type and name of every table and view."""
    return connection.execute(
        "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
        "ESCAPE '\\' ORDER BY type, name"
    ).fetchall()


def _besides(connection: sqlite3.Connection, where: Location) -> tuple[tuple[Outside, ...], tuple[Limit, ...]]:
    """Return definitions and texts of deleted rows, and limits for views and deleted rows that were not read."""
    views = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall()
    unread = [name for (name,) in views if name != where.part]
    texts, n_blocks = deleted(where.path)
    pages = connection.execute("PRAGMA freelist_count").fetchone()[0]
    limits = []
    if unread:
        limits.append(limit("source.views", views=Number(len(unread))))
    if pages:
        limits.append(limit("source.free_pages", incomplete=True, pages=Number(pages)))
    if n_blocks:
        limits.append(limit("source.free_blocks", incomplete=True, blocks=Number(n_blocks)))
    return (*definitions(connection), *texts), tuple(limits)


def _read(connection: sqlite3.Connection, table: str, where: Location, settings: Settings) -> Read:
    cursor = connection.execute(f"SELECT * FROM {sql_name(table)}")
    names = tuple(column[0] for column in cursor.description)
    check_columns(where.shown, len(names), settings)
    chunks: list[list[pa.Array]] = [[] for _ in names]
    types: list[set[type]] = [set() for _ in names]
    while rows := cursor.fetchmany(BATCH_ROWS):
        for i, cells in enumerate(zip(*rows, strict=True)):
            types[i].update(map(type, cells))
            chunks[i].append(_text(cells))
    columns = [pa.chunked_array(parts, pa.large_string()) for parts in chunks]
    kinds = ((i, kind_of_types(found - {type(None)})) for i, found in enumerate(types))
    declared = tuple((i, kind) for i, kind in kinds if kind is not None)
    return Read(pa.table(columns, names=[f"c{i}" for i in range(len(names))]), names, (), declared)


def _text(cells: tuple[Any, ...]) -> pa.Array:
    return pa.array([scalar_text(value) for value in cells], pa.large_string())


TREE_PAGES = (2, 5, 10, 13)
"""The first byte of a page of a table or an index (https://www.sqlite.org/fileformat.html, 1.6)."""
HEAD = 100
"""Bytes of the header of the file, on the first page."""
LEAST_BLOCK = 4
_TEXT = re.compile(rb"(?:[\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){4,}")


def definitions(connection: sqlite3.Connection) -> Iterator[Outside]:
    """Yield the definitions of all that the schema has."""
    for kind, sql in connection.execute("SELECT type, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall():
        yield Outside("views" if kind == "view" else "definitions", str(sql))


def deleted(path: Path) -> tuple[list[Outside], int]:
    """Return the texts in free blocks, and the number of free blocks that are not empty."""
    texts: list[Outside] = []
    n_blocks = 0
    for block in _free_blocks(path):
        content = block.strip(b"\0")
        n_blocks += bool(content)
        texts += [Outside("deleted", text.decode()) for text in _TEXT.findall(content)]
    return texts, n_blocks


def _free_blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        head = file.read(HEAD)
        size = int.from_bytes(head[16:18]) if len(head) == HEAD else 0
        size = 65536 if size == 1 else size
        if size < 512:
            return
        file.seek(0)
        start = HEAD
        while len(page := file.read(size)) == size:
            if page[start] in TREE_PAGES:
                yield from _blocks_of(page, start)
            start = 0


def _blocks_of(page: bytes, start: int) -> Iterator[bytes]:
    """Yield the content of the free blocks of a page: a chain of offsets that rise."""
    at, last = int.from_bytes(page[start + 1 : start + 3]), 0
    while last < at <= len(page) - LEAST_BLOCK:
        size = int.from_bytes(page[at + 2 : at + 4])
        yield page[at + LEAST_BLOCK : at + size]
        at, last = int.from_bytes(page[at : at + 2]), at
