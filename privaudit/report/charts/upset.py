"""The UpSet view of the worst combinations: which columns are in each set, and how many records it exposes.

Question: which columns make a combination dangerous, and how many records does each combination expose?
Method: a row for each set, small sets first and the worst first among them; a dot where a column is in the set, and a
bar of the records in classes smaller than k, unique ones darker (Lex et al., UpSet: visualization of intersecting
sets, IEEE TVCG 2014).
Limits: at most `_BY_SIZE` sets of each size and `MOST_COLUMNS` columns; the table below lists further sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from privaudit.model import Combination, Report
from privaudit.model.wording import Name, Number, Threshold, Wording
from privaudit.report.charts.bars import combination_below
from privaudit.report.charts.draw import WIDTH, Canvas, Chart, drawn_share, short
from privaudit.report.escape import name
from privaudit.report.public import shown_k
from privaudit.report.sentences import sentence

MOST_COLUMNS = 10
_BY_SIZE = (5, 6, 5)
"""Sets of the three smallest sizes."""
_ROW, _CELL = 20.0, 20.0
_LABELS = 96.0
"""Height of the names of the columns, which are written upwards."""
_NUMBERS = 186.0
"""Width of the numbers right of the bars."""


def chart(report: Report, wording: Wording) -> Chart | None:
    """Return the worst sets of few columns; None where none was measured."""
    if not report.combinations or not report.n_units:
        return None
    sets, columns = _worst(report.combinations)
    canvas = Canvas()
    left = len(columns) * _CELL
    for i, column in enumerate(columns):
        x = i * _CELL + _CELL / 2
        canvas.text(x + 4, _LABELS - 4, short(name(column, 60), 15), size=11, colour="ink", upwards=True)
        canvas.rect(i * _CELL + 1, _LABELS, _CELL - 2, len(sets) * _ROW, "shade1" if i % 2 else "track")
    rows = [_row(canvas, _LABELS + i * _ROW, found, columns, left, report, wording) for i, found in enumerate(sets)]
    k = Threshold(shown_k(report.policy, public=wording.public))
    words = sentence(wording, "report.chart_combinations", k=k, total=Number(report.n_units))
    title = sentence(wording, "report.title_upset")
    head = [sentence(wording, "report.upset_set"), sentence(wording, "report.upset_below", k=k)]
    return canvas.chart("chart-upset", title, words, _LABELS + len(sets) * _ROW + 6, head=head, rows=rows)


def _worst(found: Sequence[Combination]) -> tuple[list[Combination], list[str]]:
    """Return the worst sets of each size that use few columns, and these columns, the most frequent first."""
    sizes = sorted({len(one.columns) for one in found})[: len(_BY_SIZE)]
    wanted = [
        one
        for size, most in zip(sizes, _BY_SIZE, strict=False)
        for one in [one for one in found if len(one.columns) == size and one.share_below_k != 0][:most]
    ]
    columns: Counter[str] = Counter()
    kept = []
    for one in wanted:
        if len({*columns, *one.columns}) <= MOST_COLUMNS:
            columns.update(one.columns)
            kept.append(one)
    return kept, [column for column, _ in sorted(columns.items(), key=lambda item: (-item[1], item[0]))]


def _row(
    canvas: Canvas, y: float, found: Combination, columns: Sequence[str], left: float, report: Report, wording: Wording
) -> tuple[str, str]:
    """Draw a set: its dots joined by a line, its bar and its number. Return its row of the table of numbers."""
    n, k = report.n_units, shown_k(report.policy, public=wording.public)
    places = sorted(columns.index(column) * _CELL + _CELL / 2 for column in found.columns)
    middle = y + _ROW / 2
    if len(places) > 1:
        canvas.line(places[0], middle, places[-1], middle, "accent", thick=2)
    for x in places:
        canvas.circle(x, middle, 5.5, "accent")
    below = combination_below(found, k, n)
    value = shown = wording.count(below, n)
    start, wide = left + 10, WIDTH - left - 10 - _NUMBERS
    label = " + ".join(name(column, 40) for column in found.columns)
    canvas.rect(start, y + 4, wide, 12, "track")
    canvas.rect(start, y + 4, wide * drawn_share(below or 0, n, wording), 12, "bad2", f"{label}: {value}")
    if not wording.public:
        unique = Name(wording.count(found.n_unique, n))
        canvas.rect(start, y + 4, wide * drawn_share(found.n_unique, n, wording), 12, "bad", f"{label}: {unique.text}")
        value = sentence(wording, "report.bar_combination", below=Name(shown), unique=unique)
    canvas.text(WIDTH, y + 14, value, anchor="end", size=11)
    return label, value
