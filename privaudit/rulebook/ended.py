"""What of a report has ended since it was written.

Question: which findings does a saved report have on another day?
Method: a finding is open again where every acceptance of it has ended, and the checks that count the days since the
end of acceptances and answers are run again.
Limits: measures nothing, and judges by no other rule: `privaudit judge` does that.
"""

from __future__ import annotations

import datetime
from dataclasses import replace

from privaudit.model import Finding, PolicyInfo, Report
from privaudit.rulebook.acceptances import entries_of
from privaudit.rulebook.judge import run
from privaudit.rulebook.load import load_checks
from privaudit.rulebook.measurement import Context, MatchedAcceptance

_OF_THE_DAY = frozenset({"acceptance.days_overdue", "answer.days_overdue"})
"""Measures of what has ended."""


def findings_on(report: Report, policy: PolicyInfo, today: datetime.date) -> tuple[Finding, ...]:
    """Return the findings of `report` on a day: those whose acceptances have ended are open, and the end is a finding.

    Parameters
    ----------
    report : Report
    policy : PolicyInfo
        Its severities apply to the findings about what has ended.
    today : date
    """
    day = today.isoformat()
    if not any(item.expires < day for item in report.acceptances) and not any(
        item.until and item.until < day for item in report.answers
    ):
        return report.findings
    checks = {check.code: check for check in load_checks() if check.measure in _OF_THE_DAY}
    held = {mark for item in report.acceptances if item.expires >= day for mark in item.findings}
    context = Context(
        evidence=report.evidence,
        policy=policy,
        today=today,
        acceptances=_matched(report, today),
        answers=tuple(
            replace(item, status="overdue") if item.until and item.until < day else item for item in report.answers
        ),
    )
    kept = (
        replace(finding, status="open") if finding.status == "accepted" and finding.fingerprint not in held else finding
        for finding in report.findings
        if finding.code not in checks
    )
    return (*kept, *(item.finding for check in checks.values() for item in run(check, context).fired))


def _matched(report: Report, today: datetime.date) -> tuple[MatchedAcceptance, ...]:
    """Return the acceptances of a report with the findings that each matches."""
    by_mark = {finding.fingerprint: finding for finding in report.findings}
    found = []
    for item, entry in zip(report.acceptances, entries_of(report.acceptances), strict=True):
        matched = tuple(by_mark[mark] for mark in item.findings if mark in by_mark)
        has_ended = matched and entry.expires < today
        found.append(MatchedAcceptance(entry=entry, status="expired" if has_ended else item.status, findings=matched))
    return tuple(found)
