"""The differences between two reports as a page: side by side, with the classes of both.

Question: how does a reviewer see what changed?
Method: the decision, the numbers before and after, the sizes of the classes of both reports next to each other, then
the findings by state and the columns that changed.
Limits: sentences of findings come from the report that has them; the pages of both reports explain their numbers.
"""

from __future__ import annotations

from privaudit.model import Report
from privaudit.model.differences import Differences
from privaudit.model.wording import FULL, Name, Threshold, fact
from privaudit.report.charts import class_sizes
from privaudit.report.charts.draw import Chart
from privaudit.report.escape import name
from privaudit.report.pages import differences_report as texts
from privaudit.report.pages.page import Page, Section
from privaudit.report.pages.page import html as page_html
from privaudit.report.sentences import shown, wording_of


def html(found: Differences) -> str:
    """Return the differences as one HTML page."""
    return page_html(page(found))


def page(found: Differences) -> Page:
    """Return the differences as a page; sections without a row are omitted."""
    old, new = (Name(text=name(report.dataset.name)) for report in (found.old, found.new))
    sections = (_numbers(found), _findings(found), _columns(found))
    return Page(
        kicker="comparison of two reports",
        title=fact("compare.page_title", old=old, new=new),
        lead=fact("compare.page_lead", headline=Name(text=texts.headline(found))),
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
        sentences=[fact("compare.basis", tolerance=Threshold(value=found.tolerance))],
        head=_head("what", "before", "after"),
        rows=[(texts.TITLES[item.name], texts.number(item.before), texts.number(item.after)) for item in found.numbers],
        charts=drawn,
    )


def _classes(report: Report) -> Chart | None:
    return class_sizes.class_sizes(report, wording_of(report))


def _findings(found: Differences) -> Section:
    rows = []
    for state, title in texts.STATES:
        for item in found.in_state(state):
            report = found.old if item.state in ("gone", "not_measured") else found.new
            text = shown(wording_of(report), item.finding.message)
            values = texts.observed(item, found)
            rows.append((title, item.finding.severity, name(item.finding.code, 20), text, *values))
    return Section(
        key="findings",
        title="Findings",
        head=_head("state", "severity", "code", "finding", "before", "after"),
        rows=rows,
    )


def _columns(found: Differences) -> Section:
    rows = [
        (name(item.column), name(item.what), texts.number(item.before), texts.number(item.after))
        for item in found.columns
    ]
    return Section(key="columns", title="Columns", head=_head("column", "change", "before", "after"), rows=rows)
