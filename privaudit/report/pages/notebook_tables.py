"""Parts of a report as tables in the cell of a notebook.

Question: how does a notebook show columns, findings, risk, remedies and a plan?
Method: each part states its rows; one template lays them out with the colours of the notebook.
Limits: the exact numbers of the full edition; no cell of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from privaudit.model import ColumnReport, Combination, Finding, Remedy, Report
from privaudit.model.wording import Count, EntityType, Wording, percent
from privaudit.report.escape import name
from privaudit.report.html import fragment_of
from privaudit.report.sections import remedies
from privaudit.report.sections.risk import risk as risk_section
from privaudit.report.sentences import shown, wording_of

MOST_ROWS = 200
_PLAIN = Wording(has_options=False)


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], sentences: Iterable[str] = ()) -> str:
    """Return a title, sentences and the first rows of a table as a fragment of HTML."""
    listed = list(rows)
    return fragment_of(
        "notebook_table.html.j2",
        {
            "title": title,
            "sentences": [name(sentence, 2_000) for sentence in sentences],
            "head": head,
            "rows": listed[:MOST_ROWS],
            "n_hidden": max(0, len(listed) - MOST_ROWS),
        },
    )


def columns(found: Sequence[ColumnReport]) -> str:
    """Return the columns: role, entity type, missing and distinct values."""
    head = ("column", "role", "entity type", "data type", "missing", "distinct")
    return table("Columns", head, map(_column, found))


def _column(column: ColumnReport) -> tuple[str, ...]:
    # What the cells are first, then what some of them contain.
    kinds = [found.entity for found in (column.is_, *column.contains) if found is not None]
    named = ", ".join(dict.fromkeys(_PLAIN.value(EntityType(code)) for code in kinds))
    counts = f"{column.n_missing:,}", f"{column.n_distinct:,}"
    return name(column.name), column.role, named, column.data_type, *counts


def findings(found: Sequence[Finding]) -> str:
    """Return the findings, in their order."""
    return table("Findings", ("severity", "code", "finding", "status"), map(_finding, found))


def _finding(finding: Finding) -> tuple[str, ...]:
    return finding.severity, finding.code, shown(_PLAIN, finding.message), finding.status


def combinations(found: Sequence[Combination]) -> str:
    """Return the combinations of quasi-identifiers: k, uniques and classes."""
    rows = (
        (
            " + ".join(map(name, item.columns)),
            f"{item.k_min:,}",
            f"{item.n_unique:,}",
            f"{item.n_classes:,}",
            "" if item.share_below_k is None else percent(item.share_below_k),
        )
        for item in found
    )
    return table("Combinations", ("columns", "k", "unique", "classes", "share below the k of the policy"), rows)


def advice(found: Sequence[Remedy]) -> str:
    """Return the remedies with what each achieves and costs."""
    return table("Remedies", ("remedy", "k", "records below k", "information lost", "passes"), map(_remedy, found))


def _remedy(remedy: Remedy) -> tuple[str, ...]:
    passes = {True: "yes", False: "no", None: ""}[remedy.passes]
    effects = [_change(remedy, key) for key in ("k_min", "n_below_k")]
    return shown(_PLAIN, remedy.text, remedies.MOST_STEP), *effects, percent(remedy.utility_cost), passes


def _change(remedy: Remedy, key: str) -> str:
    before, after = remedy.before.get(key), remedy.after.get(key)
    return "" if before is None or after is None else f"{before:,} → {after:,}"


def risk(report: Report) -> str:
    """Return the measures of risk, each with its sentence."""
    wording = wording_of(report, on_page=True)
    section = risk_section(report, wording)
    assert section is not None, "only a report with risk shows it"
    rows = ((row["title"], row["value"], row["words"]) for row in section["measures"])
    people = wording.value(Count(report.n_units, unit=wording.unit))
    return table("Risk", ("measure", "value", "meaning"), rows, [f"{people}: {', '.join(section['quasi'])}"])
