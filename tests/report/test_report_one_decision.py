"""Whether a finding fails is decided once: every view states the decision of the gate, whatever its severity."""

from __future__ import annotations

import dataclasses
from types import ModuleType
from xml.etree import ElementTree as xml

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit import report as reports
from privaudit.model import SEVERITIES, Report, Severity, fails, order, severity_level
from privaudit.model.wording.render import FULL
from privaudit.report.entries import TableEntry
from privaudit.report.pages import index_page
from privaudit.report.sections import first_steps, verdict
from privaudit.rulebook.differences import differences
from privaudit.rulebook.gate import decide

FINDINGS = st.lists(
    st.tuples(st.sampled_from(SEVERITIES), st.sampled_from(("open", "accepted", "baseline"))), max_size=5
)


def judged(
    sample: ModuleType,
    found: list[tuple[Severity, str]],
    policy_fails: Severity,
    fail_on: Severity | None,
    is_incomplete: bool,
) -> Report:
    findings = tuple(
        sample.finding(3, f"c{i}", severity=severity, status=status, fingerprint=str(i), group=str(i))
        for i, (severity, status) in enumerate(found)
    )
    limits = (sample.incomplete(),) if is_incomplete else ()
    made = sample.small(findings=findings, limits=limits, checks=(sample.check(),))
    policy = dataclasses.replace(made.policy, fail_on=policy_fails)
    return dataclasses.replace(made, policy=policy, gate_=decide(findings, limits, policy, fail_on))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FINDINGS, st.sampled_from(SEVERITIES), st.none() | st.sampled_from(SEVERITIES), st.booleans())
def test_every_view_states_the_decision_of_the_gate(
    sample: ModuleType,
    found: list[tuple[Severity, str]],
    policy_fails: Severity,
    fail_on: Severity | None,
    is_incomplete: bool,
) -> None:
    made = judged(sample, found, policy_fails, fail_on, is_incomplete)
    least = severity_level(fail_on or policy_fails)
    failing = sum(status == "open" and severity_level(severity) >= least for severity, status in found)
    assert made.gate_.failed == (failing > 0)
    assert made.gate_.exit_code == (3 if is_incomplete else 1 if failing else 0)
    assert verdict.state(made) == ("failed" if failing else "incomplete" if is_incomplete else "passed")

    (row,) = index_page.rows([TableEntry(name="t", report=made)])
    for text in (row.result, str(made.gate_.headline)):
        assert ("failed" in text) == (failing > 0)
    assert ("not fully assessed" in row.result) == is_incomplete
    assert ("Do not release" in verdict.headline(made)) == (failing > 0)
    assert ("ot fully assessed" in verdict.headline(made)) == is_incomplete
    assert ("Can be released" in verdict.headline(made)) <= (made.gate_.exit_code == 0)

    suites = xml.fromstring(reports.render(made, "junit"))
    assert len(suites.findall(".//failure")) == failing
    errors = [line for line in reports.render(made, "github").splitlines() if line.startswith("::error")]
    assert len(errors) == failing + is_incomplete
    assert bool(first_steps.steps(made, FULL)) == bool(failing or is_incomplete)
    assert sum(fails(item, made.fail_on) for item in made.findings) == failing
    before = dataclasses.replace(made, findings=(), limits=())
    assert len(differences(before, made).failing) == failing


def test_a_gate_that_is_looser_than_the_policy_is_not_a_release(sample: ModuleType) -> None:
    made = judged(sample, [("high", "open")], "high", "critical", False)
    assert made.gate_.exit_code == 0
    assert verdict.headline(made) == "Passed at the severity that was set, but not within this policy"


@given(st.permutations(range(8)))
def test_the_order_of_findings_is_one(places: list[int]) -> None:
    from tests.report import sample as made

    found = [
        made.finding(5, "a", "PII001", severity="high", measure="pii.presence"),
        made.finding(90, "b", severity="high"),
        made.finding(7, "c", severity="high"),
        made.finding(99, "d", "DAT001", severity="high", measure="column.precision"),
        made.finding(3, "e", severity="medium"),
        made.finding(900, "f", severity="low"),
        made.finding(1, "h", severity="low"),
        dataclasses.replace(made.finding(1, "g", severity="low"), n_people=None),  # counts like nobody
    ]
    assert sorted([found[i] for i in places], key=order) == found
