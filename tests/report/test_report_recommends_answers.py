"""The first screen recommends answers instead of rows where no plan passes, or where the plan loses most."""

from __future__ import annotations

from dataclasses import replace

import pytest

import privaudit
from privaudit.advice.effect.resolved_findings import reference
from privaudit.model import Alternative, OpenFinding, Report
from privaudit.model.wording import fact
from privaudit.report.sections.first_steps import steps
from privaudit.report.sentences import wording_of


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Report:
    """A report whose gate fails, with a plan that passes."""
    path = tmp_path_factory.mktemp("answers") / "people.csv"
    rows = [f"{20 + i % 60},{'FM'[i % 2]},{('flu', 'cold', 'asthma')[i % 3]}" for i in range(600)]
    path.write_text("age,sex,diagnosis\n" + "\n".join(rows) + "\n")
    found = privaudit.scan(path, quasi=("age", "sex"), ner=False).wire
    assert any(remedy.passes for remedy in found.advice)
    return found


def recommended(report: Report) -> list[str]:
    return [line.text for line in steps(report, wording_of(report)) if "privaudit release" in line.text]


def with_plans(report: Report, **changed) -> Report:
    advice = tuple(replace(each, **changed) if each.parameters.get("steps") else each for each in report.advice)
    return replace(report, advice=advice)


def test_a_plan_that_passes_and_keeps_most_needs_no_answers(report: Report) -> None:
    assert recommended(with_plans(report, utility_cost=0.2)) == []


def test_answers_are_recommended_where_the_plan_keeps_less_than_half(report: Report) -> None:
    (text,) = recommended(with_plans(report, utility_cost=0.6, alternatives=()))
    assert text.startswith("The plan keeps less than half")


def test_a_method_that_loses_less_than_the_steps_is_named_and_decides_whether_answers_are_needed(
    report: Report,
) -> None:
    mondrian = Alternative(
        method="mondrian",
        loss=0.3,
        n_suppressed=0,
        n_cells=0,
        k_min=15,
        n_classes=9,
        passes=True,
        drops=False,
        step={"a": 1},
    )
    steps_alone = replace(mondrian, method="full-domain", loss=0.6, step={})
    changed = {"utility_cost": 0.6, "method": "mondrian", "alternatives": (steps_alone, mondrian)}
    shown = [line.text for line in steps(with_plans(report, **changed), wording_of(report))]
    assert any(
        "Mondrian, another method, keeps more of the information: 70 % instead of 40 %" in text for text in shown
    )
    assert recommended(with_plans(report, **changed)) == []
    assert (
        len(recommended(with_plans(report, **{**changed, "alternatives": (steps_alone, replace(mondrian, loss=0.55))})))
        == 1
    )


def test_answers_are_recommended_where_no_plan_passes(report: Report) -> None:
    kept = OpenFinding(finding=reference(report.findings[0]), because=fact("advice.because_kept"))
    for without in (with_plans(report, passes=False, remaining=(kept,)), replace(report, advice=())):
        (text,) = recommended(without)
        assert text.startswith("No plan makes the rows pass")


@pytest.mark.parametrize(("lost", "expected"), [(0.2, []), (0.6, ["The plan keeps less than half"])])
def test_a_plan_after_which_only_the_assessment_is_missing_may_still_pass(
    report: Report, lost: float, expected: list[str]
) -> None:
    found = recommended(with_plans(report, passes=False, remaining=(), utility_cost=lost, alternatives=()))
    assert [text[:29] for text in found] == expected


@pytest.mark.parametrize(("because", "n"), [("advice.because_not_measured_again", 0), ("advice.because_kept", 1)])
def test_attacks_that_a_plan_does_not_simulate_again_do_not_show_that_none_passes(
    report: Report, because: str, n: int
) -> None:
    open_ = OpenFinding(finding=reference(report.findings[0]), because=fact(because))
    assert len(recommended(with_plans(report, passes=False, remaining=(open_,)))) == n
    again = OpenFinding(finding=reference(report.findings[0]), because=fact("advice.because_not_measured_again"))
    assert len(recommended(with_plans(report, passes=False, remaining=(open_, again)))) == n


def test_a_report_without_a_search_of_plans_does_not_state_that_none_passes(report: Report) -> None:
    assert recommended(replace(report, advice=(), risk=None)) == []
    stricter = privaudit.judge(privaudit.ScanReport(report), policy="strict").wire
    assert not any(each.parameters.get("steps") for each in stricter.advice)
    assert recommended(stricter) == []


def test_a_report_that_passes_recommends_nothing(report: Report) -> None:
    assert recommended(replace(report, findings=())) == []
