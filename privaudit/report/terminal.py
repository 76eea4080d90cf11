"""The report on a terminal: verdict, findings, first remedies, and where to read on.

Question: what does the person at the prompt need in one screen?
Method: texts are handed to rich as plain `Text`, never as markup, after control characters were made visible.
Limits: a summary; the whole report is a file. Only the summary goes to the stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from privaudit.model import Report
from privaudit.report import advised, columns, judged, verdict
from privaudit.report.escape import terminal as plain
from privaudit.report.words import Numbers, plural

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MOST_COLUMNS = 40
MOST_FINDINGS = 12
MOST_REMEDIES = 3
MOST_LIMITS = 6
PLAIN_WIDTH = 100
"""Width of the output where the stream is no terminal."""

_STATE_STYLE = {"passed": "bold green", "failed": "bold red", "incomplete": "bold yellow"}
_STYLE = {
    "critical": "bold red",
    "high": "red",
    "medium": "yellow",
    "low": "cyan",
    "info": "dim",
    "direct": "red",
    "sensitive": "magenta",
    "quasi": "blue",
    "none": "dim",
}


def show(report: Report, file: TextIO, *, width: int | None = None, color: bool | None = None) -> None:
    """Print the summary of `report` to `file`.

    Parameters
    ----------
    report : Report
    file : text stream
    width : int, optional
        Columns; the terminal's own by default, 100 where there is none.
    color : bool, optional
        None decides by the stream and by ``NO_COLOR``.
    """
    console = _console(file, width, color)
    told = Numbers(report.dataset.n_rows)
    _verdict(console, report, told)
    _columns(console, report, told)
    _findings(console, report, told)
    _remedies(console, report, told)
    _limits(console, report)


def _console(file: TextIO, width: int | None, color: bool | None) -> Console:
    from rich.console import Console

    terminal = file.isatty() if color is None else color
    return Console(
        file=file,
        width=width or (None if file.isatty() else PLAIN_WIDTH),
        force_terminal=terminal,
        no_color=True if color is False else None,
        color_system="auto" if terminal else None,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )


def _print(console: Console, text: str, style: str = "") -> None:
    from rich.text import Text

    console.print(Text(plain(text), style=style), soft_wrap=False)


def _verdict(console: Console, report: Report, told: Numbers) -> None:
    head, *lines = verdict.summary(report, told)
    _print(console, head, _STATE_STYLE[verdict.state(report)])
    for line in lines:
        _print(console, f"  {line}", "bold" if line.startswith("Do first") else "")


def _table(*heads: str, numbers: int = 0) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for i, head in enumerate(heads):
        right = i >= len(heads) - numbers
        table.add_column(head, justify="right" if right else "left", overflow="fold", no_wrap=right)
    return table


def _row(table: Table, cells: tuple[str, ...], styles: tuple[str, ...]) -> None:
    from rich.text import Text

    table.add_row(*(Text(plain(cell), style=style) for cell, style in zip(cells, styles, strict=True)))


def _columns(console: Console, report: Report, told: Numbers) -> None:
    found = columns.columns(report, told)
    rows = found["rows"][:MOST_COLUMNS]
    if not rows:
        return
    table = _table("Column", "Role", "Holds", "Distinct", "Missing", numbers=2)
    for row in rows:
        holds = (
            "; ".join(filter(None, (row["is"], *row["contains"], row["unassessed"] and "not assessed")))
            or row["plain"]
        )
        _row(
            table,
            (row["name"], row["role"], holds, row["distinct"], row["missing"]),
            ("bold", _STYLE[row["role"]], "", "", ""),
        )
    console.print()
    console.print(table)
    _rest(console, found["n_total"] - len(rows), "column")


def _findings(console: Console, report: Report, told: Numbers) -> None:
    found = judged.findings(report, told)
    rows = found["rows"][:MOST_FINDINGS]
    console.print()
    if not rows:
        _print(console, "No rule fired on what was measured.")
        return
    table = _table("Severity", "Code", "Finding")
    for row in rows:
        _row(table, (row["severity"], row["code"], row["message"]), (_STYLE[row["severity"]], "", ""))
    console.print(table)
    _rest(console, found["n_hidden"] + len(found["rows"]) - len(rows), "finding")


def _remedies(console: Console, report: Report, told: Numbers) -> None:
    rows = advised.advice(report, told)["rows"][:MOST_REMEDIES]
    if not rows:
        return
    console.print()
    _print(console, "What would help", "bold")
    for i, row in enumerate(rows, 1):
        _print(console, f"  {i}. {row['text']}")


def _limits(console: Console, report: Report) -> None:
    """Print what was not assessed first, then how the table was read and what else bounds the numbers."""
    told = sorted(report.limits, key=lambda limit: not limit.incomplete)
    if not told:
        return
    console.print()
    _print(console, "What was not measured, or bounds the numbers", "bold")
    for limit in told[:MOST_LIMITS]:
        _print(console, f"  {limit.what}: {limit.why}", "yellow" if limit.incomplete else "")
    _rest(console, len(told) - MOST_LIMITS, "line")


def _rest(console: Console, n: int, noun: str) -> None:
    if n > 0:
        _print(console, f"  and {n:,} more {plural(n, noun)}", "dim")
