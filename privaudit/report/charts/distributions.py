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
from privaudit.report.charts.draw import Chart, Plot
from privaudit.report.escape import name
from privaudit.report.sentences import sentence


def chart(column: ColumnUtility) -> Chart | None:
    """Return the distribution of a column; None where either side has no value."""
    found = column.distribution
    if found is None:
        return None
    top = max(*found.before, *found.after) or 1.0
    plot = Plot(left=46.0, right=8.0, top=14.0, base=150.0)
    plot.levels(lambda share: percent(top * share))
    slot, rows = plot.wide / len(found.before), []
    for i, pair in enumerate(zip(found.before, found.after, strict=True)):
        label = _label(i, len(found.before), found.by)
        x = plot.left + i * slot
        for j, (share, colour) in enumerate(zip(pair, ("calm", "good"), strict=True)):
            tip = f"{label}: {percent(share)}"
            plot.column(x + slot * (0.1 + 0.4 * j), slot * 0.38, share / top, colour, tip)
        plot.below(x + slot / 2, label, drop=15, size=10)
        rows.append((label, *map(percent, pair)))
    plot.below((plot.width + plot.left) / 2, FULL.text(fact(f"remedies.axis_{found.by}")), drop=33)
    head = [FULL.text(fact(key)) for key in ("remedies.head_place", "report.head_before", "report.head_after")]
    title, words = name(column.column), FULL.text(fact("remedies.distribution", column=Name(name(column.column))))
    return plot.chart("chart-distribution", title, words, plot.base + 40, head=head, rows=rows)


def _label(i: int, n: int, by: str) -> str:
    return FULL.text(fact("remedies.other_values")) if by == "value" and i == n - 1 and n > 1 else str(i + 1)


MOST_FAMILIES = 3
COLOURS = ("bad", "good", "sensitive")


def fitted(note: Mapping[str, Any], number: int, wording: Wording) -> Chart:
    """Return the picture of one column, from the note of `sample_distribution`; `number` makes its id unique."""
    observed = note["observed"]
    families = list(note["expected"])[:MOST_FAMILIES]
    highest = max(max(observed), *(max(note["expected"][each]) for each in families)) or 1.0
    plot = Plot(left=46.0, right=14.0, top=12.0, base=190.0)
    width = plot.wide / len(observed)
    for i, share in enumerate(observed):
        plot.column(plot.left + i * width, width - 3, share / highest, "calm", percent(share))
    for family, colour in zip(families, COLOURS, strict=False):
        shares = enumerate(note["expected"][family])
        plot.path([(plot.left + (i + 0.5) * width - 1.5, plot.up(share / highest)) for i, share in shares], colour)
    for i, (family, colour) in enumerate(zip(families, COLOURS, strict=False)):
        plot.text(plot.left + i * 140, plot.base + 18, family, colour=colour, size=12, bold=not i)
    columns = Columns((note["column"],))
    words = sentence(wording, "remedies.fits_words", column=columns, families=Name(", ".join(families)))
    title = sentence(wording, "remedies.fits_title", column=columns)
    columns_of = (observed, *(note["expected"][each] for each in families))
    rows = [(str(i), *map(percent, each)) for i, each in enumerate(zip(*columns_of, strict=True), 1)]
    head = [sentence(wording, code) for code in ("remedies.head_interval", "remedies.head_observed")]
    return plot.chart(f"chart-fit-{number}", title, words, plot.base + 26, head=[*head, *families], rows=rows)
