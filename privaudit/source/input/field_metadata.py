"""Roles and acceptances that a file states about itself, in the metadata of its fields.

Question: which statements for privaudit do the fields of a Parquet or Arrow schema contain?
Method: the values of the keys `KEYS` of every field, as text by position. Of the parts of one table, only what all
parts state.
Limits: reads the text only; `privaudit.audit.stated` parses it and decides whether it applies.
"""

from __future__ import annotations

from collections.abc import Iterable

from privaudit.base.arrow import pa

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
