"""The distribution of a column before and after its remedies, at a size that can be read.

Question: what did the remedies do to the shares of the values of a column?
Method: two bars for each interval or value, before next to after, on one scale that begins at zero.
Limits: values are not named; full edition only.
"""

from __future__ import annotations

from privaudit.model.remedied import ColumnUtility
from privaudit.model.wording import FULL, Name, fact, percent
from privaudit.report.charts.draw import WIDTH, Canvas, Chart
from privaudit.report.escape import name

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
    title, words = name(column.column), FULL.text(fact("remedies.distribution", column=Name(text=name(column.column))))
    return canvas.chart("chart-distribution", title, words, _BASE + 40, head=head, rows=rows)


def _label(i: int, n: int, by: str) -> str:
    return FULL.text(fact("remedies.other_values")) if by == "value" and i == n - 1 and n > 1 else str(i + 1)
