"""The differences between two reports: as text, as Markdown for a pull request, as JSON, and as a page.

Question: how does a reviewer see what changed?
Method: the decision first, then the numbers of the whole table, the findings by state, and the columns. The page also
has the sizes of the classes of both reports next to each other. Long lists of texts are cut and the cut is counted;
every name passes through the escape of its output.
Limits: sentences of findings come from the report that has them; the pages of both reports explain their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from privaudit.base.errors import UnsupportedFormat
from privaudit.model import Report
from privaudit.model.differences import ColumnChange, Differences, FindingChange, Number, State
from privaudit.model.wording import FULL, Name, Threshold, fact
from privaudit.model.wording import Number as Measure
from privaudit.report.charts import class_sizes
from privaudit.report.charts.draw import Chart
from privaudit.report.escape import json_text, markdown, name, terminal
from privaudit.report.json import plain, text_of
from privaudit.report.pages import page as pages
from privaudit.report.pages.page import Page, Section
from privaudit.report.sentences import shown, shown_value, wording_of

FORMATS = ("text", "md", "json", "html")
MOST = 60
STATES: tuple[tuple[State, str], ...] = (
    ("new", "New findings"),
    ("worse", "Findings that are worse"),
    ("better", "Findings that are better"),
    ("gone", "Findings missing from the new report"),
    ("not_measured", "Findings whose check was not measured again"),
)
TITLES = {
    "rows": "Rows",
    "columns": "Columns",
    "policy": "Policy",
    "k required": "k required by the policy",
    "k_min": "Smallest class (k)",
    "n_unique": "Sample uniques",
    "share_below_k": "Share in classes below k",
    "prosecutor_max": "Highest prosecutor risk",
    "prosecutor_mean": "Mean prosecutor risk",
    "marketer": "Marketer risk",
}
_HEADLINES = {0: "not_worse", 1: "worse", 3: "not_comparable"}
_WORSE_IN_PART = "worse_in_part"
Escape = Callable[[str], str]


def render(found: Differences, format: str = "text") -> str:
    """Return the differences in a format of `FORMATS`.

    Raises
    ------
    UnsupportedFormat
    """
    if format not in FORMATS:
        raise UnsupportedFormat(f'Unknown format "{format}" of a comparison.', hint=f"use one of: {', '.join(FORMATS)}")
    if format == "html":
        return pages.html(page(found))
    return {"text": _text, "md": _markdown, "json": _json}[format](found)


def headline(found: Differences) -> str:
    """Return the decision in one line without a full stop."""
    code = _WORSE_IN_PART if found.exit_code == 3 and found.failing else _HEADLINES[found.exit_code]
    return str(fact(f"compare.{code}", n=Measure(value=len(found.failing))))


def basis(found: Differences) -> str:
    """Return how the reports are compared, and whether policies or roles differ, which change findings as well."""
    stated = [fact("compare.basis", tolerance=Threshold(found.tolerance))]
    n_roles = sum(item.what == "role" for item in found.columns)
    if n_roles:
        stated.insert(0, fact("compare.roles_differ", n=Measure(value=n_roles)))
    if found.old.policy != found.new.policy:
        stated.insert(0, fact("compare.policies_differ"))
    return " ".join(map(str, stated))


def _line(item: FindingChange, found: Differences, escape: Escape) -> str:
    # A finding that is gone has its sentence in the old report alone.
    report: Report = found.old if item.new is None else found.new
    text = shown(wording_of(report), item.finding.message)
    status = "" if item.finding.status == "open" else f", {item.finding.status}"
    values = f" [{' → '.join(observed(item))}]" if item.state in ("worse", "better") else ""
    return f"{item.finding.severity}{status}: {escape(name(item.finding.code))} {escape(text)}{escape(values)}"


def observed(item: FindingChange) -> tuple[str, str]:
    """Return what was observed before and after; the people where only their number changed."""
    # An observed level, such as the smallest class, may be as before while more people are affected.
    values = number(item.before), number(item.after)
    sides = (item.old, item.new)
    if values[0] != values[1] or not all(each and each.n_people and each.n_total for each in sides):
        return values
    before, after = (FULL.people(each.n_people or 0, each.n_total or 0, each.unit) for each in sides if each)
    return before, after


def number(value: Number) -> str:
    """Return an observed value as it is written; a dash for none."""
    return shown_value(value, 200)


def _drift(item: ColumnChange, escape: Escape) -> str:
    column = escape(f'"{name(item.column)}"')
    if item.what in ("added", "removed"):
        return f"{column} {item.what}"
    return f"{column} {item.what}: {escape(number(item.before))} → {escape(number(item.after))}"


def _listed(items: Iterable[str]) -> list[str]:
    lines = list(items)
    hidden = len(lines) - MOST
    return [*lines[:MOST], *([str(fact("compare.more", n=Measure(value=hidden)))] if hidden > 0 else [])]


def _sections(found: Differences, escape: Escape) -> list[tuple[str, list[str]]]:
    sections = [
        (title, _listed(_line(item, found, escape) for item in found.in_state(state))) for state, title in STATES
    ]
    sections.append(("Columns", _listed(_drift(item, escape) for item in found.columns)))
    return [(title, lines) for title, lines in sections if lines]


def _text(found: Differences) -> str:
    lines = [f"{headline(found)}.", f"  {basis(found)}", ""]
    wide = max(map(len, TITLES.values()))
    for item in found.numbers:
        arrow = f"{number(item.before)} → {number(item.after)}" if item.before != item.after else number(item.after)
        lines.append(f"  {TITLES[item.name]:<{wide}}  {terminal(arrow)}")
    for title, rows in _sections(found, terminal):
        lines += ["", title, *(f"  {row}" for row in rows)]
    return "\n".join(lines) + "\n"


def _markdown(found: Differences) -> str:
    # What is worse outranks what could not be compared.
    mark = "❌" if found.failing else {0: "✅", 3: "⚠️"}[found.exit_code]
    table = ["| | Before | After |", "| --- | --- | --- |"]
    for item in found.numbers:
        table.append(f"| {TITLES[item.name]} | {markdown(number(item.before))} | {markdown(number(item.after))} |")
    parts = [f"# {mark} {headline(found)}", basis(found), "\n".join(table)]
    for title, rows in _sections(found, markdown):
        parts.append(f"## {title}\n\n" + "\n".join(f"- {row}" for row in rows))
    return "\n\n".join(parts) + "\n"


def _json(found: Differences) -> str:
    content: dict[str, Any] = {
        "schema_version": "1",
        "exit_code": found.exit_code,
        "headline": headline(found),
        "tolerance": found.tolerance,
        "tables": {"old": found.old.dataset.name, "new": found.new.dataset.name},
        "numbers": {item.name: {"before": item.before, "after": item.after} for item in found.numbers},
        "columns": list(found.columns),
        "findings": [
            {
                "state": item.state,
                "code": item.finding.code,
                "subject": item.finding.subject,
                "severity": item.finding.severity,
                "status": item.finding.status,
                "fingerprint": item.finding.fingerprint,
                "before": item.before,
                "after": item.after,
                "fails": item.finding in found.failing,
            }
            for item in found.findings
        ],
    }
    return json_text(text_of(plain(content)))


def page(found: Differences) -> Page:
    """Return the differences as a page; sections without a row are omitted."""
    old, new = (Name(name(report.dataset.name)) for report in (found.old, found.new))
    sections = (_numbers(found), _findings(found), _of_columns(found))
    return Page(
        kicker="comparison of two reports",
        title=fact("compare.page_title", old=old, new=new),
        lead=fact("compare.page_lead", headline=Name(headline(found))),
        sections=[section for section in sections if section.rows],
        footer=fact("compare.page_footer"),
    )


def _head(*keys: str) -> list[str]:
    return [FULL.text(fact(f"compare.head_{key}")) for key in keys]


def _numbers(found: Differences) -> Section:
    drawn = [
        {**chart, "title": f"{FULL.text(fact(f'compare.head_{side}'))}: {chart['title']}"}
        for side, chart in zip(("before", "after"), map(_classes, (found.old, found.new)), strict=True)
        if chart is not None
    ]
    return Section(
        key="numbers",
        title="Numbers",
        sentences=[basis(found)],
        head=_head("what", "before", "after"),
        rows=[(TITLES[item.name], number(item.before), number(item.after)) for item in found.numbers],
        charts=drawn,
    )


def _classes(report: Report) -> Chart | None:
    return class_sizes.class_sizes(report, wording_of(report))


def _findings(found: Differences) -> Section:
    rows = []
    for state, title in STATES:
        for item in found.in_state(state):
            report = found.old if item.new is None else found.new
            text = shown(wording_of(report), item.finding.message)
            values = observed(item)
            rows.append((title, item.finding.severity, name(item.finding.code, 20), text, *values))
    return Section(
        key="findings",
        title="Findings",
        head=_head("state", "severity", "code", "finding", "before", "after"),
        rows=rows,
    )


def _of_columns(found: Differences) -> Section:
    rows = [(name(item.column), name(item.what), number(item.before), number(item.after)) for item in found.columns]
    return Section(key="columns", title="Columns", head=_head("column", "change", "before", "after"), rows=rows)
