"""Several tables in two pictures: what each check found in which table, and which tables share keys.

Question: which table needs attention first, and what could someone learn who has several of them?
Method: a matrix with a row for each table, the worst first, and a column for each check that found something, coloured
by the most severe open finding; and a graph, its tables on a circle, with a line for two tables that hold the same
keys, thick where both together disclose more than one alone.
Limits: at most `MOST_TABLES` tables, `MOST_CHECKS` checks and `MOST_LINKED` linked tables.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from privaudit.base.records import dataclass
from privaudit.model import SEVERITIES, Report, open_by
from privaudit.model.wording import FULL, Number
from privaudit.report.charts.bars import SEVERITY_COLOUR
from privaudit.report.charts.draw import WIDTH, Canvas, Chart, short
from privaudit.report.entries import TableLink
from privaudit.report.escape import name
from privaudit.report.sentences import sentence

MOST_TABLES, MOST_CHECKS, MOST_LINKED = 40, 24, 24
STATE_COLOURS = {"failed": "bad", "incomplete": "warn", "passed": "good"}
_WORST = tuple(reversed(SEVERITIES))
_LABEL, _CELL, _HEAD = 150.0, 22.0, 54.0
_RADIUS, _MIDDLE = 108.0, 150.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A scanned table as the pictures show it: its name, its report in the edition that is written, and its state."""

    name: str
    report: Report
    state: str


def matrix(tables: Sequence[Table]) -> Chart | None:
    """Return the matrix of tables and checks; None where no check found anything, or there is one table."""
    shown = tables[:MOST_TABLES]
    found = {table.name: open_by(table.report.findings, lambda finding: (finding.code,)) for table in shown}
    codes = _codes(found)[:MOST_CHECKS]
    if len(shown) < 2 or not codes:
        return None
    canvas = Canvas(max(WIDTH, _LABEL + _CELL * len(codes)))
    for i, code in enumerate(codes):
        canvas.text(_LABEL + _CELL * i + 15, _HEAD - 6, code, size=11, upwards=True)
    rows = []
    for j, table in enumerate(shown):
        y = _HEAD + _CELL * j
        canvas.text(0, y + 15, short(name(table.name, 60), 22), size=12, colour="ink")
        states = {check.code: check.state for check in table.report.checks}
        row = [name(table.name)]
        for i, code in enumerate(codes):
            counts = found[table.name].get(code, Counter())
            row.append(_cell(canvas, _LABEL + _CELL * i, y, counts, states.get(code, "not_applicable"), code))
        rows.append(row)
    height = _HEAD + _CELL * len(shown) + 6
    _legend(canvas, height)
    words = sentence(FULL, "report.chart_matrix", tables=Number(len(shown)), checks=Number(len(codes)))
    title, first = (sentence(FULL, f"report.{key}") for key in ("title_matrix", "head_table"))
    return canvas.chart("chart-matrix", title, words, height + 22, head=(first, *codes), rows=rows)


def _codes(found: dict[str, dict[str, Counter[str]]]) -> list[str]:
    """Return the checks that found something: the most severe first, then those of most tables."""
    worst: dict[str, int] = {}
    spread: Counter[str] = Counter()
    for checks in found.values():
        for code, counts in checks.items():
            rank = min(_WORST.index(severity) for severity in counts)
            worst[code] = min(worst.get(code, rank), rank)
            spread[code] += 1
    return sorted(worst, key=lambda code: (worst[code], -spread[code], code))


def _cell(canvas: Canvas, x: float, y: float, counts: Counter[str], state: str, code: str) -> str:
    """Draw one table under one check, and return it in words."""
    size = _CELL - 3
    if counts:
        severity = next(each for each in _WORST if counts[each])
        words = ", ".join(f"{counts[each]} {each}" for each in _WORST if counts[each])
        canvas.rect(x, y, size, size, SEVERITY_COLOUR[severity], f"{code}: {words}")
        on = "paper" if severity == "critical" else "ink"
        n = sum(counts.values())
        canvas.text(x + size / 2, y + 14, f"{n}", anchor="middle", size=11, colour=on, bold=True)
        return words
    words = sentence(FULL, f"report.matrix_{state}") if state in ("passed", "not_measured") else "–"
    if state == "passed":
        canvas.circle(x + size / 2, y + size / 2, 4, "good", f"{code}: {words}")
    elif state == "not_measured":
        canvas.rect(x, y, size, size, "track", f"{code}: {words}")
        canvas.text(x + size / 2, y + 14, "?", anchor="middle", size=11)
    return words


def _legend(canvas: Canvas, y: float) -> None:
    """Name the colours below the matrix."""
    x = 0.0
    for severity in _WORST:
        canvas.rect(x, y + 4, 12, 12, SEVERITY_COLOUR[severity])
        canvas.text(x + 17, y + 14, severity, size=11)
        x += 68
    canvas.circle(x + 6, y + 10, 4, "good")
    canvas.text(x + 15, y + 14, sentence(FULL, "report.matrix_passed"), size=11)
    canvas.text(x + 66, y + 14, "?", size=11, bold=True)
    canvas.text(x + 76, y + 14, sentence(FULL, "report.matrix_not_measured"), size=10)


def graph(tables: Sequence[Table], links: Sequence[TableLink]) -> Chart | None:
    """Return the tables that share keys, each a dot with the colour of its result; None where no two do."""
    linked = {each for link in links for each in (link.rows, link.keys)}
    shown = [table for table in tables if table.name in linked][:MOST_LINKED]
    places = {table.name: _place(i, len(shown)) for i, table in enumerate(shown)}
    drawn = [link for link in links if link.rows in places and link.keys in places]
    if not drawn:
        return None
    canvas = Canvas()
    for link in sorted(drawn, key=lambda each: each.is_worse):  # what matters is drawn last, above the others
        (x1, y1, _), (x2, y2, _) = places[link.rows], places[link.keys]
        canvas.line(x1, y1, x2, y2, "bad" if link.is_worse else "soft", thick=3 if link.is_worse else 1.2)
    for table in shown:
        x, y, side = places[table.name]
        canvas.circle(x, y, 7, STATE_COLOURS[table.state], f"{name(table.name, 60)}: {table.state}")
        anchor = "middle" if abs(side) < 0.25 else "start" if side > 0 else "end"
        drop = (22 if y > _MIDDLE else -12) if anchor == "middle" else 4
        canvas.text(x + (0 if anchor == "middle" else math.copysign(13, side)), y + drop,
                    short(name(table.name, 60), 20), anchor=anchor, colour="ink")  # fmt: skip
    worse = sum(link.is_worse for link in drawn)
    words = sentence(FULL, "report.chart_links", tables=Number(len(shown)), links=Number(len(drawn)))
    if worse:
        words = f"{words} {sentence(FULL, 'report.chart_links_worse', worse=Number(worse))}"
    keys = ("links_rows", "links_column", "links_keys", "links_key", "links_worse")
    rows = [
        (name(link.rows), name(link.column), name(link.keys), name(link.key), "yes" if link.is_worse else "no")
        for link in drawn
    ]
    head = [sentence(FULL, f"report.{key}") for key in keys]
    return canvas.chart("chart-links", sentence(FULL, "report.title_links"), words, 2 * _MIDDLE, head=head, rows=rows)


def _place(i: int, n: int) -> tuple[float, float, float]:
    """Return the place of table `i` of `n` on the circle, and how far to the right of its middle it is, -1 to 1."""
    angle = 2 * math.pi * i / n - math.pi / 2
    return WIDTH / 2 + _RADIUS * math.cos(angle), _MIDDLE + _RADIUS * math.sin(angle), math.cos(angle)
