"""Columns in which some cells name people, and others companies or a word in place of a name."""

from __future__ import annotations

import random

import pytest

from tests.helpers.detection import judge

R = random.Random(14)
GIVEN = ("Anna", "Peter", "Karin", "Thomas", "Servác", "Maroš", "Žemyna", "Faustas")  # lists have the first four
FAMILY = ("Schmidt", "Garcia", "Rossi", "Novak", "Krížik", "Gagys", "Kyseľ", "Žukauskas")
PEOPLE = [f"{given} {family}" for given in GIVEN for family in FAMILY]
FIRMS = [f"{family} {form}" for family in FAMILY for form in ("GmbH", "s.r.o.", "AG", "Ltd")]


def _entity(cells: list[str]) -> str | None:
    verdict = judge({"c0": R.sample(cells, len(cells))})["c0"].is_
    return None if verdict is None else verdict.entity


@pytest.mark.parametrize("firms", [FIRMS, [f"UAB „{family}“" for family in FAMILY] * 4])
def test_people_next_to_fewer_companies_are_found_and_counted(firms: list[str]) -> None:
    verdict = judge({"c0": R.sample([*PEOPLE, *firms], 96)})["c0"].is_
    assert verdict is not None
    assert verdict.entity == "PERSON_NAME"
    assert verdict.share.value == 64 / 96


def test_a_few_people_among_companies_do_not_decide() -> None:
    assert _entity([*FIRMS, *PEOPLE[:24]]) != "PERSON_NAME"


def test_one_word_in_many_rows_does_not_hide_the_names_of_the_others() -> None:
    assert _entity([*PEOPLE, *["vacant"] * 30, *["owner"] * 30]) == "PERSON_NAME"


def test_different_words_in_place_of_names_are_not_names() -> None:
    kinds = [f"{word} {i}" for i, word in enumerate(["oak table", "pine shelf", "steel lamp", "glass door"] * 16)]
    assert _entity([*kinds, *["vacant"] * 30]) != "PERSON_NAME"


def test_two_full_names_are_people_and_two_surnames_are_a_company() -> None:
    listed = PEOPLE[:32]
    couples = [f"{one} & {other}" for one, other in zip(listed, R.sample(listed, 32), strict=True)]
    firms = [f"{one} & {other}" for one in FAMILY for other in FAMILY]
    assert (_entity(couples), _entity(firms) == "PERSON_NAME") == ("PERSON_NAME", False)


@pytest.mark.parametrize("title", ["JUDr.", "Tdl.", "lic. iur.", "Kap."])
def test_staff_behind_a_title_of_no_list_are_named_although_they_repeat(title: str) -> None:
    staff = [f"{title} {given} {family}" for given, family in zip(GIVEN, FAMILY, strict=True)]
    assert _entity(staff * 40) == "PERSON_NAME"


def test_kinds_of_things_behind_an_abbreviation_are_levels() -> None:
    kinds = [f"Mod. {given} {word}" for given in GIVEN[:4] for word in ("Classic", "Classic")]
    assert _entity(sorted(set(kinds)) * 60) != "PERSON_NAME"
