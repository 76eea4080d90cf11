"""The distributions of columns, at a size that can be read: before and after remedies, and as families describe them.

Question: what did the remedies do to the shares of the values of a column, and how well does a family describe it?
Method: two bars for each interval or value, before next to after, on one scale that begins at zero. Of a fit, bars are
the observed shares of intervals, and lines the shares that the likeliest families give them.
Limits: values and intervals are not named, because they are cells or follow from them; full edition only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.model.remedied import ColumnUtility
from privaudit.model.wording import FULL, Columns, Name, Wording, fact, percent
from privaudit.report.charts.draw import WIDTH, Canvas, Chart
from privaudit.report.escape import name
from privaudit.report.sentences import sentence

_LEFT, _RIGHT, _TOP, _BASE = 46.0, 8.0, 14.0, 150.0


def chart(column: ColumnUtility) -> Chart | None:
    """Return the distribution of a column; None where either side has no value."""
    found = column.distribution
    if found is None:
        return None
    top = max(*found.before, *found.after) or 1.0
    canvas = Canvas()
    ticks = [(_BASE - (_BASE - _TOP) * share, percent(top * share)) for share in (0.0, 0.5, 1.0)]
    canvas.grid(_LEFT, WIDTH - _RIGHT, ticks)
    slot, rows = (WIDTH - _LEFT - _RIGHT) / len(found.before), []
    for i, pair in enumerate(zip(found.before, found.after, strict=True)):
        label = _label(i, len(found.before), found.by)
        x = _LEFT + i * slot
        for j, (share, colour) in enumerate(zip(pair, ("calm", "good"), strict=True)):
            height = (_BASE - _TOP) * share / top
            tip = f"{label}: {percent(share)}"
            canvas.rect(x + slot * (0.1 + 0.4 * j), _BASE - height, slot * 0.38, height, colour, tip)
        canvas.text(x + slot / 2, _BASE + 15, label, anchor="middle", size=10)
        rows.append((label, *map(percent, pair)))
    axis = FULL.text(fact(f"remedies.axis_{found.by}"))
    canvas.text((WIDTH + _LEFT) / 2, _BASE + 33, axis, anchor="middle", size=11)
    head = [FULL.text(fact(key)) for key in ("remedies.head_place", "report.head_before", "report.head_after")]
    title, words = name(column.column), FULL.text(fact("remedies.distribution", column=Name(name(column.column))))
    return canvas.chart("chart-distribution", title, words, _BASE + 40, head=head, rows=rows)


def _label(i: int, n: int, by: str) -> str:
    return FULL.text(fact("remedies.other_values")) if by == "value" and i == n - 1 and n > 1 else str(i + 1)


MOST_FAMILIES = 3
COLOURS = ("bad", "good", "sensitive")
_FIT_BASE, _FIT_TOP = 190.0, 12.0


def fitted(note: Mapping[str, Any], number: int, wording: Wording) -> Chart:
    """Return the picture of one column, from the note of `sample_distribution`; `number` makes its id unique."""
    observed = note["observed"]
    families = list(note["expected"])[:MOST_FAMILIES]
    highest = max(max(observed), *(max(note["expected"][each]) for each in families)) or 1.0
    canvas, width = Canvas(), (WIDTH - 60) / len(observed)

    def height(share: float) -> float:
        return (_FIT_BASE - _FIT_TOP) * share / highest

    for i, share in enumerate(observed):
        canvas.rect(46 + i * width, _FIT_BASE - height(share), width - 3, height(share), "calm", percent(share))
    for family, colour in zip(families, COLOURS, strict=False):
        shares = note["expected"][family]
        points = [(46 + (i + 0.5) * width - 1.5, _FIT_BASE - height(share)) for i, share in enumerate(shares)]
        canvas.path(points, colour)
    for i, (family, colour) in enumerate(zip(families, COLOURS, strict=False)):
        canvas.text(46 + i * 140, _FIT_BASE + 18, family, colour=colour, size=12, bold=not i)
    columns = Columns((note["column"],))
    words = sentence(wording, "remedies.fits_words", column=columns, families=Name(", ".join(families)))
    title = sentence(wording, "remedies.fits_title", column=columns)
    columns_of = (observed, *(note["expected"][each] for each in families))
    rows = [(str(i), *map(percent, each)) for i, each in enumerate(zip(*columns_of, strict=True), 1)]
    head = [sentence(wording, code) for code in ("remedies.head_interval", "remedies.head_observed")]
    return canvas.chart(f"chart-fit-{number}", title, words, _FIT_BASE + 26, head=[*head, *families], rows=rows)
