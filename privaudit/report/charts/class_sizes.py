"""The charts of class sizes: people by the size of their class, and records below k against k.

Question: how large are the classes, and how much depends on the choice of k?
Method: each function returns a chart (see `draw`) or None where there is nothing to draw; the policy's k is marked.
Limits: drawn from the histogram in the report; in the public edition withheld counts are drawn at one height.
"""

from __future__ import annotations

from itertools import pairwise

from privaudit.model import Report, Risk
from privaudit.model.wording import SMALL_CELL, Count, Name, Threshold, Wording, percent
from privaudit.report.charts.draw import Chart, Plot, drawn_share
from privaudit.report.sentences import sentence

_STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def class_sizes(report: Report, wording: Wording) -> Chart | None:
    """Return people by the size of their class; classes below the k of the policy are red."""
    if report.risk is None or not report.risk.class_sizes.size:
        return None
    exposed, k, plot = _by_size(report.risk), report.policy.k, _plot()
    buckets = _buckets(max(exposed), k)
    people = [sum(n for size, n in exposed.items() if low <= size <= high) for low, high in buckets]
    top, slot = max(people) or 1, plot.wide / len(buckets)
    plot.levels(lambda share: wording.count(round(top * share)))
    for i, ((low, high), n) in enumerate(zip(buckets, people, strict=True)):
        label, counted = _range(low, high), Count(n, of=report.n_units, unit=wording.unit)
        tip = sentence(wording, "report.class_bar", people=counted, size=Name(label))
        # Every count that is withheld has a bar of one height, so that the bar shows no more than the text.
        share, x = (min(SMALL_CELL, top) if wording.hidden(n) else n) / top, plot.left + i * slot
        plot.column(x + slot * 0.12, slot * 0.76, share, "bad" if high < k else "good", tip)
        plot.below(x + slot / 2, label)
        if n:
            shown = _compact(n, wording)
            plot.text(x + slot / 2, plot.up(share) - 5, shown, anchor="middle", size=11, colour="ink")
    _limit(plot, plot.left + slot * sum(high < k for _, high in buckets), k)
    plot.below((plot.width + plot.left) / 2, sentence(wording, "report.axis_class_size"), drop=36, size=12)
    below = sum(n for (_, high), n in zip(buckets, people, strict=True) if high < k)
    affected = Count(below, of=report.n_units, unit=wording.unit)
    title = sentence(wording, "report.title_class_sizes")
    words = sentence(wording, "report.chart_class_sizes", people=affected, k=Threshold(k))
    head = [sentence(wording, f"report.head_{key}") for key in ("class_size", "units")]
    rows = [(_range(*sizes), wording.count(n)) for sizes, n in zip(buckets, people, strict=True)]
    return plot.chart("chart-class-sizes", title, words, plot.base + 44, head=head, rows=rows)


def _plot() -> Plot:
    return Plot(left=46.0, right=12.0, top=22.0, base=222.0)


def _limit(plot: Plot, x: float, k: int) -> None:
    """Draw the line of the policy between the classes that are smaller than its k and the others."""
    plot.line(x, plot.top - 14, x, plot.base, "bad", dash=True)
    anchor, apart = ("start", 4) if x < plot.width - 90 else ("end", -4)
    plot.text(x + apart, plot.top - 8, f"k = {k}", anchor=anchor, size=11, colour="bad")


def _by_size(risk: Risk) -> dict[int, int]:
    """Return the records (or people) by the size of their class, or the number of their matches."""
    if risk.matches is not None:
        return dict(zip(risk.matches.size, risk.matches.count, strict=True))
    table = risk.class_sizes
    return {size: size * count for size, count in zip(table.size, table.count, strict=True)}


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


def below_k(report: Report, wording: Wording) -> Chart | None:
    """Return the share of people in classes smaller than k against k, the policy's k and share marked."""
    if report.risk is None or not report.risk.class_sizes.size or not report.dataset.n_rows:
        return None
    exposed, k, n = _by_size(report.risk), report.policy.k, report.n_units
    last = max(30, 2 * k)
    below = [sum(count for size, count in exposed.items() if size < limit) for limit in range(1, last + 1)]
    drawn = [drawn_share(records, n, wording) for records in below]
    top, plot = next(top for top in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if top >= max(drawn)), _plot()
    plot.levels(lambda share: percent(top * share))
    points = [(plot.across(i / (last - 1)), plot.up(share / top)) for i, share in enumerate(drawn)]
    at_k, at_last = wording.share(below[k - 1] / n), wording.share(below[-1] / n)
    _below_marks(plot, points, k, at_k)
    shares = {"share": Name(at_k), "share_last": Name(at_last)}
    words = sentence(wording, "report.chart_below_k", k=Threshold(k), last=Threshold(last), **shares)
    head = [sentence(wording, f"report.head_{key}") for key in ("k", "below_k")]
    rows = [(str(limit), wording.share(records / n, n)) for limit, records in enumerate(below, 1)]
    title = sentence(wording, "report.title_below_k")
    return plot.chart("chart-below-k", title, words, plot.base + 44, head=head, rows=rows)


def _below_marks(plot: Plot, points: list[tuple[float, float]], k: int, label: str) -> None:
    for tick in range(5, len(points) + 1, 5 if len(points) <= 30 else 10):
        plot.below(points[tick - 1][0], str(tick))
    x, y = points[k - 1]
    plot.line(x, plot.top - 6, x, plot.base, "bad", dash=True)
    # k is a whole number: the share holds until the next k, so the line climbs in steps.
    steps = [at for (_, y0), (x1, y1) in pairwise(points) for at in ((x1, y0), (x1, y1))]
    plot.path([points[0], *steps], "accent")
    plot.circle(x, y, 4.5, "bad", f"k = {k}: {label}")
    # The label keeps clear of the curve, which rises from left to right: right of the point and below it.
    plot.text(x + 8, min(y + 18, plot.base - 8), f"k = {k}: {label}", size=12, colour="ink", bold=True)
    plot.below((plot.width + plot.left) / 2, "k", drop=36, size=12)
