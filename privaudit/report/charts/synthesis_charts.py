"""The pictures of a synthetic table next to its original.

Question: how do a reader's eyes compare both tables?
Method: paired bars of every column, cumulative curves, means and spreads on logarithmic axes, and matrices of relations
and of errors as tiles.
Limits: cumulative curves have a point for each group of at least 11 records; tiles have five shades.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from privaudit.model.synthesis import ColumnComparison, Matrix, PaidComparison, SynthesisComparison
from privaudit.model.wording import FULL, Name, Number, Value, decimal, percent
from privaudit.report.charts.draw import WIDTH, Canvas, Chart, Plot, short
from privaudit.report.escape import name
from privaudit.report.sentences import sentence

MOST_BARS = 24
MOST_TILES = 24
Sides = tuple[str, str]
"""What the two tables are called in a sentence, such as "the original" and "the synthetic table"."""
SHADES = ("shade1", "shade2", "shade3", "shade4", "shade5")
_LEFT, _RIGHT = 150.0, 60.0
_ROW = 26.0


def bars(column: ColumnComparison, sides: Sides) -> Chart:
    """Return paired bars: the share of each label in the first table (upper bar) and in the other (lower bar)."""
    rows = list(zip(column.labels, column.before, column.after, strict=True))
    if len(rows) > MOST_BARS:
        # By the shares of the original: those of the synthetic table would omit what it lost.
        chosen = sorted(range(len(rows)), key=lambda i: -rows[i][1])[:MOST_BARS]
        rows = [rows[i] for i in (sorted(chosen) if column.cumulative else chosen)]  # bands keep their order
    top = max((max(before, after) for _, before, after in rows), default=1.0) or 1.0
    canvas, wide = Canvas(), WIDTH - _LEFT - _RIGHT
    for i, (label, before, after) in enumerate(rows):
        y = 4 + i * _ROW
        canvas.text(_LEFT - 8, y + 15, short(name(label, 60), 19), colour="ink", anchor="end")
        for offset, share, colour in ((2, before, "calm"), (12, after, "accent")):
            canvas.rect(_LEFT, y + offset, wide * share / top, 9, colour, percent(share))
        canvas.text(WIDTH, y + 15, percent(after), anchor="end")
    words = sentence(
        FULL,
        "synthesis.chart_bars",
        column=Name(name(column.column)),
        distance=Name(percent(column.distance)),
        **_named(sides),
    )
    if len(rows) < len(column.labels):
        values = Number(len(column.labels))
        words = sentence(FULL, "synthesis.chart_bars_most", whole=Name(words), values=values, **_named(sides))
    numbers = [(name(label, 60), percent(before), percent(after)) for label, before, after in rows]
    height = 8 + len(rows) * _ROW
    return canvas.chart("chart-column", name(column.column), words, height, head=_heads("value", sides), rows=numbers)


def _heads(first: str, sides: Sides) -> list[str]:
    """Return the heading of a table of numbers of both tables."""
    return [sentence(FULL, f"synthesis.head_{first}"), *(f"{side[:1].upper()}{side[1:]}" for side in sides)]


def _named(sides: Sides) -> dict[str, Value]:
    return {"first": Name(sides[0]), "other": Name(sides[1])}


def cumulative(column: ColumnComparison, sides: Sides) -> Chart | None:
    """Return the cumulative shares in both tables; None if the values are not ordered."""
    points = column.cumulative
    if len(points) < 2:
        return None
    plot = Plot(left=46.0, right=12.0, top=12.0, base=190.0)
    plot.levels(percent)
    for side, colour in ((0, "calm"), (1, "accent")):
        heights = enumerate((0.0, *(point[side] for point in points)))
        plot.path([(plot.across(i / len(points)), plot.up(share)) for i, share in heights], colour)
    plot.text(plot.left, plot.base + 18, name(column.labels[0], 30), size=11)
    # "missing" is the last label, and no end of an order.
    last = column.labels[len(column.labels) - 1 - (column.labels[-1] == "missing")]
    plot.text(plot.across(1), plot.base + 18, name(last, 30), anchor="end", size=11)
    words = sentence(FULL, "synthesis.chart_cumulative", column=Name(name(column.column)))
    numbers = [
        (name(label, 60), percent(before), percent(after))
        for label, (before, after) in zip(column.cumulative_to, points, strict=True)
    ]
    head, title = _heads("up_to", sides), name(column.column)
    return plot.chart("chart-cumulative", title, words, plot.base + 26, head=head, rows=numbers)


def moments(columns: Sequence[ColumnComparison], sides: Sides) -> Chart | None:
    """Return means and standard deviations of both tables, on logarithmic axes; None where nothing is ordered."""
    points = [
        (pair[0], pair[1], kind, sentence(FULL, code, column=Name(name(column.column))))
        for column in columns
        for pair, kind, code in (
            (column.mean, "accent", "synthesis.mean_of"),
            (column.spread, "sensitive", "synthesis.spread_of"),
        )
        if pair is not None and min(pair) > 0
    ]
    if not points:
        return None
    values = [math.log10(value) for point in points for value in point[:2]]
    # Both axes over one range, so that equal moments are on the diagonal.
    low, high = math.floor(min(values) * 2) / 2 - 0.25, math.ceil(max(values) * 2) / 2 + 0.25
    canvas, size = Canvas(), 300.0

    def place(value: float) -> float:
        return size * (math.log10(value) - low) / (high - low)

    canvas.line(60, 10 + size, 60 + size, 10, "grid", dash=True)
    canvas.line(60, 10, 60, 10 + size, "grid")
    canvas.line(60, 10 + size, 60 + size, 10 + size, "grid")
    for tick in _ticks(low, high):
        canvas.text(60 + place(tick), 26 + size, f"{tick:g}", anchor="middle", size=11)
        canvas.text(54, 14 + size - place(tick), f"{tick:g}", anchor="end", size=11)
    for before, after, colour, label in points:
        canvas.circle(60 + place(before), 10 + size - place(after), 5, colour, label)
    words = sentence(FULL, "synthesis.chart_moments", **_named(sides))
    numbers = [(label, decimal(before), decimal(after)) for before, after, _, label in points]
    title = sentence(FULL, "synthesis.title_moments")
    return canvas.chart("chart-moments", title, words, size + 34, head=_heads("measure", sides), rows=numbers)


def _ticks(low: float, high: float) -> list[float]:
    steps = [factor * 10.0**power for power in range(-3, 7) for factor in (1, 2, 5)]
    return [value for value in steps if low <= math.log10(value) <= high]


def relations(found: SynthesisComparison, sides: Sides) -> list[Chart]:
    """Return Cramer's V of both tables side by side, their difference, and the error of pairs, as tiles."""
    names = [name(column.column) for column in found.columns]
    before, after = found.correlations
    change = tuple(tuple(abs(a - b) for a, b in zip(*rows, strict=True)) for rows in zip(before, after, strict=True))
    both = [
        _tiles("before", names, before, _of_share, sides),
        _tiles("after", names, after, _of_share, sides),
        _tiles("change", names, change, _of_error),
        _tiles("pairs", names, found.pairs, _of_error),
    ]
    return [chart for chart in both if chart is not None]


