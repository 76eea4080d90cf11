"""Measures of the acceptances and answers of a settings file: expired, without a finding, worse than accepted.

Question: which acceptances and answers no longer hold?
Method: each entry was matched with the findings of the other checks before; these measures read the result. The finding
that is open again and the finding about its acceptance have the same severity, so that removing an entry never turns a
failed gate into a passed one. Each answer was matched with the table and the current day before
Limits: an entry about a check that was not measured is neither used nor unused. An answer without a last day is never
overdue.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import replace

from privaudit.model import Finding, GivenAnswer, severity_level
from privaudit.model.wording import Columns, Count, Name, Number, Share, Threshold, Value, fact
from privaudit.rulebook.measurement import Context, MatchedAcceptance, Observation, measure
from privaudit.rulebook.packs import Check


@measure("acceptance.days_overdue")
def days_overdue(context: Context, check: Check) -> Iterator[Observation]:
    """Days since the last day of an acceptance that matches a finding."""
    for item in context.acceptances:
        if item.status == "expired":
            days, bound = (context.today - item.entry.expires).days, Threshold(item.entry.expires.isoformat())
            severity = max((finding.severity for finding in item.findings), key=severity_level)
            yield replace(_of(item, days, observed=Number(days), bound=bound), severity=severity)


@measure("acceptance.n_findings")
def n_findings(context: Context, check: Check) -> Iterator[Observation]:
    """Number of findings that an acceptance matches, where its check was measured."""
    # An entry whose check was not measured matches nothing for that reason alone: it must not be reported as no
    # longer needed.
    return (_of(item, len(item.findings)) for item in context.acceptances if item.status != "not_measured")


@measure("acceptance.n_exceeded")
def n_exceeded(context: Context, check: Check) -> Iterator[Observation]:
    """One for each finding whose observed value is worse than the accepted one."""
    for item in context.acceptances:
        for finding in item.exceeded if item.status == "exceeded" else ():
            assert item.entry.worst_accepted is not None and finding.observed is not None
            observed, bound = _value(finding.observed, finding), _value(item.entry.worst_accepted, finding)
            yield replace(
                _of(item, 1, observed=observed, bound=bound),
                subject=finding.subject,
                severity=finding.severity,
                key=f"{finding.code} {finding.fingerprint}",
            )


def _of(item: MatchedAcceptance, observed: int, /, **values: Value) -> Observation:
    accepted = fact("rulebook.accepted_finding", code=Name(item.entry.code), columns=Columns(item.entry.columns))
    return Observation(
        subject=item.entry.columns,
        observed=observed,
        key=f"{item.entry.code} {item.entry.fingerprint or ''}".strip(),
        values={**values, "other": accepted},
    )


def _value(observed: float | int | str, finding: Finding) -> Value:
    """Return an observed value as data, in the form of that of `finding`: a count, a share, a number or a level."""
    if isinstance(observed, str):
        return Name(observed)
    if isinstance(finding.observed, int):
        return fact("rulebook.observed_count", n=Count(round(observed), unit="item"))
    return Share(observed, of=finding.n_total) if 0 <= observed <= 1 else Number(observed)


@measure("answer.days_overdue")
def answer_days_overdue(context: Context, check: Check) -> Iterator[Observation]:
    """Days since the last day of an answer of a person."""
    for item in context.answers:
        if item.status == "overdue":
            days = (context.today - datetime.date.fromisoformat(item.until)).days
            yield _of_answer(item, days, observed=Number(days), bound=Threshold(item.until))


@measure("answer.about_other_data")
def answer_about_other_data(context: Context, check: Check) -> Iterator[Observation]:
    """One for each answer that was given about a table with another fingerprint."""
    return (_of_answer(item, 1) for item in context.answers if item.status == "other_data")


def _of_answer(item: GivenAnswer, observed: int, /, **values: Value) -> Observation:
    return Observation(subject=(), observed=observed, key=item.key, values={**values, "other": Name(item.key)})
