"""What the evidence of a column may reveal, and forms of numbers and dates that resemble others."""

from __future__ import annotations

import datetime
import random

import pytest

from privaudit.model.wording import Number
from tests.helpers.detection import judge


@pytest.mark.parametrize("last", range(1990, 2000))
def test_the_span_of_births_is_shown_by_the_decade(last: int) -> None:
    """An exact span and one known extreme would reveal the other year of birth."""
    years = [1921 + i % (last - 1920) for i in range(400)]
    found = judge({"date of birth": [f"{year}-0{1 + i % 9}-1{i % 9}" for i, year in enumerate(years)]})
    reasons = [clue.because.values for clue in found["date of birth"].is_.evidence]
    spans = [values["years"] for values in reasons if "years" in values]
    assert spans == [Number(value=(last - 1921) // 10 * 10)]


@pytest.mark.parametrize("written", ["%d.%m.%Y", "%Y-%m-%d"])
def test_the_way_dates_are_written_is_not_a_country(written: str) -> None:
    r, letters = random.Random(2), "ABCDEFGHKLMNPRSTUVWXYZ"
    towns = [r.choice(("M", "B", "HH", "K")) for _ in range(300)]
    plates = [f"{town}-{r.choice(letters)}{r.choice(letters)} {r.randrange(10, 9999)}" for town in towns]
    births = [(datetime.date(1950, 1, 1) + datetime.timedelta(r.randrange(19_000))).strftime(written) for _ in plates]
    found = judge({"c1": plates, "Geburtsdatum": births})["c1"].is_
    assert found is not None and (found.entity, found.detail) == ("VEHICLE_ID", "de.plate")


def test_valid_numbers_of_the_usa_are_telephone_numbers_under_the_name_of_an_id() -> None:
    r = random.Random(4)
    cells = [f"({r.choice((212, 415, 312, 617))}) {r.randint(220, 989)}-{r.randint(1000, 9999)}" for _ in range(200)]
    found = judge({"customer_id": cells})["customer_id"].is_
    assert found is not None and found.entity == "PHONE"
