"""The base of every record that is part of report.json.

Question: how does a record's field name become a key of report.json, and how is a record made of others?
Method: a trailing underscore is dropped (``is_`` becomes ``is``), and names that the contract spells differently are
mapped (``data_type`` becomes ``kind``). Pydantic reads the same rule, so writing, reading and the schema agree.
`assembled` takes the fields that records have in common by name, so that no list of fields is written twice.
Limits: no I/O and no third-party import.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Made = TypeVar("Made", bound="DataclassInstance")

CONTRACT_NAMES = {"data_type": "kind"}
"""Field names whose key in report.json is fixed by the contract under another name."""


def wire_name(field_name: str) -> str:
    """Return the key of report.json for a field name.

    >>> wire_name("is_"), wire_name("data_type"), wire_name("n_rows")
    ('is', 'kind', 'n_rows')
    """
    return CONTRACT_NAMES.get(field_name, field_name.rstrip("_"))


class Wire:
    """Mark a record as part of report.json."""

    __slots__ = ()
    __pydantic_config__ = {  # noqa: RUF012 - read by pydantic, which requires a plain dict
        "alias_generator": wire_name,
        "validate_by_name": True,
        "validate_by_alias": True,
        "serialize_by_alias": True,
        "ser_json_inf_nan": "null",
        "allow_inf_nan": False,
    }


def assembled(kind: type[Made], *parts: DataclassInstance, **named: Any) -> Made:
    """Return a record of `kind` whose fields come, by name, from `named` or else from the first part that has them.

    >>> from dataclasses import make_dataclass
    >>> whole, part = make_dataclass("Whole", ["a", "b"]), make_dataclass("Part", ["b", "c"])
    >>> assembled(whole, part(b=1, c=2), a=0)
    Whole(a=0, b=1)
    """
    shared = _shared(kind, tuple(map(type, parts)))
    return kind(**{name: getattr(parts[i], name) for name, i in shared if name not in named}, **named)


@cache
def _shared(kind: type[DataclassInstance], parts: tuple[type[DataclassInstance], ...]) -> tuple[tuple[str, int], ...]:
    """Return the fields of `kind` that a part has, with the place of the first part that has them."""
    has = [{item.name for item in fields(part)} for part in parts]
    return tuple(
        (item.name, next(i for i, names in enumerate(has) if item.name in names))
        for item in fields(kind)
        if any(item.name in names for names in has)
    )
