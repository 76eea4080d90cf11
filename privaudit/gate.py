"""Decide: does this report pass?

Question: pass, fail, or incomplete, and why?
Method: findings at or above a severity fail the gate (1); anything that was asked for and not assessed makes it
incomplete (3), which goes before failing, because an incomplete scan proves neither.
Limits: pure; accepted findings and those of a baseline are told apart by their status before.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.model import SEVERITIES, Finding, GateResult, Limit, PolicyInfo, Severity

PASSED, FAILED, INCOMPLETE = 0, 1, 3
MOST_REASONS = 20


def decide(
    findings: Sequence[Finding],
    limits: Sequence[Limit],
    policy: PolicyInfo,
    fail_on: Severity | None = None,
) -> GateResult:
    """Return the decision with its reasons as sentences, worst first.

    Parameters
    ----------
    findings : sequence of Finding
        Only those whose status is "open" count.
    limits : sequence of Limit
        One that is incomplete leads to exit code 3, whatever the findings.
    policy : PolicyInfo
        Names the severity that fails, unless `fail_on` does.
    fail_on : severity, optional
        Findings of this severity or worse fail the gate.

    Returns
    -------
    GateResult
        ``exit_code`` 0 passed, 1 failed, 3 incomplete.
    """
    least = SEVERITIES.index(fail_on or policy.fail_on)
    failing = [f for f in findings if f.status == "open" and SEVERITIES.index(f.severity) >= least]
    failing.sort(key=lambda f: (-SEVERITIES.index(f.severity), -(f.n_people or 0), f.code, f.subject))
    missing = list(dict.fromkeys(f"Not assessed: {x.what}: {x.why}." for x in limits if x.incomplete))
    reasons = _capped(missing, "things were not assessed") + _capped(
        [f"{f.code} {f.name} ({f.severity}): {f.message}" for f in failing], "findings fail the gate"
    )
    exit_code = INCOMPLETE if missing else FAILED if failing else PASSED
    return GateResult(passed=exit_code == PASSED, exit_code=exit_code, reasons=reasons)


def _capped(sentences: Sequence[str], what: str) -> tuple[str, ...]:
    rest = len(sentences) - MOST_REASONS
    more = (f"{rest:,} more {what}.",) if rest > 0 else ()
    return (*sentences[:MOST_REASONS], *more)
