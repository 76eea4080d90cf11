"""The Python interface of the contract, on the synthetic tables."""

from __future__ import annotations

import pytest

import privaudit
from privaudit.settings.config import Settings


@pytest.fixture(scope="module")
def report(few_people, fixtures):
    return privaudit.scan(
        few_people, auxiliary=str(fixtures / "register.csv"), truth={"person_key": "person_key"}, ner=False, seed=7
    )


def test_attributes_of_the_contract(report):
    assert report.risk.k_min == 1
    assert report.findings.at_least("high")
    assert {f.severity for f in report.findings.at_least("high")} <= {"high", "critical"}
    assert report.findings.with_code("QI001")
    assert report.wire.seed == 7
    assert report.attacks[0].n_targets > 0
    assert report.column("email").is_.entity == "EMAIL"
    assert report.to_frame().set_index("column").loc["county", "role"] == "quasi"


def test_gate_stops_a_program(report):
    with pytest.raises(privaudit.GateFailed, match=r'PII001 .*"email" contains e-mail addresses'):
        report.gate().raise_if_failed()
    with pytest.raises(privaudit.ConfigError, match='Unknown severity "terrible"'):
        report.findings.at_least("terrible")


def test_judging_under_another_k_shows_no_remedy_measured_for_this_one(report):
    other = privaudit.judge(report, policy="internal", framework="hipaa-safe-harbor")
    assert other.policy.k == 3 and other.advice == ()
    assert any(limit.what == "advice" for limit in other.limits)
    assert {control.framework for control in other.controls} == {"hipaa-safe-harbor"}


def test_wrong_options_say_which():
    with pytest.raises(privaudit.ConfigError, match="max_sizes"):
        privaudit.scan("x.csv", max_sizes=2)
    with pytest.raises(privaudit.ConfigError, match="max_size"):
        privaudit.scan("x.csv", max_size="2")
    with pytest.raises(privaudit.ConfigError, match='"max_size" must be 1 or more'):
        Settings(max_size=0)


@pytest.mark.slow
def test_progress_is_reported(fixtures):
    reported = []
    privaudit.scan(fixtures / "machines.csv", ner=False, progress=lambda what, share: reported.append((what, share)))
    assert [what for what, share in reported if what in ("source", "profile", "risk", "gate")]
    assert all(share is None or 0 <= share <= 1 for _, share in reported)
