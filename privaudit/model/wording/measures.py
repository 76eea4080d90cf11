"""The catalogue of measures: title, meaning, caveat, formula and source of a number.

Question: what does a number mean, whatever shows it?
Method: read from ``rules/reference/measures.toml``: id -> title, plain, not_said, formula, source, and
``also``, another name of it.
Limits: texts only; a measure without an entry has none.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from privaudit.base import resources


@cache
def entries() -> dict[str, dict[str, Any]]:
    """Return the whole catalogue by id."""
    file = resources.path("rules", "reference", "measures.toml")
    if not file.is_file():
        return {}
    found = resources.read_toml(file)
    # Dotted ids may be written as quoted keys or as nested tables.
    return dict(_flatten(found.get("measure", found), ""))


def _flatten(table: dict[str, Any], prefix: str) -> list[tuple[str, dict[str, Any]]]:
    flat: list[tuple[str, dict[str, Any]]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            inside = prefix + key
            flat += [(inside, value)] if "title" in value else _flatten(value, f"{inside}.")
    return flat


def entry(measure_id: str) -> dict[str, str]:
    """Return the catalogue entry of a measure as text; empty where there is none."""
    return {key: str(value).strip() for key, value in entries().get(measure_id, {}).items()}


def position(measure_id: str) -> int:
    """Return the position of a measure in the catalogue; measures without an entry come last."""
    known = list(entries())
    return known.index(measure_id) if measure_id in known else len(known)
