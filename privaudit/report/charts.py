"""The charts of a report: class sizes, records below k against k, combinations, columns, remedies, attacks.

Question: what does the eye see that the table does not say?
Method: each function returns a chart (see `draw`) or None where there is nothing to draw; the policy's k is marked
in every chart in which it plays a part. Each chart has an alternative in words.
Limits: drawn from counts in the report only; in the public edition withheld counts are drawn at one height.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from privaudit.model import Attack, ColumnReport, Remedy, Report
from privaudit.report.draw import WIDTH, Canvas, Chart, short
from privaudit.report.escape import name
from privaudit.report.words import SMALL_CELL, Numbers, percent, plural

MOST_BARS = 10
_LEFT, _RIGHT, _TOP, _BASE = 46.0, 12.0, 22.0, 222.0
_ROW = 40.0
_ROLE_COLOUR = {"direct": "bad", "sensitive": "sensitive", "quasi": "accent", "none": "calm"}
_STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Bar:
    """One horizontal bar: a label above it, a value at its end, shares of the width, a colour."""

    label: str
    value: str
    share: float
    colour: str
    inner: float = 0.0


def bar_width(share: float | None, hidden: bool) -> int | None:
    """Return a share as whole percent for a small inline bar; None where there is none to show."""
    return None if share is None or hidden else round(100 * max(0.0, min(1.0, share)))


def class_sizes(report: Report, told: Numbers) -> Chart | None:
    """Return people by the size of the class they are in; classes below the policy's k stand out."""
    if report.risk is None or not report.risk.class_sizes.size:
        return None
    table, k = report.risk.class_sizes, report.policy.k
    buckets = _buckets(max(table.size), k)
    people = [
        sum(size * count for size, count in zip(table.size, table.count, strict=True) if low <= size <= high)
        for low, high in buckets
    ]
    canvas = Canvas()
    top = max(people) or 1
    _grid(canvas, [(fraction, told.count(round(top * fraction))) for fraction in (0.0, 0.5, 1.0)])
    slot = (WIDTH - _LEFT - _RIGHT) / len(buckets)
    for i, ((low, high), n) in enumerate(zip(buckets, people, strict=True)):
        _class_bar(canvas, _LEFT + i * slot, slot, _range(low, high), _Column(n, top, high < k), told)
    canvas.text(
        (WIDTH + _LEFT) / 2, _BASE + 36, "size of the class (people who look the same)", anchor="middle"
    )
    below = sum(n for (_, high), n in zip(buckets, people, strict=True) if high < k)
    words = (
        f"{told.people(below, report.dataset.n_rows)} are in classes smaller than {k}; "
        "these are drawn in red."
    )
    return canvas.chart("chart-class-sizes", "People by the size of their class", words, _BASE + 44)


@dataclass(frozen=True, slots=True)
class _Column:
    n: int
    top: int
    below: bool


def _class_bar(canvas: Canvas, x: float, slot: float, label: str, column: _Column, told: Numbers) -> None:
    shown = min(SMALL_CELL, column.top) if told.hidden(column.n) else column.n
    height = (_BASE - _TOP) * shown / column.top
    colour = "bad" if column.below else "good"
    tip = f"{told.people(column.n, told.n_rows)} in classes of size {label}"
    canvas.rect(x + slot * 0.12, _BASE - height, slot * 0.76, height, colour, tip)
    canvas.text(x + slot / 2, _BASE + 16, label, anchor="middle", size=11)
    if column.n:
        canvas.text(
            x + slot / 2, _BASE - height - 5, _compact(column.n, told), anchor="middle", size=11, colour="ink"
        )


def _compact(n: int, told: Numbers) -> str:
    if told.hidden(n) or n < 10_000:
        return told.count(n)
    return f"{n / 1e6:.1f} M" if n >= 1_000_000 else f"{n / 1e3:.0f} k"


def _range(low: int, high: float) -> str:
    if high == float("inf"):
        return f"{low:,}+"
    return f"{low:,}" if low == high else f"{low:,}–{int(high):,}"


