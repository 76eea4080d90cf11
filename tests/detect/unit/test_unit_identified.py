"""Named things and years without a gap show what a row is, although some columns have an unknown name."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

import privaudit
from privaudit.model import DatasetUnit
from privaudit.model.unit import PEOPLE
from privaudit.report import render

R = random.Random(11)
N = 120
Table = dict[str, list[str]]


def drawn(low: float, high: float, digits: int = 0) -> list[str]:
    values = [R.uniform(low, high) for _ in range(N)]
    return [str(round(value, digits) if digits else round(value)) for value in values]


PARTS: Table = {
    "product_id": [f"K-{1000 + 7 * i}" for i in range(N)],
    "warehouse": [R.choice(["north", "south", "harbour"]) for _ in range(N)],
    "stock": drawn(0, 500),
    "price": drawn(1, 90, 2),
}
"""Each row is another product, with attributes that only products have."""
FEW_PARTS: Table = {name: PARTS[name] for name in ("product_id", "stock")}
"""One attribute of products alone, which establishes them only because each row is another one."""
PUMPS: Table = {
    "pump": [f"P{i % 6}" for i in range(N)],
    "timestamp": [f"2024-03-{1 + i // 6:02d} 08:00:00" for i in range(N)],
    "rpm": drawn(800, 1500),
}
"""Several pumps are read at the same times."""
YEARS: Table = {"year": [str(1900 + i) for i in range(N)], "blorb": drawn(0, 90, 2)}
"""A figure of unknown meaning for each of 120 years."""


def scan(table: Table, **options: Any) -> Any:
    return privaudit.scan(pa.table(table), ner=False, advice=False, **options).wire


def unit_of(table: Table) -> DatasetUnit:
    unit = scan(table).dataset.unit
    assert unit is not None
    return unit


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize(
    ("table", "reason", "keys"),
    [
        ({**FEW_PARTS, "qwix": drawn(0, 6, 1)}, "unit.thing_in_each_row", {"product_id"}),
        ({**PUMPS, "qwix": drawn(0, 6, 1)}, "unit.things_by_time", {"pump", "timestamp"}),
        (YEARS, "unit.row_of_series", {"year"}),
    ],
    ids=["things", "things by time", "years"],
)
def test_the_rows_are_things_and_the_reason_names_what_identifies_them(
    table: Table, reason: str, keys: set[str]
) -> None:
    report = scan(table)
    unit = report.dataset.unit
    assert report.gate_.exit_code == 0
    assert unit.kind == "object" and unit.reasons[0].code == reason
    assert set(unit.reasons[0].values["columns"].names) == keys
    assert scan(table, unit="person").gate_.exit_code != 0


def test_a_column_with_an_unknown_name_is_stated() -> None:
    shown = render(scan({**PARTS, "qwix": drawn(0, 6, 1), "zanty": drawn(0, 6, 1)}), "md")
    assert "is not known: they are judged as attributes of the thing" in shown and "--unit" in shown
    assert "is not known" not in render(scan(PARTS), "md")


def test_whole_numbers_under_the_name_of_a_quantity_are_not_codes() -> None:
    assert unit_of({**PARTS, "qwix_size": drawn(1, 9)}).kind == "object"


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("name", ["qwix", "keller_weight", "patient_weight", "staff_no_size", "qwix_us"])
def test_whole_numbers_named_after_people_or_codes_are_not_quantities(name: str) -> None:
    assert unit_of({**PARTS, name: drawn(1, 9)}).kind in PEOPLE


NATIONS = ["France", "Spain", "Italy", "Peru"]
GRID: Table = {"nation": [n for n in NATIONS for _ in range(30)], "year": [str(1990 + i) for i in range(30)] * 4}


def test_a_figure_of_each_nation_and_year_is_none_of_a_person() -> None:
    unit = unit_of({**GRID, "blorb": drawn(0, 90, 2)})
    assert unit.kind == "object" and unit.reasons[0].code == "unit.row_of_area"


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize(
    "change",
    [
        {"keller": drawn(0, 90, 2)},
        {"blorb": drawn(0, 300)},
        {"blorb": drawn(0, 90, 2), "qwix": [R.choice(["ak", "bm", "cf"]) for _ in range(N)]},
        {"blorb": drawn(0, 90, 2), "nation": [f"Dorf {n}" for n in GRID["nation"]], "year": ["1990"] * N},
    ],
    ids=["named after a person", "whole numbers", "initials", "no grid"],
)
def test_a_grid_with_people_in_it_is_not_one_of_areas(change: Table) -> None:
    assert unit_of({**GRID, **change}).kind in PEOPLE


CODES = [str(code) for code in R.sample(range(40_000, 50_000), 25)]


@pytest.mark.quick_cases(5)
@pytest.mark.parametrize(
    "change",
    [
        {"qwix": [R.choice(["baker", "miner", "smith"]) for _ in range(N)]},
        {"qwix": drawn(1, 40)},
        {"qwix": [str(i) for i in R.sample(range(1, 400), N)]},
        {"qwix": [R.choice(CODES) for _ in range(N)]},
        {"qwix": drawn(0, 6, 1), "zanty": drawn(0, 6, 1), "fremp": drawn(0, 6, 1), "ulgo": drawn(0, 6, 1)},
        {"qwix": drawn(0, 6, 1), "patient": drawn(0, 60)},
        {"qwix": drawn(0, 6, 1), "sex": [R.choice(["female", "male"]) for _ in range(N)]},
    ],
    ids=[
        "text",
        "few numbers",
        "many numbers",
        "codes of one length",
        "more unknown than known",
        "named after people",
        "an attribute of people",
    ],
)
@pytest.mark.parametrize("table", [PARTS, PUMPS], ids=["things", "things by time"])
def test_what_may_be_about_people_is_not_judged_as_a_thing(table: Table, change: Table) -> None:
    assert unit_of({**table, **change}).kind in PEOPLE


UNKNOWN = {"qwix": drawn(0, 6, 1)}
NOT_IDENTIFIED: dict[str, Table] = {
    "a product occurs again": {**PARTS, **UNKNOWN, "product_id": [f"K-{i % 40}" for i in range(N)]},
    "only its name shows a thing": {"product_id": PARTS["product_id"], "size": drawn(1, 9), **UNKNOWN},
    "numbered columns": {"item1": PARTS["product_id"], "item2": drawn(0, 6, 1), "price": PARTS["price"], **UNKNOWN},
    "times of each thing": {
        **PUMPS, **UNKNOWN, "timestamp": [f"2024-03-{1 + i // 6:02d} {8 + i % 6:02d}:{i % 60:02d}:00" for i in range(N)]
    },
    "what a person wears": {"device" if c == "pump" else c: values for c, values in {**PUMPS, **UNKNOWN}.items()},
    "one thing": {
        **PUMPS, **UNKNOWN, "pump": ["P1"] * N, "timestamp": [f"2024-01-01 0{i // 60}:{i % 60:02d}" for i in range(N)]
    },
    "a year is missing": {**YEARS, "year": [str(1900 + i + (i > 60)) for i in range(N)]},
    "a text for each year": {**YEARS, "qwix": [R.choice(["baker", "miner", "smith"]) for _ in range(N)]},
    "few years": {column: values[:8] for column, values in YEARS.items()},
    "several rows of a year": {**YEARS, "year": [str(1900 + i // 2) for i in range(N)]},
    "categories for each year": {**YEARS, **UNKNOWN},
}  # fmt: skip


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("name", sorted(NOT_IDENTIFIED))
def test_rows_that_nothing_identifies_are_not_judged_as_things(name: str) -> None:
    assert unit_of(NOT_IDENTIFIED[name]).kind in PEOPLE


@pytest.mark.parametrize(
    "table",
    [
        {"height": drawn(150, 195, 1), "hips": drawn(80, 120, 1), "weight": drawn(45, 99, 1)},
        {"volume": drawn(0.4, 3.8, 2), "rate": drawn(0.4, 3.8, 2), "y": drawn(0, 1)},
        {"date": PUMPS["timestamp"], "item0": drawn(36, 39, 2)},
    ],
    ids=["body measures", "breaths", "body temperature"],
)  # fmt: skip
def test_a_quantity_is_not_the_key_of_a_thing(table: Table) -> None:
    assert unit_of(table).kind in PEOPLE
