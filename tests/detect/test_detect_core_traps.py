"""The traps every peer falls into: each stays a test for ever."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.helpers.detection import judge


def cells(make: Callable[[random.Random], str], n: int = 200, seed: int = 3) -> list[str]:
    source = random.Random(seed)
    return [make(source) for _ in range(n)]


def test_a_rejected_card_reports_that_luhn_passes_by_chance() -> None:
    found = judge({"c0": cells(lambda r: f"4{r.randrange(10**15):015d}", 400)})["c0"]
    assert any(
        item.entity == "CREDIT_CARD" and item.because.code == "detect.luhn_as_by_chance" for item in found.rejected
    ), found.rejected


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("n_values", [1, 3])
@pytest.mark.parametrize("value", ["jane.roe@example.org", "+254 712 345 678", "4111 1111 1111 1111", "536-22-1234"])
def test_rare_values_are_counted_among_any_text(value: str, n_values: int) -> None:
    notes = [f"Entry {i}: the parcel was late and the client was told so" for i in range(2000)]
    for place in range(n_values):
        notes[place * 600 + 7] = f"Entry: {value} was left by the client for later, {place}"
    found = judge({"notes": notes})["notes"]
    assert [c.n_cells for c in found.contains] == [n_values]


@pytest.mark.parametrize("name", ["treatment", "diagnosis", "disability"])
def test_numbers_that_count_many_rows_are_not_health_data_and_few_may_be(name: str) -> None:
    def verdict(numbers: range) -> str | None:
        ages = [str(20 + i * 7 % 50) for i in numbers]
        found = judge({name: [str(i) for i in numbers], "age": ages, "sex": ["FM"[i % 2] for i in numbers]})[name].is_
        return None if found is None else found.entity

    assert verdict(range(1, 41)) != "MEDICAL"
    assert verdict(range(1, 5)) == "MEDICAL"


def test_decimals_are_not_the_days_of_a_month() -> None:
    lengths = judge({"day": [f"{i * 3.7:.1f}" for i in range(1, 9)]})["day"].is_
    assert lengths is None or lengths.entity != "DATE_EVENT"
    days = judge({"day": [str(1 + i % 28) for i in range(60)]})["day"].is_
    assert days is not None and days.entity == "DATE_EVENT"