def _buckets(largest: int, k: int) -> list[tuple[int, float]]:
    """Return ranges of class sizes that split exactly at `k`, so that no bar stands on both sides of it."""
    near = {step for step in _STEPS if step != k and abs(step - k) / k < 0.15 and step > 3}
    wanted = {step for step in (*_STEPS, k) if step <= largest and step not in near}
    starts = sorted(wanted | {1, min(k, largest)})
    starts = [start for start in starts if start <= 500] or starts[:1]
    ends = [start - 1 for start in starts[1:]]
    return list(zip(starts, [*ends, float("inf") if largest > 500 else largest], strict=True))


def _grid(canvas: Canvas, ticks: Sequence[tuple[float, str]]) -> None:
    for fraction, label in ticks:
        y = _BASE - (_BASE - _TOP) * fraction
        canvas.line(_LEFT, y, WIDTH - _RIGHT, y, "grid")
        canvas.text(_LEFT - 6, y + 4, label, anchor="end", size=11)


def below_k(report: Report, told: Numbers) -> Chart | None:
    """Return the share of people in classes smaller than k against k, the policy's k and share marked."""
    if report.risk is None or not report.risk.class_sizes.size or not report.dataset.n_rows:
        return None
    table, k, n = report.risk.class_sizes, report.policy.k, report.dataset.n_rows
    last = max(30, 2 * k)
    below = [
        sum(size * count for size, count in zip(table.size, table.count, strict=True) if size < limit)
        for limit in range(1, last + 1)
    ]
    drawn = [_drawn(records, n, told) for records in below]
    canvas = Canvas()
    top = _nice_top(max(drawn))
    _grid(canvas, [(fraction, percent(top * fraction)) for fraction in (0.0, 0.5, 1.0)])
    xs = [_LEFT + (WIDTH - _LEFT - _RIGHT) * i / (last - 1) for i in range(last)]
    points = [(x, _BASE - (_BASE - _TOP) * share / top) for x, share in zip(xs, drawn, strict=True)]
    at_k, at_last = told.share(below[k - 1] / n), told.share(below[-1] / n)
    _below_marks(canvas, xs, points, k, at_k)
    words = f"At the policy's k = {k}, {at_k} of the people are in classes smaller than k; for k = {last}, {at_last}."
    return canvas.chart("chart-below-k", "Share of people in classes smaller than k", words, _BASE + 44)


def _drawn(n: float, total: int, told: Numbers) -> float:
    """Return the share at which a count is drawn: withheld ones all at the same place."""
    if not total:
        return 0.0
    if told.hidden(n, total):
        return min(1.0, SMALL_CELL / total) if n < SMALL_CELL else max(0.0, 1 - SMALL_CELL / total)
    return max(0.0, min(1.0, n / total))


def _nice_top(share: float) -> float:
    return next((top for top in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if top >= share), 1.0)


def _below_marks(
    canvas: Canvas, xs: list[float], points: list[tuple[float, float]], k: int, label: str
) -> None:
    for tick in range(5, len(xs) + 1, 5 if len(xs) <= 30 else 10):
        canvas.text(xs[tick - 1], _BASE + 16, str(tick), anchor="middle", size=11)
    x, y = points[k - 1]
    canvas.line(x, _TOP - 6, x, _BASE, "bad", dash=True)
    # k is a whole number: the share holds until the next k, so the line climbs in steps.
    steps = [at for (_, y0), (x1, y1) in pairwise(points) for at in ((x1, y0), (x1, y1))]
    canvas.path([points[0], *steps], "accent")
    canvas.circle(x, y, 4.5, "bad", f"k = {k}: {label}")
    # The label keeps clear of the curve, which rises from left to right: right of the point and below it.
    canvas.text(x + 8, min(y + 18, _BASE - 8), f"k = {k}: {label}", size=12, colour="ink", bold=True)
    canvas.text((WIDTH + _LEFT) / 2, _BASE + 36, "k", anchor="middle")


