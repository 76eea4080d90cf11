"""A number over several reports: how k, uniques or findings develop.

Question: does the risk of a table rise or fall from report to report?
Method: a dot for each report in the order of the scans, joined by a line, from zero; a dashed line is the limit of the
policy of the last report.
Limits: the places are those of the reports, not of the calendar; a report without the number has no dot.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.base.records import dataclass
from privaudit.report.charts.draw import WIDTH, Canvas, Chart

_LEFT, _RIGHT, _TOP, _BASE = 54.0, 34.0, 18.0, 168.0
MOST_LABELS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The number of one report: the day, the number, and the number as it is written."""

    day: str
    value: float | None
    shown: str


def chart(
    key: str, title: str, words: str, points: Sequence[Point], *, head: Sequence[str], limit: float | None = None
) -> Chart | None:
    """Return the development of a number; None where fewer than two reports have it."""
    known = [(i, point, point.value) for i, point in enumerate(points) if point.value is not None]
    if len(known) < 2:
        return None
    top = max(*(value for _, _, value in known), limit or 0) or 1.0
    step = (WIDTH - _LEFT - _RIGHT) / (len(points) - 1)
    canvas = Canvas()
    ticks = [(_BASE - (_BASE - _TOP) * share, f"{top * share:,.4g}") for share in (0.0, 0.5, 1.0)]
    canvas.grid(_LEFT, WIDTH - _RIGHT, ticks)
    if limit is not None:
        y = _BASE - (_BASE - _TOP) * limit / top
        canvas.line(_LEFT, y, WIDTH - _RIGHT, y, "bad", dash=True)
    places = [(_LEFT + i * step, _BASE - (_BASE - _TOP) * value / top) for i, _, value in known]
    canvas.path(places, "accent")
    every = -(-len(known) // MOST_LABELS)
    for n, ((x, y), (_, point, _)) in enumerate(zip(places, known, strict=True)):
        canvas.circle(x, y, 4.5, "accent", f"{point.day}: {point.shown}")
        if n % every == 0:
            canvas.text(x, _BASE + 16, point.day, anchor="middle", size=10)
    return canvas.chart(key, title, words, _BASE + 24, head=head, rows=[(point.day, point.shown) for point in points])
