"""The picture of fitted distributions: how well does each family describe a column?

Method: bars are the observed shares of intervals, lines the shares that the likeliest families give them.
Limits: intervals have no labels, because their ends are numbers of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.model.wording import Columns, Name, Wording, percent
from privaudit.report.charts.draw import WIDTH, Canvas, Chart
from privaudit.report.sentences import sentence

MOST_FAMILIES = 3
COLOURS = ("bad", "good", "sensitive")
_BASE, _TOP = 190.0, 12.0


def fitted(note: Mapping[str, Any], number: int, wording: Wording) -> Chart:
    """Return the picture of one column, from the note of `sample_distribution`; `number` makes its id unique."""
    observed = note["observed"]
    families = list(note["expected"])[:MOST_FAMILIES]
    highest = max(max(observed), *(max(note["expected"][each]) for each in families)) or 1.0
    canvas, width = Canvas(), (WIDTH - 60) / len(observed)

    def height(share: float) -> float:
        return (_BASE - _TOP) * share / highest

    for i, share in enumerate(observed):
        canvas.rect(46 + i * width, _BASE - height(share), width - 3, height(share), "calm", percent(share))
    for family, colour in zip(families, COLOURS, strict=False):
        points = [
            (46 + (i + 0.5) * width - 1.5, _BASE - height(share)) for i, share in enumerate(note["expected"][family])
        ]
        canvas.path(points, colour)
    for i, (family, colour) in enumerate(zip(families, COLOURS, strict=False)):
        canvas.text(46 + i * 140, _BASE + 18, family, colour=colour, size=12, bold=not i)
    columns = Columns(names=(note["column"],))
    words = sentence(wording, "remedies.fits_words", column=columns, families=Name(text=", ".join(families)))
    title = sentence(wording, "remedies.fits_title", column=columns)
    shares = (observed, *(note["expected"][each] for each in families))
    rows = [(str(i), *map(percent, each)) for i, each in enumerate(zip(*shares, strict=True), 1)]
    head = [sentence(wording, code) for code in ("remedies.head_interval", "remedies.head_observed")]
    return canvas.chart(f"chart-fit-{number}", title, words, _BASE + 26, head=[*head, *families], rows=rows)
