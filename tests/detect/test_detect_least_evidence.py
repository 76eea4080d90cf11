"""What cells must show under the name of an entity type, whatever else the column name suggests."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from privaudit.detect.catalogue import wordlists
from privaudit.detect.subjects.column_names import Form
from privaudit.model.vocabulary import entity_types
from tests.helpers.detection import judge

R = random.Random(35)
N = 120
UPPER, DIGITS = "ABCDEFGHJKLMNPQRSTUVWXYZ", "0123456789"


def some(*cells: object) -> list[str]:
    return [str(R.choice(cells)) for _ in range(N)]


def each(make: Callable[[], object]) -> list[str]:
    return [str(make()) for _ in range(N)]


def people() -> dict[str, list[str]]:
    return {"sex": some("Male", "Female"), "age": each(lambda: R.randrange(18, 90))}


def things() -> dict[str, list[str]]:
    return {"price": each(lambda: f"{R.uniform(2, 90):.2f}"), "item": [f"part {n}" for n in range(N)]}


def entity(name: str, cells: Sequence[str], others: dict[str, list[str]]) -> str:
    verdict = judge({**others, name: list(cells)})[name].is_
    return verdict.entity if verdict else ""


def test_every_value_form_of_an_entity_type_exists() -> None:
    """Each record of `value_forms.toml` has the keys of `Form`, and some entity type names it."""
    named = {one.value_form for one in entity_types().values()}
    for name, record in wordlists.toml("value_forms").items():
        assert Form(**record)
        assert name in named


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("residence", ("Urban", "Rural")),
        ("home_address", ("Rented", "Owned", "Shared")),
        ("address", ("Home", "Work", "Other")),
        ("linkedin_skill", ("Project Management", "Public Speaking", "Data Analysis", "Team Building")),
        ("twitter", ("breaking news", "music video", "local weather")),
        ("document_number", ("Bilhete: 123", "Bilhete: 7", "Bilhete: 58")),
        ("passport", ("Stamp 1", "Stamp 12", "Visa 3")),
        ("display_name", ("Central Station", "North Gate", "Old Market", "River Crossing", "West End", "Green Lane")),
        ("full_name", ("Republic of Austria", "Kingdom of Spain", "Kingdom of Denmark", "Republic of Poland")),
    ],
)
def test_a_header_word_does_not_outweigh_cells_that_cannot_be_it(name: str, cells: tuple[str, ...]) -> None:
    personal = {"STREET_ADDRESS", "USERNAME", "PASSPORT", "NATIONAL_ID", "PERSON_NAME"}
    for others in (people(), things()):
        assert entity(name, some(*cells), others) not in personal


@pytest.mark.parametrize(
    ("name", "cells", "expected"),
    [
        ("minor_unit", (0, 2, 3), "AGE"),
        ("age", (1, 2, 3, 4), "AGE"),
        ("age", ("adult", "child"), "AGE"),
        ("photo_credit", ("Courtesy of the museum", "Public domain", "Our archive"), "FINANCIAL"),
        ("salary", ("low", "medium", "high"), "INCOME"),
    ],
)
@pytest.mark.quick_cases(3)
def test_levels_count_among_people_only(name: str, cells: tuple[object, ...], expected: str) -> None:
    assert entity(name, some(*cells), things()) != expected
    assert entity(name, some(*cells), {"gender": some("Male", "Female")}) == expected


@pytest.mark.parametrize("name", ["c_charge_degree", "shift", "size"])
def test_letters_next_to_a_named_sex_are_another_property(name: str) -> None:
    assert entity(name, some("F", "M"), people()) != "GENDER"
    assert entity("sex", some("F", "M"), {name: some("F", "M")}) == "GENDER"


@pytest.mark.parametrize("name", ["TailNum", "registration", "code"])
def test_aircraft_have_no_british_postal_codes(name: str) -> None:
    tails = each(lambda: f"N{R.randrange(100, 1000)}{R.choice(UPPER)}{R.choice(UPPER)}")
    assert entity(name, tails, things()) != "POSTAL_CODE"


@pytest.mark.parametrize(
    ("name", "cells", "expected"),
    [
        ("address", ("12 Mill Road", "4 Hill Street", "Flat 2, 9 Park Lane"), "STREET_ADDRESS"),
        ("passport_no", ("X1234567", "C01X00T47", "PA 123 4567"), "PASSPORT"),
        ("document_number", ("No. 12345678", "AB 998877", "12.345.678-9"), "PASSPORT"),
        ("username", ("ann.lee", "sunny42", "j_murphy", "okafor", "x-ray7"), "USERNAME"),
        ("age", ("0-05 Months", "06-11 Months", "12-23 Months"), "AGE"),
        ("age", ("20 Years", "34 Years", "71 Years", "8 Years"), "AGE"),
        ("patient_age", ("34Y", "11 mos", "70 yrs"), "AGE"),
    ],
)
@pytest.mark.quick_cases(4)
def test_what_has_the_least_is_found(name: str, cells: tuple[str, ...], expected: str) -> None:
    assert entity(name, some(*cells), people() if expected != "AGE" else {"sex": some("M", "F")}) == expected


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    "name", ["Bearbeiter", "Enseignant", "congressperson_name", "head_of_state", "host name", "coach", "insegnante"]
)
def test_repeated_or_rare_names_are_names_under_a_name_that_means_people(name: str) -> None:
    rare = ("Tsegaye Woldemariam", "Xochitl Quetzal", "Bjarte Skjelbred", "Thabiso Mokoena", "Aroha Ngata")
    frequent = ("Maria Lopez", "Ann Smith", "John Miller")
    for cells in (rare, frequent):
        assert entity(name, some(*cells), things()) == "PERSON_NAME"


@pytest.mark.slow
def test_the_income_of_people_without_column_names_is_found_by_its_size_and_spread() -> None:
    given = [name.title() for name in R.sample(sorted(wordlists.listed_words("given_names")), N)]
    family = [name.title() for name in R.sample(sorted(wordlists.listed_words("surnames")), N)]
    wages = each(lambda: round(R.lognormvariate(10.6, 0.4), -2))
    assert entity("c3", wages, {"c1": given, "c2": family}) == "INCOME"
    assert entity("c3", wages, {"c1": some("red", "blue"), "c2": some("steel", "wood")}) == ""
    distances = each(lambda: R.randrange(1000, 90_000))
    assert entity("c3", distances, {"c1": given, "c2": family}) != "INCOME"


@pytest.mark.parametrize("digits", [5, 14])
def test_cards_in_scientific_notation_need_their_name(digits: int) -> None:
    cells = each(lambda: f"{R.randrange(4 * 10**15, 5 * 10**15):.{digits}e}")
    assert entity("card_number", cells, people()) == "CREDIT_CARD"
    assert entity("energy", cells, things()) == ""
