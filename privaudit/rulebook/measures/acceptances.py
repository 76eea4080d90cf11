"""Measures of the acceptances of a settings file: expired, without a finding, or worse than accepted.

Question: which acceptances no longer hold?
Method: each entry was matched with the findings of the other checks before; these measures read the result. The finding
that is open again and the finding about its acceptance have the same severity, so that removing an entry never turns a
failed gate into a passed one.
Limits: an entry about a check that was not measured is neither used nor unused.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from privaudit.model import Finding, Severity, severity_level
from privaudit.model.wording import Columns, Count, Fact, Name, Number, Share, Threshold, Value, fact
from privaudit.rulebook.measurement import Context, MatchedAcceptance, Measurement, Observation, measure
from privaudit.rulebook.packs import Check


@measure("acceptance.days_overdue")
def days_overdue(context: Context, check: Check) -> Measurement:
    """Days since the last day of an acceptance that matches a finding."""
    expired = [item for item in context.acceptances if item.status == "expired"]
    return Measurement(observations=tuple(_overdue(item, context.today) for item in expired))


def _overdue(item: MatchedAcceptance, today: datetime.date) -> Observation:
    days = (today - item.entry.expires).days
    return Observation(
        subject=item.entry.columns,
        observed=days,
        severity=_worst(item.findings),
        key=_key(item),
        values={
            "observed": Number(value=days),
            "other": _accepted(item),
            "bound": Threshold(value=item.entry.expires.isoformat()),
        },
    )


@measure("acceptance.n_findings")
def n_findings(context: Context, check: Check) -> Measurement:
    """Number of findings that an acceptance matches, where its check was measured."""
    # An entry whose check was not measured matches nothing for that reason alone: it must not be reported as no
    # longer needed.
    measured = [item for item in context.acceptances if item.status != "not_measured"]
    return Measurement(
        observations=tuple(
            Observation(
                subject=item.entry.columns,
                observed=len(item.findings),
                key=_key(item),
                values={"other": _accepted(item)},
            )
            for item in measured
        )
    )


@measure("acceptance.n_exceeded")
def n_exceeded(context: Context, check: Check) -> Measurement:
    """One for each finding whose observed value is worse than the accepted one."""
    return Measurement(
        observations=tuple(
            _exceeded(item, finding)
            for item in context.acceptances
            if item.status == "exceeded"
            for finding in item.exceeded
        )
    )


def _exceeded(item: MatchedAcceptance, finding: Finding) -> Observation:
    assert item.entry.worst_accepted is not None and finding.observed is not None
    return Observation(
        subject=finding.subject,
        observed=1,
        severity=finding.severity,
        key=f"{finding.code} {finding.fingerprint}",
        values={
            "observed": _value(finding.observed, finding),
            "bound": _value(item.entry.worst_accepted, finding),
            "other": _accepted(item),
        },
    )


def _accepted(item: MatchedAcceptance) -> Fact:
    columns = Columns(names=item.entry.columns)
    return fact("rulebook.accepted_finding", code=Name(text=item.entry.code), columns=columns)


def _key(item: MatchedAcceptance) -> str:
    return f"{item.entry.code} {item.entry.fingerprint or ''}".strip()


def _worst(findings: Iterable[Finding]) -> Severity:
    return max((finding.severity for finding in findings), key=severity_level)


def _value(observed: float | int | str, finding: Finding) -> Value:
    """Return an observed value as data, in the form of that of `finding`: a count, a share, a number or a level."""
    if isinstance(observed, str):
        return Name(text=observed)
    if isinstance(finding.observed, int):
        return fact("rulebook.observed_count", n=Count(n=round(observed), unit="item"))
    return Share(value=observed, of=finding.n_total) if 0 <= observed <= 1 else Number(value=observed)
