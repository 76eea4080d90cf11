"""Designed experiments, panels of organisations, and figures of unknown meaning show what a row is."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pyarrow as pa
import pytest

import privaudit
from privaudit.model import DatasetUnit
from privaudit.model.unit import PEOPLE

R = random.Random(23)
Table = dict[str, list[str]]
OPERATIONS = ["read", "write", "update", "insert", "delete", "scan"]
STEPS = ["0", "0.5", "1", "1.5", "2"]
POWERS = ["4", "8", "16", "32", "64", "128"]


def factorial(names: list[str], *levels: list[str], times: int = 1) -> Table:
    """Return a table with every combination of `levels`, `times` each, and two measurements."""
    rows = [row for row in itertools.product(*levels) for _ in range(times)]
    R.shuffle(rows)
    table = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    return table | {name: [f"{R.uniform(1, 900):.3f}" for _ in rows] for name in ("qwix", "zanty")}


def unit_of(table: Table, **options: Any) -> DatasetUnit:
    unit = privaudit.scan(pa.table(table), ner=False, advice=False, **options).wire.dataset.unit
    assert unit is not None
    return unit


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize(
    "table",
    [
        factorial(["a", "b"], OPERATIONS, POWERS),
        factorial(["a", "b"], STEPS, POWERS),
        factorial(["a", "b", "c"], OPERATIONS, ["on", "off"], STEPS),
        factorial(["a", "b"], OPERATIONS, ["0", "10", "20", "30"]),
    ],
    ids=["words by powers", "steps by powers", "three conditions", "equal steps"],
)
def test_every_combination_of_conditions_shows_an_experiment(table: Table) -> None:
    unit = unit_of(table)
    assert unit.kind == "object" and unit.reasons[0].code == "unit.designed"
    assert privaudit.scan(pa.table(table), ner=False).wire.gate_.exit_code == 0


PEOPLE_BY_CONDITION = {
    "numbers without a gap": [str(i) for i in range(1, 13)],
    "numbers with a gap": [str(i) for i in range(1, 14) if i != 7],
    "numbers at random": ["113", "245", "387", "412", "455", "501", "530", "622", "671", "702", "810", "933"],
    "codes": [f"P{i:02d}" for i in range(12)],
    "initials": ["AK", "BM", "CD", "DF", "EG", "FH", "GI", "HJ", "IK", "JL", "KM", "LN"],
    "named participants": [f"participant {i}" for i in range(12)],
    "numbers in steps": [str(i) for i in range(110, 230, 10)],
    "even numbers": [str(i) for i in range(2, 26, 2)],
}
NAMED_AFTER_THINGS = {"device": [f"W{i:02d}" for i in range(12)], "operator": ["tiger", "wolf", "eagle", "horse"]}


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("people", PEOPLE_BY_CONDITION.values(), ids=PEOPLE_BY_CONDITION.keys())
@pytest.mark.parametrize("times", [1, 4])
def test_people_who_are_each_observed_under_every_condition_are_not_an_experiment_about_things(
    people: list[str], times: int
) -> None:
    table = factorial(["a", "b"], people, ["low", "high"], times=times)
    assert unit_of(table).kind in PEOPLE
    assert privaudit.scan(pa.table(table), ner=False).wire.gate_.exit_code != 0


@pytest.mark.parametrize("name", sorted(NAMED_AFTER_THINGS))
def test_who_wears_or_runs_a_thing_is_not_a_condition(name: str) -> None:
    assert unit_of(factorial([name, "b"], NAMED_AFTER_THINGS[name], OPERATIONS)).kind in PEOPLE


def test_a_combination_that_is_missing_or_more_frequent_is_not_a_design() -> None:
    table = factorial(["a", "b"], OPERATIONS, POWERS)
    assert unit_of({name: cells[1:] for name, cells in table.items()}).kind in PEOPLE
    assert unit_of({name: [*cells, cells[0]] for name, cells in table.items()}).kind in PEOPLE


@pytest.mark.parametrize("times", [2, 10])
def test_equal_groups_of_people_under_conditions_are_not_an_experiment_about_things(times: int) -> None:
    assert unit_of(factorial(["a", "b"], ["easy", "hard"], ["am", "pm"], times=times * 5)).kind in PEOPLE
    assert unit_of(factorial(["a", "b"], OPERATIONS, POWERS, times=times)).kind in PEOPLE


def test_categories_without_measurements_are_not_a_design() -> None:
    table = factorial(["a", "b"], OPERATIONS, POWERS)
    assert unit_of({name: table[name] for name in ("a", "b")}).kind in PEOPLE


def panel(companies: int, periods: int) -> Table:
    rows = list(itertools.product(range(companies), range(periods)))
    table = {
        "company": [f"Harlow {chr(65 + i % 26)}{i} Energy Ltd" for i, _ in rows],
        "month": [f"2023-{1 + j:02d}" for _, j in rows],
    }
    return table | {name: [str(R.randrange(10**6)) for _ in rows] for name in ("resqwix", "comzanty")}


def test_organisations_by_period_have_figures_of_any_name() -> None:
    unit = unit_of(panel(20, 12))
    assert unit.kind == "organisation" and unit.reasons[0].code == "unit.panel"


def test_texts_of_unknown_meaning_next_to_organisations_by_period_may_be_people() -> None:
    table = panel(20, 12)
    rows = len(table["company"])
    assert unit_of(table | {"qwix": [f"K{i % 60}" for i in range(rows)]}).kind in PEOPLE


MACHINES: Table = {
    "machine": [f"M{i % 40}" for i in range(120)],
    "rpm": [str(R.randrange(800, 1500)) for _ in range(120)],
    "torque": [f"{R.uniform(1, 90):.2f}" for _ in range(120)],
    "voltage": [f"{R.uniform(1, 90):.2f}" for _ in range(120)],
}
FIGURES = {
    "amounts": [str(10 ** (i % 6) + i) for i in range(120)],
    "negative numbers": [str(i - 60) for i in range(120)],
    "quantities": [f"{i} mm" for i in range(120)],
    "ranges": [f"{i}-{i + 5}" for i in range(120)],
    "words": [
        R.choice(["worn but running", "clean and quiet", "needs oil soon", "belt was replaced"]) for _ in range(120)
    ],
}
CODES = {
    "numbers of people": [str(1 + i % 40) for i in range(120)],
    "high numbers": [str(R.randrange(10_000, 99_999)) for _ in range(120)],
    "codes": [f"X{i % 40:03d}" for i in range(120)],
    "pairs of numbers": [f"{R.randrange(100, 999)}-{R.randrange(100, 999)}" for _ in range(120)],
    "initials": [R.choice("ABCDEFGH") + R.choice("KLMNPRST") for _ in range(120)],
    "people in words": [f"{R.choice(['old', 'new'])} customer {i}" for i in range(120)],
    "given names in words": [f"{R.choice(['help from', 'called'])} {R.choice(['Anna', 'Felix'])}" for i in range(120)],
    "a person in words": [R.choice(["he was late again", "she was alone again"]) for i in range(120)],
}


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("cells", FIGURES.values(), ids=FIGURES.keys())
def test_figures_and_words_of_unknown_meaning_next_to_two_attributes_of_a_thing_are_its_attributes(
    cells: list[str],
) -> None:
    assert unit_of(MACHINES | {"qwix": cells}).kind == "object"


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("cells", CODES.values(), ids=CODES.keys())
def test_codes_of_unknown_meaning_may_be_people_next_to_any_attribute_of_a_thing(cells: list[str]) -> None:
    assert unit_of(MACHINES | {"qwix": cells}).kind in PEOPLE


@pytest.mark.parametrize("name", ["crew", "operator", "seat"])
def test_who_runs_a_thing_may_have_a_nickname(name: str) -> None:
    nicknames = [R.choice(["tiger", "wolf", "eagle", "horse"]) for _ in range(120)]
    assert unit_of(MACHINES | {name: nicknames}).kind in PEOPLE


def test_a_measurement_with_the_name_of_an_attribute_of_people_is_not_one_of_a_device() -> None:
    days = [str(1 + i // 40) for i in range(120)]
    pulse = [f"{R.uniform(50, 90):.2f}" for _ in range(120)]
    assert unit_of({"device": MACHINES["machine"], "day": days, "heart_rate_bpm": pulse}).kind in PEOPLE


def test_codes_with_names_in_small_letters_are_a_list_of_things() -> None:
    codes = ["WD", "IR", "GL", "PL", "ST", "CL", "WL", "SL"]
    things = ["wood", "iron", "glass", "plastic", "stone", "cotton cloth", "wool", "silk"]
    assert unit_of({"id": codes, "name": things}).kind == "object"
    assert (
        unit_of({"id": codes, "name": ["Zyba", "Quorle", "Mixa", "Tolva", "Brun", "Sael", "Vond", "Kirl"]}).kind
        in PEOPLE
    )
