"""SARIF 2.1.0: the findings for code scanning, with rule help, stable fingerprints and suppressions.

Question: how does a code scanning service show a finding, recognise it in the next run, and see that it was accepted?
Method: one rule for each check that was judged, one result for each finding. The column is a logical location, the
table a physical one. The fingerprint is that of the finding and of the table, so that it depends on no number. An
accepted finding is suppressed with its reason; one that a baseline contains is unchanged. What could not be assessed is
a notification of the run. Several tables are one run with an invocation for each.
Limits: a table has no lines, so every result is at line 1.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import starmap
from typing import Any
from urllib.parse import quote

from privaudit._version import __version__
from privaudit.model import CheckOutcome, Finding, Limit, Report, order
from privaudit.model.wording import Edition, Wording
from privaudit.report.entries import TableEntry, only, place, reports_of, stable_id, unread
from privaudit.report.escape import markdown, name, visible
from privaudit.report.sentences import sentence, shown, shown_limit, wording_of

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/privaudit/privaudit"
MOST_RESULTS = 5_000
"""GitHub shows the first 5,000 results of a run."""

_LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}
_SCORES = {"critical": "9.5", "high": "8.0", "medium": "5.5", "low": "2.5", "info": "0.0"}
"""Severity as the number from 0 to 10 by which code scanning groups findings."""
_STATES = {"new": "new", "worse": "updated", "same": "unchanged"}


def render(report: Report, edition: Edition = "full") -> str:
    """Return `report` as SARIF text."""
    return render_several(only(report), edition)


def render_several(entries: Sequence[TableEntry], edition: Edition = "full") -> str:
    """Return the reports of several tables as one run: code scanning refuses files with more than 20 runs."""
    reports = reports_of(entries, edition)
    checks = {check.code: check for report in reports for check in report.checks}
    index = {code: i for i, code in enumerate(sorted(checks))}
    worded = [(report, wording_of(report, edition)) for report in reports]
    found = [(item, report, wording) for report, wording in worded for item in report.findings]
    # The worst first: the service keeps the first results of a run and drops the rest.
    found.sort(key=lambda one: order(one[0]))
    # A category of its own for one table: a later upload replaces the results of its category.
    table = f"{_uri(place(reports[0]))}/" if len(entries) == len(reports) == 1 else ""
    run = {
        "tool": {"driver": _driver(reports, [checks[code] for code in index])},
        "automationDetails": {"id": f"privaudit/{table}"},
        "invocations": [*starmap(_invocation, worded), *map(_not_run, unread(entries))],
        "columnKind": "unicodeCodePoints",
        "results": [_result(*one, index) for one in found[:MOST_RESULTS]],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _driver(reports: Sequence[Report], rules: list[CheckOutcome]) -> dict[str, Any]:
    return {
        "name": "privaudit",
        "version": name(reports[0].tool.version) if reports else __version__,
        "informationUri": HOME,
        "rules": [_rule(check) for check in rules],
    }


def _rule(check: CheckOutcome) -> dict[str, Any]:
    help_parts = (("Why it matters", check.why), ("What to do", check.remedy), ("How it is measured", check.docs))
    stated = [(title, visible(text)) for title, text in help_parts if text]
    return {
        "id": visible(check.code),
        "name": visible(check.name),
        "shortDescription": {"text": visible(check.title)},
        "fullDescription": {"text": visible(check.why) or visible(check.title)},
        "help": {
            "text": "\n".join(f"{title}: {text}" for title, text in stated) or visible(check.title),
            "markdown": "\n\n".join(f"**{title}**\n\n{markdown(text)}" for title, text in stated),
        },
        "defaultConfiguration": {"level": _LEVELS[check.severity]},
        "properties": {"tags": ["privacy"], "security-severity": _SCORES[check.severity]},
    }


def _invocation(report: Report, wording: Wording) -> dict[str, Any]:
    return {
        "executionSuccessful": not any(limit.incomplete for limit in report.limits),
        "commandLine": name(report.command, 2000),
        "exitCode": report.gate_.exit_code,
        "endTimeUtc": name(report.generated_at),
        "toolExecutionNotifications": [_notification(limit, report, wording) for limit in report.limits],
        "properties": {"table": name(report.dataset.name), "policy": name(report.policy.name), "k": report.policy.k},
    }


def _not_run(entry: tuple[str, str]) -> dict[str, Any]:
    """Return the invocation for a table that was not scanned."""
    table, error = entry
    notification = {"descriptor": {"id": "not-read"}, "level": "error", "message": {"text": f"{table}: {error}"}}
    return {"executionSuccessful": False, "toolExecutionNotifications": [notification], "properties": {"table": table}}


def _notification(limit: Limit, report: Report, wording: Wording) -> dict[str, Any]:
    return {
        "descriptor": {"id": visible(limit.code)},
        "level": "error" if limit.incomplete else "note",
        "message": {"text": ": ".join(shown_limit(wording, limit))},
        "locations": [{"physicalLocation": _physical(report)}],
    }


def _result(item: Finding, report: Report, wording: Wording, index: dict[str, int]) -> dict[str, Any]:
    identity = stable_id(item, report)
    result: dict[str, Any] = {
        "ruleId": visible(item.code),
        # Also for accepted findings: a suppression states that somebody decided, not that the result passed.
        "kind": "fail",
        "level": _LEVELS[item.severity],
        "message": {"text": shown(wording, item.message)},
        "locations": [_location(item, report)],
        # GitHub reads primaryLocationLineHash and no other fingerprint.
        "partialFingerprints": {"privauditFinding/v1": identity, "primaryLocationLineHash": f"{identity}:1"},
        "properties": _properties(item),
    }
    if item.code in index:
        result["ruleIndex"] = index[item.code]
    if item.change is not None:
        result["baselineState"] = _STATES[item.change]
    if item.status in ("accepted", "invented"):
        # An invented value does not belong to a person: nothing has to be decided about it.
        invented = item.status == "invented"
        why = sentence(wording, "report.finding_invented") if invented else _justification(item, report)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": why}]
    return result


def _properties(item: Finding) -> dict[str, Any]:
    values = {
        "severity": item.severity,
        "status": visible(item.status),
        "observed": item.observed,
        "limit": item.limit,
        "people": item.n_people,
        "of": item.n_total,
    }
    return {key: visible(value) if isinstance(value, str) else value for key, value in values.items()}


def _location(item: Finding, report: Report) -> dict[str, Any]:
    table = name(report.dataset.name)
    logical = [
        {"name": name(column), "fullyQualifiedName": f"{table}.{name(column)}", "kind": "member"}
        for column in item.subject
    ]
    return {
        "physicalLocation": _physical(report),
        "logicalLocations": logical or [{"name": table, "fullyQualifiedName": table, "kind": "module"}],
    }


def _physical(report: Report) -> dict[str, Any]:
    return {"artifactLocation": {"uri": _uri(place(report))}, "region": {"startLine": 1}}


def _uri(path: str) -> str:
    return quote(path, safe="/")


def _justification(item: Finding, report: Report) -> str:
    for accepted in report.acceptances:
        if item.fingerprint in accepted.findings:
            return f"{name(accepted.reason, 1000)} ({name(accepted.owner)}, until {name(accepted.expires)})"
    return ""
