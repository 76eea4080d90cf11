"""Personal numbers in another form are found or reported as not assessed; random numbers are neither."""

from __future__ import annotations

import random

import pandas as pd
import pytest

import privaudit

N = 300


def ssn(rng: random.Random) -> str:
    area = rng.choice([a for a in range(1, 900) if a != 666])
    return f"{area:03d}-{rng.randrange(1, 100):02d}-{rng.randrange(1, 10_000):04d}"


def card(rng: random.Random) -> str:
    digits = [4] + [rng.randrange(10) for _ in range(14)]
    doubled = [2 * d if i % 2 == 0 else d for i, d in enumerate(reversed(digits))]
    return "".join(map(str, digits)) + str(-sum(d - 9 if d > 9 else d for d in doubled) % 10)


def columns(**cells: list[str]) -> dict[str, tuple[str | None, set[str], bool]]:
    """Return entity type, contained entity types and whether it was not assessed, by column."""
    report = privaudit.scan(pd.DataFrame(cells), ner=False)
    return {
        c.name: (c.is_.entity if c.is_ else None, {x.entity for x in c.contains}, c.unassessed is not None)
        for c in report.columns
    }


@pytest.fixture(scope="module")
def numbers() -> list[str]:
    rng = random.Random(5)
    return [ssn(rng) for _ in range(N)]


@pytest.fixture(scope="module")
def births() -> pd.Series:
    rng = random.Random(6)
    return pd.to_datetime(pd.Series([f"{rng.randrange(1930, 2005)}-{rng.randrange(1, 13)}-11" for _ in range(N)]))


@pytest.mark.parametrize("label", ["ref", "id", "no.", "order", "case", "invoice", "#"])
def test_many_valid_numbers_outvote_a_label(numbers, label):
    rng = random.Random(7)
    assert "SSN" in columns(note=[f"{label} {s} ok" for s in numbers])["note"][1]
    assert "CREDIT_CARD" in columns(note=[f"{label} {card(rng)} shipped" for _ in range(N)])["note"][1]


def test_few_numbers_and_random_numbers_do_not_outvote_a_label(numbers):
    rng = random.Random(8)
    few = [f"order {s} ok" for s in numbers[:20]] * 15
    assert "SSN" not in columns(note=few)["note"][1]
    digits = [f"order 4{rng.randrange(10**14, 10**15)} shipped" for _ in range(N)]
    assert "CREDIT_CARD" not in columns(note=digits)["note"][1]
    dashed = [f"order {rng.randrange(1000):03d}-{rng.randrange(100):02d}-{rng.randrange(10_000):04d}" for _ in range(N)]
    assert "SSN" not in columns(note=dashed)["note"][1]


@pytest.mark.parametrize("name", ["ref", "order_no", "ssn"])
def test_numbers_with_hyphens_are_found_under_any_name(numbers, name):
    assert columns(**{name: numbers})[name][0] == "SSN"


@pytest.mark.parametrize("name", ["total", "case_id", "value", "amount"])
@pytest.mark.parametrize("ending", ["", ".0"])
def test_numbers_without_hyphens_are_found_or_not_assessed(numbers, name, ending):
    entity, _, unassessed = columns(**{name: [s.replace("-", "") + ending for s in numbers]})[name]
    assert unassessed or entity in ("SSN", "UNRESOLVED_ID"), entity


@pytest.mark.parametrize("low", [0, 10**8])
def test_random_numbers_of_nine_digits_are_not_held_for_social_security_numbers(low):
    rng = random.Random(9)
    entity, _, unassessed = columns(total=[f"{rng.randrange(low, 10**9):09d}" for _ in range(N)])["total"]
    assert entity != "SSN" and not unassessed


def test_dates_of_birth_as_numbers_are_found_or_not_assessed(births):
    seconds = [int(day.timestamp()) for day in births]
    days = [(day - pd.Timestamp("1899-12-30")).days for day in births]
    for name in ("dob", "birth_date"):
        for cells in (seconds, [1000 * s for s in seconds], days):
            entity, _, unassessed = columns(**{name: list(map(str, cells))})[name]
            assert unassessed or entity == "DATE_OF_BIRTH"


def test_a_number_split_over_three_columns_is_not_assessed(numbers):
    found = columns(a=[s[:3] for s in numbers], b=[s[4:6] for s in numbers], c=[s[7:] for s in numbers])
    assert found["a"][2] and found["b"][2] and (found["c"][2] or found["c"][0] == "UNRESOLVED_ID")


def test_lists_of_character_codes_are_read_as_text(numbers):
    for cells in (
        [" ".join(str(ord(c)) for c in s) for s in numbers],
        [str([ord(c) for c in f"mail a{i}@example.org"]) for i in range(N)],
    ):
        assert columns(v=cells)["v"][1] & {"SSN", "EMAIL"}


@pytest.mark.parametrize("filling", ["word " * 100, "word " * 80, "x" * 399 + " ", "a " * 5000])
def test_long_cells_are_searched_to_their_end(numbers, filling):
    assert "SSN" in columns(note=[f"{filling}ssn {s}" for s in numbers[:40]])["note"][1]
