"""Methods that compete for a plan: within a bound, under wildcard apart; k far above the policy is explained."""

from __future__ import annotations

import json
import random
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.advice.plans import alternatives
from privaudit.advice.plans.facts import FAR_ABOVE, excess, suppression
from privaudit.advice.plans.ranking import best, choices, ordered
from privaudit.advice.technique.protection import Attribute, Protection, attributes
from tests.helpers.coded import coded_rows
from tests.helpers.tables import drawn

OPTIONS = {"framework": (), "ner": False}
ROLES = {"age": "quasi", "town": "quasi", "gender": "quasi", "visits": "none"}
QUASI = ("age", "town", "gender")


def people(n=500, seed=3, towns="ABCDEFGH"):
    ages, most_in_one = ("20s", "30s", "40s", "50s", "60s"), towns + towns[0] * 9
    cells = drawn(n, seed, age=ages, town=most_in_one, gender=("female", "male"), visits=range(1, 10))
    return pd.DataFrame(cells)


def test_suppression_states_the_lower_l_of_a_column_with_fewer_values():
    row, once = np.arange(3), np.ones(3, dtype=np.int64)
    sensitive = {"many": Attribute("many", row, row, once), "two": Attribute("two", row, np.array([0, 1, 1]), once)}

    def stated(*names):
        required = Protection(2, l=3, attributes=tuple(sensitive[name] for name in names))
        return str(suppression(SimpleNamespace(n_suppressed=3), required))

    assert stated("many").endswith('or with fewer than 3 distinct values of "many"')
    assert stated("two").endswith('or with fewer than 2 distinct values of "two"')
    assert stated("many", "two").endswith("or without one of the values of a column that has fewer than 3")


@pytest.fixture(scope="module")
def scanned():
    return privaudit.scan(people(), policy="controlled", role=ROLES, **OPTIONS)


def plans(report):
    return [remedy for remedy in report.advice if remedy.technique == "plan"]


def matches(one, other):
    return all(a == b or None in (a, b) for a, b in zip(one, other, strict=True))


def test_a_scan_compares_the_methods_and_names_those_that_were_not_tried(scanned):
    for plan in plans(scanned):
        tried = {each.method for each in plan.alternatives}
        named = {fact.values["method"].text for fact in plan.not_tried}
        assert tried | named == {"full-domain", "local", "mondrian", "cells"} and not tried & named
        first = best(list(choices([plan])))
        assert plan.method == ("full-domain" if first.alternative is None else first.alternative.method)


def test_if_no_plan_passes_those_that_leave_fewer_failing_findings_come_first():
    def plan(loss, n_left, *, passes=False):
        left = ("finding",) * n_left
        return SimpleNamespace(alternatives=(), parameters={}, utility_cost=loss, passes=passes, remaining=left)

    cheap, fewer, dear, passing = plan(0.1, 3), plan(0.4, 1), plan(0.5, 1), plan(0.9, 0, passes=True)
    for made, listed in (
        ([cheap, dear, fewer], [fewer, dear, cheap]),
        ([cheap, fewer, passing], [passing, fewer, cheap]),
    ):
        assert [choice.remedy for choice in ordered(list(choices(made)))] == listed


@pytest.mark.slow
def test_the_first_plan_of_a_scan_is_what_a_remedy_applies(scanned):
    made = privaudit.remedy(people(), policy="controlled", role=ROLES, **OPTIONS)
    assert made.after.gate().passed and made.run.method == plans(scanned)[0].method


def test_methods_above_the_bound_on_work_are_named_with_it(monkeypatch):
    few = alternatives.Work(split=5, covered=5, local=5, states=10)
    monkeypatch.setattr("privaudit.advice.plans.searches.SCANNED", few)
    for plan in plans(privaudit.scan(people(), policy="controlled", role=ROLES, **OPTIONS)):
        assert [each.method for each in plan.alternatives] == ["full-domain"]
        assert [fact.code for fact in plan.not_tried] == ["advice.not_tried_rows"] * 3


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", [1, 4])
def test_a_method_under_wildcard_is_apart_and_counts_both_ways(seed):
    frame = people(160, seed)
    plan = plans(privaudit.scan(frame, policy="controlled", role=ROLES, **OPTIONS))[0]
    (apart,) = plan.under_wildcard
    assert apart.k_min >= 5 > apart.k_by_value and not apart.passes
    assert all(each.matches == "value" for each in plan.alternatives)
    made = privaudit.remedy(
        frame, reports=False, policy="controlled", role=ROLES, missing="wildcard", method="cells", **OPTIONS
    )
    cells = made.frame[list(QUASI)].astype(object).where(made.frame[list(QUASI)].notna(), None)
    rows = list(cells.itertuples(index=False, name=None))
    assert min(sum(matches(one, other) for other in rows) for one in rows) == apart.k_min == made.after.risk.k_min
    assert min(rows.count(row) for row in rows) == apart.k_by_value
    assert int(cells.isna().sum().sum()) == apart.n_cells


