"""Columns that were generalised before the scan have the type of the values in their groups."""

from __future__ import annotations

import datetime as dt
import random
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.advice.technique.ranges import names_of_runs
from privaudit.detect.grouped_values import first_values
from privaudit.detect.witnesses import build
from privaudit.settings.config import Settings
from privaudit.source import from_arrow
from privaudit.source.profile import profile
from tests.helpers.detection import judge

N = 240
R = random.Random(8)
MONTHS = [f"{year}-{month:02d}" for year in (2020, 2021, 2022) for month in range(1, 13)]
DAYS = [(dt.date(2020, 1, 1) + dt.timedelta(days=4 * n)).isoformat() for n in range(N)]


def people() -> dict[str, list[str]]:
    return {"sex": [R.choice("MF") for _ in range(N)], "age": [str(R.randrange(18, 90)) for _ in range(N)]}


def report(name: str, cells: list[str]) -> tuple[privaudit.Report, object]:
    table = pa.table({**people(), name: cells})
    found = privaudit.scan(table, ner=False, advice=False).wire
    return found, next(column for column in found.columns if column.name == name)


def quarter(day: str) -> str:
    return f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}"


def week(day: str) -> str:
    return "{}-W{:02d}".format(*dt.date.fromisoformat(day).isocalendar()[:2])


def half(day: str) -> str:
    return f"{day[:4]}-01 to {day[:4]}-06" if day[5:7] < "07" else f"{day[:4]}-07 to {day[:4]}-12"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["discharge_date", "c3"])
@pytest.mark.parametrize(
    ("write", "level"),
    [
        (half, "month"),
        (quarter, "month"),
        (week, "day"),
        (lambda day: f"[{day[:8]}01, {day[:8]}15)" if day[8:] < "15" else f"[{day[:8]}15, {day[:8]}28)", "day"),
        (lambda day: f"{day[:4]}-01 to {day[:4]}-12", "year"),
        (lambda day: "2018 to 2020" if day < "2021" else "2021 to 2023", "year"),
        (lambda day: "2010s" if day < "2021" else "2020s", "year"),
        (lambda day: f"{half(day)} or missing" if day > "2021" else half(day), "month"),
        (lambda day: "other" if day[5:7] == "02" else half(day), "month"),
    ],
)
def test_periods_are_dates_and_a_quasi_identifier(name: str, write: object, level: str) -> None:
    found, column = report(name, [write(day) for day in DAYS])  # type: ignore[operator]
    assert (column.is_.entity, column.role, column.unassessed) == ("DATE_EVENT", "quasi", None)
    finer = any(finding.code == "DAT001" and name in finding.subject for finding in found.findings)
    assert finer == (level != "year")


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("zip", ["10000-19999", "20000-29999", "30000-39999", "40000-49999"], "POSTAL_CODE"),
        ("salary", ["[20000, 40000)", "[40000, 60000)", "[60000, 80000)", "80000+"], "INCOME"),
        ("city", ["Boston | Chicago | Denver", "Houston | Austin", "other | Seattle"], "CITY"),
        ("town", ["Bern | Lausanne", "Basel | Geneva", "other"], "CITY"),
        ("age", ["[20, 30)", "[30, 40)", "[40, 60)", "60+"], "AGE"),
        ("date_of_birth", ["1930 to 1949", "1950 to 1969", "1970 to 1999"], "DATE_OF_BIRTH"),
        ("education", ["Bachelor | Master", "Doctorate | High School"], "EDUCATION"),
    ],
)
@pytest.mark.quick_cases(3)
def test_groups_have_the_type_of_their_values(name: str, names: list[str], expected: str) -> None:
    verdict = judge({**people(), name: [names[n % len(names)] for n in range(N)]})[name].is_
    assert verdict is not None
    assert verdict.entity == expected


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("phone", lambda: f"{R.randrange(200, 999)}-{R.randrange(1000, 9999)}"),
        ("code", lambda: f"{R.randrange(10, 99)}-{R.randrange(100, 999)}"),
        ("score", lambda: f"{R.randrange(5)}-{R.randrange(5)}"),
        ("note", lambda: R.choice(["moved to room 4", "sent to ward 2", "back to 3"])),
        ("point", lambda: f"({R.uniform(-9, 9):.4f}, {R.uniform(40, 60):.4f})"),
        ("hours", lambda: R.choice(["from 9 to 5", "closed"])),
    ],
)
def test_other_values_with_the_signs_of_groups_are_read_whole(name: str, make: object) -> None:
    table = pa.table({name: [make() for _ in range(N)]})  # type: ignore[operator]
    with from_arrow(table) as dataset:
        column = build(dataset, profile(dataset)[0], Settings(ner=False))
        assert first_values(column) is column


@given(cuts=st.sets(st.integers(1, len(MONTHS) - 1), min_size=2, max_size=9))
def test_each_name_that_a_remedy_writes_gives_the_first_value_of_its_group(cuts: set[int]) -> None:
    edges = [0, *sorted(cuts), len(MONTHS)]
    runs = [(low, high - 1) for low, high in pairwise(edges)]
    names = names_of_runs(MONTHS, runs, "round_date")
    cells = [str(names[run]) for run in runs for _ in range(4)]
    with from_arrow(pa.table({"c": cells})) as dataset:
        column = build(dataset, profile(dataset)[0], Settings(ner=False))
        first = first_values(column)
    stated = {names[run]: MONTHS[run[0]] for run in runs}
    assert [stated[name] for name in column.values.to_pylist()] == first.values.to_pylist()
    assert first.n_present == column.n_present
