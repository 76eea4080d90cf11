"""The bar charts: columns, combinations, remedies, special uniques, attacks.

Question: which columns, sets, remedies and attacks matter most?
Method: one horizontal bar for each, its label above it so that long names fit a narrow page; worst first.
Limits: at most `MOST_BARS` bars; in the public edition withheld counts are drawn at one length.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from privaudit.base.records import dataclass
from privaudit.model import Attack, ColumnReport, Combination, Remedy
from privaudit.model.wording import Number, Share, Threshold, Wording, fact, percent, plural
from privaudit.report.charts.draw import WIDTH, Canvas, Chart, drawn_share, short
from privaudit.report.escape import name
from privaudit.report.sentences import sentence
from privaudit.report.techniques import parameters, technique

MOST_BARS = 10
_ROW = 40.0
ROLE_COLOUR = {"direct": "bad", "sensitive": "sensitive", "quasi": "accent", "none": "calm"}
SEVERITY_COLOUR = {"critical": "bad", "high": "bad2", "medium": "warn", "low": "calm", "info": "shade2"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One horizontal bar: a label above it, a value at its end, shares of the width, a colour."""

    label: str
    value: str
    share: float
    colour: str
    inner: float = 0.0


def bar_width(share: float | None) -> int | None:
    """Return a share as whole percent for a small inline bar; None where there is none to show."""
    return None if share is None else round(100 * max(0.0, min(1.0, share)))


def _bars(key: str, title: str, words: str, rows: Sequence[Bar]) -> Chart:
    canvas = Canvas()
    for i, row in enumerate(rows):
        y = 4 + i * _ROW
        canvas.text(0, y + 12, short(row.label), colour="ink", size=12)
        canvas.text(WIDTH, y + 12, row.value, anchor="end", size=12)
        canvas.rect(0, y + 19, WIDTH, 9, "track")
        canvas.rect(0, y + 19, WIDTH * row.share, 9, row.colour, f"{row.label}: {row.value}")
        if row.inner:
            canvas.rect(0, y + 19, WIDTH * row.inner, 9, "bad", f"{row.label}: unique")
    head = (str(fact("report.head_name")), str(fact("report.head_value")))
    numbers = [(row.label, row.value) for row in rows]
    return canvas.chart(key, title, words, 4 + len(rows) * _ROW, head=head, rows=numbers)


def unique_sets(by_size: Sequence[int], wording: Wording) -> Chart | None:
    """Return how many minimal sample uniques have one, two, ... columns."""
    top = max(by_size, default=0)
    if not top:
        return None
    rows = [
        Bar(f"on {size} {plural(size, 'column')}", wording.count(n), 0.0 if wording.hidden(n) else n / top, "bad")
        for size, n in enumerate(by_size, 1)
    ]
    words = sentence(wording, "report.chart_unique_sets")
    return _bars("chart-unique-sets", "Minimal sample uniques", words, rows)


def contribution(percentages: Mapping[str, float | None], wording: Wording) -> Chart | None:
    """Return the share of the score of special uniques that comes from sets with each column."""
    known = {column: value for column, value in percentages.items() if value}
    ranked = sorted(known, key=lambda column: (-(known[column] or 0), column))[:MOST_BARS]
    rows = [
        Bar(name(column, 60), percent((known[column] or 0) / 100), (known[column] or 0) / 100, "accent")
        for column in ranked
    ]
    words = sentence(wording, "report.chart_contribution")
    return _bars("chart-contribution", "Columns that make records special uniques", words, rows) if rows else None


def added(found: Mapping[str, Any], wording: Wording) -> Chart | None:
    """Return how many people are unique only because of each column."""
    counts = {column: values["n_unique_added"] for column, values in found.items()}
    ranked = sorted((c for c in counts if counts[c]), key=lambda c: (-counts[c], c))[:MOST_BARS]
    if not ranked:
        return None
    top = counts[ranked[0]]
    rows = [
        Bar(name(column, 60), wording.count(counts[column]), drawn_share(counts[column], top, wording), "accent")
        for column in ranked
    ]
    words = sentence(wording, "report.chart_added")
    return _bars("chart-added", sentence(wording, "report.title_added"), words, rows)


def combination_below(found: Combination, k: int, n_rows: int) -> int | None:
    """Return the records in classes smaller than `k`, the k of the policy; None where they were not counted."""
    counted = found.n_below.get(str(k))
    known: int | None = found.k_min
    if counted is not None or known is None:  # removed for the public edition
        return counted
    counted = found.n_below_k(k)
    if counted is None and found.share_below_k is not None:
        return round(found.share_below_k * n_rows)
    return counted


def information(column: ColumnReport) -> float | None:
    """Return a column's entropy as a share of the bits that distinguish all rows; None where there is none."""
    if column.entropy_bits is None or column.n_rows < 2:
        return None
    return min(1.0, column.entropy_bits / math.log2(column.n_rows))


def columns(everything: Sequence[ColumnReport], wording: Wording) -> Chart | None:
    """Return how much each column distinguishes records, in bits, coloured by role."""
    shares = [(column, information(column)) for column in everything]
    ranked = sorted(shares, key=lambda pair: (-(pair[1] or 0), pair[0].name))[:MOST_BARS]
    rows = [
        Bar(name(column.name, 60), f"{column.entropy_bits:.1f} bits, {column.role}", share, ROLE_COLOUR[column.role])
        for column, share in ranked
        if share
    ]
    if not rows:
        return None
    words = sentence(
        wording,
        "report.chart_columns",
        n=Number(len(rows)),
        bits=Number(math.log2(wording.n_rows)),
        rows=Number(wording.n_rows),
    )
    return _bars("chart-columns", "How much each column distinguishes records", words, rows)


