"""The catalogue of measures: title, meaning, caveat, formula and source of a number.

Question: what does a number mean, whatever shows it?
Method: read from ``rules/reference/measures.toml``: id -> title, plain, not_said, formula, source, and
``also``, another name of it.
Limits: texts only; a measure without an entry has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from privaudit.base import resources


@cache
def entries() -> dict[str, dict[str, Any]]:
    """Return the whole catalogue by id."""
    return dict(_flatten(resources.read_toml(resources.path("rules", "reference", "measures.toml")), ""))


def _flatten(table: dict[str, Any], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, value in table.items():
        if "title" in value:
            yield prefix + key, value
        else:
            yield from _flatten(value, f"{prefix}{key}.")


def entry(measure_id: str) -> dict[str, str]:
    """Return the catalogue entry of a measure as text; empty where there is none."""
    return {key: str(value).strip() for key, value in entries().get(measure_id, {}).items()}


def position(measure_id: str) -> int:
    """Return the position of a measure in the catalogue; measures without an entry come last."""
    known = list(entries())
    return known.index(measure_id) if measure_id in known else len(known)
