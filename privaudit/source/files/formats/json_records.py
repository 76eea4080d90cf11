"""The records of a JSON document: an array, or an object that wraps one, as web services write it.

Question: which part of one JSON object is its table?
Method: the answer of a web service is an object that wraps one list of objects; lists are looked for level by level, in
at most `DEEPEST` levels. A list of features (GeoJSON) or of entries of a bundle (FHIR) is read as what each of them
wraps. An object of lists of equal length is a table by columns. The rest of the document is text outside of the table.
Limits: an object with several lists of objects, or with none, is refused by what it is: one object is not a table.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from privaudit.base.errors import UnreadableSource
from privaudit.base.records import dataclass
from privaudit.source.places.location import Location

DEEPEST = 4
_WRAPPED = ("properties", "resource", "attributes")
"""Keys under which GeoJSON, bundles of FHIR and JSON:API keep the content of a record."""


@dataclass(frozen=True, slots=True)
class Records:
    """The elements of the list, objects or not, and the text of the document around it."""

    rows: Sequence[Any]
    around: str


def records_of(document: Any, where: Location) -> Records:
    """Return the records of a parsed document.

    Raises
    ------
    UnreadableSource
        For an object that wraps no list of objects, or several.
    """
    if isinstance(document, list):
        return Records(document, "")
    columns = _by_columns(document)
    if columns is not None:
        return Records(columns, "")
    level = [document]
    for _ in range(DEEPEST):
        found = [(parent, key) for parent in level for key, value in parent.items() if _is_list_of_objects(value)]
        if len(found) > 1:
            raise UnreadableSource(
                f"{where.shown} is one object with {len(found)} lists of objects.",
                hint="write one of the lists to a file",
            )
        if found:
            parent, key = found[0]
            rows = parent.pop(key)
            return Records([_unwrapped(row) for row in rows], json.dumps(document, ensure_ascii=False))
        level = [value for parent in level for value in parent.values() if isinstance(value, dict)]
    raise UnreadableSource(
        f"{where.shown} is one object, not a list of records.",
        hint="a table is an array of objects, or one object a line",
    )


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(element, dict) for element in value)


def _by_columns(document: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of an object whose values are lists of one length; None for another object."""
    lists = list(document.values())
    if not lists or not all(isinstance(value, list) for value in lists) or len({len(value) for value in lists}) > 1:
        return None
    if not lists[0] or any(isinstance(cell, dict) for value in lists for cell in value):
        return None
    return [dict(zip(document, cells, strict=True)) for cells in zip(*lists, strict=True)]


def _unwrapped(row: dict[str, Any]) -> dict[str, Any]:
    """Return a record with the content that a format keeps under one key next to its other keys."""
    key = next((key for key in _WRAPPED if isinstance(row.get(key), dict)), None)
    if key is None:
        return row
    others = {name: value for name, value in row.items() if name != key}
    clash = others.keys() & row[key].keys()
    return {**{f"{name} of the record" if name in clash else name: value for name, value in others.items()}, **row[key]}
