"""The outcome of each check: its findings, what was not measured, and the record of both in the report.

Question: what became of a check?
Method: an `Outcome` pairs the check with its findings and gaps. The message of a finding is a fact: its code is the
code of the check, and its values fill the sentence of the check.
Limits: builds records; compares nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from privaudit.base.records import dataclass
from privaudit.base.wire import assembled
from privaudit.model import CheckOutcome, CheckState, Finding, PolicyInfo
from privaudit.model.wording import Columns, Count, EntityType, Fact, Share, Term, Threshold, Value, fact
from privaudit.model.wording.filling import placeholders
from privaudit.rulebook.measurement import Observation
from privaudit.rulebook.packs import Check

Limiting = float | int | str


@dataclass(frozen=True, kw_only=True)
class Fired:
    """A finding, and the entity type it is about, which the controls select by."""

    finding: Finding
    entity: str | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one check.

    ``run`` is false where nothing was measured, ``has_limit`` is false where the policy sets no limit, and ``applies``
    where the check is not about such tables.
    """

    check: Check
    limit: Limiting | None = None
    fired: tuple[Fired, ...] = ()
    gaps: tuple[Fact, ...] = ()
    run: bool = True
    has_limit: bool = True
    incomplete: bool = False
    applies: bool = True

    @property
    def state(self) -> CheckState:
        """Whether the check fired, passed, was not measured, or has no limit under the policy."""
        if self.fired:
            return "fired"
        if not self.applies:
            return "not_applicable"
        if not self.has_limit:
            return "no_limit"
        return "not_measured" if self.gaps or not self.run else "passed"


def build_finding(check: Check, item: Observation, limit: Limiting, policy: PolicyInfo) -> Finding:
    """Return the finding of `check` about `item`."""
    return Finding(
        code=check.code,
        name=check.name,
        subject=item.subject,
        severity=policy.severity.get(check.code) or item.severity or check.severity,
        # A count over declared columns is certain, whatever the certainty of the entity type.
        confidence=1.0 if check.confidence == "exact" else item.confidence,
        message=_message(check, item, limit, policy),
        measure=check.measure if item.entity is None else f"{check.measure}[{item.entity}]",
        observed=item.observed,
        limit=limit,
        n_people=item.n_people,
        n_total=item.n_total,
        unit=item.unit or "person",
        fingerprint=fingerprint(check.code, item.subject, item.entity or item.key),
        group=None if check.cause is None else fingerprint(check.cause, sorted(item.subject)),
    )


def _message(check: Check, item: Observation, limit: Limiting, policy: PolicyInfo) -> Fact:
    unit = item.unit or "person"
    values: dict[str, Value] = {
        "columns": Columns(item.subject),
        "limit": Threshold(limit),
        "k": Threshold(policy.k),
        "probability": Threshold(policy.probability),
        "people": fact("rulebook.people_not_counted"),
        "unit": Term(unit),
        "units": Term(f"{unit}.plural"),
        "entity": fact("rulebook.personal_data"),
    }
    if item.n_people is not None and item.n_total is not None:
        values["people"] = Count(item.n_people, of=item.n_total, unit=unit)
    if item.entity is not None:
        values["entity"] = EntityType(item.entity)
    if isinstance(item.observed, int):
        values["observed"] = Count(item.observed, unit="item")
    elif isinstance(item.observed, float) and 0 <= item.observed <= 1:
        values["observed"] = values["percent"] = Share(item.observed, of=item.n_total)
    values |= item.values
    # Only what the sentence shows is stored: nothing else of the finding has a reason to be published.
    used = placeholders(check.message)
    return Fact(code=check.code, values={name: value for name, value in values.items() if name in used})


def fingerprint(code: str, subject: Iterable[str], entity: str | None = None) -> str:
    """Return 16 hexadecimal digits that stay the same from scan to scan: no value, number or sentence."""
    # A character that no code or name contains separates the parts, so that different parts never give one text.
    parts = "\x1f".join((code, entity or "", *subject))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def check_outcome(outcome: Outcome, policy: PolicyInfo) -> CheckOutcome:
    """Return the record of `outcome` in the report, with the severity that `policy` sets."""
    check = outcome.check
    return assembled(
        CheckOutcome,
        outcome,
        check,
        severity=policy.severity.get(check.code, check.severity),
        state=outcome.state,
        remedy=check.do,
        n_findings=len(outcome.fired),
    )
