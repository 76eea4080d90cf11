"""The section on columns: role, entity type, contents, statistics and evidence.

Question: what does each column contain, and how certain is that?
Method: one row per column; in a wide table identifying columns come first and the rest is counted.
Limits: statistics and verdicts only; no cell is quoted.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.model import ColumnReport, Contained, Estimate, Report, Verdict
from privaudit.model.wording import Count, EntityType, Name, Number
from privaudit.model.wording.catalogue import term
from privaudit.model.wording.filling import MISSING
from privaudit.model.wording.numbers import listing, percent, plural
from privaudit.model.wording.render import WITHHELD, Wording
from privaudit.report.charts import bars, column_map
from privaudit.report.escape import name
from privaudit.report.sentences import View, sentence, shown

MOST_COLUMNS = 1000
MOST_IN_TABLE = 250
MOST_CLUES = 8
_ROLE_ORDER = {"direct": 0, "sensitive": 1, "quasi": 2, "none": 3}
ROLE_WORDS = {
    "direct": "identifies a person by itself",
    "quasi": "identifies in combination",
    "sensitive": "must not be disclosed",
    "none": "no role in re-identification",
}


def columns(report: Report, wording: Wording) -> View:
    """Return the section on columns: role, verdicts, statistics and evidence for each."""
    everything = list(report.columns)
    shown = everything
    if len(everything) > MOST_IN_TABLE:
        order = sorted(range(len(everything)), key=lambda i: (_interest(everything[i]), i))[:MOST_COLUMNS]
        shown = [everything[i] for i in order]
    return {
        "rows": [_column(column, wording) for column in shown],
        "n_total": len(everything),
        "n_hidden": len(everything) - len(shown),
        "fold": len(shown) > MOST_IN_TABLE,
        "roles": _roles(everything),
        "note": sentence(wording, "report.confidence_note") if _has_confidence(shown) else "",
        "chart": bars.columns(everything, wording),
        "map": column_map.chart(report, wording),
    }


def _has_confidence(shown: Sequence[ColumnReport]) -> bool:
    return any(column.is_ is not None and not _absent(column.is_.confidence) for column in shown)


def _interest(column: ColumnReport) -> tuple[int, int]:
    return (_ROLE_ORDER[column.role], 0 if column.contains or column.unassessed else 1)


def _roles(everything: Sequence[ColumnReport]) -> list[View]:
    counts = {role: sum(column.role == role for column in everything) for role in _ROLE_ORDER}
    return [{"role": role, "n": f"{n:,}", "words": ROLE_WORDS[role]} for role, n in counts.items() if n]


def _column(column: ColumnReport, wording: Wording) -> View:
    share = bars.information(column)
    return {
        "name": name(column.name),
        "role": column.role,
        "kind": column.data_type,
        "is": _entity(column.is_, wording) if column.is_ else "",
        "is_share": estimate(column.is_.share, wording) if column.is_ else "",
        "contains": [_contained(found, wording) for found in column.contains[:MOST_CLUES]],
        "contains_names": listing(dict.fromkeys(_entity(found, wording) for found in column.contains), 3),
        "missing": wording.count(column.n_missing, column.n_rows),
        "missing_share": _missing_share(column, wording) if column.n_missing else "",
        "distinct": _distinct(column),
        "distinguishes": MISSING if share is None else percent(share),
        "bar": bars.bar_width(share),
        "profile": _profile(column, wording),
        "because": [shown(wording, reason) for reason in column.role_because[:MOST_CLUES]],
        "evidence": _evidence(column, wording),
        "plain": "no values" if column.data_type == "empty" else "no personal data recognised",
        "unassessed": shown(wording, column.unassessed) if column.unassessed else "",
    }


def _absent(number: float | None) -> bool:
    """Whether a number was removed for the public edition."""
    return number is None


def _missing_share(column: ColumnReport, wording: Wording) -> str:
    if not column.n_rows or _absent(column.n_missing):
        return MISSING
    return wording.share(column.n_missing / column.n_rows, column.n_rows)


def _distinct(column: ColumnReport) -> str:
    return MISSING if _absent(column.n_distinct) else f"{column.n_distinct:,}"


def _entity(found: Verdict | Contained, wording: Wording) -> str:
    detail = f" ({name(found.detail, 60)})" if found.detail else ""
    return f"{name(wording.value(EntityType(found.entity)), 60)}{detail}"


def estimate(estimate: Estimate | None, wording: Wording) -> str:
    """Return an estimate with its interval and level, an upper bound with its level, an exact number alone.

    Nothing where it is withheld.
    """
    if estimate is None:
        return ""
    total = estimate.n
    if estimate.is_upper_bound:
        return f"at most {wording.share(estimate.high, total)} ({percent(estimate.level)})"
    if estimate.low == estimate.high:
        return wording.share(estimate.value, total)
    low, high = wording.share(estimate.low, total), wording.share(estimate.high, total)
    return f"{wording.share(estimate.value, total)} ({low} to {high}, {percent(estimate.level)})"


def _contained(found: Contained, wording: Wording) -> str:
    entity = Name(_entity(found, wording))
    cells = Name(WITHHELD) if _absent(found.n_cells) else Count(found.n_cells, unit="cell")
    if wording.public:
        return sentence(wording, "report.contained_public", entity=entity, cells=cells)
    share = Name(estimate(found.share, wording))
    return sentence(wording, "report.contained", entity=entity, cells=cells, share=share)


def _profile(column: ColumnReport, wording: Wording) -> list[str]:
    parts = []
    if not _absent(column.n_held_once):
        once = Count(column.n_held_once, unit="value")
        parts.append(sentence(wording, "report.column_unique_values", values=once))
    if column.entropy_bits is not None:
        parts.append(sentence(wording, "report.column_entropy", bits=Number(column.entropy_bits)))
    if column.length_min is not None and column.length_max is not None:
        span = f"{column.length_min:,} to " if column.length_min < column.length_max else ""
        parts.append(f"{span}{column.length_max:,} {plural(column.length_max, 'character')}")
    if column.date_precision:
        parts.append(f"date precision: {name(column.date_precision, 20)}")
    if column.geo_precision:
        parts.append(f"location precision: {name(term(column.geo_precision), 20)}")
    if column.n_suppressed:
        parts.append(f"{wording.counted(column.n_suppressed, 'cell')} suppressed")
    if column.generalised:
        parts.append(f"already generalised ({name(column.generalised, 40)})")
    flags = (("constant", column.constant), ("ascending or descending", column.monotonic))
    return parts + [words for words, holds in flags if holds]


def _evidence(column: ColumnReport, wording: Wording) -> list[View]:
    """Return the evidence for the verdict and its confidence, for each contained value, and against other types."""
    rows = [(clue.kind, shown(wording, clue.because)) for clue in (column.is_.evidence if column.is_ else ())]
    for found in column.contains:
        entity = EntityType(found.entity)
        for clue in found.evidence:
            text = Name(shown(wording, clue.because))
            rows.append((clue.kind, sentence(wording, "report.clue_of", entity=entity, clue=text)))
    for rejected in column.rejected:
        title = f"not {wording.value(EntityType(rejected.entity))}"
        rows.append((title, shown(wording, rejected.because)))
    rows = rows[: 2 * MOST_CLUES]
    if column.is_ is not None:
        # After the evidence for the verdict, before that for what single cells contain.
        place = min(len(column.is_.evidence), len(rows))
        rows.insert(place, ("confidence", _confidence(column.is_, wording)))
    return [{"kind": name(kind, 60), "because": because} for kind, because in rows]


def _confidence(verdict: Verdict, wording: Wording) -> str:
    if _absent(verdict.confidence):
        return WITHHELD
    confidence = Number(verdict.confidence)
    if any(clue.kind != "model" for clue in verdict.evidence):
        return sentence(wording, "report.confidence_measured", confidence=confidence)
    return sentence(wording, "report.confidence_set", confidence=confidence)
