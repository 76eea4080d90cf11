"""What every reader returns: a table as its source has it, and the text that the source has besides it.

Question: what is handed on of a source, and where may text be that is not in a cell?
Method: of field metadata, the values of the keys `KEYS` of every field, as text by position. Of the parts of one table,
only what all parts state.
Limits: text besides the table is searched like a cell and never shown. Field metadata are read as text;
`privaudit.audit.stated` parses them and decides whether they apply.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.model import Limit

PLACES = (
    "above", "below", "envelope", "metadata", "dictionary", "properties", "comments", "sheet_settings",
    "workbook_parts", "views", "definitions", "deleted", "null_cells",
)  # fmt: skip
"""Codes of places; ``outside_<place>`` is their term in ``rules/wording/terms.toml``."""


@dataclass(frozen=True, slots=True)
class Outside:
    """Text outside of the table. ``place`` is one of `PLACES`."""

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """A table as a reader found it, before names are made printable and types text.

    ``table`` is a pyarrow.Table, or a `privaudit.source.engine.sql_table.SqlTable` where an engine holds the rows.
    ``declared`` gives the kind of columns by position where the reader knows it; ``outside`` is text besides the
    table, ``stated`` what the metadata of the fields states for privaudit. ``parts`` are the files (`Location`) it
    was read from, where a folder or pattern names them.
    """

    table: Any
    names: tuple[str | None, ...]
    limits: tuple[Limit, ...] = ()
    declared: tuple[tuple[int, str], ...] = ()
    outside: tuple[Outside, ...] = ()
    stated: tuple[Statement, ...] = ()
    parts: tuple[Any, ...] = ()


ROLE, ACCEPT = "privaudit.role", "privaudit.accept"
KEYS = (ROLE, ACCEPT)
MOST_CHARACTERS = 20_000
"""Most characters of one statement that are read; a longer one is cut, and is then not valid."""

Statement = tuple[int, str, str]
"""Position of the field, key and text."""


def statements_of(schema: pa.Schema) -> tuple[Statement, ...]:
    """Return the statements of the fields of `schema`, in the order of the fields."""
    return tuple(
        (i, key, metadata[key.encode()].decode("utf-8", "replace")[:MOST_CHARACTERS])
        for i, metadata in enumerate(field.metadata or {} for field in schema)
        for key in KEYS
        if key.encode() in metadata
    )


def in_all(parts: Iterable[tuple[Statement, ...]]) -> tuple[Statement, ...]:
    """Return the statements that every part of a table has."""
    first, *others = parts
    return tuple(one for one in first if all(one in other for other in others))
