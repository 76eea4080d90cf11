"""What a privacy officer compares on one page agrees: two numbers of one name, two counts of one unit, two limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.report import view

OPTIONS: dict[str, Any] = {"ner": False, "seed": 1}
ROWS = 240


@pytest.fixture(scope="module")
def visits() -> privaudit.ScanReport:
    """Several visits of each person, with a sensitive attribute of two values."""
    rng = np.random.default_rng(5)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, ROWS), unit="D")
    frame = pd.DataFrame(
        {
            "person_id": rng.integers(1000, 1080, ROWS),
            "age": rng.integers(20, 60, ROWS),
            "visit_date": days.strftime("%Y-%m-%d"),
            "diabetes": rng.choice(["yes", "no"], ROWS),
        }
    )
    return privaudit.scan(frame, subject="person_id", quasi=["age", "visit_date"], sensitive=["diabetes"], **OPTIONS)


def test_the_table_and_the_map_of_columns_state_one_share_of_the_bits(visits: privaudit.ScanReport) -> None:
    shown = view.build(visits.wire)
    rows = {row["name"]: row["distinguishes"] for row in shown["columns"]["rows"]}
    assert rows == {row[0]: row[3] for row in shown["columns"]["map"]["rows"]}


def test_the_effect_of_a_remedy_names_what_it_counts(visits: privaudit.ScanReport) -> None:
    unique = {
        row["label"]: row["before"]
        for remedy in view.build(visits.wire)["remedies"]["rows"]
        for row in remedy["effects"]
        if row["key"] == "n_unique"
    }
    assert list(unique) == ["unique records"]
    assert visits.wire.n_units < ROWS  # so that a number of people would be another one


def test_a_measure_of_several_thresholds_is_defined_once(visits: privaudit.ScanReport) -> None:
    for part in view.build(visits.wire)["risk"]["tables"]:
        words = [row["words"] for row in part["defined"]]
        assert len(words) == len(set(words))


def test_the_limit_of_l_states_that_of_attributes_with_fewer_values(visits: privaudit.ScanReport) -> None:
    limits = {row["title"]: row["limit"] for row in view.build(visits.wire)["policy"]["rows"]}
    assert "that has fewer" in limits["Distinct sensitive values per class (l)"]
    assert any("the policy requires 2" in str(finding.message) for finding in visits.wire.findings)


def test_an_answer_about_some_types_does_not_state_that_a_check_found_nothing() -> None:
    rng = np.random.default_rng(7)
    frame = pd.DataFrame({"age": rng.integers(20, 60, 90), "diagnosis": rng.choice(["asthma", "diabetes"], 90)})
    found = privaudit.scan(frame, framework="gdpr", **OPTIONS)
    assert any(finding.code == "SEN003" for finding in found.wire.findings)
    (answer,) = [control for control in found.wire.controls if control.id == "GDPR-10"]
    assert answer.answer == "no"
    assert "found no criminal convictions" in " ".join(map(str, answer.why))
