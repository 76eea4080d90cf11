"""The Markdown report, for pull requests: what a reviewer must see, under a megabyte.

Question: what does a reviewer need next to the change?
Method: the same contents as the HTML report; every text passes through the Markdown escape, long lists are cut.
Limits: no charts; GitHub cuts comments at 65,536 characters, so the verdict comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from privaudit.model import Report
from privaudit.model.wording import Name, Number, fact
from privaudit.model.wording.numbers import plural
from privaudit.model.wording.render import Edition
from privaudit.report import view
from privaudit.report.entries import TableEntry
from privaudit.report.escape import markdown as md
from privaudit.report.escape import name
from privaudit.report.pages import index_page

View = dict[str, Any]
Cell = Callable[[View], str]

MOST_COLUMNS = 200
MOST_FINDINGS = 60
MOST_ROWS = 15
MOST_BYTES = 1_000_000
"""GitHub refuses a job summary above 1 MiB."""
_NO_FINDINGS = "Findings\n\nNo findings among the checks that were measured."
_MARKS = {"passed": "✅", "failed": "❌", "incomplete": "⚠️"}


def render(report: Report, edition: Edition = "full") -> str:
    """Return `report` as Markdown (GitHub's flavour)."""
    page = view.build(report, edition)
    parts = (
        _verdict(page),
        _findings(page["findings"]),
        _acceptances(page["acceptances"]),
        _declared_roles(page["declared_roles"]),
        _remedies(page["remedies"]),
        _columns(page["columns"]),
        _risk(page["risk"]),
        _combinations(page["combinations"]),
        _attacks(page["attacks"]),
        _controls(page["controls"]),
        _answers(page["answers"]),
        _checks(page["checks"]),
        _limits(page["limits"]),
        _policy(page["policy"]),
        _reproduce(page),
    )
    return "\n\n".join(_within([part for part in parts if part])) + "\n"


def render_several(entries: Sequence[TableEntry], edition: Edition = "full") -> str:
    """Return a table of several tables, then the decision and the findings of each; their reports have the rest."""
    rows = index_page.rows(entries, edition)
    state = min((row.state for row in rows), key=list(_MARKS)[::-1].index, default="incomplete")
    head = ("Table", "Result", "Findings", "Rows × columns", "k", "Below k", "Remark")
    cells = ((r.name, r.result, r.findings, r.extent, r.smallest, r.below, r.remark) for r in rows)
    parts = [f"# {_MARKS[state]} {md(index_page.totals(rows))}", _table(head, ([*map(md, row)] for row in cells))]
    change, pages = [], [(entry, view.build(entry.report, edition)) for entry in entries if entry.report is not None]
    for entry, page in pages:
        shown, found = md(name(entry.name)), page["verdict"]
        change += [f"{shown}: {md(line)}" for line in found["changes"]]
        decision = f"{_MARKS[found['state']]} {md(found['headline'])}"
        parts.append(f"## {shown}\n\n{decision}\n\n{_findings(page['findings'], '###')}")
    if change:
        parts.insert(1, f"**{fact('report.since_baseline')}**\n\n{_list(change)}")
    return "\n\n".join(_within(parts)) + "\n"


def _within(parts: list[str]) -> list[str]:
    """Return the sections that fit into `MOST_BYTES`, with a line that states how many do not."""
    kept: list[str] = []
    left = MOST_BYTES
    for part in parts:
        left -= len(part.encode("utf-8", "replace")) + 2
        if left < 0:
            cut = len(parts) - len(kept)
            stated = fact("report.summary_cut", cut=Number(value=cut), of=Number(value=len(parts)))
            return [*kept, f"**{stated}**"]
        kept.append(part)
    return kept


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; heads are constants, cells are escaped already."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _more(n: int, what: str) -> str:
    return f"\n\n{fact('report.more_not_shown', n=Number(value=n), what=Name(text=plural(n, what)))}" if n else ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(md(name) for name in names)


def _verdict(page: View) -> str:
    found = page["verdict"]
    head = f"# {_MARKS[found['state']]} {md(found['headline'])}"
    about = f"{md(page['scope'][0]['value'])}: {md(page['scope'][1]['value'])}"
    if page["edition"] == "public":
        about += f". {md(page['note'])}"
    tiles = _table(
        [tile["label"] for tile in found["tiles"]],
        [[f"**{md(tile['value'])}**" for tile in found["tiles"]], [md(tile["note"]) for tile in found["tiles"]]],
    )
    decision = " ".join(md(line) for line in found["about"])
    problems = _list([*map(_problem, found["problems"]), *map(md, found["lines"])])
    change = _changes(found["changes"])
    parts = (head, change, decision, about, tiles, problems, _steps(found["steps"]), f"<sub>{md(found['basis'])}</sub>")
    return "\n\n".join(part for part in parts if part)


def _changes(found: Sequence[str]) -> str:
    """Return what is new or worse than in the baseline: what a reviewer of a change reads first."""
    return f"**{fact('report.since_baseline')}**\n\n{_list(map(md, found))}" if found else ""


def _problem(line: dict[str, str]) -> str:
    return f"**{line['severity']}** [`{line['code']}`](#findings) {md(line['text'])}"


def _steps(steps: Sequence[dict[str, str]]) -> str:
    """Return what to do as a numbered list; each step links to the section with the details."""
    if not steps:
        return ""
    lines = (f"{i}. {md(step['text'])} [details]({_heading_of(step['anchor'])})" for i, step in enumerate(steps, 1))
    return "**What to do, in this order**\n\n" + "\n".join(lines)


def _heading_of(anchor: str) -> str:
    """Return the heading that an anchor of the page belongs to; GitHub makes anchors from headings alone."""
    key = anchor.partition("-")[0]
    return {"remedy": "#remedies", "finding": "#findings", "reproduce": "#how-to-reproduce"}.get(key, f"#{key}")


def _cell(key: str) -> Cell:
    return lambda row: md(row[key]) or "–"


def _tabled(
    title: str,
    found: View,
    columns: Mapping[str, Cell],
    what: str,
    *,
    most: int = MOST_ROWS,
    note: str = "",
    level: str = "##",
) -> str:
    """Return a section with the first rows as a table and the number of further rows; nothing without rows."""
    rows = found["rows"][:most]
    if not rows:
        return ""
    table = _table(list(columns), [[cell(row) for cell in columns.values()] for row in rows])
    hidden = found["n_hidden"] + len(found["rows"]) - len(rows)
    return "\n\n".join(part for part in (f"{level} {title}", note, f"{table}{_more(hidden, what)}") if part)


def _findings(found: View, level: str = "##") -> str:
    columns = {
        "Severity": _cell("severity"),
        "Code": lambda row: f"`{row['code']}`",
        "Finding": _cell("message"),
        "People": _cell("people"),
    }
    return _tabled("Findings", found, columns, "finding", most=MOST_FINDINGS, level=level) or f"{level} {_NO_FINDINGS}"


def _acceptances(found: View) -> str:
    columns = {
        "Finding": lambda row: f"`{row['code']}` {_names(row['columns']) or 'the whole table'}",
        "State": _cell("words"),
        "Reason": _cell("reason"),
        "Owner": _cell("owner"),
        "Last day": _cell("expires"),
        "Accepted up to": _cell("bound"),
    }
    note = md(found["note"])
    return _tabled("Accepted findings", found, columns, "acceptance", most=MOST_FINDINGS, note=note)


def _answers(found: View) -> str:
    columns = {
        "Question": lambda row: f"`{row['key']}` {md(row['question'])}",
        "Answer": _cell("text"),
        "Owner": _cell("owner"),
        "Given": _cell("date"),
        "Holds until": _cell("until"),
        "State": _cell("words"),
    }
    return _tabled("Answers of people", found, columns, "answer", most=MOST_FINDINGS, note=md(found["note"]))


def _declared_roles(found: View) -> str:
    columns = {
        "Column": _cell("column"),
        "Declared": _cell("role"),
        "Inferred": _cell("inferred"),
        "Declaration": _cell("because"),
    }
    note = md(found["note"])
    return _tabled("Declared roles", found, columns, "declared role", most=MOST_FINDINGS, note=note)


def _remedies(found: View) -> str:
    numbered = [row | {"number": i} for i, row in enumerate(found["rows"], 1)]
    columns = {
        "": lambda row: str(row["number"]),
        "Remedy": _cell("text"),
        "Before → after": lambda row: "<br>".join(
            md(f"{effect['label']}: {effect['before']} → {effect['after']}") for effect in row["effects"]
        ),
        "Information kept": lambda row: md(row["kept"]) or "–",
        "Resolves": lambda row: _names(row["resolves"]) or "–",
    }
    methods = [_methods(row) for row in numbered if row["methods"] or row["apart"] or row["notes"]]
    return "\n\n".join([_tabled("Remedies", found | {"rows": numbered}, columns, "remedy"), *methods])


def _methods(row: View) -> str:
    """Return what other methods reach instead of a plan."""
    apart = [row["apart_head"], *row["apart"]] if row["apart"] else []
    lines = [f"Remedy {row['number']}", "", *(f"- {md(line)}" for line in (*row["notes"], *row["methods"], *apart))]
    return "\n".join(lines)


def _columns(found: View) -> str:
    rows = found["rows"][:MOST_COLUMNS]
    if not rows:
        return ""
    table = _table(
        ["Column", "Role", "Contents", "Distinct", "Missing"],
        [[md(c["name"]), c["role"], _contents(c), md(c["distinct"]), md(c["missing"])] for c in rows],
    )
    hidden = found["n_hidden"] + len(found["rows"]) - len(rows)
    evidence = "".join(map(_why, rows))
    body = f"{table}{_more(hidden, 'column')}" + (f"\n\nEvidence\n\n{evidence.rstrip()}" if evidence else "")
    return f"## Columns\n\n<details><summary>{found['n_total']:,} columns</summary>\n\n{body}\n\n</details>"


def _contents(column: View) -> str:
    parts = [md(f"{column['is']} {column['is_share']}")] if column["is"] else []
    parts += [md(f"contains {text}") for text in column["contains"]]
    if column["unassessed"]:
        parts.append(md(f"not assessed: {column['unassessed']}"))
    return "<br>".join(parts) or column["plain"]


def _why(column: View) -> str:
    """Return the evidence on one column as a line of a list."""
    clues = "; ".join(f"{clue['kind']}: {clue['because']}" for clue in column["evidence"])
    return f"- **{md(column['name'])}** {md(clues)}\n" if clues else ""


def _risk(found: View | None) -> str:
    if found is None:
        return "## Re-identification risk\n\nNot measured; see Limits."
    measures = [*found["measures"], *(row for part in found["tables"] for row in part["measures"])]
    for part in found["tables"]:
        measures += [_spread(table["head"], row) for table in part["tables"] for row in table["rows"][:MOST_ROWS]]
    table = _table(
        ["Measure", "Value", "In words"], [[md(row["title"]), md(row["value"]), md(row["words"])] for row in measures]
    )
    quasi = _names(found["quasi"]) or "none"
    return f"## Re-identification risk\n\nQuasi-identifiers: {quasi}\n\n{table}"


def _spread(head: Sequence[str], row: View) -> View:
    """Return a row of a table with several columns as one measure, "diagnosis 2, income 7"."""
    cells = (f"{column}: {cell}" for column, cell in zip(head, row["cells"], strict=True))
    return {"title": row["title"], "value": ", ".join(cells), "words": row["words"]}


def _combinations(found: View) -> str:
    columns = {
        "Columns": lambda row: _names(row["columns"]),
        f"{found['counted']} below k = {found['k']}": lambda row: md(f"{row['below']} ({row['below_share']})"),
        "Unique": _cell("unique"),
        "k": _cell("k_min"),
    }
    return _tabled("Worst combinations", found, columns, "combination")


def _attacks(found: View) -> str:
    columns = {
        "Attack": _cell("kind"),
        "Attacker knowledge": _cell("knows"),
        "Success": _cell("success"),
        "Guessing": _cell("baseline"),
        "Outsiders": _cell("control"),
        "Advantage": _cell("advantage"),
    }
    return _tabled("Attacks", found, columns, "attack")


def _controls(found: View) -> str:
    parts = []
    for framework in found["frameworks"]:
        table = _table(
            ["Question", "Answer", "Evidence"],
            [
                [
                    md(f"{row['id']} {row['question']}"),
                    row["words"],
                    md(f"{row['why']} {', '.join(row['findings'])}".strip()) or "–",
                ]
                for row in framework["rows"]
            ],
        )
        counts = ", ".join(f"{count['n']} {count['words']}" for count in framework["counts"])
        parts.append(f"<details><summary>{md(framework['framework'])}: {counts}</summary>\n\n{table}\n\n</details>")
    return "## Controls\n\n" + "\n\n".join(parts) if parts else ""


def _checks(found: View) -> str:
    if not found["n"]:
        return ""
    parts = []
    for state in found["states"]:
        rows = [
            f"`{row['code']}` {md(row['title'])}" + "".join(f"; {md(gap)}" for gap in row["gaps"])
            for row in state["rows"]
        ]
        parts.append(f"**{state['title']}**\n\n{_list(rows)}")
    body = "\n\n".join(parts)
    return f"## Checks without a finding\n\n<details><summary>{found['n']:,} checks</summary>\n\n{body}\n\n</details>"


def _limits(found: View) -> str:
    rows = [
        f"{'**not assessed** · ' if row['incomplete'] else ''}{md(row['what'])}: {md(row['why'])}"
        for row in found["rows"][:MOST_FINDINGS]
    ]
    hidden = found["n_hidden"] + max(0, len(found["rows"]) - MOST_FINDINGS)
    return f"## Limits\n\n{_list([md(found['people']), *rows])}{_more(hidden, 'limit')}"


def _policy(found: View) -> str:
    table = _table(
        ["Threshold", "Limit", "Observed", "After remedy", "Origin"],
        [[md(row[key]) or "–" for key in ("title", "limit", "observed", "after", "origin")] for row in found["rows"]],
    )
    return f"## Thresholds\n\n<details><summary>{md(found['title'])}</summary>\n\n{table}\n\n</details>"


def _reproduce(page: View) -> str:
    versions = ", ".join(f"{row['name']} {row['version']}" for row in page["reproduce"]["versions"])
    scope = _list(f"{pair['term']}: {md(pair['value'])}" for pair in page["scope"][2:])
    again = _list(
        [
            f"Command: {md(page['reproduce']['command'])}",
            f"Seed: {md(page['reproduce']['seed'])}",
            f"Versions: {md(versions)}",
        ]
    )
    review = f"- Review by {md(page['signoff']['review'])}; {md(page['signoff']['triggers'])}"
    return f"## How to reproduce\n\n{scope}\n{again}\n{review}"
