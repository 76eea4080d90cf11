"""A column whose name suggests an identifier is clean only where its values prove that they are something else."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import privaudit
from privaudit.report import render

N = 200
PEOPLE = {"age": [str(20 + i % 40) for i in range(N)], "sex": ["M", "F"] * (N // 2)}
UNPROVEN = {
    "surname": [chr(65 + i % 26) + "*" * (3 + i % 7) for i in range(N)],
    "last_name": [f"xx{i % 99:02d}" for i in range(N)],
    "customer_name": [str(i * 7 % 191) for i in range(N)],
    "patient_name": [f"P-{i:04d}x" for i in range(N)],
    "email": [f"user{i}[at]" for i in range(N)],
    "iban": [f"DE**{i:04d}" for i in range(N)],
    "national_id": [f"A{i * 7 % 41}" for i in range(N)],
    "account_number": [f"c{i * 7 % 41}" for i in range(N)],
    "family_name": ["***"] * (N - 5) + [f"q{i}zz" for i in range(5)],  # a few were not masked
}
PROVEN = {
    "passport": ["0", "1"] * (N // 2),
    "driver_name": [f"{i * 0.731:.3f}" for i in range(N)],
    "birth_name": [f"2020-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(N)],
    "surname": ["***"] * N,
}


def scan(name: str, cells: list[str], **options: Any) -> Any:
    table = pa.table({name: cells, **PEOPLE})
    return privaudit.scan(table, ner=False, framework=("hipaa-safe-harbor",), policy="internal", **options).wire


def names_control(report: Any) -> str:
    return next(control.state for control in report.controls if control.id == "HIPAA-b2i-A")


@pytest.mark.parametrize("name", sorted(UNPROVEN))
def test_values_that_prove_nothing_leave_the_column_not_assessed(name: str) -> None:
    report = scan(name, UNPROVEN[name])
    assert report.columns[0].unassessed is not None
    assert report.gate_.exit_code == 3
    assert names_control(report) == "not_measured"


@pytest.mark.parametrize("name", sorted(PROVEN))
def test_values_that_prove_something_else_leave_no_gap(name: str) -> None:
    report = scan(name, PROVEN[name])
    assert report.columns[0].unassessed is None
    assert names_control(report) == "supported"


SHARED = {
    "surname": ["*" * (3 + i % 7) for i in range(N)],
    "present_residence": [str(1 + i % 4) for i in range(N)],
    "phone": [("landline", "mobile", "none at all")[i % 3] for i in range(N)],
    "password": [str(i % 10) for i in range(N)],
}


@pytest.mark.parametrize("name", sorted(SHARED))
def test_values_that_many_people_share_identify_none_of_them(name: str) -> None:
    report = scan(name, SHARED[name])
    assert (report.columns[0].unassessed, report.columns[0].role) == (None, "none")


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", sorted(SHARED))
def test_where_rows_are_events_such_values_may_be_codes_of_people(name: str) -> None:
    table = pa.table({name: SHARED[name], **PEOPLE, "email": [f"p{i % 10}@example.org" for i in range(N)]})
    report = privaudit.scan(table, ner=False, framework=(), policy="internal").wire
    assert report.columns[0].unassessed is not None


@pytest.mark.parametrize("name", sorted(UNPROVEN))
def test_a_declared_role_answers_the_question(name: str) -> None:
    report = scan(name, UNPROVEN[name], role={name: "none"})
    assert report.columns[0].unassessed is None


def test_no_value_is_quoted() -> None:
    report = scan("surname", ["Q1zz" + "*" * (i % 5) for i in range(N)])
    assert "Q1zz" not in render(report, "json")
