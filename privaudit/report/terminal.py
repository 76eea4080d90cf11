"""The report on a terminal: verdict, columns, findings, first remedies and limits.

Question: what does the person at the prompt need in one screen?
Method: texts are handed to rich as plain `Text`, never as markup, after control characters were made visible.
Limits: a summary; the whole report is a file. Only the summary goes to the stream.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from privaudit.model import Attack, Report
from privaudit.model.wording import Edition, Number, Wording, plural
from privaudit.report.escape import terminal as plain
from privaudit.report.public import publish
from privaudit.report.sections import first_steps, verdict
from privaudit.report.sections import limits as limits_section
from privaudit.report.sections.acceptances import acceptances, answers, declared_roles
from privaudit.report.sections.attacks import outcome, ranked, title
from privaudit.report.sections.baseline import changes
from privaudit.report.sections.columns import columns
from privaudit.report.sections.findings import findings
from privaudit.report.sections.remedies import remedies
from privaudit.report.sentences import View, sentence, shown_limit, wording_of
from privaudit.report.view import used_files

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


MOST_COLUMNS = 40
MOST_FINDINGS = 12
MOST_REMEDIES = 3
MOST_LIMITS = 6
MOST_ATTACKS = 12
UNBOUNDED = 100_000
"""Width of the output where the stream is not a terminal: each sentence is one line, which a search finds whole."""

STATE_STYLES = {"passed": "bold green", "failed": "bold red", "incomplete": "bold yellow"}
STYLES = {
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


def show(
    report: Report, file: TextIO, *, width: int | None = None, color: bool | None = None, edition: Edition = "full"
) -> None:
    """Print the summary of `report` to `file`.

    Parameters
    ----------
    report : Report
    file : text stream
    width : int, optional
        Columns; that of the terminal by default. Where there is none, lines are not wrapped.
    color : bool, optional
        None decides by the stream, ``FORCE_COLOR`` and ``NO_COLOR``.
    edition : {"full", "public"}, default "full"
    """
    console = open_console(file, width, color)
    # Before the wording: what is printed on a build server is as public as a file.
    if edition == "public":
        report = publish(report)
    wording = wording_of(report, edition)
    _verdict(console, report, wording)
    _columns(console, report, wording)
    _findings(console, report, wording)
    _attacks(console, report, wording)
    _section(console, "Accepted findings", acceptances(report, wording), _acceptance, "acceptance")
    _section(console, "Answers", answers(report, wording), _answer, "answer")
    _section(console, "Declared roles", declared_roles(report, wording), _declared_role, "column", marks=False)
    _remedies(console, report, wording)
    _limits(console, report, wording)


def open_console(file: TextIO, width: int | None = None, color: bool | None = None) -> Console:
    """Return a console that prints plain text to `file`, with colours on a terminal."""
    from rich.console import Console as RichConsole

    class Console(RichConsole):
        """A console that leaves a closed pipe to its caller; rich would end the program with exit code 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    # FORCE_COLOR enables colours without a terminal. NO_COLOR, which rich reads too, takes precedence.
    asked = bool(os.environ.get("FORCE_COLOR")) and not os.environ.get("NO_COLOR")
    terminal = file.isatty() or asked if color is None else color
    return Console(
        file=file,
        width=width or (None if file.isatty() else UNBOUNDED),
        force_terminal=terminal,
        no_color=True if color is False else None,
        color_system="auto" if terminal else None,
        # Names of columns may contain "[red]" or ":smile:", which rich would interpret.
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )


def print_line(console: Console, text: str, style: str = "") -> None:
    """Print a text with its control characters made visible."""
    from rich.text import Text

    console.print(Text(plain(text), style=style), soft_wrap=False)


def _verdict(console: Console, report: Report, wording: Wording) -> None:
    print_line(console, verdict.headline(report) + ".", STATE_STYLES[verdict.state(report)])
    for line in (*verdict.about(report, wording), *changes(report, wording)):
        print_line(console, f"  {line}")
    if edition_note := _edition_note(wording):
        print_line(console, f"  {edition_note}", "dim")
    steps = first_steps.steps(report, wording)
    if steps:
        console.print()
        print_line(console, "What to do", "bold")
    for i, step in enumerate(steps, 1):
        print_line(console, f"  {i}. {step.text}")
    for line in verdict.remarks(report, wording, lists_all=True):
        print_line(console, f"  {line}")
    for used in used_files(report):
        print_line(console, f"  Used {used}.", "dim")


def _edition_note(wording: Wording) -> str:
    return sentence(wording, "report.public_note") if wording.public else ""