@pytest.mark.slow
def test_every_format_lists_methods_under_wildcard_apart(tmp_path):
    report = privaudit.scan(people(160, 1), policy="controlled", role=ROLES, **OPTIONS)
    made = privaudit.remedy(people(160, 1), policy="controlled", role=ROLES, **OPTIONS)
    assert made.run.under_wildcard
    heading = "If a suppressed cell is counted as matching every value"
    for suffix in ("html", "md", "json"):
        report.write(tmp_path / f"r.{suffix}")
    report.write(tmp_path / "p.md", edition="public")
    shown, withheld = ((tmp_path / f"{name}.md").read_text(encoding="utf-8") for name in "rp")
    assert heading in shown and heading in made.text() and heading not in withheld
    assert heading in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["advice"][0]["under_wildcard"]


@pytest.mark.slow
def test_k_far_above_the_policy_is_explained_and_k_near_it_is_not():
    draw = random.Random(2)
    illness = [draw.choice(["flu"] * 40 + ["gout", "asthma"]) for _ in range(600)]
    frame = people(600, 5, towns="AB").assign(illness=illness)
    roles = {**ROLES, "illness": "sensitive"}
    seen = set()
    for sensitive in (roles, ROLES):
        for plan in plans(privaudit.scan(frame, policy="public", role=sensitive, **OPTIONS)):
            first = best(list(choices([plan])))
            k = plan.after["k_min"] if first.alternative is None else first.alternative.k_min
            assert (plan.excess is not None) == (k >= FAR_ABOVE * 15), (k, plan.excess)
            seen |= {plan.excess.code} if plan.excess else set()
    assert seen == {"advice.excess_bound"}


def test_why_k_is_far_above_the_policy_is_what_forces_it():
    rows = [(str(i // 60), "f") for i in range(240)]
    rare, even = (["a"] * 236 + ["b"] * 2 + ["c"] * 2), list("abcd") * 60
    for values, method, code in [
        (rare, "mondrian", "excess_bound"),
        (rare, "full-domain", "excess_bound"),
        (even, "mondrian", "excess_regions_sensitive"),
        (even, "full-domain", "excess_sensitive"),
    ]:
        everything = coded_rows(("town", "sex", "illness"), [(*r, v) for r, v in zip(rows, values, strict=True)])
        required = Protection(15, attributes(("town", "sex"), everything, ("illness",)), l=3)
        found = excess(method, 120, required, 240)
        assert found is not None and found.code == f"advice.{code}"
        if code == "excess_bound":
            assert found.values["most"].value == 2 and found.values["mean"].n == 120
    assert excess("mondrian", 120, Protection(15), 240).code == "advice.excess_regions"
    assert excess("full-domain", 120, Protection(15), 240).code == "advice.excess_steps"
    assert excess("mondrian", 29, Protection(15), 240) is None
    assert excess("mondrian", 30, Protection(15), 240) is not None


def test_a_special_category_is_not_dropped_where_classes_within_the_policy_answer_for_it():
    """ "race" is a finding of high severity in small classes, and of medium severity in classes of k."""
    draw = random.Random(1)
    shown = {"gender": ["female", "male"], "race": ["Asian", "Black", "White", "Other"], "age": range(20, 80)}
    frame = pd.DataFrame({name: [draw.choice(list(values)) for _ in range(600)] for name, values in shown.items()})
    report = privaudit.scan(frame, policy="public", **OPTIONS)
    assert "SEN003" in {finding.code for finding in report.findings if finding.severity == "high"}
    first = plans(report)[0]
    assert first.passes and "race" not in {s["column"] for s in first.parameters["steps"] if s["technique"] == "drop"}
    made = privaudit.remedy(frame, policy="public", **OPTIONS)
    assert made.gate().passed and "race" in made.frame.columns


def test_a_requirement_that_costs_much_is_a_question_with_both_losses():
    draw = random.Random(1)
    levels = ["master's degree", "high school", "some high school", "associate degree", "some college", "PhD"]
    frame = pd.DataFrame(
        {
            "gender": [draw.choice(["female", "male"]) for _ in range(400)],
            "postcode": [draw.choice(["10115", "20095", "50667", "80331"]) for _ in range(400)],
            "education": [draw.choice(levels) for _ in range(400)],
        }
    )
    report = privaudit.scan(frame, policy="public", **OPTIONS)
    (question,) = [plan.question for plan in plans(report) if plan.question is not None]
    assert question.values["without"].value * 2 <= question.values["loss"].value
    (code,) = [item.text for item in question.values["codes"].items]
    asked = next(plan for plan in plans(report) if plan.question is not None)
    assert min(each.loss for each in asked.alternatives) == question.values["loss"].value
    accepted = {"code": code, "columns": ["postcode"], "reason": "needed", "owner": "x", "expires": "2026-12-20"}
    after = privaudit.scan(frame, policy="public", accept=[accepted], **OPTIONS)
    least = min(each.loss for plan in plans(after) if plan.passes for each in plan.alternatives)
    assert least == pytest.approx(question.values["without"].value)
