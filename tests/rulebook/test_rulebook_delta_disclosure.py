"""A limit on delta-disclosure: an unbounded delta fails every limit, a missing one is not measured."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from privaudit.rulebook import judge, load_checks, load_policy
from privaudit.rulebook.cases import CaseEvidence, build_evidence, run_case
from privaudit.rulebook.packs import check_record

PACK = """
family = "OUR"
title = "Requirements of our board"
version = "1"
as_of = 2026-01-01

[[check]]
code = "OUR001"
name = "delta-disclosure"
title = "delta-disclosure above our limit"
measure = "disclosure.delta"
fires_when = "above"
limit = {limit}
origin = "our board"
severity = "high"
confidence = "exact"
message = "delta-disclosure of {{columns}} is {{observed}}; our board allows {{limit}}."
why = "Group membership changes what is known of a person."
do = "Merge classes."
status = "preview"
docs = "The delta of Brickell and Shmatikov."

[[check.case]]
name = "a class without a value of the table"
fires = true
evidence = {{ classes = [[20, 5]], sensitive = {{ illness = {{ delta = "unbounded" }} }} }}

[[check.case]]
name = "classes like the table"
fires = false
evidence = {{ classes = [[20, 5]], sensitive = {{ illness = {{ delta = 0.1 }} }} }}
"""


def findings(tmp_path: Path, limit: float, delta: object) -> tuple:
    (tmp_path / "checks").mkdir(exist_ok=True)
    (tmp_path / "checks" / "our.toml").write_text(PACK.format(limit=limit), encoding="utf-8")
    facts = {"classes": [[20, 5]], "sensitive": {"illness": {} if delta is None else {"delta": delta}}}
    evidence = build_evidence(check_record(facts, CaseEvidence, where="test"))
    judged = judge(evidence, load_policy("public"), (), today=datetime.date(2026, 1, 1), rules=tmp_path)
    found = [finding for finding in judged.findings if finding.code == "OUR001"]
    (state,) = [outcome.state for outcome in judged.checks if outcome.code == "OUR001"]
    return found, state


@pytest.mark.parametrize("limit", [0.5, 1000.0, 1e300])
def test_an_unbounded_delta_is_beyond_every_limit(tmp_path: Path, limit: float) -> None:
    found, state = findings(tmp_path, limit, "unbounded")
    assert state == "fired"
    assert found[0].observed == "unbounded"
    assert found[0].message.values["observed"].code == "unbounded"


@pytest.mark.parametrize(("delta", "expected"), [(1.5, "fired"), (0.5, "passed"), (None, "not_measured")])
def test_a_bounded_delta_is_compared_with_the_limit(tmp_path: Path, delta: float, expected: str) -> None:
    assert findings(tmp_path, 1.0, delta)[1] == expected


def test_the_cases_of_a_pack_may_state_an_unbounded_delta(tmp_path: Path) -> None:
    findings(tmp_path, 1.0, None)
    ours = [check for check in load_checks(tmp_path) if check.code == "OUR001"]
    assert all(run_case(check, case).passed for check in ours for case in check.case)
