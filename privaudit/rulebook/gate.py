"""Decide whether a report passes the gate.

Question: does the report pass, fail, or remain incomplete, and why?
Method: open findings at or above a severity fail the gate (exit code 1). Anything requested that could not be assessed
makes the result incomplete (exit code 3). The code 3 takes precedence, because an incomplete scan proves nothing; where
both hold, the headline and the reasons state both.
Limits: pure; accepted findings and those of a baseline carry another status than "open" before they arrive here.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.model import Finding, GateResult, Limit, PolicyInfo, Severity, fails, reaches, worst_first
from privaudit.model.wording import Fact, Name, Number, Term, fact

PASSED, FAILED, INCOMPLETE = 0, 1, 3
_DECISIONS = {PASSED: "passed", FAILED: "failed", INCOMPLETE: "incomplete"}
RISK_NOT_MEASURED = frozenset({"risk.no_quasi_identifiers", "risk.no_quasi_declared", "risk.no_quasi_possible"})
"""The codes of limits that state that re-identification risk was not measured."""
MOST_REASONS = 20


def decide(
    findings: Sequence[Finding], limits: Sequence[Limit], policy: PolicyInfo, fail_on: Severity | None = None
) -> GateResult:
    """Return the decision with its reasons, worst first.

    Parameters
    ----------
    findings : sequence of Finding
        Only those whose status is "open" count.
    limits : sequence of Limit
        An incomplete limit leads to exit code 3, whatever the findings.
    policy : PolicyInfo
        Names the severity that fails, unless `fail_on` does.
    fail_on : severity, optional
        Findings of this severity or worse fail the gate.

    Returns
    -------
    GateResult
        ``exit_code`` 0 passed, 1 failed, 3 incomplete; ``headline`` states the decision in one sentence, and where
        re-identification risk was not measured, that too.
    """
    least = fail_on or policy.fail_on
    failing = worst_first(finding for finding in findings if fails(finding, least))
    missing: list[Fact] = []
    for item in sorted(limits, key=lambda item: item.code not in RISK_NOT_MEASURED):
        reason = fact("gate.not_assessed", what=item.part("what"), why=item.part("why"))
        # Several parts can leave the same limit; a reader needs it once.
        if item.incomplete and reason not in missing:
            missing.append(reason)
    reasons = _capped(missing, "gate.more_not_assessed")
    reasons += _capped([_failure(finding) for finding in failing], "gate.more_findings")
    # Incomplete before failed: what was not assessed could hold more findings, and the next run may differ.
    exit_code = INCOMPLETE if missing else FAILED if failing else PASSED
    kept = any(f.status == "baseline" and reaches(f.severity, least) for f in findings)
    decision = "failed_incomplete" if missing and failing else _DECISIONS[exit_code]
    return GateResult(
        passed=exit_code == PASSED,
        exit_code=exit_code,
        fail_on=fail_on,
        headline=_headline(decision, limits, policy, kept=kept),
        reasons=reasons,
    )


def _headline(decision: str, limits: Sequence[Limit], policy: PolicyInfo, *, kept: bool) -> Fact:
    """Return the decision in one sentence.

    A pass without a measured risk states so, and so does a pass because of a baseline (`kept`).
    """
    if kept and decision == "passed":
        return fact("gate.passed_baseline", policy=Name(policy.title or policy.name))
    without = any(item.code in RISK_NOT_MEASURED for item in limits)
    return fact(f"gate.{decision}{'_without_risk' if without else ''}", policy=Name(policy.title or policy.name))


def _failure(finding: Finding) -> Fact:
    return fact(
        "gate.finding",
        code=Name(finding.code),
        name=Name(finding.name),
        severity=Term(finding.severity),
        message=finding.message,
    )


def _capped(reasons: Sequence[Fact], more: str) -> tuple[Fact, ...]:
    rest = len(reasons) - MOST_REASONS
    return (*reasons[:MOST_REASONS], *((fact(more, n=Number(rest)),) if rest > 0 else ()))
