"""Write the tables of docs/rules.md from the packs: python docs/make_rules.py."""

from __future__ import annotations

import re
from pathlib import Path

from privaudit.model import severity_level
from privaudit.model.judgement import PolicyInfo
from privaudit.rulebook import load_checks, load_frameworks, load_policy, policy_names
from privaudit.rulebook.load import describe_limit
from privaudit.rulebook.packs import Check

PAGE = Path(__file__).with_name("rules.md")
POLICY = {
    "policy": "name",
    "k": "k",
    "probability": "probability",
    "share below k": "share_below_k",
    "uniques": "uniques",
    "l": "l",
    "t": "t",
    "advantage": "attack_advantage",
    "date": "date",
    "place": "geo",
    "fails on": "fail_on",
}
"""The columns of the table of policies, and the fields that they show."""


def checks_table() -> str:
    """Return all checks as a Markdown table."""
    head = ["| code | name | fires when | severity | status | title |", "|---|---|---|---|---|---|"]
    return "\n".join([*head, *map(_check, load_checks())])


def _check(check: Check) -> str:
    when = f"`{check.measure}` is {describe_limit(check)}"
    levels = sorted({check.severity, *check.entities.values()}, key=severity_level)
    severity = levels[0] if len(levels) == 1 else f"{levels[0]} to {levels[-1]}, by entity type"
    return f"| {check.code} | {check.name} | {when} | {severity} | {check.status} | {check.title} |"


def policies_table() -> str:
    """Return the thresholds of all shipped policies as a Markdown table."""
    head = [f"| {' | '.join(POLICY)} |", "|---" * len(POLICY) + "|"]
    return "\n".join([*head, *(_policy(load_policy(name)) for name in policy_names())])


def _policy(policy: PolicyInfo) -> str:
    cells = (getattr(policy, field) for field in POLICY.values())
    return f"| {' | '.join('–' if cell is None else str(cell) for cell in cells)} |"


def controls_table() -> str:
    """Return the controls of all frameworks as a Markdown table."""
    lines = ["| control | question | favourable | checks | wording |", "|---|---|---|---|---|"]
    for framework in load_frameworks():
        for c in framework.control:
            codes = ", ".join(c.checks) or "a person"
            lines.append(f"| {c.id} | {c.question} | {c.good or '–'} | {codes} | {c.verified} |")
    return "\n".join(lines)


def text(page: str) -> str:
    """Return the page with the present tables, each of which replaces the table with the same head."""
    for table in (checks_table(), policies_table(), controls_table()):
        head = re.escape(table.partition("\n")[0])
        page = re.sub(rf"^{head}\n(?:\|.*\n?)*", lambda _, made=table: f"{made}\n", page, flags=re.MULTILINE)
    return page


if __name__ == "__main__":
    PAGE.write_text(text(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
