"""The Markdown report, for pull requests: what a reviewer must see, under a megabyte.

Question: what does a reviewer need next to the change?
Method: the same contents as the HTML report go through a template of the sections, which escapes every value; long
lists are cut.
Limits: no charts; GitHub cuts comments at 65,536 characters, so the verdict comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from privaudit.model import Report
from privaudit.model.wording import Edition, Name, Number, Value, fact, plural
from privaudit.report import view
from privaudit.report.entries import TableEntry
from privaudit.report.escape import markdown as md
from privaudit.report.escape import markdown_table, name
from privaudit.report.pages import index_page
from privaudit.report.templates import environment

View = Mapping[str, Any]

SECTIONS = (
    *("verdict", "findings", "acceptances", "declared_roles", "remedies", "columns", "risk", "combinations"),
    *("attacks", "controls", "answers", "checks", "limits", "policy", "reproduce"),
)
"""The macros of the template, in the order of the report."""
MOST_ROWS, MOST_FINDINGS, MOST_COLUMNS = 15, 60, 200
"""Rows, findings and columns that a section lists; the others are counted."""
MOST_BYTES = 1_000_000
"""GitHub refuses a job summary above 1 MiB."""
_MARKS = {"passed": "✅", "failed": "❌", "incomplete": "⚠️"}
_BLANK_LINES = re.compile(r"\n{3,}")


def render(report: Report, edition: Edition = "full") -> str:
    """Return `report` as Markdown (GitHub's flavour)."""
    page = view.build(report, edition)
    return "\n\n".join(_within([part for key in SECTIONS if (part := _section(key, page))])) + "\n"


def render_several(entries: Sequence[TableEntry], edition: Edition = "full") -> str:
    """Return a table of several tables, then the decision and the findings of each; their reports have the rest."""
    rows = index_page.rows(entries, edition)
    # As for the exit code of several tables: what was not assessed is worse than what failed.
    state = min((row.state for row in rows), key=list(_MARKS)[::-1].index, default="incomplete")
    head = ("Table", "Result", "Findings", "Rows × columns", "k", "Below k", "Remark")
    cells = ((r.name, r.result, r.findings, r.extent, r.smallest, r.below, r.remark) for r in rows)
    parts = [f"# {_MARKS[state]} {md(index_page.totals(rows))}", "\n".join(markdown_table(head, cells))]
    change, pages = [], [(entry, view.build(entry.report, edition)) for entry in entries if entry.report is not None]
    for entry, page in pages:
        shown, found = md(name(entry.name)), page["verdict"]
        change += [f"- {shown}: {md(line)}" for line in found["changes"]]
        decision = f"{_MARKS[found['state']]} {md(found['headline'])}"
        parts.append(f"## {shown}\n\n{decision}\n\n{_section('findings', page, level='###')}")
    if change:
        parts.insert(1, "\n".join([f"**{fact('report.since_baseline')}**", "", *change]))
    return "\n\n".join(_within(parts)) + "\n"


def _section(key: str, page: View, **options: str) -> str:
    """Return a section, empty where it has nothing to state; no cell has a line break, so blank lines are layout."""
    return _BLANK_LINES.sub("\n\n", str(getattr(_template(), key)(page, **options))).strip()


@cache
def _template() -> Any:
    from markupsafe import Markup

    def stated(code: str, **values: Value) -> str:
        return Markup(fact(code, **values))

    def more(n: int, what: str) -> str:
        return stated("report.more_not_shown", n=Number(n), what=Name(plural(n, what))) if n else ""

    limits = {"most_rows": MOST_ROWS, "most_findings": MOST_FINDINGS, "most_columns": MOST_COLUMNS}
    known = {"marks": _MARKS, "heading": _heading_of, "measures": _measures, "clues": _clues, "stated": stated}
    return environment(is_markdown=True).get_template("report.md.j2", globals={**limits, **known, "more": more}).module


def _within(parts: list[str]) -> list[str]:
    """Return the sections that fit into `MOST_BYTES`, with a line that states how many do not."""
    kept: list[str] = []
    left = MOST_BYTES
    for part in parts:
        left -= len(part.encode("utf-8", "replace")) + 2
        if left < 0:
            cut = len(parts) - len(kept)
            stated = fact("report.summary_cut", cut=Number(cut), of=Number(len(parts)))
            return [*kept, f"**{stated}**"]
        kept.append(part)
    return kept


def _heading_of(anchor: str) -> str:
    """Return the heading that an anchor of the page belongs to; GitHub makes anchors from headings alone."""
    key = anchor.partition("-")[0]
    return {"remedy": "#remedies", "finding": "#findings", "reproduce": "#how-to-reproduce"}.get(key, f"#{key}")


def _clues(column: View) -> str:
    """Return the evidence on one column."""
    return "; ".join(f"{clue['kind']}: {clue['because']}" for clue in column["evidence"])


def _measures(found: View) -> Iterator[View]:
    """Yield the measures of risk, then those of its tables, then the first rows of each table as measures."""
    yield from found["measures"]
    for part in found["tables"]:
        yield from part["measures"]
    explained: set[str] = set()
    for part in found["tables"]:
        for table in part["tables"]:
            for row in table["rows"][:MOST_ROWS]:
                yield _spread(table["head"], row, "" if row["title"] in explained else row["words"])
                explained.add(row["title"])


def _spread(head: Sequence[str], row: View, words: str) -> View:
    """Return a row of a table with several columns as one measure, "diagnosis 2, income 7"."""
    cells = (f"{column}: {cell}" for column, cell in zip(head, row["cells"], strict=True))
    return {"title": row["title"], "value": ", ".join(cells), "words": words}
