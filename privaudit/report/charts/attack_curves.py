"""The curves of attacks: success by number of known columns, and true against false positives.

Question: how fast does an attack succeed as the attacker knows more, or accepts more false claims?
Method: one line for each curve with its colour and name at its end; the picture of true against false positives has
logarithmic axes, because what matters is at few false positives.
Limits: drawn in the full edition only; at most `MOST_LINES` lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from privaudit.model import Curve, MeasuredDetail
from privaudit.model.wording import MISSING, Wording, percent
from privaudit.report.charts.draw import Chart, Plot
from privaudit.report.sentences import sentence

MOST_LINES = 5
MOST_ROWS = 24
"""Points of a curve in the table of its numbers."""
_COLOURS = ("bad", "sensitive", "accent", "calm", "good")
_LEAST = 0.001
_APART = 13.0


def known(detail: MeasuredDetail, wording: Wording) -> Chart | None:
    """Return the shares over the number of known columns."""
    last = max(x for curve in detail.curves for x in curve.x)
    if last < 2:
        return None
    plot = _plot()
    plot.levels(percent)
    for x in range(1, round(last) + 1):
        plot.below(plot.across((x - 1) / (last - 1)), str(x))
    lines = [
        (curve, [((x - 1) / (last - 1), y) for x, y in zip(curve.x, curve.y, strict=True)]) for curve in detail.curves
    ]
    _draw(plot, lines, wording)
    return _chart(
        plot, "known", "_rows" if detail.method == "rows" else "", _numbers(detail, "facts", wording), wording
    )


def roc(detail: MeasuredDetail, wording: Wording) -> Chart:
    """Return true against false positives, both axes logarithmic from 0.1 % to 100 %, with the line of guessing."""
    plot = _plot()
    for share in (0.001, 0.01, 0.1, 1.0):
        plot.level(_log(share), percent(share))
        plot.below(plot.across(_log(share)), percent(share))
    plot.line(plot.across(0), plot.up(0), plot.across(1), plot.up(1), "calm", dash=True)
    lines = [
        (curve, [(_log(x), _log(y)) for x, y in zip(curve.x, curve.y, strict=True) if x >= _LEAST])
        for curve in detail.curves
    ]
    _draw(plot, lines, wording)
    return _chart(plot, "roc", "", _numbers(detail, "outsiders", wording), wording)


def _plot() -> Plot:
    return Plot(left=46.0, right=96.0, top=14.0, base=190.0)


def _chart(plot: Plot, kind: str, of: str, numbers: dict[str, Any], wording: Wording) -> Chart:
    """Return the finished picture of a kind; `of` distinguishes sentences about it."""
    plot.below(plot.across(0.5), sentence(wording, f"report.axis_{kind}{of}"), drop=34, size=12)
    title, words = sentence(wording, f"report.title_{kind}"), sentence(wording, f"report.chart_{kind}{of}")
    return plot.chart(f"chart-attack-{kind}", title, words, plot.base + 42, **numbers)


def _numbers(detail: MeasuredDetail, first: str, wording: Wording) -> dict[str, Any]:
    """Return the points of the curves as a table: a row for each place on the axis, at most `MOST_ROWS`."""
    curves = detail.curves[:MOST_LINES]
    at = [dict(zip(curve.x, curve.y, strict=True)) for curve in curves]
    places = sorted({x for curve in curves for x in curve.x})
    shown = places[:: max(1, -(-len(places) // MOST_ROWS))]
    rows = [
        [percent(x) if first == "outsiders" else f"{x:g}", *(percent(ys[x]) if x in ys else MISSING for ys in at)]
        for x in shown
    ]
    names = [sentence(wording, f"attacks.curve_{curve.key}") for curve in curves]
    return {"head": [sentence(wording, f"report.head_{first}"), *names], "rows": rows}


def _log(share: float) -> float:
    return max(0.0, math.log10(max(share, _LEAST) / _LEAST) / 3)


def _draw(plot: Plot, lines: Sequence[tuple[Curve, list[tuple[float, float]]]], wording: Wording) -> None:
    """Draw the lines, their names at their ends and apart from each other."""
    ends = []
    for (curve, points), colour in zip(lines[:MOST_LINES], _COLOURS, strict=False):
        if not points:
            continue
        drawn = [(plot.across(x), plot.up(y)) for x, y in points]
        plot.path(drawn, colour)
        # Dots show where something was measured; of many points the line alone is clearer.
        if len(points) <= 20:
            for x, y in drawn:
                plot.circle(x, y, 2.5, colour)
        ends.append((drawn[-1][1], sentence(wording, f"attacks.curve_{curve.key}"), colour))
    ends.sort()
    heights = [y for y, _, _ in ends]
    for i, (above, below) in enumerate(pairwise(heights)):
        # From top to bottom, so that a name that moved down pushes the next one.
        heights[i + 1] = max(below, heights[i] + _APART) if above <= below else below
    for y, (_, label, colour) in zip(heights, ends, strict=True):
        plot.rect(plot.across(1) + 6, y - 4, 8, 8, colour)
        plot.text(plot.across(1) + 18, y + 4, label, colour="ink", size=11)
