"""Decide whether a report passes the gate.

Question: does the report pass, fail, or remain incomplete, and why?
Method: open findings at or above a severity fail the gate (exit code 1). Anything requested that could not be assessed
makes the result incomplete (exit code 3); incomplete takes precedence, because an incomplete scan proves nothing.
Limits: pure; accepted findings and those of a baseline carry another status than "open" before they arrive here.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.model import SEVERITIES, Finding, GateResult, Limit, PolicyInfo, Severity
from privaudit.model.wording import Fact, Name, Number, Term, fact

PASSED, FAILED, INCOMPLETE = 0, 1, 3
_DECISIONS = {PASSED: "passed", FAILED: "failed", INCOMPLETE: "incomplete"}
RISK_NOT_MEASURED = frozenset(
    {"risk.no_quasi_identifiers", "risk.no_quasi_declared", "risk.no_quasi_possible"}
)
"""The codes of limits that state that re-identification risk was not measured."""
MOST_REASONS = 20


def decide(
    findings: Sequence[Finding],
    limits: Sequence[Limit],
    policy: PolicyInfo,
    fail_on: Severity | None = None,
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
    least = SEVERITIES.index(fail_on or policy.fail_on)
    failing = [f for f in findings if f.status == "open" and SEVERITIES.index(f.severity) >= least]
    failing.sort(key=lambda f: (-SEVERITIES.index(f.severity), -(f.n_people or 0), f.code, f.subject))
    missing: list[Fact] = []
    for item in sorted(limits, key=lambda item: item.code not in RISK_NOT_MEASURED):
        reason = fact("gate.not_assessed", what=item.part("what"), why=item.part("why"))
        if item.incomplete and reason not in missing:
            missing.append(reason)
    reasons = _capped(missing, "gate.more_not_assessed")
    reasons += _capped([_failure(finding) for finding in failing], "gate.more_findings")
    exit_code = INCOMPLETE if missing else FAILED if failing else PASSED
    kept = any(f.status == "baseline" and SEVERITIES.index(f.severity) >= least for f in findings)
    return GateResult(
        passed=exit_code == PASSED,
        exit_code=exit_code,
        fail_on=fail_on,
        headline=_headline(exit_code, limits, policy, kept=kept),
        reasons=reasons,
    )


def _headline(exit_code: int, limits: Sequence[Limit], policy: PolicyInfo, *, kept: bool) -> Fact:
    """Return the decision in one sentence.

    A pass without a measured risk states so, and so does a pass because of a baseline (`kept`).
    """
    if kept and exit_code == PASSED:
        return fact("gate.passed_baseline", policy=Name(text=policy.title or policy.name))
    without = any(item.code in RISK_NOT_MEASURED for item in limits)
    code = _DECISIONS[exit_code] + ("_without_risk" if without else "")
    return fact(f"gate.{code}", policy=Name(text=policy.title or policy.name))


def _failure(finding: Finding) -> Fact:
    return fact(
        "gate.finding",
        code=Name(text=finding.code),
        name=Name(text=finding.name),
        severity=Term(code=finding.severity),
        message=finding.message,
    )


def _capped(reasons: Sequence[Fact], more: str) -> tuple[Fact, ...]:
    rest = len(reasons) - MOST_REASONS
    return (*reasons[:MOST_REASONS], *((fact(more, n=Number(value=rest)),) if rest > 0 else ()))
