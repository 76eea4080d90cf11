"""The answer and the state of a control, and what changes them."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from privaudit.base.errors import RuleError
from privaudit.model import Control
from privaudit.rulebook import judge, load_frameworks, load_policy
from privaudit.rulebook.cases import CaseEvidence, build_evidence
from privaudit.rulebook.packs import check_record

TODAY = datetime.date(2026, 1, 1)
ALL = tuple(framework.id for framework in load_frameworks())


def controls(policy: str = "public", *, preview: bool = False, **facts: Any) -> dict[str, Control]:
    evidence = build_evidence(check_record(facts, CaseEvidence, where="test"))
    judged = judge(evidence, load_policy(policy), ALL, today=TODAY, preview=preview)
    reported = {finding.fingerprint for finding in judged.findings}
    assert all(set(control.findings) <= reported for control in judged.controls)
    return {control.id: control for control in judged.controls}


def why(control: Control) -> str:
    return " ".join(map(str, control.why))


def test_every_control_is_answered_with_a_reason() -> None:
    answers = controls(columns=[{"name": "x"}])
    assert len(answers) == sum(len(framework.control) for framework in load_frameworks())
    assert all(why(control) and control.source for control in answers.values())


def test_a_control_without_a_check_is_for_a_person_and_never_supported() -> None:
    answers = controls(columns=[{"name": "x"}], classes=[[50, 2]])
    for framework in load_frameworks():
        for control in framework.control:
            if not control.checks and not control.any_of and control.of != "aggregates":
                assert answers[control.id].answer == "person" and answers[control.id].state == "human"


def test_a_check_that_was_not_run_leaves_the_control_not_measured() -> None:
    answers = controls(classes=[[50, 2]])
    assert answers["WP216-LK"].state == "not_measured"
    assert "no auxiliary table was given" in why(answers["WP216-LK"])


def test_an_unassessed_column_leaves_the_controls_on_identifiers_not_measured() -> None:
    answers = controls(columns=[{"name": "notes", "unassessed": "no model"}])
    assert answers["HIPAA-b2i-F"].state == "not_measured"
    assert answers["GDPR-5.2"].answer == "person"


def test_a_finding_about_names_contradicts_the_control_on_names_only() -> None:
    answers = controls(columns=[{"name": "who", "entity": "PERSON_NAME"}])
    assert answers["HIPAA-b2i-A"].state == "contradicted"
    assert answers["HIPAA-b2i-D"].state == "supported"
    assert len(answers["HIPAA-b2i-A"].findings) == 1


def test_a_finding_that_raises_a_question_is_referred_to_a_person() -> None:
    answers = controls(columns=[{"name": "notes", "facts": {"free_text": 1.0}}], classes=[[5, 20]])
    assert answers["HIPAA-b2i-A"].state == "human"
    assert "PII005" in why(answers["HIPAA-b2i-A"])
    assert answers["HIPAA-b2ii"].state == "human"
    assert answers["HIPAA-b2ii"].findings


def test_the_limits_of_a_framework_take_precedence_over_the_policy() -> None:
    """The internal policy allows days, Safe Harbor allows the year only."""
    answers = controls(
        "internal", columns=[{"name": "seen", "kind": "date", "date_precision": "day"}], classes=[[50, 2]]
    )
    assert answers["HIPAA-b2i-C"].state == "contradicted"
    assert "DAT001" in why(answers["HIPAA-b2i-C"])
    assert answers["HIPAA-b2i-C"].findings == ()


@pytest.mark.parametrize(
    ("length", "rows", "state"),
    [(3, 0.0, "supported"), (3, 4.0, "contradicted"), (3, None, "not_measured"), (5, 0.0, "contradicted")],
)
def test_three_zip_digits_are_allowed_where_enough_people_live(length: int, rows: float | None, state: str) -> None:
    facts = {} if rows is None else {"rows_zip3_restricted": rows}
    column = {"name": "zip", "entity": "POSTAL_CODE", "detail": "us.zip", "length_max": length, "facts": facts}
    assert controls("internal", columns=[column])["HIPAA-b2i-B"].state == state


@pytest.mark.parametrize(
    ("name", "detail", "shape", "asked"),
    [
        ("zip", "digits", "zip5", True),
        ("plz", "digits", "zip5", False),
        ("area", "digits", "zip3", True),
        ("zip", "gb", "zip5", False),
        ("place", "us.zip+4", "zip5", True),
    ],
)
def test_only_codes_that_may_be_zip_codes_are_compared_with_the_list(
    name: str, detail: str, shape: str, asked: bool
) -> None:
    """Germany and Spain use five digits too: without the measurement, only a ZIP column leaves a gap."""
    facts = {"zip3": 0.0, "zip5": 0.0} | {shape: 1.0}
    column = {"name": name, "entity": "POSTAL_CODE", "detail": detail, "facts": facts, "length_max": 3}
    assert (controls(columns=[column])["HIPAA-b2i-B"].state == "not_measured") is asked


@pytest.mark.parametrize(("k", "is_fact"), [(10, True), (11, False)])
def test_actual_knowledge_is_for_a_person_with_small_classes_as_a_fact(k: int, is_fact: bool) -> None:
    """1/11 > 0.09, but a class of 11 is within the limit of the control."""
    found = controls("public-high", classes=[[k, 10]])["HIPAA-b2ii"]
    assert found.answer == "person"
    assert ("QI001" in why(found)) is is_fact


def test_a_control_with_unverified_wording_is_judged_in_previews_only() -> None:
    facts = {"classes": [[1, 10]]}
    assert "not verified" in why(controls(**facts)["KDPA-53"])
    assert controls(**facts)["KDPA-53"].state == "human"
    assert "QI003" in why(controls(preview=True, **facts)["KDPA-53"])


def test_a_framework_extends_the_sensitive_categories_for_itself_only() -> None:
    facts = {"columns": [{"name": "married", "entity": "MARITAL_STATUS"}]}
    answers = controls(**facts)
    assert "SEN003" in why(answers["KDPA-2s"])
    assert answers["KDPA-2s"].findings
    assert answers["GDPR-9.1"].findings == ()
    evidence = build_evidence(check_record(facts, CaseEvidence, where="test"))
    alone = judge(evidence, load_policy("public"), ("wp216",), today=TODAY)
    assert not [finding for finding in alone.findings if finding.code == "SEN003"]


def test_uniques_contradict_singling_out() -> None:
    assert controls(classes=[[1, 1], [99, 1]])["WP216-SO"].state == "contradicted"


def test_an_old_pack_is_reported() -> None:
    evidence = build_evidence(check_record({"classes": [[50, 2]]}, CaseEvidence, where="test"))
    later = judge(evidence, load_policy("public"), ("wp216",), today=datetime.date(2029, 1, 1))
    assert [finding.code for finding in later.findings] == ["RUN003"]
    assert {c.id: c.state for c in later.controls}["WP216-RES"] == "human"


def test_a_framework_read_alone_is_the_one_that_is_read_with_all_others() -> None:
    assert load_frameworks(ALL[::-1]) == load_frameworks()[::-1]  # the first reads each file alone
    with pytest.raises(RuleError, match="is not a framework"):
        load_frameworks(("gdpr/../gdpr",))
