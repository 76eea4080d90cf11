"""Checks of k, uniques and risk judge what the scan counts: matches by the chosen semantics, or people.

A check fires exactly where the number that brute force counts under that semantics exceeds the limit.
"""

from __future__ import annotations

import datetime
import random
from collections import defaultdict
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.model import Clue, ColumnReport, Contained, DatasetInfo, DatasetUnit, Evidence, first_of_each_cause
from privaudit.model.stats import Estimate
from privaudit.model.wording import fact
from privaudit.risk import assess
from privaudit.rulebook.judge import judge
from privaudit.rulebook.policy import load_policy
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow

TODAY = datetime.date(2026, 1, 1)
PUBLIC = load_policy("public")
EVENT = DatasetUnit(kind="event", declared=True, confidence=1.0, statement=fact("unit.event"))
CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))


@st.composite
def tables(draw):
    width = draw(st.integers(1, 3))
    person = st.one_of(st.none(), st.sampled_from([f"p{i}" for i in range(5)]))
    return draw(st.lists(st.tuples(person, *[CELLS] * width), min_size=1, max_size=25))


def column(name, role):
    return ColumnReport(
        name=name, data_type="text", n_rows=1, n_missing=0, n_distinct=1, n_held_once=0, uniqueness=1.0,
        entropy_bits=0.0, role=role, role_because=(), is_=None, contains=(), rejected=(), measurements={},
    )  # fmt: skip


def evidence_of(rows, thresholds, **options):
    names = [f"q{i}" for i in range(len(rows[0]) - 1)]
    cells = {n: pa.array([row[i] for row in rows], pa.string()) for i, n in enumerate(["who", *names])}
    columns = (column("who", "none"), *(column(name, "quasi") for name in names))
    with from_arrow(pa.table(cells)) as dataset:
        found = assess(dataset, columns, Settings(max_size=3, **options), thresholds=thresholds)
    info = DatasetInfo(name="t", fingerprint="", format="", engine="", n_rows=len(rows), n_columns=len(cells))
    return Evidence(
        dataset=info, columns=columns, combinations=found.combinations, risk=found.risk, attacks=(),
        limits=found.limits, seed=0,
    )  # fmt: skip


def alike(own, other, semantics):
    if semantics == "category":
        return own == other
    if semantics == "wildcard":
        return None in (own, other) or own == other
    return own in (None, other)


def matches(rows, semantics):
    """The number of records that each record matches on all columns but the first."""
    return [
        sum(all(alike(x, y, semantics) for x, y in zip(own[1:], other[1:], strict=True)) for other in rows)
        for own in rows
    ]


def people(rows):
    """For each person, the fewest people in a class of that person's rows; a row without a person is one."""
    named = [(row[0] or f"alone {i}", row[1:]) for i, row in enumerate(rows)]
    members = defaultdict(set)
    for who, cells in named:
        members[cells].add(who)
    exposed = {}
    for who, cells in named:
        exposed[who] = min(exposed.get(who, len(rows)), len(members[cells]))
    return list(exposed.values())


def judged(found, k, allowed, uniques=0):
    policy = replace(PUBLIC, k=k, probability=1 / k, share_below_k=allowed, uniques=uniques)
    return judge(found, policy, (), today=TODAY)


def check(found, counts, k, allowed, column_counts=None):
    """Compare the checks with brute-force numbers, one for each record or person."""
    n, below = len(counts), sum(f < k for f in counts)
    judgement = judged(found, k, allowed)
    fired = {f.code: f for f in judgement.findings}
    assert ("QI001" in fired) == ("RSK001" in fired) == (min(counts) < k)
    assert ("QI002" in fired) == (below / n > allowed)
    assert ("QI003" in fired) == (1 in counts)
    assert ("RSK003" in fired) == (sum(1 / f for f in counts) / n > 1 / k + 1e-9)
    assert judgement.risk.share_below_k == below / n
    for code in ("QI001", "QI002", "RSK001"):
        if code in fired:
            assert (fired[code].n_people, fired[code].n_total) == (below, n)
    if "QI001" in fired:
        assert (fired["QI001"].severity == "low") == (below / n <= allowed)
    whole = max(judgement.combinations, key=lambda c: len(c.columns))
    assert whole.share_below_k == below / n
    assert not any(limit.incomplete for limit in judgement.limits if limit.code == "rulebook.check_not_measured")


@pytest.mark.parametrize("semantics", ["category", "wildcard", "one-sided"])
@settings(max_examples=40, deadline=None)
@given(rows=tables(), k=st.integers(2, 9), allowed=st.sampled_from([0.0, 0.05, 0.3, 0.6]))
def test_checks_judge_matches_by_the_chosen_semantics(semantics, rows, k, allowed):
    found = evidence_of(rows, (k,), missing=semantics)
    check(found, matches(rows, semantics), k, allowed)


