"""A code that repeats with the attributes of people stops the assumption that each row is another person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import privaudit

PEOPLE, VISITS = 200, 5
CODES: dict[str, Callable[[int], str]] = {
    "id": lambda i: str(i + 1),
    "case": lambda i: f"C{i * 7919 % 100_000:05d}",
    "uuid": lambda i: f"{i * 7919:08x}-0000-4000-8000-{i * 104_729:012x}",
}
JOBS = ("nurse", "cook", "clerk")


def person(i: int) -> dict[str, str]:
    """Return attributes that four people or more have, so that their visits are a class of twenty rows."""
    return {"age": str(20 + 5 * (i % 8)), "sex": "mf"[i // 8 % 2], "job": JOBS[i // 16 % 3]}


def visits(code: str, *, of_visit: tuple[str, ...] = (), n_visits: int = VISITS) -> list[dict[str, str]]:
    """Return the rows of all visits; attributes in `of_visit` belong to another person at each visit."""
    rows = []
    for i in range(PEOPLE):
        for j in range(n_visits):
            other = person((i * 31 + 17 * j) % PEOPLE)
            drawn = {name: other[name] for name in of_visit}
            rows.append({code: CODES[code](i), **person(i), **drawn, "score": str((i * 7 + j * 3) % 5)})
    return rows


def scan(rows: list[dict[str, str]], **options: Any) -> privaudit.Report:
    return privaudit.scan(pa.Table.from_pylist(rows), ner=False, **options)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("of_visit", [(), ("job",), ("age",)])
def test_rows_of_visits_are_not_assessed_until_someone_states_what_a_row_is(code, of_visit):
    rows = visits(code, of_visit=of_visit)
    report = scan(rows)
    assert report.dataset.unit.kind == "event" and report.dataset.unit.subject is None
    assert f'"{code}" repeats' in str(report.dataset.unit.reasons[0])
    assert report.gate().exit_code == 3
    assert scan(rows, unit="person").dataset.unit.kind == "person"


def test_classes_of_visits_are_larger_than_those_of_their_people():
    """What the gate would have passed: 20 rows in each class, of four people."""
    by_rows, by_people = scan(visits("id"), unit="person"), scan(visits("id"), subject="id")
    assert (by_rows.risk.k_min, by_people.risk.k_min) == (VISITS * 4, 4)
    assert (by_rows.gate().exit_code, by_people.gate().exit_code) == (0, 1)


@pytest.mark.parametrize(
    ("of_visit", "n_visits"),
    [
        (("sex",), VISITS),  # a household: its members differ
        (("age", "job"), VISITS),  # a team, whose members have one sex
        (("age", "sex", "job"), VISITS),
        ((), 1),  # the code does not repeat
    ],
)
def test_a_code_of_a_group_leaves_each_row_a_person(of_visit, n_visits):
    assert scan(visits("case", of_visit=of_visit, n_visits=n_visits)).dataset.unit.kind == "person"
