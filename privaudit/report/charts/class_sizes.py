"""The charts of class sizes: people by the size of their class, and records below k against k.

Question: how large are the classes, and how much depends on the choice of k?
Method: each function returns a chart (see `draw`) or None where there is nothing to draw; the policy's k is marked.
Limits: drawn from the histogram in the report; in the public edition withheld counts are drawn at one height.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from privaudit.base.records import dataclass
from privaudit.model import Report, Risk
from privaudit.model.wording import SMALL_CELL, Count, Name, Threshold, Wording, percent
from privaudit.report.charts.draw import WIDTH, Canvas, Chart, drawn_share
from privaudit.report.sentences import sentence

_LEFT, _RIGHT, _TOP, _BASE = 46.0, 12.0, 22.0, 222.0
_STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def class_sizes(report: Report, wording: Wording) -> Chart | None:
    """Return people by the size of their class; classes below the k of the policy are red."""
    if report.risk is None or not report.risk.class_sizes.size:
        return None
    exposed, k = _by_size(report.risk), report.policy.k
    buckets = _buckets(max(exposed), k)
    people = [sum(n for size, n in exposed.items() if low <= size <= high) for low, high in buckets]
    canvas = Canvas()
    top = max(people) or 1
    _grid(canvas, [(fraction, wording.count(round(top * fraction))) for fraction in (0.0, 0.5, 1.0)])
    slot = (WIDTH - _LEFT - _RIGHT) / len(buckets)
    for i, ((low, high), n) in enumerate(zip(buckets, people, strict=True)):
        column = _Column(n, report.n_units, top, high < k)
        _class_bar(canvas, _LEFT + i * slot, slot, _range(low, high), column, wording)
    _limit(canvas, _LEFT + slot * sum(high < k for _, high in buckets), k)
    canvas.text((WIDTH + _LEFT) / 2, _BASE + 36, sentence(wording, "report.axis_class_size"), anchor="middle")
    below = sum(n for (_, high), n in zip(buckets, people, strict=True) if high < k)
    affected = Count(below, of=report.n_units, unit=wording.unit)
    words = sentence(wording, "report.chart_class_sizes", people=affected, k=Threshold(k))
    return canvas.chart(
        "chart-class-sizes",
        sentence(wording, "report.title_class_sizes"),
        words,
        _BASE + 44,
        head=(sentence(wording, "report.head_class_size"), sentence(wording, "report.head_units")),
        rows=[(_range(*sizes), wording.count(n)) for sizes, n in zip(buckets, people, strict=True)],
    )


def _limit(canvas: Canvas, x: float, k: int) -> None:
    """Draw the line of the policy between the classes that are smaller than its k and the others."""
    canvas.line(x, _TOP - 14, x, _BASE, "bad", dash=True)
    left = x < WIDTH - 90
    canvas.text(x + (4 if left else -4), _TOP - 8, f"k = {k}", anchor="start" if left else "end", size=11, colour="bad")


def _by_size(risk: Risk) -> dict[int, int]:
    """Return the records (or people) by the size of their class, or the number of their matches."""
    if risk.matches is not None:
        return dict(zip(risk.matches.size, risk.matches.count, strict=True))
    table = risk.class_sizes
    return {size: size * count for size, count in zip(table.size, table.count, strict=True)}


@dataclass(frozen=True, slots=True)
class _Column:
    n: int
    of: int
    top: int
    below: bool


def _class_bar(canvas: Canvas, x: float, slot: float, label: str, column: _Column, wording: Wording) -> None:
    # Every count that is withheld has a bar of one height, so that the bar shows no more than the text.
    shown = min(SMALL_CELL, column.top) if wording.hidden(column.n) else column.n
    height = (_BASE - _TOP) * shown / column.top
    colour = "bad" if column.below else "good"
    people = Count(column.n, of=column.of, unit=wording.unit)
    tip = sentence(wording, "report.class_bar", people=people, size=Name(label))
    canvas.rect(x + slot * 0.12, _BASE - height, slot * 0.76, height, colour, tip)
    canvas.text(x + slot / 2, _BASE + 16, label, anchor="middle", size=11)
    if column.n:
        canvas.text(
            x + slot / 2, _BASE - height - 5, _compact(column.n, wording), anchor="middle", size=11, colour="ink"
        )


def _compact(n: int, wording: Wording) -> str:
    if wording.hidden(n) or n < 100_000:
        return wording.count(n)
    return f"{n / 1e6:.1f} M" if n >= 1_000_000 else f"{n / 1e3:.0f} k"


def _range(low: int, high: float) -> str:
    if high == float("inf"):
        return f"{low:,}+"
    return f"{low:,}" if low == high else f"{low:,}–{int(high):,}"


def _buckets(largest: int, k: int) -> list[tuple[int, float]]:
    """Return ranges of class sizes that split exactly at `k`, so that no bar spans both sides of it."""
    # Labels of sizes close to k would overlap its own; the sizes up to 3 are kept, because they are the dangerous ones.
    near = {step for step in _STEPS if step != k and abs(step - k) / k < 0.15 and step > 3}
    wanted = {step for step in (*_STEPS, k) if step <= largest and step not in near}
    starts = sorted(wanted | {1, min(k, largest)})
    starts = [start for start in starts if start <= 500] or starts[:1]
    ends = [start - 1 for start in starts[1:]]
    return list(zip(starts, [*ends, float("inf") if largest > 500 else largest], strict=True))


def _grid(canvas: Canvas, ticks: Sequence[tuple[float, str]]) -> None:
    heights = ((_BASE - (_BASE - _TOP) * fraction, label) for fraction, label in ticks)
    canvas.grid(_LEFT, WIDTH - _RIGHT, heights)


def below_k(report: Report, wording: Wording) -> Chart | None:
    """Return the share of people in classes smaller than k against k, the policy's k and share marked."""
    if report.risk is None or not report.risk.class_sizes.size or not report.dataset.n_rows:
        return None
    exposed, k, n = _by_size(report.risk), report.policy.k, report.n_units
    last = max(30, 2 * k)
    below = [sum(count for size, count in exposed.items() if size < limit) for limit in range(1, last + 1)]
    drawn = [drawn_share(records, n, wording) for records in below]
    canvas = Canvas()
    top = _nice_top(max(drawn))
    _grid(canvas, [(fraction, percent(top * fraction)) for fraction in (0.0, 0.5, 1.0)])
    xs = [_LEFT + (WIDTH - _LEFT - _RIGHT) * i / (last - 1) for i in range(last)]
    points = [(x, _BASE - (_BASE - _TOP) * share / top) for x, share in zip(xs, drawn, strict=True)]
    at_k, at_last = wording.share(below[k - 1] / n), wording.share(below[-1] / n)
    _below_marks(canvas, xs, points, k, at_k)
    words = sentence(
        wording,
        "report.chart_below_k",
        k=Threshold(k),
        share=Name(at_k),
        last=Threshold(last),
        share_last=Name(at_last),
    )
    return canvas.chart(
        "chart-below-k",
        sentence(wording, "report.title_below_k"),
        words,
        _BASE + 44,
        head=(sentence(wording, "report.head_k"), sentence(wording, "report.head_below_k")),
        rows=[(str(limit), wording.share(records / n, n)) for limit, records in enumerate(below, 1)],
    )


def _nice_top(share: float) -> float:
    return next((top for top in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if top >= share), 1.0)


def _below_marks(canvas: Canvas, xs: list[float], points: list[tuple[float, float]], k: int, label: str) -> None:
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
