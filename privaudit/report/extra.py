"""The deeper risk tables: diversity, population, special uniques, contributions, people, sampling weights.

Question: how are measures shown that only some scans have?
Method: a part for each table that is there; known numbers get their words, any further number is listed by its
name, so that nothing measured is lost.
Limits: shares and indices are told as they are; counts of records are told in people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from privaudit.model import Report
from privaudit.report import charts
from privaudit.report.catalogue import measure
from privaudit.report.deep import COUNTS, DEEP, Deep
from privaudit.report.escape import name
from privaudit.report.words import Numbers, decimal

View = dict[str, Any]

MOST_SENSITIVE = 24
SIDE_BY_SIDE = 3
"""Sensitive attributes in one table of diversity."""

_PARTS = {
    "population": (
        "Against the population",
        "How many people stand alone in the population too. Estimates rest on a model "
        "of the population and can "
        "differ by factors; one that does not apply is a dash.",
    ),
    "marginal": ("What each column adds", "How exposure changes with each column of the set."),
    "entity": (
        "People with several rows",
        "Counted in people, not in rows; a person's rows together are a fingerprint.",
    ),
    "weighted": (
        "With sampling weights",
        "Risk when each row stands for as many people as its weight says.",
    ),
}


def sections(report: Report, told: Numbers) -> list[View]:
    """Return a part for each deeper table of the risk record that is present."""
    found = report.risk
    assert found is not None
    parts = _diversity(found.diversity, told)
    if found.special_uniques:
        parts.append(_special(found.special_uniques, told))
    for key, (title, note) in _PARTS.items():
        table = getattr(found, key)
        if table:
            parts.append(_part(title, note, measures=_listed(table, key, told)))
    return parts


def _part(title: str, note: str, **more: Any) -> View:
    return {"title": title, "note": note, "measures": [], "tables": [], "charts": []} | more


def _diversity(found: Mapping[str, Mapping[str, Any]], told: Numbers) -> list[View]:
    if not found:
        return []
    columns = sorted(found)
    groups = [
        columns[i : i + SIDE_BY_SIDE] for i in range(0, min(len(columns), MOST_SENSITIVE), SIDE_BY_SIDE)
    ]
    note = (
        "What the class tells about a sensitive value although nobody was singled out. "
        "Each number is that of the worst class."
    )
    if len(columns) > MOST_SENSITIVE:
        note += f" {len(columns) - MOST_SENSITIVE:,} further columns are in report.json."
    tables = [_side_by_side({column: found[column] for column in group}, told) for group in groups]
    return [_part("Sensitive attributes", note, tables=tables)]


def _side_by_side(found: Mapping[str, Mapping[str, Any]], told: Numbers) -> View:
    flat = {column: dict(_leaves(values, ())) for column, values in found.items()}
    keys = sorted({key for values in flat.values() for key in values}, key=lambda key: (_order(key), key))
    rows = []
    for key in keys:
        row = _row("diversity", key, told)
        cells = [_told(key, flat[column].get(key), told) for column in flat]
        rows.append(row | {"cells": cells})
    return {"head": [name(column) for column in flat], "rows": rows}


def _order(key: tuple[str, ...]) -> int:
    known = list(DEEP)
    found = f"diversity.{'.'.join(key)}"
    return known.index(found) if found in DEEP else len(known)


def _row(group: str, key: tuple[str, ...], told: Numbers) -> View:
    """Return title and words of the measure under `key`; its own name where it is not known."""
    path = ".".join((group, *key))
    deep = DEEP.get(path) or DEEP.get(f"{group}.{key[0]}")
    if deep is None:
        words = Deep(name(" ".join(key), 80).replace("_", " "), "")
    else:
        rest = " · ".join(name(part, 60) for part in key[1:])
        words = deep if path in DEEP or not rest else Deep(f"{deep.title} · {rest}", deep.words, deep.measure)
    entry = measure((deep.measure if deep else "") or path, "", words.words, title=words.title)
    return entry | {"title": words.title, "value": ""}


def _special(found: Mapping[str, Any], told: Numbers) -> View:
    rest = {key: value for key, value in found.items() if key not in ("msu_by_size", "contribution")}
    drawn = [
        charts.unique_sets(found.get("msu_by_size") or (), told),
        charts.contribution(found.get("contribution") or {}),
    ]
    note = "Records that stand out by a few columns already: the smaller the set, the easier a chance hit."
    shown = [chart for chart in drawn if chart]
    return _part("Special uniques", note, charts=shown, measures=_listed(rest, "special_uniques", told))


def _listed(table: Mapping[str, Any], group: str, told: Numbers) -> list[View]:
    rows = []
    for key, value in _leaves(table, ()):
        rows.append(_row(group, key, told) | {"value": _told(key, value, told)})
    return rows


def _leaves(value: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping) and set(value) != {"c", "l"}:
        return [leaf for key in value for leaf in _leaves(value[key], (*path, str(key)))]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [leaf for i, item in enumerate(value, 1) for leaf in _leaves(item, (*path, str(i)))]
    return [(path, value)]


def _told(path: tuple[str, ...], value: Any, told: Numbers) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "–" if value["c"] is None else f"c = {decimal(value['c'])}, l = {value['l']}"
    if isinstance(value, str):
        return told.text(name(value, 200))
    if path[0] in COUNTS or path[-1] in COUNTS:
        return told.count(round(value))
    return decimal(value)
