"""The Markdown report, for pull requests: what a reviewer must see, under a megabyte.

Question: what does a reviewer need next to the change?
Method: the same contents as the HTML report; every text passes through the Markdown escape, long lists are cut.
Limits: no charts; GitHub cuts comments at 65,536 characters, so the verdict comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from privaudit.model import Report
from privaudit.report import view
from privaudit.report.escape import markdown as md
from privaudit.wording.render import Edition

MOST_COLUMNS = 200
MOST_FINDINGS = 60
MOST_ROWS = 15
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
        _checks(page["checks"]),
        _limits(page["limits"]),
        _policy(page["policy"]),
        _reproduce(page),
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; heads are constants, cells are escaped already."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _more(n: int, what: str) -> str:
    return f"\n\n{n:,} more {what} not shown." if n else ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(md(name) for name in names)


def _verdict(page: dict[str, Any]) -> str:
    found = page["verdict"]
    head = f"# {_MARKS[found['state']]} {md(found['headline'])}"
    about = f"{md(page['scope'][0]['value'])}: {md(page['scope'][1]['value'])}"
    if page["edition"] == "public":
        about += f". {md(page['note'])}"
    tiles = _table(
        [tile["label"] for tile in found["tiles"]],
        [
            [f"**{md(tile['value'])}**" for tile in found["tiles"]],
            [md(tile["note"]) for tile in found["tiles"]],
        ],
    )
    decision = " ".join(md(line) for line in found["about"])
    problems = _list([*map(_problem, found["problems"]), *map(md, found["lines"])])
    parts = (head, decision, about, tiles, problems, _steps(found["steps"]), f"<sub>{md(found['basis'])}</sub>")
    return "\n\n".join(part for part in parts if part)


def _problem(line: dict[str, str]) -> str:
    return f"**{line['severity']}** [`{line['code']}`](#findings) {md(line['text'])}"


def _steps(steps: Sequence[dict[str, str]]) -> str:
    """Return what to do as a numbered list; each step links to the section with the details."""
    if not steps:
        return ""
    lines = (
        f"{i}. {md(step['text'])} [details]({_section(step['anchor'])})" for i, step in enumerate(steps, 1)
    )
    return "**What to do, in this order**\n\n" + "\n".join(lines)


def _section(anchor: str) -> str:
    """Return the heading that an anchor of the page belongs to; GitHub makes anchors from headings alone."""
    key = anchor.partition("-")[0]
    return {"remedy": "#remedies", "finding": "#findings", "reproduce": "#how-to-reproduce"}.get(key, f"#{key}")


def _findings(found: dict[str, Any]) -> str:
    rows = found["rows"]
    if not rows:
        return "## Findings\n\nNo findings among the checks that were measured."
    table = _table(
        ["Severity", "Code", "Finding", "People"],
        [
            [row["severity"], f"`{row['code']}`", md(row["message"]), md(row["people"]) or "–"]
            for row in rows[:MOST_FINDINGS]
        ],
    )
    hidden = found["n_hidden"] + max(0, len(rows) - MOST_FINDINGS)
    return f"## Findings\n\n{table}{_more(hidden, 'findings')}"


def _acceptances(found: dict[str, Any]) -> str:
    rows = found["rows"][:MOST_FINDINGS]
    if not rows:
        return ""
    table = _table(
        ["Finding", "State", "Reason", "Owner", "Last day", "Accepted up to"],
        [
            [
                f"`{row['code']}` {_names(row['columns']) or 'the whole table'}",
                md(row["words"]),
                md(row["reason"]),
                md(row["owner"]),
                md(row["expires"]),
                md(row["bound"]),
            ]
            for row in rows
        ],
    )
    hidden = found["n_hidden"] + len(found["rows"]) - len(rows)
    return f"## Accepted findings\n\n{md(found['note'])}\n\n{table}{_more(hidden, 'acceptances')}"


def _declared_roles(found: dict[str, Any]) -> str:
    rows = found["rows"][:MOST_FINDINGS]
    if not rows:
        return ""
    table = _table(
        ["Column", "Declared", "Inferred", "Declaration"],
        [[md(row["column"]), row["role"], row["inferred"], md(row["because"])] for row in rows],
    )
    hidden = found["n_hidden"] + len(found["rows"]) - len(rows)
    return f"## Declared roles\n\n{md(found['note'])}\n\n{table}{_more(hidden, 'declared roles')}"


def _remedies(found: dict[str, Any]) -> str:
    rows = found["rows"][:MOST_ROWS]
    if not rows:
        return ""
    table = _table(
        ["", "Remedy", "Before → after", "Information kept", "Resolves"],
        [
            [
                str(i),
                md(row["text"]),
                "<br>".join(md(f"{e['label']}: {e['before']} → {e['after']}") for e in row["effects"]),
                md(row["kept"]) if row["effects"] else "–",
                _names(row["resolves"]) or "–",
            ]
            for i, row in enumerate(rows, 1)
        ],
    )
    return f"## Remedies\n\n{table}{_more(found['n_hidden'] + len(found['rows']) - len(rows), 'remedies')}"


def _columns(found: dict[str, Any]) -> str:
    rows = found["rows"][:MOST_COLUMNS]
    if not rows:
        return ""
    table = _table(
        ["Column", "Role", "Contents", "Distinct", "Missing"],
        [[md(c["name"]), c["role"], _contents(c), md(c["distinct"]), md(c["missing"])] for c in rows],
    )
    hidden = found["n_hidden"] + len(found["rows"]) - len(rows)
    evidence = "".join(map(_why, rows))
    body = f"{table}{_more(hidden, 'columns')}" + (f"\n\nEvidence\n\n{evidence.rstrip()}" if evidence else "")
    return f"## Columns\n\n<details><summary>{found['n_total']:,} columns</summary>\n\n{body}\n\n</details>"


def _contents(column: dict[str, Any]) -> str:
    parts = [md(f"{column['is']} {column['is_share']}")] if column["is"] else []
    parts += [md(f"contains {text}") for text in column["contains"]]
    if column["unassessed"]:
        parts.append(md(f"not assessed: {column['unassessed']}"))
    return "<br>".join(parts) or column["plain"]


def _why(column: dict[str, Any]) -> str:
    """Return the evidence on one column as a line of a list."""
    clues = "; ".join(f"{clue['kind']}: {clue['because']}" for clue in column["evidence"])
    return f"- **{md(column['name'])}** {md(clues)}\n" if clues else ""


def _risk(found: dict[str, Any] | None) -> str:
    if found is None:
        return "## Re-identification risk\n\nNot measured; see Limits."
    measures = [*found["measures"], *(row for part in found["tables"] for row in part["measures"])]
    for part in found["tables"]:
        measures += [
            _spread(table["head"], row) for table in part["tables"] for row in table["rows"][:MOST_ROWS]
        ]
    table = _table(
        ["Measure", "Value", "In words"],
        [[md(row["title"]), md(row["value"]), md(row["words"])] for row in measures],
    )
    quasi = _names(found["quasi"]) or "none"
    return f"## Re-identification risk\n\nQuasi-identifiers: {quasi}\n\n{table}"


def _spread(head: Sequence[str], row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of a table with several columns as one measure, "diagnosis 2, income 7"."""
    cells = (f"{column}: {cell}" for column, cell in zip(head, row["cells"], strict=True))
    return {"title": row["title"], "value": ", ".join(cells), "words": row["words"]}


