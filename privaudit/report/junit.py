"""JUnit XML: one test case for each check and column, so that passes show too.

Question: which checks passed, failed or did not run, in the form in which build servers show tests?
Method: a check of single columns has a case for every column it is about, another check one for each finding, or one
for the table. A case fails where its finding fails the gate; other open findings pass with their sentence as output.
An accepted finding, one of the baseline, and a check that was not measured are skipped with the reason. What was
requested and could not be assessed is an error.
Limits: of very wide tables the passed cases beyond `MOST_PASSED` are counted and not listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as xml

from privaudit.base.records import dataclass
from privaudit.model import CheckOutcome, Finding, Report, fails
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import Edition, Number, Wording
from privaudit.report.entries import TableEntry, only, reports_of, unread
from privaudit.report.escape import name
from privaudit.report.sentences import sentence, shown, shown_limit, wording_of

MOST_PASSED = 20_000
_KINDS = {"failure": "failures", "error": "errors", "skipped": "skipped"}


@dataclass(frozen=True, slots=True)
class Case:
    """One test case: its result is "", "failure", "error" or "skipped"."""

    name: str
    result: str = ""
    kind: str = ""
    text: str = ""


def render(report: Report, edition: Edition = "full") -> str:
    """Return `report` as JUnit XML."""
    return render_several(only(report), edition)


def render_several(entries: Sequence[TableEntry], edition: Edition = "full") -> str:
    """Return the reports of several tables as one document; the names of the suites begin with that of the table."""
    title = f" {name(entries[0].name)}" if len(entries) == 1 else ""
    root = xml.Element("testsuites", name=f"privaudit{title}")
    left = MOST_PASSED
    for report in reports_of(entries, edition):
        left = _add_suites(root, report, edition, left, prefix=f"{report.dataset.name}: " if len(entries) > 1 else "")
    for table, error in unread(entries):
        _suite(root, f"{table}: Not assessed", f"{table}.not-read", [Case("table", "error", "not-read", error)], "")
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{xml.tostring(root, encoding="unicode")}\n'


def _add_suites(root: xml.Element, report: Report, edition: Edition, left: int, *, prefix: str) -> int:
    """Add a suite for each check of a table, and return how many further passed cases may be listed."""
    wording, table = wording_of(report, edition), name(report.dataset.name)
    suites = [(f"{check.code} {check.title}", check.code, _cases(check, report, wording)) for check in report.checks]
    missing = [
        Case(what, "error", "not-assessed", why)
        for what, why in (shown_limit(wording, limit) for limit in report.limits if limit.incomplete)
    ]
    if missing:
        suites.append(("Not assessed", "not-assessed", missing))
    for title, code, cases in suites:
        listed, left = _within(cases, left)
        _suite(root, prefix + title, f"{table}.{code}", listed, report.generated_at)
        if len(listed) < len(cases):
            hidden = Number(len(cases) - len(listed))
            xml.SubElement(root[-1], "system-out").text = sentence(wording, "report.passed_not_listed", n=hidden)
    return left


def _within(cases: Sequence[Case], left: int) -> tuple[list[Case], int]:
    listed = []
    for case in cases:
        if case.result or left > 0:
            listed.append(case)
            # Only passed cases are cut, never one that fails.
            left -= not case.result
    return listed, left


def _cases(check: CheckOutcome, report: Report, wording: Wording) -> list[Case]:
    found: dict[tuple[str, ...], list[Finding]] = {}
    for item in report.findings:
        if item.code == check.code:
            found.setdefault(item.subject, []).append(item)
    # Also those without a finding: a case that passed is what distinguishes "checked" from "not checked".
    for subject in _examined(check, report):
        found.setdefault(subject, [])
    return [
        case
        for subject, items in sorted(found.items())
        for case in (_of_findings(items, subject, report, wording) if items else [_without(check, subject, wording)])
    ]


def _examined(check: CheckOutcome, report: Report) -> Iterator[tuple[str, ...]]:
    """Yield the subjects that a check is about, whether it has a finding on them or not."""
    sensitive = () if report.risk is None else report.risk.sensitive
    subject = family(check.measure).subject if check.state in ("passed", "fired") else "table"
    if subject == "column":
        yield from ((column.name,) for column in report.columns)
    elif subject == "sensitive":
        yield from ((column,) for column in sensitive)
    elif check.state != "fired":
        yield ()


def _title(subject: Sequence[str]) -> str:
    return name(" + ".join(map(name, subject)), 400) if subject else "table"


def _of_findings(items: Sequence[Finding], subject: Sequence[str], report: Report, wording: Wording) -> Iterator[Case]:
    for item in items:
        text = shown(wording, item.message)
        # Two types in one column are two findings of one check: without the type, the cases had one name.
        _, bracket, entity = item.measure.partition("[")
        title = f"{_title(subject)} {name(bracket + entity)}" if bracket else _title(subject)
        if item.status != "open":
            yield Case(title, "skipped", name(item.status), f"{text} {_reason(item, report)}".strip())
        else:
            yield Case(title, "failure" if fails(item, report.fail_on) else "", item.severity, text)


def _reason(item: Finding, report: Report) -> str:
    accepted = next((entry for entry in report.acceptances if item.fingerprint in entry.findings), None)
    return "" if accepted is None else name(f"{accepted.owner}: {accepted.reason}", 1000)


def _without(check: CheckOutcome, subject: Sequence[str], wording: Wording) -> Case:
    if check.state in ("passed", "fired"):
        return Case(_title(subject))
    gaps = "; ".join(shown(wording, gap) for gap in check.gaps[:8])
    return Case(_title(subject), "skipped", check.state, gaps or check.state.replace("_", " "))


def _suite(root: xml.Element, title: str, group: str, cases: Sequence[Case], moment: str) -> None:
    counts = {key: str(sum(case.result == result for case in cases)) for result, key in _KINDS.items()}
    suite = xml.SubElement(root, "testsuite", {"name": name(title, 400), "tests": str(len(cases)), **counts})
    if moment:
        suite.set("timestamp", name(moment))
    for case in cases:
        one = xml.SubElement(suite, "testcase", name=name(case.name, 400), classname=name(group, 400))
        if case.result:
            xml.SubElement(one, case.result, type=case.kind, message=case.text).text = case.text
        elif case.text:
            xml.SubElement(one, "system-out").text = f"{case.kind}: {case.text}"
