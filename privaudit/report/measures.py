"""The catalogue of measures: title, meaning, caveat, formula and source of a number.

Question: what does a reader need next to a number so that it is not misread?
Method: read from ``rules/reference/measures.toml`` (id -> title, plain, not_said, formula, source) where a measure
has an entry; the sentence with the numbers of the table comes from the caller.
Limits: a measure without an entry is shown with its title only.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from privaudit import resources

_TITLES = {
    "class.k_min": "Smallest class (k)",
    "class.n_sample_unique": "Unique people (sample uniques)",
    "class.share_below": "Records in small classes",
    "class.n_classes": "Equivalence classes",
    "risk.prosecutor_max": "Highest prosecutor risk",
    "risk.prosecutor_mean": "Mean prosecutor risk",
    "risk.journalist_max": "Highest journalist risk",
    "risk.marketer": "Marketer risk",
    "risk.share_at_risk": "Records at risk",
}


@cache
def _entries() -> dict[str, dict[str, Any]]:
    file = resources.path("rules", "reference", "measures.toml")
    if not file.is_file():
        return {}
    found = tomllib.loads(file.read_text(encoding="utf-8"))
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
    return {key: str(value).strip() for key, value in _entries().get(measure_id, {}).items()}


def position(measure_id: str) -> int:
    """Return the position of a measure in the catalogue; measures without an entry come last."""
    known = list(_entries())
    return known.index(measure_id) if measure_id in known else len(known)


def measure(measure_id: str, value: str, words: str, *, suffix: str = "", title: str = "") -> dict[str, str]:
    """Return one measured number with its words, ready to be shown.

    Parameters
    ----------
    measure_id : str
        Id in the catalogue, for example "class.k_min".
    value : str
        The number, already wording.
    words : str
        A sentence with the numbers of the table.
    suffix, title : str
        A threshold shown after the title; a title for measures without an entry.
    """
    known = entry(measure_id)
    heading = title or known.get("title") or _TITLES.get(measure_id, measure_id)
    return {
        "id": measure_id,
        "title": f"{heading} ({suffix})" if suffix else heading,
        "value": value,
        "words": words or known.get("plain", ""),
        "not_said": known.get("not_said", ""),
        "formula": known.get("formula", ""),
        "source": known.get("source", ""),
    }