def _bars(key: str, title: str, words: str, rows: Sequence[Bar]) -> Chart:
    canvas = Canvas()
    for i, row in enumerate(rows):
        y = 4 + i * _ROW
        canvas.text(0, y + 12, short(row.label), colour="ink", size=12)
        canvas.text(WIDTH, y + 12, row.value, anchor="end", size=12)
        canvas.rect(0, y + 19, WIDTH, 9, "track")
        canvas.rect(0, y + 19, WIDTH * row.share, 9, row.colour, f"{row.label}: {row.value}")
        if row.inner:
            canvas.rect(0, y + 19, WIDTH * row.inner, 9, "bad", f"{row.label}: stand alone")
    return canvas.chart(key, title, words, 4 + len(rows) * _ROW)


def unique_sets(by_size: Sequence[int], told: Numbers) -> Chart | None:
    """Return how many minimal sets on which a record stands alone have one, two, ... columns."""
    top = max(by_size, default=0)
    if not top:
        return None
    rows = [
        Bar(f"by {size} {plural(size, 'column')}", told.count(n), 0.0 if told.hidden(n) else n / top, "bad")
        for size, n in enumerate(by_size, 1)
    ]
    words = "Pairs of a record and a smallest set of columns on which nobody is like it, by size of the set."
    return _bars("chart-unique-sets", "Minimal sample uniques", words, rows)


def contribution(percentages: Mapping[str, float | None]) -> Chart | None:
    """Return how much of the score of special uniques each column has a part in."""
    known = {column: value for column, value in percentages.items() if value}
    ranked = sorted(known, key=lambda column: (-(known[column] or 0), column))[:MOST_BARS]
    rows = [
        Bar(name(column, 60), percent((known[column] or 0) / 100), (known[column] or 0) / 100, "accent")
        for column in ranked
    ]
    words = "Share of the score that comes from sets with this column; a set counts for each of its columns."
    return _bars("chart-contribution", "Which columns make people stand out", words, rows) if rows else None


def added(found: Mapping[str, Mapping[str, Any]], told: Numbers) -> Chart | None:
    """Return how many people stand alone only because of each column."""
    counts = {column: int(values.get("n_unique_added") or 0) for column, values in found.items()}
    ranked = sorted((c for c in counts if counts[c]), key=lambda c: (-counts[c], c))[:MOST_BARS]
    if not ranked:
        return None
    top = counts[ranked[0]]
    rows = [
        Bar(name(column, 60), told.count(counts[column]), _drawn(counts[column], top, told), "accent")
        for column in ranked
    ]
    words = "People who stand alone by all quasi-identifiers together, but not without this column."
    return _bars("chart-added", "Who stands alone because of which column", words, rows)


def combinations(report: Report, told: Numbers) -> Chart | None:
    """Return the worst column sets by people in classes below k, those who stand alone darker."""
    n, k = report.dataset.n_rows, report.policy.k
    if not report.combinations or not n:
        return None
    rows = []
    for found in report.combinations[:MOST_BARS]:
        below = found.n_below.get(str(k), round((found.share_below_k or 0) * n))
        value = f"{told.count(below, n)} below k, {told.count(found.n_unique, n)} alone"
        inner = 0.0 if told.hidden(found.n_unique, n) else found.n_unique / n
        share = _drawn(below, n, told)
        rows.append(
            Bar(" + ".join(name(column, 40) for column in found.columns), value, share, "bad2", inner)
        )
    words = (
        f"People in classes smaller than {k} for the {len(rows)} worst column sets, of "
        f"{n:,}; dark: those who stand alone."
    )
    return _bars("chart-combinations", "Who stands out by which columns", words, rows)


