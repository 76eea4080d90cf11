"""The history of a table: k, uniques, records below k and findings over the stored reports of its scans.

Question: how did the risk of each table develop from scan to scan?
Method: reports by table and in the order of their scans; a picture for each number, and a row for each report.
Limits: compares what each report measured under its own policy and settings; `diff` compares two reports finding by
finding.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.model import SEVERITIES, Report
from privaudit.model.wording import FULL, MISSING, Name, Number, fact, percent
from privaudit.report.charts import trend
from privaudit.report.charts.draw import Chart
from privaudit.report.charts.trend import Point
from privaudit.report.escape import name
from privaudit.report.pages.page import Page, Section
from privaudit.report.sections.ranking import open_by_severity
from privaudit.report.sections.verdict import below_k, outcome
from privaudit.report.sentences import sentence

_HEAD = ("scanned", "result", "rows", "k", "uniques", "below", *reversed(SEVERITIES))


def page(reports: Sequence[Report]) -> Page:
    """Return the history of the tables of `reports`, each in the order of its scans."""
    tables: dict[str, list[Report]] = {}
    # Files of a folder come in the order of their names, which need not be that of the scans.
    for report in sorted(reports, key=lambda report: (report.dataset.name, report.generated_at)):
        tables.setdefault(report.dataset.name, []).append(report)
    return Page(
        kicker="history of reports",
        title=fact("compare.history_title", n=Number(len(tables))),
        lead=fact("compare.history_lead", n=Number(len(reports)), tables=Number(len(tables))),
        sections=[_section(i, table, scans) for i, (table, scans) in enumerate(tables.items(), 1)],
        footer=fact("compare.history_footer"),
    )


def record(reports: Sequence[Report]) -> list[dict[str, object]]:
    """Return a row for each report: what the pictures show, for programs."""
    return [
        {
            "table": report.dataset.name,
            "generated_at": report.generated_at,
            "exit_code": report.gate_.exit_code,
            "n_rows": report.dataset.n_rows,
            "k_required": report.policy.k,
            "k_min": None if report.risk is None else report.risk.k_min,
            "n_unique": None if report.risk is None else report.risk.n_unique,
            "n_below_k": below_k(report),
            "findings": open_by_severity(report.findings),
        }
        for report in sorted(reports, key=lambda report: (report.dataset.name, report.generated_at))
    ]


def _section(i: int, table: str, scans: Sequence[Report]) -> Section:
    return Section(
        key=f"table-{i}",
        title=name(table),
        head=[FULL.text(fact(f"compare.history_{key}")) for key in _HEAD],
        rows=[_row(report) for report in scans],
        charts=_charts(scans),
    )


def _row(report: Report) -> list[str]:
    counts, risk = open_by_severity(report.findings), report.risk
    return [
        _day(report),
        outcome(report).replace("_", ", "),
        f"{report.dataset.n_rows:,}",
        MISSING if risk is None else f"{risk.k_min:,}",
        MISSING if risk is None else f"{risk.n_unique:,}",
        _share(report),
        *(f"{counts.get(severity, 0):,}" for severity in reversed(SEVERITIES)),
    ]


def _day(report: Report) -> str:
    return name(report.generated_at[:10]) or MISSING


def _share(report: Report) -> str:
    below = below_k(report)
    return MISSING if below is None or not report.n_units else percent(below / report.n_units)


def _charts(scans: Sequence[Report]) -> list[Chart]:
    last = scans[-1]
    k: list[int | None] = [None if report.risk is None else report.risk.k_min for report in scans]
    uniques: list[int | None] = [None if report.risk is None else report.risk.n_unique for report in scans]
    drawn = (
        _chart("k", scans, k, limit=last.policy.k),
        _chart("uniques", scans, uniques, limit=last.policy.uniques),
        _chart("findings", scans, [sum(open_by_severity(report.findings).values()) for report in scans]),
    )
    return [chart for chart in drawn if chart is not None]


def _chart(key: str, scans: Sequence[Report], values: Sequence[int | None], limit: int | None = None) -> Chart | None:
    # Scans without the number are points, too, so that the others keep their place in time.
    points = [
        Point(day=_day(report), value=value, shown=MISSING if value is None else f"{value:,}")
        for report, value in zip(scans, values, strict=True)
    ]
    title = FULL.text(fact(f"compare.history_{key}"))
    table = Name(name(scans[-1].dataset.name))
    first, last = (Name(point.shown) for point in (points[0], points[-1]))
    words = sentence(FULL, f"compare.trend_{key}", table=table, first=first, last=last)
    return trend.chart(
        f"trend-{key}", title, words, points, head=(FULL.text(fact("compare.history_scanned")), title), limit=limit
    )
