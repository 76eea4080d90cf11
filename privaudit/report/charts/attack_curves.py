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
from privaudit.report.charts.draw import WIDTH, Canvas, Chart
from privaudit.report.sentences import sentence

MOST_LINES = 5
MOST_ROWS = 24
"""Points of a curve in the table of its numbers."""
_LEFT, _RIGHT, _TOP, _BASE = 46.0, 96.0, 14.0, 190.0
_COLOURS = ("bad", "sensitive", "accent", "calm", "good")
_LEAST = 0.001
_APART = 13.0


def known(detail: MeasuredDetail, wording: Wording) -> Chart | None:
    """Return the shares over the number of known columns."""
    last = max(x for curve in detail.curves for x in curve.x)
    if last < 2:
        return None
    canvas = Canvas()
    canvas.grid(_LEFT, WIDTH - _RIGHT, [(_up(share), percent(share)) for share in (0.0, 0.5, 1.0)])
    for x in range(1, round(last) + 1):
        canvas.text(_across((x - 1) / (last - 1)), _BASE + 16, str(x), anchor="middle", size=11)
    lines = [
        (curve, [((x - 1) / (last - 1), y) for x, y in zip(curve.x, curve.y, strict=True)]) for curve in detail.curves
    ]
    _draw(canvas, lines, wording)
    of_rows = "_rows" if detail.method == "rows" else ""
    axis = sentence(wording, f"report.axis_known{of_rows}")
    canvas.text((WIDTH + _LEFT - _RIGHT) / 2, _BASE + 34, axis, anchor="middle")
    words = sentence(wording, f"report.chart_known{of_rows}")
    title, numbers = sentence(wording, "report.title_known"), _numbers(detail, "facts", wording)
    return canvas.chart("chart-attack-known", title, words, _BASE + 42, **numbers)


def roc(detail: MeasuredDetail, wording: Wording) -> Chart:
    """Return true against false positives, both axes logarithmic from 0.1 % to 100 %, with the line of guessing."""
    canvas = Canvas()
    for share in (0.001, 0.01, 0.1, 1.0):
        canvas.grid(_LEFT, WIDTH - _RIGHT, [(_up(_log(share)), percent(share))])
        canvas.text(_across(_log(share)), _BASE + 16, percent(share), anchor="middle", size=11)
    canvas.line(_across(0), _up(0), _across(1), _up(1), "calm", dash=True)
    lines = [
        (curve, [(_log(x), _log(y)) for x, y in zip(curve.x, curve.y, strict=True) if x >= _LEAST])
        for curve in detail.curves
    ]
    _draw(canvas, lines, wording)
    canvas.text((WIDTH + _LEFT - _RIGHT) / 2, _BASE + 34, sentence(wording, "report.axis_roc"), anchor="middle")
    words = sentence(wording, "report.chart_roc")
    title, numbers = sentence(wording, "report.title_roc"), _numbers(detail, "outsiders", wording)
    return canvas.chart("chart-attack-roc", title, words, _BASE + 42, **numbers)


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


def _across(share: float) -> float:
    return _LEFT + (WIDTH - _LEFT - _RIGHT) * share


def _up(share: float) -> float:
    return _BASE - (_BASE - _TOP) * share


def _draw(canvas: Canvas, lines: Sequence[tuple[Curve, list[tuple[float, float]]]], wording: Wording) -> None:
    """Draw the lines, their names at their ends and apart from each other."""
    ends = []
    for (curve, points), colour in zip(lines[:MOST_LINES], _COLOURS, strict=False):
        if not points:
            continue
        drawn = [(_across(x), _up(y)) for x, y in points]
        canvas.path(drawn, colour)
        # Dots show where something was measured; of many points the line alone is clearer.
        if len(points) <= 20:
            for x, y in drawn:
                canvas.circle(x, y, 2.5, colour)
        ends.append((drawn[-1][1], sentence(wording, f"attacks.curve_{curve.key}"), colour))
    ends.sort()
    heights = [y for y, _, _ in ends]
    for i, (above, below) in enumerate(pairwise(heights)):
        # From top to bottom, so that a name that moved down pushes the next one.
        heights[i + 1] = max(below, heights[i] + _APART) if above <= below else below
    for y, (_, label, colour) in zip(heights, ends, strict=True):
        canvas.rect(WIDTH - _RIGHT + 6, y - 4, 8, 8, colour)
        canvas.text(WIDTH - _RIGHT + 18, y + 4, label, colour="ink", size=11)
