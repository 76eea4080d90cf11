"""The index of several tables: one line for each, with its result, its risk and the path of its report.

Question: which of these tables must not be released, and why?
Method: the numbers of each report, written by the wording of its edition; a table that was not scanned has its error.
Limits: an overview; each report explains its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO

from privaudit.base.records import dataclass
from privaudit.model import SEVERITIES, Report
from privaudit.model.wording import FULL, MISSING, Columns, Edition, Listing, Name, Number, Threshold, Wording, fact
from privaudit.report.charts import tables
from privaudit.report.entries import TableEntry, TableLink
from privaudit.report.escape import name
from privaudit.report.public import publish
from privaudit.report.sections import first_steps, verdict
from privaudit.report.sections.baseline import changes
from privaudit.report.sections.ranking import open_by_severity
from privaudit.report.sentences import sentence, shown, wording_of

_RESULTS = {
    "passed": "passed",
    "baseline": "within the baseline",
    "passed_outside": "passed at the severity that was set",
    "failed": "failed",
    "failed_incomplete": "failed (not fully assessed)",
    "incomplete": "not fully assessed",
}
"""The results by the outcome of the gate (`privaudit.report.sections.verdict.outcome`)."""
NOT_READ = "not read"
NOT_SCANNED = "not scanned"
MOST_NAMED = 8
"""Tables of a baseline that were not scanned are named up to this number; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    """A line of the index, ready to be shown."""

    name: str
    file: str = ""
    extent: str = MISSING
    smallest: str = MISSING
    below: str = MISSING
    findings: str = MISSING
    result: str
    state: str
    is_incomplete: bool
    remark: str
    worst: str = ""
    """The worst finding of a table that fails, for a terminal, where no page explains it."""


def rows(entries: Iterable[TableEntry], edition: Edition = "full", *, on_page: bool = False) -> list[IndexRow]:
    """Return the lines of the index, in the order of `entries`; those of a page name no option."""
    return [_row(entry, edition, on_page) for entry in entries]


def _row(entry: TableEntry, edition: Edition, on_page: bool) -> IndexRow:
    if entry.not_scanned:
        missing = not_scanned(entry.not_scanned)
        return IndexRow(name="baseline", result=NOT_SCANNED, state="passed", is_incomplete=False, remark=missing)
    if entry.report is None:
        error = name(entry.error, 400)
        return IndexRow(name=name(entry.name), result=NOT_READ, state="incomplete", is_incomplete=True, remark=error)
    # Before anything is computed from it: the line must not state what the report withholds.
    report = publish(entry.report) if edition == "public" else entry.report
    wording = wording_of(report, edition, on_page=on_page)
    return IndexRow(
        name=name(entry.name),
        file=entry.file,
        extent=f"{verdict.n_rows(report, wording)} × {report.dataset.n_columns}",
        smallest=verdict.smallest_class(report, wording),
        below=_below(report, wording),
        findings=_findings(report),
        result=_RESULTS[verdict.outcome(report)],
        state=verdict.state(report),
        is_incomplete=verdict.is_incomplete(report),
        remark=_remark(entry, report, wording),
        worst="" if on_page else _worst(report, wording),
    )


def not_scanned(missing: Sequence[str]) -> str:
    """Return which tables of the baseline were not scanned, as one sentence."""
    return FULL.text(fact("report.not_scanned", n=Number(len(missing)), tables=_named(missing)))


def ignored(files: Sequence[str]) -> str:
    """Return which files the settings file excludes, as one sentence."""
    return FULL.text(fact("report.ignored", n=Number(len(files)), files=_named(files)))


def _named(names: Sequence[str]) -> Listing:
    named = tuple(Name(name(each)) for each in names[:MOST_NAMED])
    more = (fact("report.index_more", n=Number(len(names) - MOST_NAMED)),) if len(names) > MOST_NAMED else ()
    return Listing((*named, *more))


def seldom_tables(n: int) -> str:
    """Return that a folder holds `n` files whose suffix seldom means a table, as one sentence."""
    return FULL.text(fact("report.seldom_tables", n=Number(n)))


def settings(n: int, least: int) -> str:
    """Return that `n` texts whose fields repeat name fewer than `least` people, as one sentence."""
    return FULL.text(fact("report.settings", n=Number(n), least=Number(least)))


def _below(report: Report, wording: Wording) -> str:
    below = verdict.below_k(report)
    if below is None or not report.n_units:
        return MISSING
    return wording.share(below / report.n_units, report.n_units)


def _findings(report: Report) -> str:
    """Return the findings that were not accepted by severity, worst first, such as "2 critical, 1 high"."""
    counts = open_by_severity(report.findings)
    counted = [f"{n} {severity}" for severity, n in reversed(counts.items())]
    return ", ".join(counted) or "none"


def _remark(entry: TableEntry, report: Report, wording: Wording) -> str:
    """Return the remark on a table: for joined tables, the key and the risk of the table alone."""
    if entry.alone is None:
        # The first reason is enough here: the report of the table lists all.
        incomplete = report.gate_.exit_code == 3 and report.gate_.reasons
        stated = [shown(wording, report.gate_.reasons[0])] if incomplete else []
        if incomplete and first_steps.asks_for_unit(report):
            stated.append(sentence(wording, "report.step_unit"))
        return " ".join([*stated, *_unit(report, wording), *changes(report, wording)])
    before = publish(entry.alone) if wording.public else entry.alone
    alone = wording_of(before, wording.edition)
    below, key = Name(_below(before, alone)), Columns((entry.key,))
    return sentence(alone, "report.index_joined", key=key, below=below)