def columns(everything: Sequence[ColumnReport], told: Numbers) -> Chart | None:
    """Return the columns that tell people apart best, coloured by role."""
    ranked = sorted(
        (column for column in everything if column.uniqueness),
        key=lambda column: (-(column.uniqueness or 0), column.name),
    )
    rows = []
    for column in ranked[:MOST_BARS]:
        present = column.n_rows - column.n_missing
        share = column.uniqueness or 0.0
        value = (
            f"{told.count(column.n_distinct)} distinct {plural(column.n_distinct, 'value')}, {column.role}"
        )
        rows.append(
            Bar(
                name(column.name, 60),
                value,
                0.0 if told.hidden(share * present, present) else share,
                _ROLE_COLOUR[column.role],
            )
        )
    if not rows:
        return None
    words = (
        f"Distinct values over present cells, for the {len(rows)} columns where it is "
        "highest; a full bar means every row differs."
    )
    return _bars("chart-columns", "Columns that tell people apart", words, rows)


def remedies(report: Report, told: Numbers) -> Chart | None:
    """Return share of people below k before (hollow) and after (full) each remedy."""
    measured = (r for r in report.advice if "share_below_k" in r.before and "share_below_k" in r.after)
    drawn = list(islice(measured, MOST_BARS))
    if not drawn:
        return None
    canvas = Canvas()
    for i, remedy in enumerate(drawn):
        _dumbbell(canvas, 4 + i * _ROW, remedy, told)
    k = report.policy.k
    words = (
        f"Share of people in classes smaller than {k}: hollow before, full after the "
        "remedy; further left is better."
    )
    return canvas.chart("chart-remedies", "What each remedy would change", words, 4 + len(drawn) * _ROW)


def _dumbbell(canvas: Canvas, y: float, remedy: Remedy, told: Numbers) -> None:
    before, after = float(remedy.before["share_below_k"]), float(remedy.after["share_below_k"])
    parts = [name(remedy.technique, 40).replace("_", " "), ", ".join(name(c, 30) for c in remedy.columns)]
    label = ": ".join(part for part in parts if part)
    value = f"{told.share(before)} → {told.share(after)}"
    canvas.text(0, y + 12, short(label), colour="ink", size=12)
    canvas.text(WIDTH, y + 12, value, anchor="end", size=12)
    n = told.n_rows
    left, right = (8 + (WIDTH - 16) * _drawn(share * n, n, told) for share in (after, before))
    colour = "good" if after < before else "bad" if after > before else "calm"
    canvas.line(8, y + 24, WIDTH - 8, y + 24, "track", thick=3)
    canvas.line(left, y + 24, right, y + 24, colour, thick=3)
    canvas.circle(right, y + 24, 5, "soft", f"before: {told.share(before)}", hollow=True)
    canvas.circle(left, y + 24, 5.5, colour, f"after: {told.share(after)}")


def attack(found: Attack, told: Numbers) -> Chart:
    """Return success with its interval beside guessing and control, on a scale from nobody to everybody."""
    total = found.n_targets
    rows = [("guessing", found.baseline, "soft"), ("attacker", found.success.value, "bad")]
    if found.control is not None:
        rows.insert(1, ("control", found.control, "calm"))
    canvas = Canvas()
    left, wide = 70, WIDTH - 130
    for i, (label, share, colour) in enumerate(rows):
        y, text = 6 + i * 26, told.share(share, total)
        canvas.text(0, y + 13, label, colour="ink", size=12)
        canvas.rect(left, y + 5, wide, 8, "track")
        canvas.rect(left, y + 5, wide * _drawn(share * total, total, told), 8, colour, f"{label}: {text}")
        canvas.text(WIDTH, y + 13, text, anchor="end", size=12)
    low, high = found.success.low, min(1.0, found.success.high)
    if high > low and not any(
        told.hidden(share * total, total) for share in (low, found.success.value, high)
    ):
        y = 6 + (len(rows) - 1) * 26 + 9
        canvas.line(left + wide * low, y, left + wide * high, y, "ink", thick=2)
    success, guess = told.share(found.success.value, total), told.share(found.baseline, total)
    words = f"Share of targets re-identified: attacker {success}, guessing {guess}."
    return canvas.chart("chart-attack", "Attacker beside guessing", words, 6 + len(rows) * 26)
