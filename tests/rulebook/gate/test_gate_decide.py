"""The decision of the gate: what fails, what is incomplete, and which takes precedence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model import SEVERITIES, Finding, Limit, Severity, limit, open_by
from privaudit.model.wording import Count, Fact, Name, Number, Term, fact
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
    "rulebook.check_not_measured", incomplete=True, code=Name(text="PII001"), check=Name(text="x"), reason=REASON
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
def test_a_lower_severity_to_fail_on_never_passes_more(found: list[Severity], fail_on: Severity, unknown: bool) -> None:
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


UNMEASURED = limit("risk.no_quasi_declared")
STATED = {
    (False, False, False): "gate.passed",
    (False, False, True): "gate.passed_without_risk",
    (True, False, False): "gate.failed",
    (True, False, True): "gate.failed_without_risk",
    (False, True, False): "gate.incomplete",
    (False, True, True): "gate.incomplete_without_risk",
    (True, True, False): "gate.failed_incomplete",
    (True, True, True): "gate.failed_incomplete_without_risk",
}
"""The headline where a finding fails, something was not assessed, and risk was not measured."""


@pytest.mark.parametrize(("fails", "unknown", "without_risk"), list(STATED))
def test_the_headline_states_all_that_holds(fails: bool, unknown: bool, without_risk: bool) -> None:
    limits = [*([OPEN] if unknown else ()), *([UNMEASURED] if without_risk else ()), BOUND]
    headline = decide([finding("high" if fails else "low")], limits, PUBLIC).headline
    assert headline == Fact(code=STATED[fails, unknown, without_risk], values={"policy": Name(text=PUBLIC.title)})


@pytest.mark.parametrize(
    ("severity", "status", "expected"),
    [
        ("high", "baseline", "gate.passed_baseline"),
        ("critical", "baseline", "gate.passed_baseline"),
        ("medium", "baseline", "gate.passed"),
        ("high", "accepted", "gate.passed"),
        ("medium", "open", "gate.passed"),
    ],
)
def test_a_pass_because_of_a_baseline_states_so(severity: Severity, status: str, expected: str) -> None:
    result = decide([finding(severity, status=status)], (), PUBLIC)
    assert result.headline == Fact(code=expected, values={"policy": Name(text=PUBLIC.title)})


def test_a_baseline_is_not_the_reason_where_something_else_decides() -> None:
    kept = finding("high", status="baseline")
    assert decide([kept, finding("high")], (), PUBLIC).headline.code == "gate.failed"
    assert decide([kept], [OPEN], PUBLIC).headline.code == "gate.incomplete"
    assert decide([finding("medium", status="baseline")], (), PUBLIC, "medium").headline.code == "gate.passed_baseline"


def test_a_policy_without_a_title_is_called_by_its_name() -> None:
    untitled = replace(PUBLIC, title="", name="ours")
    for found in ((), [finding("high", status="baseline")]):
        assert decide(found, (), untitled).headline.values["policy"] == Name(text="ours")


def test_a_reason_has_the_parts_of_its_finding() -> None:
    made = finding("critical")
    (reason,) = decide([made], (), PUBLIC).reasons
    assert reason == fact(
        "gate.finding",
        code=Name(text=made.code),
        name=Name(text=made.name),
        severity=Term(code="critical"),
        message=made.message,
    )


def test_what_was_not_assessed_is_listed_once_and_the_rest_counted() -> None:
    def gap(i: int) -> Limit:
        return limit(
            "rulebook.check_not_measured", incomplete=True, code=Name(text=f"A{i}"), check=Name(text="x"), reason=REASON
        )

    exactly = decide((), [gap(i) for i in range(MOST_REASONS)] * 2, PUBLIC).reasons
    assert [reason.code for reason in exactly] == ["gate.not_assessed"] * MOST_REASONS
    both = decide([finding("high")], [gap(i) for i in range(MOST_REASONS + 3)], PUBLIC).reasons
    assert both[MOST_REASONS] == fact("gate.more_not_assessed", n=Number(value=3))
    assert [reason.code for reason in both[MOST_REASONS + 1 :]] == ["gate.finding"]
    most = [finding("high", people=i) for i in range(MOST_REASONS + 1)]
    assert decide(most[1:], (), PUBLIC).reasons[-1].code == "gate.finding"
    assert decide(most, (), PUBLIC).reasons[-1] == fact("gate.more_findings", n=Number(value=1))


def test_open_findings_are_counted_by_their_keys_and_severity() -> None:
    findings = [*map(finding, ("high", "low", "high")), finding("high", status="accepted")]
    counted = open_by(findings, lambda found: (found.code, *found.subject))
    assert counted == {"QI001": {"high": 2, "low": 1}, "a": {"high": 2, "low": 1}}
    assert counted["no finding"] == {}


@pytest.mark.parametrize("fail_on", [None, *SEVERITIES])
def test_the_result_keeps_the_severity_it_was_set_to(fail_on: Severity | None) -> None:
    result = decide([finding("medium")], (), PUBLIC, fail_on)
    assert result.fail_on == fail_on
    assert result.passed == (result.exit_code == 0) == (fail_on not in ("info", "low", "medium"))
