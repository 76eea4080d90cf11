"""A number over several reports: how k, uniques or findings develop.

Question: does the risk of a table rise or fall from report to report?
Method: a dot for each report in the order of the scans, joined by a line, from zero; a dashed line is the limit of the
policy of the last report.
Limits: the places are those of the reports, not of the calendar; a report without the number has no dot.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.base.records import dataclass
from privaudit.report.charts.draw import Chart, Plot

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
    plot = Plot(left=54.0, right=34.0, top=18.0, base=168.0)
    plot.levels(lambda share: f"{top * share:,.4g}")
    if limit is not None:
        y = plot.up(limit / top)
        plot.line(plot.left, y, plot.across(1), y, "bad", dash=True)
    places = [(plot.across(i / (len(points) - 1)), plot.up(value / top)) for i, _, value in known]
    plot.path(places, "accent")
    every = -(-len(known) // MOST_LABELS)
    for n, ((x, y), (_, point, _)) in enumerate(zip(places, known, strict=True)):
        plot.circle(x, y, 4.5, "accent", f"{point.day}: {point.shown}")
        if n % every == 0:
            plot.below(x, point.day, size=10)
    rows = [(point.day, point.shown) for point in points]
    return plot.chart(key, title, words, plot.base + 24, head=head, rows=rows)