def _worst(report: Report, wording: Wording) -> str:
    """Return the worst finding of a table that fails; nothing where a baseline states what changed."""
    is_compared = report.baseline is not None and not report.baseline.is_new
    if is_compared or verdict.state(report) != "failed":
        return ""
    first, *others = first_steps.problems(report, wording)
    more = Number(len(others) + first_steps.n_more(report))
    stated = {"code": Name(first.code), "message": Name(first.text)}
    return sentence(wording, f"report.index_worst{'_of_several' if more.value else ''}", **stated, n=more)


def _unit(report: Report, wording: Wording) -> Iterator[str]:
    """Yield what a row is, where it is not a person: the table was then judged by its cells alone."""
    unit = report.dataset.unit
    if unit is not None and not unit.is_about_people:
        yield sentence(wording, "report.not_about_people", statement=unit.statement)


def totals(found: Sequence[IndexRow]) -> str:
    """Return how many tables have which result, as one sentence."""
    found = [row for row in found if row.result != NOT_SCANNED]
    counted = [(sum(row.result == word for row in found), word) for word in (*_RESULTS.values(), NOT_READ)]
    results = [fact("report.index_result", n=Number(n), result=Name(word)) for n, word in counted if n]
    stated = fact("report.index_totals", n=Number(len(found)), results=Listing(tuple(results)))
    return FULL.text(stated)


def html(entries: Iterable[TableEntry], links: Sequence[TableLink] = (), *, edition: Edition = "full") -> str:
    """Return the index as one HTML page, the worst table first, with its pictures."""
    from privaudit.report.html import page_of

    ranked = sorted(entries, key=_rank)
    found = rows(ranked, edition, on_page=True)
    scanned = [
        tables.Table(
            name=entry.name,
            report=publish(entry.report) if edition == "public" else entry.report,
            state=verdict.state(entry.report),
        )
        for entry in ranked
        if entry.report is not None
    ]
    return page_of(
        "index.html.j2",
        {
            "title": sentence(FULL, "report.index_title", n=Number(len(found))),
            "rows": found,
            "totals": totals(found),
            "policies": _policies([table.report for table in scanned]),
            "shared": {remark: names for remark, names in by_remark(found).items() if len(names) > 1},
            "edition": edition,
            "charts": [chart for chart in (tables.matrix(scanned), tables.graph(scanned, links)) if chart is not None],
        },
    )


def _rank(entry: TableEntry) -> tuple[object, ...]:
    """Return where a table is in the list: what failed first, then what was not assessed, then by its findings."""
    if entry.report is None:
        return (1 + bool(entry.not_scanned) * 2,)
    place = {"failed": 0, "incomplete": 1, "passed": 2}[verdict.state(entry.report)]
    counts = open_by_severity(entry.report.findings)
    return (place, *(-counts.get(severity, 0) for severity in reversed(SEVERITIES)), entry.name)


def show(found: Sequence[IndexRow], file: TextIO) -> None:
    """Print the index as a table."""
    from privaudit.report import terminal

    console = terminal.open_console(file)
    table = terminal.new_table("Table", "Result", "Findings", "Rows × columns", "k", "Below k", numbers=3)
    for row in found:
        cells = (row.name, row.result, row.findings, row.extent, row.smallest, row.below)
        terminal.add_row(table, cells, ("bold", terminal.STATE_STYLES[row.state], "", "", "", ""))
    terminal.print_table(console, table)
    for remark, names in by_remark(found).items():
        terminal.print_line(console, f"{', '.join(names)}: {remark}")
    for row in found:
        if row.worst:
            terminal.print_line(console, f"{row.name}: {row.worst}")
    terminal.print_line(console, totals(found), "bold")


def by_remark(found: Sequence[IndexRow]) -> dict[str, list[str]]:
    """Return the names of the tables that have each remark, so that equal remarks are shown once."""
    remarked: dict[str, list[str]] = {}
    for row in found:
        if row.remark:
            remarked.setdefault(row.remark, []).append(row.name)
    return remarked


def _policies(reports: Sequence[Report]) -> str:
    """Return by which policies the tables were judged, as one sentence; nothing where none was scanned."""
    judged = {(report.policy.title, report.policy.k): None for report in reports}
    named = [fact("report.index_policy", policy=Name(name(title)), k=Threshold(k)) for title, k in judged]
    items = Listing(tuple(named))
    return sentence(FULL, "report.index_policies", n=Number(len(named)), policies=items) if named else ""


def file_names(entries: Sequence[Any]) -> list[str]:
    """Return a file name for each table: letters, digits, dots and hyphens of its name, each name once."""
    import re

    taken: dict[str, int] = {"index": 1}  # the page of all tables has this name
    names = []
    for entry in entries:
        # A name of a table may hold any letter; a file name has those that every system allows.
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", entry.name).strip("-.")[:80] or "table"
        # Without the case: "A.html" and "a.html" are one file on Windows and macOS.
        number = taken[stem.lower()] = taken.get(stem.lower(), 0) + 1
        names.append(f"{stem}.html" if number == 1 else f"{stem}-{number}.html")
    return names
