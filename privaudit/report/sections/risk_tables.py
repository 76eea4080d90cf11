"""Further tables of the risk section: diversity, population, special uniques, marginal risk, subjects, weights.

Question: how are measures shown that only some scans have?
Method: one part per table that was measured; titles and words come from the catalogue of measures by the key of the
number in report.json. A number without an entry is listed by its key, so that nothing measured is lost.
Limits: the histograms of the data-subject table are in report.json only; long tables are cut and the cut is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from privaudit.model import Report
from privaudit.model.wording import Number, Wording, decimal, fact
from privaudit.model.wording.measures import entry, position
from privaudit.report.charts import bars
from privaudit.report.escape import name
from privaudit.report.json import plain
from privaudit.report.sentences import View, sentence, shown

Path = tuple[str, ...]

UNBOUNDED = "unbounded"
_UNBOUNDED = "_unbounded"
MOST_SENSITIVE = 24
MOST_MARGINAL = 64
MOST_ROWS = 80
SIDE_BY_SIDE = 3
"""Sensitive attributes in one table of diversity."""

_COUNTS = frozenset(
    {
        "homogeneous_records", "homogeneous_classes", "n_values", "n_ordered", "n_below_one", "size", "zayatz",
        "pitman", "snb", "dankar", "k_map", "people", "k_min", "unique_in_both", "shapley", "records_max",
        "items_max", "n_below", "n_below_added", "fewest_people", "largest",
    }
)  # fmt: skip
_SHARES = frozenset({"share_at_risk", "delta_presence", "journalist_mean", "global_risk", "risk_max", "dis"})
_DRAWN = {
    "special_uniques": ("msu_by_size", "contribution", "by_value", "fewer_than"),
    "subject": ("class_sizes", "history_sizes"),
}
_PARTS = {
    "population": ("Population", fact("report.population_note")),
    "special_uniques": ("Special uniques", fact("report.special_uniques_note")),
    "marginal": ("Marginal risk of each column", fact("report.marginal_note")),
    "subject": ("People with several rows", fact("report.subject_note")),
    "weighted": ("Sampling weights", fact("report.weighted_note")),
}


def measure(measure_id: str, value: str, words: str, *, suffix: str = "", title: str = "") -> dict[str, str]:
    """Return one measured number with its words, ready to be shown.

    Parameters
    ----------
    measure_id : str
        Id in the catalogue, for example "class.k_min".
    value : str
        The number, as text.
    words : str
        A sentence with the numbers of the table.
    suffix, title : str
        A threshold shown after the title; a title for measures without an entry.
    """
    known = entry(measure_id)
    heading = title or known.get("title", measure_id)
    return {
        "id": measure_id,
        "heading": heading,
        "title": f"{heading} ({suffix})" if suffix else heading,
        "value": value,
        "words": words or known.get("plain", ""),
        "not_said": known.get("not_said", ""),
        "formula": known.get("formula", ""),
        "source": known.get("source", ""),
    }


def sections(report: Report, wording: Wording) -> list[View]:
    """Return a part for each deeper table of the risk record that is present."""
    found = report.risk
    assert found is not None
    parts = _diversity(plain(found.diversity), wording)
    for key, (title, note) in _PARTS.items():
        table = plain(getattr(found, key))
        if table:
            parts.append(_part(title, shown(wording, note), **_body(key, table, wording, report.policy.k)))
    return parts


def _part(title: str, note: str, **more: Any) -> View:
    part = {"title": title, "note": note, "measures": [], "tables": [], "charts": []} | more
    explained = [row for table in part["tables"] for row in (*table["rows"], *table["notes"])]
    defined: dict[str, View] = {}
    for row in (*explained, *part["measures"]):
        if row["words"]:
            defined.setdefault(row["id"], row | {"title": row["heading"]})
    return part | {"defined": [*defined.values()]}


def _body(key: str, table: Mapping[str, Any], wording: Wording, k: int) -> View:
    if key == "marginal":
        return {"tables": [_marginal(table, wording, k)], "charts": _present(bars.added(table, wording))}
    rest = {inner: value for inner, value in table.items() if inner not in _DRAWN.get(key, ())}
    drawn, tables = [], []
    if key == "special_uniques":
        sets, parts = table.get("msu_by_size") or (), table.get("contribution") or {}
        drawn = _present(bars.unique_sets(sets, wording), bars.contribution(parts, wording))
        if table.get("fewer_than"):
            tables.append(_fewer_than(table["fewer_than"], wording))
        if table.get("by_value"):
            tables.append(_by_value(table["by_value"], wording))
    return {"charts": drawn, "measures": _listed(rest, key, wording), "tables": tables}


def _present(*drawn: View | None) -> list[View]:
    return [chart for chart in drawn if chart]


def _diversity(found: Mapping[str, Mapping[str, Any]], wording: Wording) -> list[View]:
    if not found:
        return []
    columns = sorted(found)[:MOST_SENSITIVE]
    groups = [columns[i : i + SIDE_BY_SIDE] for i in range(0, len(columns), SIDE_BY_SIDE)]
    note = sentence(wording, "report.diversity_note")
    if len(found) > len(columns):
        rest = Number(len(found) - len(columns))
        note = sentence(wording, "report.diversity_more", n=rest)
    tables = [_side_by_side({column: found[column] for column in group}, wording) for group in groups]
    return [_part("Sensitive attributes", note, tables=tables)]


def _side_by_side(found: Mapping[str, Mapping[str, Any]], wording: Wording) -> View:
    """Return a table with a row for each measure and a column for each sensitive attribute."""
    flat = {column: dict(_leaves(_with_unbounded(values), ())) for column, values in found.items()}
    keys = {key for values in flat.values() for key, value in values.items() if value is not None}
    ranked = sorted(keys, key=lambda key: (position(f"diversity.{'.'.join(key)}"), key))
    rows = [
        _row("diversity", key) | {"cells": [_shown(key, flat[column].get(key), wording) for column in flat]}
        for key in ranked[:MOST_ROWS]
    ]
    return {"first": "Measure", "head": [name(column) for column in flat], "rows": rows, "notes": []}


def _with_unbounded(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return measures with the word for infinity, which JSON has no number for, in place of its mark."""
    marks = [key for key in values if key.endswith(_UNBOUNDED)]
    infinite = {key.removesuffix(_UNBOUNDED): UNBOUNDED for key in marks if values[key]}
    return {key: value for key, value in values.items() if key not in marks} | infinite


