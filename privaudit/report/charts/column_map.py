"""The map of columns: role, contents, how far each distinguishes records, and its findings, in one picture.

Question: which columns need attention, and why?
Method: one row for each column, those with a role first and the most severe findings first among them; the colour is
the role, the bar is the share of the bits that distinguish all rows, a square stands for each severity found.
Limits: at most `MOST_COLUMNS` columns; the public edition withholds the bits.
"""

from __future__ import annotations

from collections import Counter

from privaudit.model import SEVERITIES, ColumnReport, Report, open_by
from privaudit.model.wording import EntityType, Number, Wording, percent
from privaudit.report.charts.bars import ROLE_COLOUR, SEVERITY_COLOUR, information
from privaudit.report.charts.draw import WIDTH, Canvas, Chart, short
from privaudit.report.escape import name
from privaudit.report.sentences import sentence

MOST_COLUMNS = 30
_ROW, _TOP = 22.0, 20.0
_ROLE, _CONTENTS, _BITS, _FOUND = 126.0, 204.0, 332.0, 410.0
_RANK = {role: i for i, role in enumerate(("direct", "sensitive", "quasi", "none"))}
_WORST = tuple(reversed(SEVERITIES))


def chart(report: Report, wording: Wording) -> Chart | None:
    """Return the map; None for fewer than two columns."""
    if len(report.columns) < 2:
        return None
    found = open_by(report.findings, lambda finding: finding.subject)
    ranked = sorted(report.columns, key=lambda column: _order(column, found[column.name]))
    drawn = ranked[:MOST_COLUMNS]
    canvas = Canvas()
    for x, key in ((0.0, "column"), (_ROLE, "role"), (_CONTENTS, "contents"), (_BITS, "bits"), (_FOUND, "findings")):
        canvas.text(x, 12, sentence(wording, f"report.map_{key}"), size=11)
    rows = []
    for i, column in enumerate(drawn):
        counts = found[column.name]
        contents = _contents(column, wording)
        _row(canvas, _TOP + i * _ROW, column, contents, counts)
        listed = ", ".join(f"{counts[severity]} {severity}" for severity in _WORST if counts[severity])
        share = information(column)
        rows.append((name(column.name), column.role, contents, "" if share is None else percent(share), listed))
    return canvas.chart(
        "chart-column-map",
        sentence(wording, "report.title_map"),
        sentence(wording, "report.chart_map", n=Number(len(drawn))),
        _TOP + len(drawn) * _ROW,
        head=[sentence(wording, f"report.map_{key}") for key in ("column", "role", "contents", "bits", "findings")],
        rows=rows,
    )


def _order(column: ColumnReport, counts: Counter[str]) -> tuple[object, ...]:
    return (_RANK[column.role], *(-counts[severity] for severity in _WORST), column.name)


def _contents(column: ColumnReport, wording: Wording) -> str:
    if column.is_ is not None:
        return name(wording.value(EntityType(column.is_.entity)), 60)
    return ", ".join(name(wording.value(EntityType(one.entity)), 40) for one in column.contains[:3])


def _row(canvas: Canvas, y: float, column: ColumnReport, contents: str, counts: Counter[str]) -> None:
    colour, middle = ROLE_COLOUR[column.role], y + 14
    canvas.text(0, middle, short(name(column.name, 60), 20), colour="ink", size=12)
    canvas.circle(_ROLE + 5, y + 10, 5, colour)
    canvas.text(_ROLE + 15, middle, column.role, size=11)
    canvas.text(_CONTENTS, middle, short(contents, 21), size=11, colour="ink")
    share = information(column)
    if share is not None:
        canvas.rect(_BITS, y + 6, 62, 8, "track")
        canvas.rect(_BITS, y + 6, 62 * share, 8, colour, percent(share))
    present = [severity for severity in _WORST if counts[severity]]
    for i, severity in enumerate(present[:4]):
        x = _FOUND + i * 19
        canvas.rect(x, y + 2, 17, 17, SEVERITY_COLOUR[severity], f"{counts[severity]} {severity}")
        on = "paper" if severity == "critical" else "ink"
        canvas.text(x + 8.5, middle, str(counts[severity]), anchor="middle", size=11, colour=on, bold=True)
    canvas.line(0, y + _ROW - 0.5, WIDTH, y + _ROW - 0.5, "grid")
