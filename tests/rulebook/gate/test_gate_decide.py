"""The decision of the gate: what fails, what is incomplete, and which takes precedence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model import SEVERITIES, Finding, Severity, limit
from privaudit.model.wording import Count, Fact, Name, fact
from privaudit.rulebook import load_policy
from privaudit.rulebook.gate import MOST_REASONS, decide

PUBLIC = load_policy("public")


def finding(severity: Severity, *, status: str = "open", people: int = 1, code: str = "QI001") -> Finding:
    return Finding(
        code=code,
        name="smallest-class-too-small",
        subject=("a",),
        severity=severity,
        confidence=1.0,
        message=Fact(code=code, values={"people": Count(n=people, of=100, unit="person")}),
        measure="class.k_min",
        observed=1,
        limit=15,
        n_people=people,
        n_total=100,
        status=status,
        fingerprint="0" * 16,
    )


REASON = fact("rulebook.no_auxiliary_table")
OPEN = limit(
    "rulebook.check_not_measured",
    incomplete=True,
    code=Name(text="PII001"),
    check=Name(text="x"),
    reason=REASON,
)
BOUND = limit("rulebook.check_not_measured", code=Name(text="PII002"), check=Name(text="y"), reason=REASON)


def test_nothing_found_passes() -> None:
    assert decide((), (BOUND,), PUBLIC) == decide([], [], PUBLIC)
    assert decide((), (), PUBLIC).passed


@pytest.mark.parametrize(
    ("severity", "exit_code"), [("info", 0), ("low", 0), ("medium", 0), ("high", 1), ("critical", 1)]
)
def test_the_policy_s_severity_fails(severity: Severity, exit_code: int) -> None:
    assert decide([finding(severity)], (), PUBLIC).exit_code == exit_code


def test_incomplete_takes_precedence_over_failed() -> None:
    result = decide([finding("critical")], [BOUND, OPEN], PUBLIC)
    assert (result.passed, result.exit_code) == (False, 3)
    assert str(result.reasons[0]) == "Not assessed: PII001 x: no auxiliary table was given."
    assert len(result.reasons) == 2


def test_accepted_findings_do_not_fail() -> None:
    assert decide([finding("critical", status="accepted")], (), PUBLIC).passed


def test_reasons_come_worst_first_and_the_rest_is_counted() -> None:
    many = [finding("high", people=i) for i in range(1, 31)] + [finding("critical", people=1)]
    result = decide(many, (), PUBLIC)
    assert "critical" in str(result.reasons[0])
    assert "30 of 100 people" in str(result.reasons[1])
    assert len(result.reasons) == MOST_REASONS + 1
    assert str(result.reasons[-1]) == "11 more findings fail the gate."


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(SEVERITIES), max_size=5), st.sampled_from(SEVERITIES), st.booleans())
def test_a_lower_severity_to_fail_on_never_passes_more(
    found: list[Severity], fail_on: Severity, unknown: bool
) -> None:
    findings = [finding(severity) for severity in found]
    limits = [OPEN] if unknown else []
    results = [decide(findings, limits, PUBLIC, level).passed for level in SEVERITIES]
    assert results == sorted(results)
    worst = max((SEVERITIES.index(s) for s in found), default=-1)
    expected = not unknown and worst < SEVERITIES.index(fail_on)
    assert decide(findings, limits, PUBLIC, fail_on).passed is expected


@given(st.permutations([finding("high"), finding("critical"), finding("high", code="QI003")]))
def test_the_order_of_findings_changes_nothing(found: list[Finding]) -> None:
    assert decide(found, (), PUBLIC) == decide(sorted(found, key=lambda f: f.code), (), PUBLIC)
