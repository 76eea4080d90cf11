"""The deeper risk tables: diversity, population, special uniques, contributions, people, sampling weights.

Question: how are measures shown that only some scans have?
Method: a section for each table that is there; known numbers get their words, any further number is listed by its
name, so that nothing measured is lost.
Limits: shares and indices are told as they are; counts of records are told in people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from privaudit.model import Report
from privaudit.report.catalogue import entry, measure
from privaudit.report.escape import name
from privaudit.report.words import Numbers, decimal

View = dict[str, Any]

MOST_SENSITIVE = 30
_COUNTS = (
    "homogeneous_classes",
    "homogeneous_records",
    "n_",
    "size",
    "k_map",
    "msu",
    "classes",
    "records",
    "uniques",
    "zayatz",
    "pitman",
    "snb",
    "dankar",
)
_TITLES = {
    "population": "Against the population",
    "special_uniques": "Special uniques",
    "marginal": "What each column adds",
    "entity": "People with several rows",
    "weighted": "With sampling weights",
}
_NOTES = {
    "population": "Estimated numbers of people who are unique in the population as well; an estimate that does not apply is a dash.",
    "special_uniques": "Records that stand out by few columns already; the more and the smaller such sets, the easier a chance hit.",
    "marginal": "The change in exposed records when the column is left out.",
    "entity": "Counted in people, not in rows; a person's rows together are a fingerprint.",
    "weighted": "Risk when each row stands for as many people as its weight says.",
}
_DIVERSITY_PREFIX = "diversity."


def sections(report: Report, told: Numbers) -> list[View]:
    """Return a section for each deeper table of the risk record that is present."""
    found = report.risk
    assert found is not None
    shown = [
        _diversity(column, values, told)
        for column, values in sorted(found.diversity.items())[:MOST_SENSITIVE]
    ]
    for key, title in _TITLES.items():
        table = getattr(found, key)
        if table:
            shown.append({"title": title, "note": _NOTES[key], "measures": _listed(table, key, told)})
    return shown


def _diversity(column: str, values: Mapping[str, Any], told: Numbers) -> View:
    people = values.get("homogeneous_records")
    note = "Whether knowing the class already tells the sensitive value."
    if people is not None:
        note = f"For {told.people(int(people), told.n_rows)} everybody in the class has the same value, so the class gives it away."
    return {
        "title": f"Diversity of {name(column)}",
        "note": note,
        "measures": _listed(values, "diversity", told),
    }


def _listed(table: Mapping[str, Any], group: str, told: Numbers) -> list[View]:
    rows = []
    for path, value in _leaves(table, ()):
        key = path[0]
        known = next(
            (
                f"{prefix}{part}"
                for prefix in (f"{group}.", "risk.", "closeness.")
                for part in (".".join(path), key)
                if entry(f"{prefix}{part}")
            ),
            "",
        )
        rest = "" if known.endswith(".".join(path)) else " · ".join(name(part, 60) for part in path[1:])
        title = name(key, 60).replace("_", " ")
        rows.append(
            measure(
                known or f"{group}.{key}",
                _told(path, value, told),
                "",
                suffix=rest,
                title="" if known else title,
            )
        )
    return rows


def _leaves(value: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping):
        return [leaf for key in value for leaf in _leaves(value[key], (*path, str(key)))]
    if isinstance(value, Sequence) and not isinstance(value, str):
        if all(isinstance(item, int | float) or item is None for item in value):
            return [((*path, str(i)), item) for i, item in enumerate(value, 1)] if len(value) <= 12 else []
        return [leaf for i, item in enumerate(value, 1) for leaf in _leaves(item, (*path, str(i)))]
    return [(path, value)]


def _told(path: tuple[str, ...], value: Any, told: Numbers) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return told.text(name(value, 200))
    if isinstance(value, int) or any(part in path[0] for part in _COUNTS):
        return told.count(round(value))
    return decimal(value)
