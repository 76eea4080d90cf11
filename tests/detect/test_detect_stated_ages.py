"""Ages over 89 and under 18 are counted from numbers and bands, in the unit of the column name."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from tests.helpers.detection import judge

ROWS = 200


def age_column(name: str, values: list[str]) -> privaudit.ScanReport:
    rng = np.random.default_rng(3)
    return privaudit.scan(
        pa.table(
            {
                "patient_id": [f"P{i:05d}" for i in range(ROWS)],
                "sex": rng.choice(["female", "male"], ROWS),
                name: [values[i % len(values)] for i in range(ROWS)],
                "diagnosis": rng.choice(["asthma", "malaria"], ROWS),
            }
        ),
        ner=False,
    ).column(name)


@pytest.mark.slow
@given(st.integers(1, 12), st.integers(40, 99))
def test_a_band_counts_where_all_its_ages_do(width: int, last: int) -> None:
    bands = [(low, low + width - 1) for low in range(0, last, width)]
    found = age_column("age_group", [f"{low}-{high}" for low, high in bands])
    rows = [bands[i % len(bands)] for i in range(ROWS)]
    elderly = sum(all(age >= 90 for age in range(low, high + 1)) for low, high in rows)
    minors = sum(all(age < 18 for age in range(low, high + 1)) for low, high in rows)
    assert found.role == "quasi"
    assert found.measurements["age_over_89"] == elderly
    assert found.measurements.get("n_children", 0) == minors


@pytest.mark.parametrize(("last", "rows"), [("90+", 0), ("90 and over", 0), ("over 89", 0), ("85+", 0), ("95+", 20)])
def test_one_category_from_90_on_is_not_counted(last: str, rows: int) -> None:
    bands = [f"{low}-{low + 9}" for low in range(0, 90, 10)]
    assert age_column("age_group", [*bands, last]).measurements["age_over_89"] == rows


def test_a_band_around_18_leaves_the_number_of_minors_open() -> None:
    found = age_column("age_group", ["15-24", "25-44", "45-64", "65+"])
    assert found.role == "quasi" and "n_children" not in found.measurements


@pytest.mark.parametrize(
    ("name", "values", "elderly", "minors"),
    [
        ("age_months", [6, 30, 215, 216, 700, 1079, 1080, 1200], 50, 75),
        ("age_in_days", [30, 6574, 6575, 20000, 32871, 32873, 33000, 36000], 75, 50),
        ("edad_meses", [6, 30, 215, 216, 700, 1079, 1080, 1200], 50, 75),
    ],
)
def test_the_column_name_states_the_unit(name: str, values: list[int], elderly: int, minors: int) -> None:
    found = age_column(name, [str(value) for value in values])
    assert found.is_ is not None and found.is_.entity == "AGE"
    assert (found.measurements["age_over_89"], found.measurements["n_children"]) == (elderly, minors)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("highest", [700, 30_000])
def test_ages_in_an_unknown_unit_are_ages_that_are_not_counted(highest: int) -> None:
    found = age_column("age", [str(value) for value in range(highest // 10, highest, 41)])
    assert (found.is_.entity, found.role) == ("AGE", "quasi")
    assert not {"age_over_89", "n_children"} & found.measurements.keys()


def test_large_numbers_called_age_in_a_table_without_people_are_not_ages() -> None:
    found = privaudit.scan(
        pa.table({"cement": [300.5 + i for i in range(ROWS)], "age": [3 + 2 * i for i in range(ROWS)]}), ner=False
    )
    assert found.column("age").is_ is None


@pytest.mark.parametrize("unit", ["años", "AÑOS", "Jahre", "ans", "lat", "лет", "ปี", "歳"])
def test_numbers_with_a_word_for_years_are_ages_in_any_language(unit: str) -> None:
    ages = [age for age in range(18, 92) for _ in range(1 + (92 - age) // 20)]
    table = {"c0": [f"{age} {unit}" for age in ages], "email": [f"user{i}@mail.example" for i in range(len(ages))]}
    assert _entity(table, "c0") == "AGE"


def test_numbers_with_another_unit_are_ages_only_under_a_name_that_means_age() -> None:
    numbers = [number for number in range(18, 92) for _ in range(3)]
    weights, ages = ([f"{number} {unit}" for number in numbers] for unit in ("kg", "J."))
    assert (_entity({"c0": weights}, "c0"), _entity({"Alter": ages}, "Alter")) == (None, "AGE")


def _entity(table: dict[str, list[str]], name: str) -> str | None:
    verdict = judge(table)[name].is_
    return None if verdict is None else verdict.entity
