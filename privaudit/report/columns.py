"""The section on columns: role, what each is and contains, its statistics, and the evidence.

Question: what does each column hold, and how sure is that?
Method: one row for each column; in a wide table the columns with most to say come first and the rest is counted.
Limits: statistics and verdicts only; nothing here quotes a cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from privaudit.model import ColumnReport, Contained, Estimate, Report, Verdict
from privaudit.report import bars
from privaudit.report.escape import name
from privaudit.report.words import SMALL_CELL, Numbers, percent, plural
from privaudit.rulebook.message import entity_words

View = dict[str, Any]

MOST_COLUMNS = 1000
MOST_IN_TABLE = 250
MOST_CLUES = 8
_ROLE_ORDER = {"direct": 0, "sensitive": 1, "quasi": 2, "none": 3}
ROLE_WORDS = {
    "direct": "names a person alone",
    "quasi": "identifies in combination",
    "sensitive": "what must not be learned",
    "none": "no role in identification",
}


def columns(report: Report, told: Numbers) -> View:
    """Return the section on columns: role, verdicts, statistics and the evidence for each."""
    everything = list(report.columns)
    shown = everything
    if len(everything) > MOST_IN_TABLE:
        order = sorted(range(len(everything)), key=lambda i: (_interest(everything[i]), i))[:MOST_COLUMNS]
        shown = [everything[i] for i in order]
    return {
        "rows": [_column(column, told) for column in shown],
        "n_total": len(everything),
        "n_hidden": len(everything) - len(shown),
        "fold": len(shown) > MOST_IN_TABLE,
        "roles": _roles(everything),
        "chart": bars.columns(everything, told),
    }


def _interest(column: ColumnReport) -> tuple[int, int]:
    return (_ROLE_ORDER[column.role], 0 if column.contains or column.unassessed else 1)


def _roles(everything: Sequence[ColumnReport]) -> list[View]:
    counts = {role: sum(column.role == role for column in everything) for role in _ROLE_ORDER}
    return [{"role": role, "n": f"{n:,}", "words": ROLE_WORDS[role]} for role, n in counts.items()]


def _column(column: ColumnReport, told: Numbers) -> View:
    return {
        "name": name(column.name),
        "role": column.role,
        "kind": column.data_type,
        "is": _entity(column.is_) if column.is_ else "",
        "is_share": estimate(column.is_.share, told) if column.is_ else "",
        "contains": [_contained(found, told) for found in column.contains[:MOST_CLUES]],
        "missing": told.count(column.n_missing, column.n_rows),
        "missing_share": told.share(column.n_missing / column.n_rows, column.n_rows)
        if column.n_rows
        else "–",
        "distinct": _distinct(column, told),
        "unique": _unique(column, told),
        "bar": bars.bar_width(bars.information(column, told)),
        "facts": _facts(column, told),
        "because": [told.text(name(reason, 300)) for reason in column.role_because[:MOST_CLUES]],
        "evidence": _evidence(column, told),
        "plain": "no values" if column.n_missing == column.n_rows else "plain data",
        "unassessed": told.text(name(column.unassessed, 300)) if column.unassessed else "",
    }


def _distinct(column: ColumnReport, told: Numbers) -> str:
    """Return the distinct values: a small number of values says nothing of few people, unless few cells are there."""
    present = column.n_rows - column.n_missing
    if told.hidden(present):
        return told.count(present)
    few = column.n_distinct < SMALL_CELL <= present - column.n_distinct
    return f"{column.n_distinct:,}" if few else told.count(column.n_distinct, present)


def _unique(column: ColumnReport, told: Numbers) -> str:
    present = column.n_rows - column.n_missing
    if column.uniqueness is None or told.hidden(present):
        return "–"
    few = column.n_distinct < SMALL_CELL <= present - column.n_distinct
    return percent(column.uniqueness) if few else told.share(column.uniqueness, present)


def _entity(found: Verdict | Contained) -> str:
    detail = f" ({name(found.detail, 60)})" if found.detail else ""
    return f"{name(entity_words(found.entity), 60)}{detail}"


def estimate(estimate: Estimate, told: Numbers) -> str:
    """Tell an estimate with its interval; an exact number without."""
    total = estimate.n
    if estimate.low == estimate.high:
        return told.share(estimate.value, total)
    low, high = told.share(estimate.low, total), told.share(estimate.high, total)
    return f"{told.share(estimate.value, total)} ({low} to {high}, {estimate.level:.0%})".replace("%)", " %)")


def _contained(found: Contained, told: Numbers) -> str:
    return f"{_entity(found)} in {told.counted(found.n_cells, 'cell')}, {estimate(found.share, told)}"


def _facts(column: ColumnReport, told: Numbers) -> list[str]:
    facts = [f"{told.counted(column.n_held_once, 'value')} held by exactly one row"]
    if column.entropy_bits is not None and not (told.public and bars.information(column, told) is None):
        facts.append(f"{column.entropy_bits:.2f} bits of entropy")
    if column.length_min is not None and column.length_max is not None:
        span = f"{column.length_min:,} to " if column.length_min < column.length_max else ""
        facts.append(f"{span}{column.length_max:,} {plural(column.length_max, 'character')}")
    if column.date_precision:
        facts.append(f"dates to the {name(column.date_precision, 20)}")
    if column.geo_precision:
        facts.append(f"places to the {name(column.geo_precision, 20)}")
    if column.n_suppressed:
        facts.append(f"{told.counted(column.n_suppressed, 'cell')} suppressed")
    if column.generalised:
        facts.append(f"already generalised ({name(column.generalised, 40)})")
    flags = (("constant", column.constant), ("in ascending or descending order", column.monotonic))
    return facts + [words for words, holds in flags if holds]


def _evidence(column: ColumnReport, told: Numbers) -> list[View]:
    """Return what speaks for the verdict and how sure it is, for each value contained, and against the rest."""
    clues = [(clue.kind, clue.because) for clue in (column.is_.evidence if column.is_ else ())]
    for found in column.contains:
        clues += [(clue.kind, f"{entity_words(found.entity)}: {clue.because}") for clue in found.evidence]
    clues += [(f"not {entity_words(entity.entity)}", entity.because) for entity in column.rejected]
    shown = [(kind, told.text(name(because, 300))) for kind, because in clues[: 2 * MOST_CLUES]]
    if column.is_ is not None:
        shown.insert(min(len(column.is_.evidence), len(shown)), ("confidence", _confidence(column.is_)))
    return [{"kind": name(kind, 60), "because": because} for kind, because in shown]


def _confidence(verdict: Verdict) -> str:
    measured = any(clue.kind != "model" for clue in verdict.evidence)
    told = "the share of verdicts on such evidence that were right on labelled tables"
    return f"{verdict.confidence:.2f}, {told if measured else 'set for verdicts of a language model alone'}"