def new_table(*heads: str, numbers: int = 0) -> Table:
    """Return an empty table; the last `numbers` columns are aligned to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for i, head in enumerate(heads):
        right = i >= len(heads) - numbers
        table.add_column(head, justify="right" if right else "left", overflow="fold", no_wrap=right)
    return table


def print_table(console: Console, table: Table) -> None:
    """Print a table; where lines are not wrapped, without a rule and spaces as long as the longest of them."""
    if console.width < UNBOUNDED:
        console.print(table)
        return
    table.box = None
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        console.file.write(f"{line.rstrip()}\n")


def add_row(table: Table, cells: tuple[str, ...], styles: tuple[str, ...]) -> None:
    """Add a row of plain texts."""
    from rich.text import Text

    table.add_row(*(Text(plain(cell), style=style) for cell, style in zip(cells, styles, strict=True)))


def _columns(console: Console, report: Report, wording: Wording) -> None:
    found = columns(report, wording)
    rows = found["rows"][:MOST_COLUMNS]
    if not rows:
        return
    table = new_table("Column", "Role", "Contents", "Distinct", "Missing", numbers=2)
    for row in rows:
        contents = (
            "; ".join(filter(None, (row["is"], *row["contains"], row["unassessed"] and "not assessed"))) or row["plain"]
        )
        add_row(
            table,
            (row["name"], row["role"], contents, row["distinct"], row["missing"]),
            ("bold", STYLES[row["role"]], "", "", ""),
        )
    console.print()
    print_table(console, table)
    _rest(console, found["n_total"] - len(rows), "column")


def _findings(console: Console, report: Report, wording: Wording) -> None:
    found = findings(report, wording)
    groups = found["groups"][:MOST_FINDINGS]
    rows = [(group["first"][0], group) for group in groups]
    console.print()
    if not rows:
        print_line(console, "No findings among the checks that were measured.")
        return
    table = new_table("Severity", "Code", "Finding")
    for row, group in rows:
        others = len(group["first"]) + len(group["more"]) - 1
        message = row["message"] + (f" (and {others:,} more)" if others else "")
        add_row(table, (row["severity"], row["code"], message), (STYLES[row["severity"]], "", ""))
    print_table(console, table)
    _rest(console, found["n_hidden"] + _n_findings(found["groups"][MOST_FINDINGS:]), "finding")


def _n_findings(groups: list[dict[str, Any]]) -> int:
    return sum(len(group["first"]) + len(group["more"]) for group in groups)


def _attacks(console: Console, report: Report, wording: Wording) -> None:
    """Print the most successful attack of each kind; the public edition has none."""
    found = [] if wording.public else ranked(report, wording)
    if not found:
        return
    console.print()
    print_line(console, "Attacks", "bold")
    worst: dict[tuple[str, str], Attack] = {}
    for attack in found:
        worst.setdefault((attack.name, attack.method), attack)
    printed = list(worst.values())[:MOST_ATTACKS]
    for attack in printed:
        print_line(console, f"  {title(attack, wording)}: {outcome(attack, wording)}")
    _rest(console, len(found) - len(printed), "attack")


def _section(
    console: Console, title: str, found: View, line: Callable[[View], str], noun: str, *, marks: bool = True
) -> None:
    """Print the first rows of a section, one a line, those that no longer hold in yellow; nothing without rows."""
    rows = found["rows"][:MOST_FINDINGS]
    if not rows:
        return
    console.print()
    print_line(console, title, "bold")
    for row in rows:
        print_line(console, f"  {line(row)}", "" if not marks or row["holds"] else "yellow")
    _rest(console, found["n_hidden"] + len(found["rows"]) - len(rows), noun)


def _acceptance(row: View) -> str:
    columns = ", ".join(row["columns"]) or "the whole table"
    return f"{row['code']} on {columns}: {row['words']}; until {row['expires']}, {row['owner']}: {row['reason']}"


def _answer(row: View) -> str:
    return f"{row['key']}: {row['words']}; {row['text']} ({row['owner']}, {row['date']})"


def _declared_role(row: View) -> str:
    return f"{row['column']}: {row['role']} (inferred: {row['inferred']})"


def _remedies(console: Console, report: Report, wording: Wording) -> None:
    rows = remedies(report, wording)["rows"][:MOST_REMEDIES]
    if not rows:
        return
    console.print()
    print_line(console, "Remedies", "bold")
    for i, row in enumerate(rows, 1):
        print_line(console, f"  {i}. {', '.join(row['columns']) if row['choices'] else row['text']}")
        for choice in row["choices"]:
            print_line(console, f"     {choice['technique']}: {choice['text']}")
        for line in (*row["notes"], *row["methods"], *([row["apart_head"], *row["apart"]] if row["apart"] else ())):
            print_line(console, f"     {line}", "dim")


def _limits(console: Console, report: Report, wording: Wording) -> None:
    """Print what was not assessed first, then what else bounds the numbers."""
    ranked, n_checks = limits_section.by_section(report)
    if not ranked and not n_checks:
        return
    console.print()
    print_line(console, "Limits", "bold")
    for limit in ranked[:MOST_LIMITS]:
        print_line(console, f"  {': '.join(shown_limit(wording, limit))}", "yellow" if limit.incomplete else "")
    _rest(console, len(ranked) - MOST_LIMITS, "line")
    if n_checks:
        print_line(console, f"  {sentence(wording, 'report.limits_checks_printed', n=Number(n_checks))}", "dim")


def _rest(console: Console, n: int, noun: str) -> None:
    if n > 0:
        print_line(console, f"  and {n:,} more {plural(n, noun)}", "dim")
