"""What an SQLite file holds besides the rows of its tables: definitions, and bytes of rows that were deleted.

Question: which text goes to whoever gets the database, although no row shows it?
Method: the definitions of tables, views, triggers and indexes have defaults, checks and comments in them. A page of a
table keeps deleted rows in its free blocks until the room is used again; their texts are read, page by page.
Limits: numbers in free blocks are not read, so a database with free blocks is not assessed as a whole. Bytes between
the pointers and the cells of a page are not read: they may be copies of rows that are in the table.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from privaudit.source.input.table import Outside

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