def _marginal(found: Mapping[str, Any], wording: Wording, k: int) -> View:
    """Return a table with one row per column; its measures are defined below it."""
    flat = {column: dict(_leaves(values, ())) for column, values in _most_first(found)[:MOST_MARGINAL]}
    everything = {key for values in flat.values() for key, value in values.items() if value is not None}
    # Only the threshold of the policy: report.json has the others.
    keys = sorted(key for key in everything if key and key[1:] in ((), (str(k),)))
    keys.sort(key=lambda key: position(f"marginal.{key[0]}"))
    heads = {key: _row("marginal", key) for key in keys[:12]}
    cells = {column: [_shown(key, values.get(key), wording) for key in heads] for column, values in flat.items()}
    return _of_columns(cells, list(heads.values()))


def _fewer_than(found: Mapping[str, Mapping[str, Any]], wording: Wording) -> View:
    """Return the people with fewer than k matches, by the number of columns of the set."""
    widest = max(len(counts["msu_by_size"]) for counts in found.values())
    note = _row("special_uniques", ("fewer_than",))
    rows = []
    for k in sorted(found, key=int):
        counts = [found[k]["n_records"], *found[k]["msu_by_size"]]
        cells = [wording.count(n) for n in counts] + ["–"] * (widest + 1 - len(counts))
        rows.append(note | {"title": f"fewer than {k}", "cells": cells})
    head = ["People", *(f"Sets of {size}" for size in range(1, widest + 1))]
    return {"first": "Matches", "head": head, "rows": rows, "notes": []}


