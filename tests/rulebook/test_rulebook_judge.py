"""Judging: k is compared as an integer, a tighter policy never passes more, and evidence can be judged again."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model import SEVERITIES, Evidence, PolicyInfo, limit
from privaudit.model.attacks import LinkageDetail
from privaudit.model.stats import exact
from privaudit.model.vocabulary.statements import DATE_LEVELS, GEO_LEVELS
from privaudit.model.wording import Columns, Count, Term, Threshold
from privaudit.rulebook import judge, load_checks, load_policy, measured_limits, policy_names
from privaudit.rulebook.case_evidence import _THRESHOLDS, build_evidence
from privaudit.rulebook.case_records import CaseEvidence
from privaudit.rulebook.gate import decide
from privaudit.rulebook.outcome import fingerprint
from privaudit.rulebook.packs import check_record

TODAY = datetime.date(2026, 1, 1)
PUBLIC = load_policy("public")


def evidence(**facts: Any) -> Evidence:
    return build_evidence(check_record(facts, CaseEvidence, where="test"))


def codes(found: Evidence, policy: PolicyInfo = PUBLIC) -> set[str]:
    return {finding.code for finding in judge(found, policy, (), today=TODAY).findings}


K_CODES = {"QI001", "QI002", "RSK001", "RSK003"}


@pytest.mark.parametrize("k", [3, 5, 11, 15, 20])
def test_classes_of_exactly_k_pass_every_check_on_k(k: int) -> None:
    """If 1/k were compared with the probability, 11 would fail 0.09 and 14 would pass 0.075."""
    pair = {policy.k: policy for policy in map(load_policy, policy_names())}[k]
    assert not codes(evidence(classes=[[k, 10]]), pair) & K_CODES
    assert codes(evidence(classes=[[k - 1, 10]]), replace(pair, share_below_k=0.0)) >= K_CODES


@pytest.mark.parametrize("share", [0.39, 0.81, 1.0])
def test_all_checks_of_a_column_count_the_cells_that_have_its_entity_type(share: float) -> None:
    """A column was reported as a street address of 39 % of the records, and as a location of all of them."""
    stated = evidence(columns=[{"name": "a", "entity": "STREET_ADDRESS", "geo_precision": "point"}])
    (column,) = stated.columns
    verdict = replace(column.is_, share=exact(share, column.n_rows))
    stated = replace(stated, columns=(replace(column, is_=verdict),))
    found = judge(stated, PUBLIC, (), today=TODAY).findings
    counted = {finding.code: finding.n_people for finding in found if finding.subject == ("a",)}
    assert counted["GEO001"] == counted["PII001"] == round(share * found[0].n_total)


def test_records_are_counted_by_hand() -> None:
    """Classes 1, 1, 1, 14, 83: 3 + 14 = 17 of 100 records are below 15, 3 of them unique."""
    found = evidence(classes=[[1, 3], [14, 1], [83, 1]])
    fired_by_code = {f.code: f for f in judge(found, PUBLIC, (), today=TODAY).findings}
    assert (fired_by_code["QI001"].n_people, fired_by_code["QI001"].n_total, fired_by_code["QI001"].observed) == (
        17,
        100,
        1,
    )
    assert (fired_by_code["QI003"].n_people, fired_by_code["QI003"].limit) == (3, 0)
    assert fired_by_code["QI002"].observed == 0.17
    assert fired_by_code["QI001"].message.values["people"] == Count(n=17, of=100, unit="person")


def test_findings_come_worst_first() -> None:
    found = judge(
        evidence(
            columns=[
                {"name": "mail", "entity": "EMAIL"},
                {"name": "given", "entity": "FIRST_NAME"},
                {"name": "flat", "distinct": 1},
            ],
            classes=[[1, 3], [97, 1]],
        ),
        PUBLIC,
        (),
        today=TODAY,
    ).findings
    order = [(-SEVERITIES.index(f.severity), -(f.n_people or 0), f.code, f.subject) for f in found]
    assert order == sorted(order)
    assert found[0].code == "PII001"


def test_fingerprints_do_not_depend_on_measured_numbers() -> None:
    before = judge(evidence(classes=[[1, 3], [97, 1]]), PUBLIC, (), today=TODAY).findings
    after = judge(evidence(classes=[[2, 3], [44, 1]]), PUBLIC, (), today=TODAY).findings
    marks = {f.code: f.fingerprint for f in before}
    assert all(marks[f.code] == f.fingerprint for f in after if f.code in marks)
    assert all(len(f.fingerprint) == 16 and int(f.fingerprint, 16) >= 0 for f in before)


def test_fingerprints_distinguish_subjects_and_entity_types() -> None:
    marks = {
        fingerprint("PII002", ("a",), "EMAIL"),
        fingerprint("PII002", ("a",), "PHONE"),
        fingerprint("PII002", ("b",), "EMAIL"),
        fingerprint("PII001", ("a",), "EMAIL"),
        fingerprint("QI001", ("a", "b")),
        fingerprint("QI001", ("ab",)),
    }
    assert len(marks) == 6


def test_two_entity_types_in_one_column_are_two_findings() -> None:
    held = [{"entity": "EMAIL", "cells": 2}, {"entity": "PHONE", "cells": 5}]
    found = judge(evidence(columns=[{"name": "notes", "contains": held}]), PUBLIC, (), today=TODAY).findings
    assert {(f.n_people, f.measure) for f in found} == {(2, "pii.cells[EMAIL]"), (5, "pii.cells[PHONE]")}
    assert len({f.fingerprint for f in found}) == 2


def test_no_two_findings_of_a_judgement_share_a_fingerprint() -> None:
    held = [{"entity": "EMAIL", "cells": 2}, {"entity": "CREDIT_CARD", "cells": 2}, {"entity": "URL", "cells": 1}]
    found = evidence(
        columns=[{"name": n, "contains": held, "facts": {"free_text": 1.0}, "distinct": 1} for n in "abc"],
        classes=[[1, 3], [97, 1]],
        combinations=[{"columns": [n], "classes": [[1, 3], [97, 1]]} for n in "abc"],
        attacks=[{"kind": "linkage", "targets": 9, "correct": 5}],
    )
    linkage = found.attacks[0]
    tolerant = LinkageDetail(
        method="tolerant", n_auxiliary=9, n_unmatched=4, n_ambiguous=0, n_unique=5, n_mutual=5, expected_correct=5.0
    )
    found = replace(found, attacks=(linkage, replace(linkage, detail=tolerant)))
    frameworks = ("wp216", "hipaa-safe-harbor", "gdpr", "kdpa")
    findings = judge(found, PUBLIC, frameworks, today=datetime.date(2040, 1, 1)).findings
    assert len({f.fingerprint for f in findings}) == len(findings) > 20


def test_column_names_are_never_templates() -> None:
    name = "{k} {0} {people.__class__} %s"
    found = judge(evidence(columns=[{"name": name, "entity": "EMAIL"}]), PUBLIC, (), today=TODAY).findings
    assert found[0].message.values["columns"] == Columns(names=(name,))
    assert name in str(found[0].message)


def test_the_policy_s_k_is_filled_in() -> None:
    classes = [[1, 3], [12, 1], [85, 1]]
    found = evidence(classes=classes, combinations=[{"columns": ["a"], "classes": classes}])
    judged = judge(found, PUBLIC, (), today=TODAY)
    assert judged.risk is not None
    assert judged.risk.share_below_k == judged.combinations[0].share_below_k == 0.15
    assert judged.combinations[0].minimal is True


def test_a_k_that_was_not_counted_is_a_limit_and_never_zero() -> None:
    classes = [[1, 3], [16, 1], [81, 1]]
    found = evidence(
        classes=classes, combinations=[{"columns": ["a"], "classes": classes}, {"columns": ["b"], "classes": [[50, 2]]}]
    )
    policy = replace(PUBLIC, k=17)
    judged = judge(found, policy, (), today=TODAY)
    assert judged.risk is not None
    assert judged.risk.share_below_k == 0.19  # the histogram of class sizes answers for any k
    assert [c.share_below_k for c in judged.combinations] == [None, 0.0]
    assert any(item.incomplete and item.code == "rulebook.records_below_k" for item in judged.limits)
    assert any("k = 17 in 1 of 2" in item.what for item in judged.limits)
    assert decide(judged.findings, judged.limits, policy).exit_code == 3


def test_combinations_come_most_exposed_first_by_the_policy_judged_by() -> None:
    """Below 15: a has 10 records, b has 60; below 5: a has 4, b none."""
    found = evidence(
        combinations=[
            {"columns": ["a"], "classes": [[4, 1], [6, 1], [90, 1]]},
            {"columns": ["b"], "classes": [[12, 5], [40, 1]]},
        ]
    )
    for policy, order in ((PUBLIC, ["b", "a"]), (load_policy("controlled"), ["a", "b"])):
        judged = judge(found, policy, (), today=TODAY)
        assert [c.columns[0] for c in judged.combinations] == order


def test_a_missing_measurement_is_a_limit_and_not_a_pass() -> None:
    found = evidence(columns=[{"name": "age", "entity": "AGE"}])
    judged = judge(found, PUBLIC, (), today=TODAY)
    limits = {item.what: item.why for item in judged.limits}
    assert "age" in limits["DAT002 age-over-89"]
    assert "age" in limits["SEN004 child-records"]
    assert {c.code: c.state for c in judged.checks}["DAT002"] == "not_measured"


def test_judging_a_report_again_equals_judging_its_evidence() -> None:
    measured = (limit("risk.one_row"),)
    found = replace(
        evidence(classes=[[1, 3], [97, 1]], columns=[{"name": "zip", "entity": "POSTAL_CODE"}]), limits=measured
    )
    first = judge(found, PUBLIC, ("wp216",), today=TODAY)
    assert first.limits
    saved = replace(found, combinations=first.combinations, risk=first.risk, limits=first.limits)
    assert measured_limits(saved.limits) == measured
    for name in policy_names():
        policy = load_policy(name)
        again = judge(saved, policy, ("hipaa-safe-harbor", "wp216"), today=TODAY)
        direct = judge(found, policy, ("hipaa-safe-harbor", "wp216"), today=TODAY)
        assert again == direct


sizes = st.lists(
    st.tuples(st.integers(1, 40), st.integers(1, 3)), min_size=1, max_size=5, unique_by=lambda pair: pair[0]
)
columns = st.lists(
    st.sampled_from(
        [
            {"name": "seen", "kind": "date", "date_precision": "day"},
            {"name": "month", "kind": "date", "date_precision": "month"},
            {"name": "city", "entity": "CITY"},
            {"name": "zip", "entity": "POSTAL_CODE", "length_max": 5},
            {"name": "area", "entity": "POSTAL_CODE", "length_max": 3},
            {"name": "sex", "entity": "GENDER"},
        ]
    ),
    max_size=3,
    unique_by=lambda column: str(column["name"]),
)
loose_policies = st.builds(
    lambda k, share, uniques, least, t, gain, date, geo: replace(
        PUBLIC, k=k, share_below_k=share, uniques=uniques, l=least, t=t, attack_advantage=gain, date=date, geo=geo
    ),
    st.sampled_from([1, *_THRESHOLDS]),  # a scan counts its policy's k; another k may leave a judgement incomplete
    st.sampled_from([0.0, 0.01, 0.2, 1.0]),
    st.sampled_from([0, 3, None]),
    st.sampled_from([1, 2, 4, None]),
    st.sampled_from([0.1, 0.5, None]),
    st.sampled_from([0.0, 0.05, 0.5]),
    st.sampled_from(DATE_LEVELS),
    st.sampled_from(GEO_LEVELS),
)


def tightest(first: PolicyInfo, second: PolicyInfo) -> PolicyInfo:
    """Return the policy that takes the tighter of the two in every threshold."""

    def least(*values: Any) -> Any:
        return min((value for value in values if value is not None), default=None)

    most_l = max((value for value in (first.l, second.l) if value is not None), default=None)
    return replace(
        PUBLIC,
        k=max(first.k, second.k),
        share_below_k=min(first.share_below_k, second.share_below_k),
        uniques=least(first.uniques, second.uniques),
        l=most_l,
        t=least(first.t, second.t),
        attack_advantage=min(first.attack_advantage, second.attack_advantage),
        date=min(first.date, second.date, key=DATE_LEVELS.index),
        geo=min(first.geo, second.geo, key=GEO_LEVELS.index),
    )


@settings(max_examples=80, deadline=None)
@given(
    classes=sizes,
    held=columns,
    least=st.integers(1, 4),
    distance=st.sampled_from([0.05, 0.3, 0.9]),
    hits=st.integers(0, 50),
    first=loose_policies,
    second=loose_policies,
    fail_on=st.sampled_from(SEVERITIES),
)
def test_a_tighter_policy_never_turns_fail_into_pass(
    classes: list[tuple[int, int]],
    held: list[dict[str, Any]],
    least: int,
    distance: float,
    hits: int,
    first: PolicyInfo,
    second: PolicyInfo,
    fail_on: Any,
) -> None:
    found = evidence(
        classes=classes,
        combinations=[{"columns": ["a"], "classes": classes}],
        columns=held,
        sensitive={"illness": {"l": least, "t": distance, "alike": 1}},
        attacks=[{"kind": "linkage", "targets": 50, "correct": hits}],
    )

    def passed(policy: PolicyInfo) -> bool:
        judged = judge(found, policy, (), today=TODAY)
        return decide(judged.findings, judged.limits, policy, fail_on).passed

    if not passed(first):
        assert not passed(tightest(first, second))


@settings(max_examples=60, deadline=None)
@given(classes=sizes, k=st.integers(1, 45))
def test_records_below_a_k_that_was_not_counted_are_right_or_unknown(classes: list[tuple[int, int]], k: int) -> None:
    found = evidence(combinations=[{"columns": ["a"], "classes": classes}]).combinations[0]
    below = found.n_below_k(k)
    right = sum(size * count for size, count in classes if size < k)
    assert below == right or (below is None and k not in _THRESHOLDS)
    assert below is not None or min(size for size, _ in classes) < k


@settings(max_examples=30, deadline=None)
@given(classes=sizes, k=st.integers(1, 45))
def test_share_below_k_agrees_with_brute_force(classes: list[tuple[int, int]], k: int) -> None:
    found = evidence(classes=classes)
    records = [size for size, count in classes for _ in range(size * count)]
    judged = judge(found, replace(PUBLIC, k=k), (), today=TODAY)
    assert judged.risk is not None
    assert judged.risk.share_below_k == sum(size < k for size in records) / len(records)
    fired = {f.code: f for f in judged.findings}
    assert ("QI001" in fired) == (min(records) < k)
    if "QI001" in fired:
        assert fired["QI001"].n_people == sum(size < k for size in records)


def test_every_check_has_one_outcome() -> None:
    judged = judge(evidence(classes=[[1, 3], [97, 1]], columns=[{"name": "mail", "entity": "EMAIL"}]), PUBLIC, ())
    states = {outcome.code: outcome.state for outcome in judged.checks}
    assert sorted(states) == [check.code for check in load_checks()]
    assert {states[finding.code] for finding in judged.findings} == {"fired"}
    assert (states["PII001"], states["PII009"], states["LNK001"]) == ("fired", "passed", "not_measured")
    assert states["SEN002"] == "no_limit"  # the public policy sets no t
    assert sum(outcome.n_findings for outcome in judged.checks) == len(judged.findings)


def test_an_outcome_that_was_not_measured_states_why() -> None:
    judged = judge(evidence(columns=[{"name": "notes", "unassessed": "no language model"}]), PUBLIC, ())
    silent = [outcome for outcome in judged.checks if outcome.state in ("not_measured", "no_limit")]
    assert silent and all(outcome.gaps for outcome in silent)
    assert all(str(gap) != gap.code for outcome in silent for gap in outcome.gaps)


def test_thresholds_are_typed_as_thresholds_and_data_as_counts() -> None:
    """The public edition withholds small counts by their type: k is a constant, the smallest class is data."""
    found = judge(evidence(classes=[[2, 3], [94, 1]]), PUBLIC, ()).findings
    values = next(f.message.values for f in found if f.code == "QI001")
    assert values["k"] == Threshold(value=15)
    assert values["observed"] == Count(n=2, unit="person")


def test_levels_are_terms() -> None:
    column = {"name": "seen", "kind": "date", "date_precision": "day"}
    values = judge(evidence(columns=[column]), PUBLIC, ()).findings[0].message.values
    assert (values["observed"], values["limit"]) == (Term(code="day"), Threshold(value="year"))
