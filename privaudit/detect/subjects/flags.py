"""Columns of two values, by the value that their name states.

Question: what is a column of 0 and 1 named ``female`` or ``is_black``?
Method: the name states one of two values of an entity type (``rules/headers/flags.toml``). A sex shows that the table
describes people; the other names count only in such a table.
Limits: "white" and "single" have other meanings, also in tables that describe people.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.detect.column import Column
from privaudit.detect.subjects.context import Posting, Table, describes_people, name
from privaudit.headers import flagged_entity_type, needs_people
from privaudit.wording import fact

_STRENGTH = 0.75
_PAIRS = tuple(map(frozenset, (("0", "1"), ("1", "2"), ("y", "n"), ("t", "f"), ("yes", "no"), ("true", "false"))))


def name_flags(table: Table) -> Iterator[Posting]:
    """Yield the claims on columns of two values whose name states one of them."""
    flagged = [
        (item, entity)
        for item in table
        if (entity := flagged_entity_type(item.column.header.words)) and has_two_values(item.column)
    ]
    people = describes_people(table) or not all(needs_people(entity) for _, entity in flagged)
    for item, entity in flagged:
        if (people or not needs_people(entity)) and item.ledger.strength_of_name(entity) < _STRENGTH:
            yield name(item, entity, _STRENGTH, fact("detect.siblings_named_flag"))


def has_two_values(column: Column) -> bool:
    """Return whether the values of a column are yes and no, 0 and 1, or 1 and 2."""
    if not 1 <= column.n_distinct <= 2:
        return False
    values = frozenset(text.removesuffix(".0") for text in column.folded.to_pylist())
    return any(values <= pair for pair in _PAIRS)