def paid_pairs(found: PaidComparison) -> Chart | None:
    """Return the error of pairs with noise, as tiles."""
    position = {column: i for i, column in enumerate(found.columns)}
    matrix = [[0.0] * len(position) for _ in position]
    for first, second, each in found.pairs:
        i, j = position[first], position[second]
        matrix[i][j] = matrix[j][i] = each.value
    return _tiles("pairs", [name(column) for column in position], tuple(map(tuple, matrix)), _of_error)


def _of_share(value: float) -> int:
    return min(4, int(value * 5))


def _of_error(value: float) -> int:
    return sum(value >= limit for limit in (0.01, 0.02, 0.05, 0.1))


def _tiles(
    code: str, names: Sequence[str], matrix: Matrix, shade: Callable[[float], int], sides: Sides = ("", "")
) -> Chart | None:
    if len(names) < 2:
        return None
    shown = min(len(names), MOST_TILES)
    size, left, top = min(34.0, (WIDTH - 150) / shown), 140.0, 10.0
    canvas = Canvas()
    for i in range(shown):
        canvas.text(left - 6, top + i * size + size / 2 + 4, short(names[i], 20), anchor="end", size=11)
        for j in range(shown):
            if i == j:
                continue
            value = matrix[i][j]
            tip = f"{names[i]}, {names[j]}: {value:.3f}"
            canvas.rect(left + j * size, top + i * size, size - 2, size - 2, SHADES[shade(value)], tip)
            # Smaller tiles have no room for a number; hovering and the table show it.
            if size >= 26:
                colour = "ink" if shade(value) < 3 else "paper"
                canvas.text(
                    left + j * size + size / 2 - 1,
                    top + i * size + size / 2 + 3,
                    _short(value),
                    anchor="middle",
                    size=10,
                    colour=colour,
                )
    words = sentence(FULL, f"synthesis.chart_{code}", **_named(sides))
    title, height = sentence(FULL, f"synthesis.title_{code}", **_named(sides)), top * 2 + shown * size
    numbers = [(names[i], *("" if i == j else f"{matrix[i][j]:.3f}" for j in range(shown))) for i in range(shown)]
    head = [sentence(FULL, "synthesis.head_column"), *names[:shown]]
    return canvas.chart(f"chart-{code}", title, words, height, head=head, rows=numbers)


def _short(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")
