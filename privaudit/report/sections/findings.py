"""The sections on findings and on the outcome of every check.

Question: which checks fired, how severe is each finding, and which checks passed or could not be measured?
Method: findings worst first, alike ones grouped and cut; whatever is cut is counted.
Limits: shows what the rules decided; decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from privaudit.model import SEVERITIES, CheckOutcome, Finding, Report, worst_first
from privaudit.model.wording import Count, Fact, Name, Number, Share, Wording
from privaudit.report.escape import name
from privaudit.report.sections import first_steps, ranking
from privaudit.report.sections.ranking import Group
from privaudit.report.sentences import View, sentence, shown, shown_value

MOST_FINDINGS = 200
MOST_ALIKE = 4
MOST_LINES = 40
"""Findings that are listed at once; the lines of the others are folded."""
MOST_GAPS = 8
ON_TWO_PAGES = 60
"""Lines of findings and columns on the two pages that are printed before the annex, which has all findings."""
LEAST_PRINTED = 15
_STATES = (
    ("passed", "Passed", "report.checks_passed"),
    ("not_measured", "Not measured", "report.checks_not_measured"),
    ("no_limit", "No limit set", "report.checks_no_limit"),
)


def findings(report: Report, wording: Wording) -> View:
    """Return the findings, worst first; accepted ones separately."""
    still_open = ranking.still_open(report)
    others = [item for item in worst_first(report.findings) if item.status != "open"]
    listed = still_open[:MOST_FINDINGS]
    groups = ranking.grouped(listed)
    advised = {check.code: check.remedy for check in report.checks}
    rows = [_advised(item, advised, wording) for group in groups for item in group.findings]
    return {
        "rows": rows,
        "first": rows[:MOST_LINES],
        "more": rows[MOST_LINES:],
        "n_printed": min(MOST_LINES, max(LEAST_PRINTED, ON_TWO_PAGES - len(report.columns))),
        "groups": [_group(group, wording) for group in groups],
        "n_hidden": max(0, len(still_open) - MOST_FINDINGS),
        "accepted": [_finding(item, wording) for item in others[:MOST_FINDINGS]],
        "n_accepted_hidden": max(0, len(others) - MOST_FINDINGS),
        "counts": [
            {"severity": severity, "n": f"{sum(item.severity == severity for item in still_open):,}"}
            for severity in reversed(SEVERITIES)
            if any(item.severity == severity for item in still_open)
        ],
    }


def _advised(item: Finding, advised: Mapping[str, str], wording: Wording) -> View:
    """Return a finding with what its check recommends."""
    remedy = name(wording.fill(advised.get(item.code, ""), item.message.values), 400)
    return {**_finding(item, wording), "remedy": remedy}


def _group(group: Group, wording: Wording) -> View:
    """Return the findings of one cause, or of one check; those beyond the first, or beyond a few, separately."""
    rows = [_finding(item, wording) for item in group.findings]
    shown_first = 1 if group.same_cause else MOST_ALIKE
    more = rows[shown_first:]
    codes = ", ".join(dict.fromkeys(row["code"] for row in more))
    code = "report.findings_same_cause" if group.same_cause else "report.findings_alike"
    title = sentence(wording, code, n=Number(len(more)), codes=Name(codes)) if more else ""
    return {"first": rows[:shown_first], "more": more, "title": title}


def _finding(item: Finding, wording: Wording) -> View:
    people = ""
    if item.n_people is not None and item.n_total is not None:
        people = wording.people(item.n_people, item.n_total, item.unit)
    return {
        "anchor": first_steps.finding_anchor(item),
        "code": name(item.code, 20),
        "name": name(item.name, 80).replace("-", " "),
        "severity": item.severity,
        "subject": [name(column) for column in item.subject[:12]],
        "n_subject_hidden": max(0, len(item.subject) - 12),
        "message": _message(item, wording),
        "people": people,
        "facts": _facts(item, people, wording),
        "remedy": "",
    }


def _facts(item: Finding, people: str, wording: Wording) -> list[str]:
    """Return what the sentence of a finding does not state."""
    facts = [people] if people and not _states_count(item.message, item.n_people) else []
    if not wording.public:
        facts.append(sentence(wording, "report.finding_confidence", share=Share(item.confidence)))
    if item.status != "open":
        facts.append(sentence(wording, "report.finding_status", status=Name(name(item.status, 40))))
    return facts


def _message(item: Finding, wording: Wording) -> str:
    """Return the sentence of a finding; where it is worse than in the baseline, with the value observed then."""
    message = shown(wording, item.message)
    if item.change != "worse" or item.before is None or wording.public:
        return message
    before = Name(shown_value(item.before))
    return sentence(wording, "report.baseline_before", message=Name(message), before=before)


def _states_count(message: Fact, n_people: int | None) -> bool:
    return any(isinstance(value, Count) and value.n == n_people for value in message.values.values())


def checks(report: Report, wording: Wording) -> View:
    """Return the checks without a finding by their state: passed, not measured, without a limit."""
    states = []
    for state, title, note in _STATES:
        rows = [_check(check, wording) for check in report.checks if check.state == state]
        if rows:
            states.append({"state": state, "title": title, "note": sentence(wording, note), "rows": rows})
    return {"states": states, "n": sum(len(state["rows"]) for state in states)}


def _check(check: CheckOutcome, wording: Wording) -> View:
    return {
        "code": name(check.code, 20),
        "title": name(check.title, 200),
        "gaps": [shown(wording, gap) for gap in check.gaps[:MOST_GAPS]],
    }
