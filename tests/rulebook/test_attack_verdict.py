"""The verdict on attacks alone: the checks and the gate of a scan, applied to attacks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from privaudit.model import Attack, Evidence, limit
from privaudit.model.advantage import advantage
from privaudit.model.report import DatasetInfo
from privaudit.model.stats import wilson
from privaudit.rulebook import judge, judge_attacks, load_policy

POLICY = load_policy("public")
NOTHING = DatasetInfo(name="", fingerprint="", format="", engine="", n_rows=0, n_columns=0)

CHECK = """
family = "MYX"
title = "Mine"
version = "1"
as_of = 2026-01-01

[[check]]
code = "MYX001"
name = "advantage-of-a-half"
title = "An advantage of mine"
measure = "attack.singling_out"
fires_when = "above"
limit = 0.3
origin = "our own rule"
severity = "critical"
confidence = "estimate"
message = "The advantage is at least {bound}; {limit:percent} are allowed."
why = "because"
do = "generalise"
status = "preview"
docs = "mine"

[[check.case]]
name = "forty of a hundred"
fires = true
evidence = { attacks = [{ kind = "singling_out", targets = 1000, correct = 400, outsiders = 1000, control = 5 }] }

[[check.case]]
name = "none of a thousand"
fires = false
evidence = { attacks = [{ kind = "singling_out", targets = 1000, correct = 0, outsiders = 1000, control = 5 }] }
"""


def attack(kind, correct, control, n=1_000):
    success, outsiders = wilson(correct, n), wilson(control, n)
    return Attack(
        kind=kind,
        knowledge=("age",),
        n_targets=n,
        success=success,
        baseline=0.0,
        control=outsiders.value,
        control_rate=outsiders,
        advantage=advantage(success, outsiders),
        against="control",
    )


KINDS = ("copies", "near_copies", "membership", "singling_out", "linkability", "inference")


@pytest.mark.quick_cases(6)
@pytest.mark.parametrize("kind", KINDS)
def test_disclosure_fails_and_population_knowledge_passes(kind):
    failed, passed = (judge_attacks([attack(kind, 400, control)], POLICY) for control in (20, 400))
    assert (failed.gate.exit_code, passed.gate.exit_code) == (1, 0)
    assert [one.state for one in failed.checks] == ["fired"] and [one.state for one in passed.checks] == ["passed"]
    assert len(failed.findings) == 1 and not passed.findings


def test_the_verdict_is_that_of_a_judged_report():
    attacks = tuple(attack(kind, 60 * i, 100) for i, kind in enumerate(KINDS))
    evidence = Evidence(dataset=NOTHING, columns=(), combinations=(), risk=None, attacks=attacks, limits=(), seed=0)
    whole = judge(evidence, POLICY)
    verdict = judge_attacks(attacks, POLICY)
    assert {one.fingerprint for one in verdict.findings} == {
        one.fingerprint for one in whole.findings if one.measure.startswith("attack.")
    }
    assert verdict.checks == tuple(
        one for one in whole.checks if one.measure.startswith("attack.") and one.state in ("fired", "passed")
    )


def test_what_was_not_measured_is_incomplete_and_what_is_not_judged_has_no_outcome():
    missing = limit("attacks.no_outsiders", incomplete=True)
    assert judge_attacks([attack("copies", 0, 0)], POLICY, limits=[missing]).gate.exit_code == 3
    alone = replace(attack("copies", 400, 0), is_headline=True)
    assert judge_attacks([alone], POLICY).checks == ()


def test_the_severity_that_fails_and_further_checks_can_be_given(tmp_path):
    attacks = [attack("singling_out", 400, 20)]
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "mine.toml").write_text(CHECK, encoding="utf-8")
    assert judge_attacks(attacks, POLICY).findings[0].severity == "high"
    assert judge_attacks(attacks, POLICY, fail_on="critical").gate.exit_code == 0
    verdict = judge_attacks(attacks, POLICY, fail_on="critical", rules=tmp_path)
    assert [one.code for one in verdict.findings] == ["MYX001", "SNG001"] and verdict.gate.exit_code == 1