def _combinations(found: dict[str, Any]) -> str:
    rows = found["rows"][:MOST_ROWS]
    if not rows:
        return ""
    table = _table(
        ["Columns", f"People below k = {found['k']}", "Unique", "k"],
        [
            [
                _names(row["columns"]),
                md(f"{row['below']} ({row['below_share']})"),
                md(row["unique"]),
                md(row["k_min"]),
            ]
            for row in rows
        ],
    )
    hidden = found["n_hidden"] + len(found["rows"]) - len(rows)
    return f"## Worst combinations\n\n{table}{_more(hidden, 'combinations')}"


def _attacks(found: dict[str, Any]) -> str:
    rows = found["rows"][:MOST_ROWS]
    if not rows:
        return ""
    table = _table(
        ["Attack", "Attacker knowledge", "Success", "Guessing", "Advantage"],
        [[md(row[key]) for key in ("kind", "knows", "success", "baseline", "advantage")] for row in rows],
    )
    hidden = found["n_hidden"] + len(found["rows"]) - len(rows)
    return f"## Attacks\n\n{table}{_more(hidden, 'attacks')}"


def _controls(found: dict[str, Any]) -> str:
    parts = []
    for framework in found["frameworks"]:
        table = _table(
            ["Control", "State", "Evidence"],
            [
                [
                    md(f"{row['id']} {row['title']}"),
                    row["words"],
                    md(f"{row['why']} {', '.join(row['findings'])}".strip()) or "–",
                ]
                for row in framework["rows"]
            ],
        )
        counts = ", ".join(f"{count['n']} {count['words']}" for count in framework["counts"])
        parts.append(
            f"<details><summary>{md(framework['framework'])}: {counts}</summary>\n\n{table}\n\n</details>"
        )
    return "## Controls\n\n" + "\n\n".join(parts) if parts else ""


def _checks(found: dict[str, Any]) -> str:
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


def _limits(found: dict[str, Any]) -> str:
    rows = [
        f"{'**not assessed** · ' if row['incomplete'] else ''}{md(row['what'])}: {md(row['why'])}"
        for row in found["rows"][:MOST_FINDINGS]
    ]
    hidden = found["n_hidden"] + max(0, len(found["rows"]) - MOST_FINDINGS)
    return f"## Limits\n\n{_list([md(found['people']), *rows])}{_more(hidden, 'limits')}"


def _policy(found: dict[str, Any]) -> str:
    table = _table(
        ["Threshold", "Limit", "Observed", "After remedy", "Origin"],
        [
            [md(row[key]) or "–" for key in ("title", "limit", "observed", "after", "origin")]
            for row in found["rows"]
        ],
    )
    return f"## Thresholds\n\n<details><summary>{md(found['title'])}</summary>\n\n{table}\n\n</details>"


def _reproduce(page: dict[str, Any]) -> str:
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