@pytest.mark.parametrize("semantics", ["category", "wildcard", "one-sided"])
@settings(max_examples=20, deadline=None)
@given(rows=tables(), k=st.integers(2, 9))
@example(rows=[(None, "a")] * 3, k=4)
def test_judging_again_by_a_threshold_that_was_not_counted_is_exact(semantics, rows, k):
    """Over all quasi-identifiers; combinations keep the thresholds that were counted."""
    found = evidence_of(rows, (), missing=semantics)
    counts = matches(rows, semantics)
    assert judged(found, k, 0.0).risk.share_below_k == sum(f < k for f in counts) / len(counts)


@settings(max_examples=60, deadline=None)
@given(rows=tables(), k=st.integers(2, 9), allowed=st.sampled_from([0.0, 0.05, 0.3, 0.6]))
def test_checks_judge_people_where_a_data_subject_is_named(rows, k, allowed):
    found = evidence_of(rows, (k,), subject="who")
    check(found, people(rows), k, allowed)
    for finding in judged(found, k, allowed).findings:
        if finding.code.startswith(("QI", "RSK")):
            assert finding.unit == "person"


def test_twenty_rows_of_one_person_fail_and_twenty_people_pass():
    """20 rows of one person are not a group of 20 people."""
    one = [("p", "a")] * 20
    many = [(f"p{i}", "b") for i in range(20)]
    assert {"QI001", "QI002", "QI003", "RSK001"} <= {
        f.code for f in judged(evidence_of(one + many, (15,), subject="who"), 15, 0.0).findings
    }
    passed = judged(evidence_of(many, (15,), subject="who"), 15, 0.0).findings
    assert not [f for f in passed if f.code.startswith(("QI", "RSK"))]


def test_sentences_speak_of_people_where_rows_are_people_and_of_records_where_they_are_not():
    rows = [("p", "a")] * 3 + [("q", "a"), ("r", "b")]
    events = evidence_of(rows, (15,))
    events = replace(events, dataset=replace(events.dataset, unit=EVENT))
    of_subjects = judged(evidence_of(rows, (15,), subject="who"), 15, 0.0).findings
    of_rows = judged(evidence_of(rows, (15,)), 15, 0.0).findings
    of_events = judged(events, 15, 0.0).findings
    for findings, right, wrong in (
        (of_subjects, "people", "record"),
        (of_rows, "people", "record"),
        (of_events, "record", "people"),
    ):
        for finding in findings:
            if finding.code in ("QI001", "QI002", "QI003", "QI004", "QI005"):
                assert right in str(finding.message)
                assert wrong not in str(finding.message)


def test_findings_of_one_cause_count_once():
    """Small classes over the same quasi-identifiers are one problem, however many checks measure it."""
    rows = [(f"p{i}", "a" if i else "b") for i in range(40)]
    findings = judged(evidence_of(rows, (15,)), 15, 0.0).findings
    same = [f for f in findings if f.code in ("QI001", "QI002", "QI003", "RSK001", "RSK003")]
    assert len(same) >= 4
    assert len({f.group for f in same}) == 1
    assert [f for f in first_of_each_cause(findings) if f in same] == [same[0]]
    assert [f for f in first_of_each_cause(findings) if f.group is None] == [f for f in findings if f.group is None]


def test_where_a_person_has_several_rows_columns_count_records_and_classes_count_people():
    draw = random.Random(3)
    people = draw.sample(range(200_000, 900_000), 60)
    frame = pd.DataFrame(
        {
            "person_key": [people[i % 60] for i in range(300)],
            "visit_date": [f"2024-{draw.randint(1, 9):02d}-{draw.randint(1, 28):02d}" for _ in range(300)],
            "age": [draw.choice([30, 50]) for _ in range(300)],
        }
    )
    found = privaudit.scan(frame, policy="public", framework=(), ner=False)
    assert found.risk.n_people == 60
    by_code = {finding.code: finding for finding in found.findings}
    assert (by_code["DAT001"].unit, by_code["DAT001"].n_total) == ("record", 300)
    assert (by_code["QI002"].unit, by_code["QI002"].n_total) == ("person", 60)
    assert not any("300 people" in str(finding.message) for finding in found.findings)


@pytest.mark.parametrize(("kinds", "severity"), [(("model",), "medium"), (("model", "list"), "high")])
@pytest.mark.parametrize("unit", ["object", "person"])
def test_a_name_that_a_model_alone_sees_in_a_table_about_things_is_medium(unit, kinds, severity):
    """A model takes the names of planets and parts for those of people."""
    share = Estimate(value=0.1, low=0.1, high=0.1, level=1.0, n=10, method="exact")
    clues = tuple(Clue(kind=kind, because=fact("detect.text_listed_names")) for kind in kinds)
    seen = Contained(entity="PERSON_NAME", n_cells=1, share=share, evidence=clues)
    held = DatasetUnit(kind=unit, declared=True, confidence=1.0, statement=fact(f"unit.{unit}"))
    info = DatasetInfo(name="t", fingerprint="", format="", engine="", n_rows=10, n_columns=1, unit=held)
    noted = replace(column("planet", "none"), n_rows=10, contains=(seen,))
    measured = Evidence(dataset=info, columns=(noted,), combinations=(), risk=None, attacks=(), limits=(), seed=0)
    found = judge(measured, PUBLIC, (), today=TODAY).findings
    assert [f.severity for f in found if f.code == "PII002"] == ["high" if unit == "person" else severity]