def _by_value(found: Mapping[str, Mapping[str, Any]], wording: Wording) -> View:
    """Return how special uniques are spread over the values of each column, as counts."""
    keys = ("n_records", "n_values", "n_values_all", "n_values_common", "largest")
    heads = [_row("special_uniques", ("by_value", key)) for key in keys]
    ranked = sorted(found, key=lambda column: (-found[column]["n_records"], column))[:MOST_MARGINAL]
    cells = {c: [_shown((key,), _largest(found[c].get(key)), wording) for key in keys] for c in ranked}
    return _of_columns(cells, heads)


def _of_columns(cells: Mapping[str, list[str]], heads: Sequence[View]) -> View:
    """Return a table with one row per column of the data; its measures are defined below it, each once."""
    rows = [{"title": name(column), "code": True, "cells": row, "words": ""} for column, row in cells.items()]
    notes = {head["id"]: head for head in heads}
    return {"first": "Column", "head": [head["title"] for head in heads], "rows": rows, "notes": [*notes.values()]}


def _largest(value: Any) -> Any:
    return (value[0] if value else None) if isinstance(value, Sequence) else value


def _most_first(found: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted(found.items(), key=lambda item: (-(item[1].get("n_unique_added") or 0), item[0]))


def _row(group: str, key: Path) -> View:
    """Return title and words of the measure under `key`; the key itself where the catalogue has none."""
    full, first = ".".join((group, *key)), f"{group}.{key[0]}" if key else group
    known = full if entry(full) else first
    rest = "" if known == full else _rest(key)
    title = "" if entry(known) else name(key[0] if key else group, 80).replace("_", " ")
    return measure(known, "", "", suffix=rest, title=title) | {"code": False}


def _rest(key: Path) -> str:
    words = " · ".join(name(part, 60) for part in key[1:])
    if key[0] in ("n_below", "n_below_added"):
        return f"k = {words}"
    return f"> {words}" if key[0] == "share_at_risk" else words


def _listed(table: Mapping[str, Any], group: str, wording: Wording) -> list[View]:
    # By the catalogue, then by key: the same order whether measured now or read from a file.
    leaves = sorted(_measured(_leaves(table, ())), key=lambda leaf: (_place(group, leaf[0]), _natural(leaf[0])))[
        :MOST_ROWS
    ]
    return [_row(group, key) | {"value": _shown(key, value, wording)} for key, value in leaves]


def _measured(leaves: Iterable[tuple[Path, Any]]) -> Iterator[tuple[Path, Any]]:
    """Yield the numbers that were measured: an absent one has no row, as no column has dashes alone."""
    return (leaf for leaf in leaves if leaf[1] is not None)


def _place(group: str, key: Path) -> int:
    return min(position(".".join((group, *key))), position(f"{group}.{key[0]}" if key else group))


def _natural(key: Path) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (0, part) for part in key]


def _leaves(value: Any, path: Path) -> list[tuple[Path, Any]]:
    if isinstance(value, Mapping) and not _whole(value):
        return [leaf for key in value for leaf in _leaves(value[key], (*path, str(key)))]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [leaf for i, item in enumerate(value, 1) for leaf in _leaves(item, (*path, str(i)))]
    return [(path, value)]


def _whole(value: Mapping[str, Any]) -> bool:
    """Whether a mapping is one number in several parts: an estimate, an interval, or recursive (c, l)."""
    return {"low", "high"} <= set(value) or set(value) == {"c", "l"}


def _shown(path: Path, value: Any, wording: Wording) -> str:
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return _shown_parts(value, wording)
    if isinstance(value, str):
        return name(value, 200)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "yes" if value else "no"
    first = path[0] if path else ""
    if first in _SHARES and 0 <= value <= 1:
        return wording.share(value)
    if first in _COUNTS or first.startswith("n_"):
        return wording.count(round(value))
    return decimal(value)


def _shown_parts(value: Mapping[str, Any], wording: Wording) -> str:
    if "c" in value:
        return "–" if value["c"] is None else f"c = {decimal(value['c'])}, l = {value['l']}"
    if "value" not in value:
        return " to ".join(wording.count(round(value[key])) for key in ("low", "high"))
    total = value.get("n")
    low, middle, high = (wording.share(value[key], total) for key in ("low", "value", "high"))
    return middle if low == high else f"{middle} ({low} to {high})"