def remedies(numbered: Iterable[tuple[int, Remedy]], k: int, wording: Wording) -> Chart | None:
    """Return the share of people below k before (hollow) and after (filled) each remedy, with the number of its row."""
    measured = [(i, r) for i, r in numbered if "share_below_k" in r.before and "share_below_k" in r.after]
    # A remedy of single cells leaves the classes as they are: its two dots would be one.
    helping = [(i, r) for i, r in measured if r.after["share_below_k"] != r.before["share_below_k"]]
    drawn = sorted(helping, key=lambda each: each[1].after["share_below_k"])[:MOST_BARS]
    if not drawn:
        return None
    canvas = Canvas()
    for place, (number, remedy) in enumerate(drawn):
        _dumbbell(canvas, 4 + place * _ROW, remedy, number, wording)
    words = sentence(wording, "report.chart_remedies", k=Threshold(k))
    head = [sentence(wording, f"report.head_{key}") for key in ("name", "before", "after")]
    rows = [
        (_remedy_label(i, r, wording), *(wording.share(float(side["share_below_k"])) for side in (r.before, r.after)))
        for i, r in drawn
    ]
    return canvas.chart("chart-remedies", "Effect of each remedy", words, 4 + len(drawn) * _ROW, head=head, rows=rows)


def _dumbbell(canvas: Canvas, y: float, remedy: Remedy, number: int, wording: Wording) -> None:
    before, after = float(remedy.before["share_below_k"]), float(remedy.after["share_below_k"])
    label = _remedy_label(number, remedy, wording)
    value = f"{wording.share(before)} → {wording.share(after)}"
    canvas.text(0, y + 12, short(label), colour="ink", size=12)
    canvas.text(WIDTH, y + 12, value, anchor="end", size=12)
    n = wording.n_rows
    left, right = (8 + (WIDTH - 16) * drawn_share(share * n, n, wording) for share in (after, before))
    colour = "good" if after < before else "bad" if after > before else "calm"
    canvas.line(8, y + 24, WIDTH - 8, y + 24, "track", thick=3)
    canvas.line(left, y + 24, right, y + 24, colour, thick=3)
    canvas.circle(right, y + 24, 5, "soft", f"before: {wording.share(before)}", hollow=True)
    canvas.circle(left, y + 24, 5.5, colour, f"after: {wording.share(after)}")


def _remedy_label(number: int, remedy: Remedy, wording: Wording) -> str:
    """Return the number of a remedy in the list, and what it does; the list states the steps of a plan."""
    columns = ", ".join(name(column, 40) for column in remedy.columns)
    steps = remedy.parameters.get("steps")
    settings = "" if steps else ", ".join(parameters(remedy.technique, remedy.parameters, wording))
    title = technique(remedy.technique) + (f" ({settings})" if settings else "")
    return f"{number}. {columns}: {title}" if columns else f"{number}. {title}"


def _words(found: Attack, *, bounded: bool) -> str:
    if found.kind != "linkage":
        return f"report.chart_attack_rates{'' if found.control is None else '_control'}"
    return "report.chart_attack_at_most" if bounded else "report.chart_attack"


def attack(found: Attack, wording: Wording) -> Chart:
    """Return success with its interval, or its upper bound, next to guessing and control, from 0 to 100 %."""
    total, bounded = found.n_targets, found.success.is_upper_bound
    success = found.success.high if bounded else found.success.value
    rows = [("guessing", found.baseline, "soft"), ("at most" if bounded else "attacker", success, "bad")]
    if found.control is not None:
        rows.insert(1, ("control" if found.against == "guessing" else "outsiders", found.control, "calm"))
    canvas = Canvas()
    left, wide = 70, WIDTH - 130
    for i, (label, share, colour) in enumerate(rows):
        y, text = 6 + i * 26, wording.share(share, total)
        canvas.text(0, y + 13, label, colour="ink", size=12)
        canvas.rect(left, y + 5, wide, 8, "track")
        canvas.rect(left, y + 5, wide * drawn_share(share * total, total, wording), 8, colour, f"{label}: {text}")
        canvas.text(WIDTH, y + 13, text, anchor="end", size=12)
    # The length of an interval would show a count that the text withholds.
    low, high = found.success.low, min(1.0, found.success.high)
    if (
        high > low
        and not bounded
        and not any(wording.hidden(share * total, total) for share in (low, found.success.value, high))
    ):
        y = 6 + (len(rows) - 1) * 26 + 9
        canvas.line(left + wide * low, y, left + wide * high, y, "ink", thick=2)
    words = sentence(
        wording,
        _words(found, bounded=bounded),
        success=Share(success, of=total),
        baseline=Share(found.baseline, of=total),
        control=Share(found.control or 0.0, of=total),
    )
    head = (str(fact("report.head_name")), str(fact("report.head_value")))
    numbers = [(label, wording.share(share, total)) for label, share, _ in rows]
    is_controlled = found.against == "control" and found.control is not None
    title = sentence(wording, f"report.title_attack{'_control' if is_controlled else ''}")
    return canvas.chart("chart-attack", title, words, 6 + len(rows) * 26, head=head, rows=numbers)
