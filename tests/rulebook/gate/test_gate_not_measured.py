"""A table whose re-identification risk was not measured does not pass, unless the user states that there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.model import limit
from privaudit.risk.measures.potential import count_classes, potential_risk
from privaudit.rulebook import load_policy
from privaudit.rulebook.gate import decide
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow

N = 500
UNRECOGNISED = {
    "seg": [f"s{i % 25}" for i in range(N)],
    "chan": [f"k{i // 25 % 20}" for i in range(N)],
    "q7": [["often", "never", "sometimes"][i % 3] for i in range(N)],
}


def scan(table: Mapping[str, list[str]], **options: Any) -> Any:
    return privaudit.scan(pa.table(dict(table)), ner=False, **options).wire


def test_unique_rows_without_a_recognised_quasi_identifier_are_a_finding_and_incomplete() -> None:
    report = scan(UNRECOGNISED)
    assert report.risk is None and report.gate_.exit_code == 3
    assert report.gate_.headline.code == "gate.incomplete_without_risk"
    # Nothing shows that the rows are people, so the finding is medium; the gate does not pass all the same.
    assert {found.code: found.severity for found in report.findings}["QI007"] == "medium"
    assert "was not measured" in str(report.gate_.reasons[0])
    assert (report.potential.k_min, report.potential.n_unique) == (1, N)
    assert report.potential.columns == tuple(UNRECOGNISED)


@pytest.mark.parametrize(
    "options", [{"quasi": ("none",)}, {"role": dict.fromkeys(UNRECOGNISED, "none")}], ids=["quasi", "role"]
)
def test_a_statement_that_there_are_none_completes_the_scan(options: dict[str, Any]) -> None:
    report = scan(UNRECOGNISED, **options)
    assert report.gate_.exit_code == 0
    assert report.gate_.headline.code == "gate.passed_without_risk"


def test_the_role_of_one_column_does_not_declare_the_others() -> None:
    assert scan(UNRECOGNISED, role={"seg": "none"}).gate_.exit_code == 3


def test_a_column_of_unresolved_identifiers_could_be_a_quasi_identifier() -> None:
    codes = {
        "c1": [f"x{i * 7919 % 99991}" for i in range(N)],
        "c2": [f"{'abc'[i % 3]}{i * 31 % 9973}" for i in range(N)],
    }
    report = scan(codes)
    assert {column.is_.entity for column in report.columns} == {"UNRESOLVED_ID"}
    assert report.risk is None and report.gate_.exit_code == 3
    assert scan(codes, role={"c1": "direct"}).gate_.exit_code == 3
    assert scan(codes, role=dict.fromkeys(codes, "none")).gate_.exit_code == 0


def test_quasi_none_removes_the_inferred_quasi_identifiers() -> None:
    table = {**UNRECOGNISED, "age": [str(20 + i % 50) for i in range(N)], "sex": ["F", "M"] * (N // 2)}
    assert scan(table).risk.quasi_identifiers == ("age", "sex")
    assert scan(table, quasi=("none",)).risk is None


def test_a_column_called_none_can_be_a_quasi_identifier() -> None:
    report = scan({**UNRECOGNISED, "none": ["a", "b"] * (N // 2)}, quasi=("none",))
    assert report.risk.quasi_identifiers == ("none",)


def test_identifiers_keys_text_and_measurements_are_not_potential_quasi_identifiers() -> None:
    table = {
        **UNRECOGNISED,
        "email": [f"user{i}@example.com" for i in range(N)],
        "row": [str(i + 1) for i in range(N)],
        "load": [f"{i * 0.37:.2f}" for i in range(N)],
        "fixed": ["x"] * N,
    }
    potential = scan(table, role={"q7": "none"}).potential
    assert potential.columns == ("seg", "chan")
    assert potential.excluded == {
        "q7": "declared",
        "email": "direct",
        "row": "key",
        "load": "measurement",
        "fixed": "no_information",
    }


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", None])), min_size=1, max_size=40))
def test_the_potential_classes_equal_those_counted_by_hand(rows: list[tuple[str, str | None]]) -> None:
    table = pa.table({"a": [a for a, _ in rows], "b": pa.array([b for _, b in rows], pa.string())})
    counted = Counter(rows)
    with from_arrow(table) as dataset:
        in_memory = count_classes(dataset, ["a", "b"], Settings())
        assert dataset.table.n_rows == len(rows)  # the engine has started
        dataset._arrow = None
        by_engine = count_classes(dataset, ["a", "b"], Settings())
    assert in_memory == by_engine
    assert in_memory.k_min == min(counted.values())
    assert in_memory.n_unique == sum(n == 1 for n in counted.values())


def test_without_a_potential_column_there_is_not_a_number() -> None:
    with from_arrow(pa.table({"a": ["1", "2"]})) as dataset:
        assert potential_risk(dataset, (), Settings(), thresholds=(2,)) is None


def test_the_first_reason_is_that_the_risk_was_not_measured() -> None:
    other = limit("risk.no_rows", incomplete=True)
    first = limit("risk.no_quasi_identifiers", incomplete=True)
    reasons = decide((), (other, first), load_policy("public")).reasons
    assert "quasi-identifier" in str(reasons[0])


@pytest.mark.parametrize(("n", "options", "exit_code"), [(14, {}, 1), (15, {}, 0), (14, {"quasi": ("none",)}, 0)])
def test_people_with_the_same_quasi_identifiers_are_one_class_which_must_have_k(
    n: int, options: dict[str, Any], exit_code: int
) -> None:
    """Merging two ages into one must not let a table pass that is smaller than k."""
    report = scan({"age": ["44"] * n, "sex": ["f"] * n}, **options)
    assert report.gate_.exit_code == exit_code
    found = [(finding.subject, finding.observed) for finding in report.findings if finding.code == "QI001"]
    assert found == ([(("age", "sex"), 14)] if exit_code else [])


CODES = [f"{chr(65 + i % 26)}{i * 7919 % 99991:05d}{chr(65 + i * 7 % 26)}X" for i in range(N)]


@pytest.mark.parametrize(
    "table",
    [
        {"code": CODES},
        {"code": CODES, "ref": CODES[::-1]},
        {"key": [f"{i * 7919 % 99999989:08d}" for i in range(1, N)]},
        {"area": ["030", "089"] * (N // 2), "local": [f"{1000003 + i * 7919 % 8999}{i % 7}" for i in range(N)]},
    ],
    ids=["code", "code and ref", "key", "local number"],
)
def test_codes_of_unknown_rows_may_be_pseudonyms_and_do_not_pass(table: dict[str, list[str]]) -> None:
    report = scan(table)
    assert (report.dataset.unit.kind, report.gate_.exit_code) == ("unknown", 3)
    assert scan(table, unit="object").gate_.exit_code == 0


def test_a_list_of_codes_with_their_meanings_passes() -> None:
    meanings = ["Cholera", "Typhoid fever", "Hypertension", "Asthma", "Appendicitis", "Epilepsy", "Burns", "Gout"]
    report = scan({"code": [f"A{i:02d}" for i in range(8)], "description": meanings})
    assert (report.dataset.unit.kind, report.gate_.exit_code) == ("object", 0)
