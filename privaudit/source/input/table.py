"""What every reader returns: a table as its source has it, and the text that the source has besides it.

Question: what is handed on of a source, and where may text be that is not in a cell?
Limits: text besides the table is searched like a cell and never shown.
"""

from __future__ import annotations

from typing import Any

from privaudit.base.records import dataclass
from privaudit.model import Limit
from privaudit.source.input.field_metadata import Statement

PLACES = (
    "above",
    "envelope",
    "metadata",
    "dictionary",
    "properties",
    "comments",
    "sheet_settings",
    "workbook_parts",
    "views",
    "definitions",
    "deleted",
    "null_cells",
)
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
