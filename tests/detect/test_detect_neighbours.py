"""Values that no list contains, recognised by the columns next to them: invented values without column names."""

from __future__ import annotations

import random

import pytest

from privaudit.detect.catalogue import wordlists
from tests.detect.test_detect_unnamed import adults, entities

R = random.Random(23)
N = 400
GIVEN, SURNAMES = (
    [word.title() for word in sorted(wordlists.listed_words(kind)) if word.isalpha() and word.isascii()][::40]
    for kind in ("given_names", "surnames")
)


def invented(n: int = N) -> list[str]:
    """Return capitalised words that are in no list."""
    syllables = "bru dzo fli gwa hju kve lju mry pfe ryx svo tqu vny zja".split()
    return ["".join(R.choices(syllables, k=3)).capitalize() for _ in range(n)]


def sexes() -> list[str]:
    return R.choices(["female", "male"], k=N)


def test_words_next_to_one_part_of_names_are_the_other_part() -> None:
    assert entities(adults(), invented(), R.choices(SURNAMES, k=N), sexes())[1] == "FIRST_NAME"
    assert entities(sexes(), R.choices(GIVEN, k=N), invented(), adults())[2] == "LAST_NAME"


@pytest.mark.slow
def test_words_are_not_a_part_of_names_where_it_is_known_or_another_column_may_be_it() -> None:
    assert entities(adults(), R.choices(SURNAMES, k=N), sexes())[1] == "LAST_NAME"
    known = entities(R.choices(GIVEN, k=N), R.choices(SURNAMES, k=N), invented(), sexes())
    assert known[2] not in ("FIRST_NAME", "LAST_NAME")
    ambiguous = entities(invented(), R.choices(SURNAMES, k=N), invented(), sexes())
    assert ambiguous[0] == ambiguous[2] == ""
    lower_case = [word.lower() for word in invented()]
    assert entities(adults(), lower_case, R.choices(SURNAMES, k=N), sexes())[1] == ""


def _streets() -> list[str]:
    return [f"{R.randint(1, 99)} {R.choice(['Mill', 'Church', 'Station', 'Park'])} Road" for _ in range(N)]


def _postal_codes() -> list[str]:
    return [str(R.choice([1, 3, 4, 6, 8, 9]) * 10_000 + R.randint(0, 150) * 60) for _ in range(N)]


def test_words_next_to_the_postal_code_of_an_address_are_its_town() -> None:
    towns = R.choices(invented(40), k=N)
    assert entities(_streets(), _postal_codes(), towns, sexes())[2] == "CITY"
    assert entities(towns, _postal_codes(), _streets(), sexes())[0] == "CITY"


def test_words_next_to_a_postal_code_are_not_a_town_where_two_columns_may_be_it_or_addresses_have_one() -> None:
    words = R.choices(invented(40), k=N)
    assert entities(words, _postal_codes(), words, _streets())[0] == ""
    known = R.choices("Leeds Bradford Hull York Sheffield Lincoln Derby Nottingham Leicester Coventry".split(), k=N)
    assert entities(_streets(), known, _postal_codes(), words)[3] == ""


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("form", ["{} {}", "{}-{}", "{}/{}b"])
def test_numbers_of_houses_may_be_first_or_have_two_parts(form: str) -> None:
    pairs = [(word, R.randint(1, 140)) for word in invented()]
    houses = [form.format(n, n + 2) if form != "{} {}" else str(n) for _, n in pairs]
    first = [f"{house} {word}" for (word, _), house in zip(pairs, houses, strict=True)]
    last = [f"{word} {house}" for (word, _), house in zip(pairs, houses, strict=True)]
    assert entities(first, sexes())[0] == entities(last, sexes())[0] == "STREET_ADDRESS"
    doses = [f"{R.randint(1, 140)} {unit}" for unit in R.choices(["tablets", "drops", "units"], k=N)]
    assert entities(doses, sexes())[0] != "STREET_ADDRESS"


def _numbers(plus: float, separator: str) -> list[str]:
    """Return numbers of nine digits in groups, of which a share has a country code; no country issues them."""
    groups = [[str(R.randint(100, 999)) for _ in range(3)] for _ in range(N)]
    return [("+52 " if R.random() < plus else "").replace(" ", separator) + separator.join(g) for g in groups]


@pytest.mark.slow
def test_numbers_of_which_some_have_a_country_code_are_telephone_numbers() -> None:
    assert entities(_numbers(0.2, " "), sexes())[0] == "PHONE"
    assert entities(_numbers(0.0, " "), sexes())[0] != "PHONE"
    assert entities(_numbers(0.2, ""), sexes())[0] != "PHONE"  # signs of amounts


def test_unnamed_codes_next_to_their_description_are_of_its_entity_type() -> None:
    conditions = "Asthma|Type 2 diabetes|Hypertension|Acute bronchitis|Migraine|Chronic kidney disease".split("|")
    codes = dict(zip(conditions, "195967001 44054006 38341003 10509002 37796009 709044004".split(), strict=True))
    described = R.choices(conditions, weights=range(1, 7), k=N)
    assert entities([codes[one] for one in described], described, sexes())[0] == "MEDICAL"
    assert entities(R.choices([*codes.values()], k=N), described, sexes())[0] == ""


def test_a_pair_of_letters_is_a_sex_next_to_the_age() -> None:
    letters = R.choices("KM", k=N)
    assert entities(letters, adults(), R.choices(GIVEN, k=N))[0] == "GENDER"
    assert entities(R.choices("KT", k=N), adults(), R.choices(GIVEN, k=N))[0] == ""
