"""Columns without a legible name, recognised by their values and by the other columns: invented values only."""

from __future__ import annotations

import random

import pytest

from tests.helpers.detection import judge

R = random.Random(11)
N = 400
TOWNS = "Leeds|Bradford|Hull|York|Sheffield|Lincoln|Derby|Nottingham|Leicester|Coventry|Oxford|Reading".split("|")


def entity(found: object) -> str:
    verdict = getattr(found, "is_", None)
    return verdict.entity if verdict else ""


def entities(*columns: list[str]) -> list[str]:
    """Return the entities of unnamed columns, in order."""
    found = judge({f"c{number:02d}": cells for number, cells in enumerate(columns)})
    return [entity(found[name]) for name in sorted(found)]


def adults() -> list[str]:
    return [str(int(min(88, max(18, R.gauss(44, 14))))) for _ in range(N)]


def some(values: str) -> list[str]:
    return R.choices(values.split("|"), k=N)


def sizes() -> list[str]:
    return [f"{R.uniform(3, 9):.2f}" for _ in range(N)]


def _streets() -> list[str]:
    return [f"{R.randint(1, 99)} {R.choice(['Mill', 'Church', 'Station', 'Park'])} Road" for _ in range(N)]


def test_words_with_the_endings_of_towns_are_towns() -> None:
    stems = "Kell Marr Bren Oswal Thor Hag Wint Gar Pell Dunn Carr Holl".split()
    ends = "ville ton borough mouth bury".split()
    towns = [R.choice(stems) + R.choice(ends) if R.random() < 0.6 else f"East {R.choice(stems)}" for _ in range(N)]
    assert entities(towns, _streets())[0] == "CITY"


def test_counts_of_many_lengths_next_to_places_are_not_postal_codes() -> None:
    counts = [str(int(10 ** R.uniform(3, 6))) for _ in range(N)]
    assert entities(_streets(), R.choices(TOWNS, k=N), counts)[2] != "POSTAL_CODE"


@pytest.mark.parametrize("days_per_year", [365.25, 365.0])
def test_years_of_whole_days_are_ages_computed_from_dates(days_per_year: float) -> None:
    days = [f"{round(R.uniform(20, 80) * days_per_year) / days_per_year:.6f}" for _ in range(N)]
    assert entities(days, some("female|male"))[0] == "AGE"
    assert entities([f"{R.uniform(20, 80):.6f}" for _ in range(N)], some("female|male"))[0] != "AGE"


def test_words_of_the_addresses_in_another_column_are_names() -> None:
    starts, ends = ("Wor", "Tig", "Bel", "Zan", "Kro", "Fim"), ("dek", "mur", "lix", "gop", "vun")
    parts = [f"{a}{b}{c}" for a in starts for b in "aeiou" for c in ends]
    chosen = [R.choice(parts) for _ in range(N)]
    mails = [f"{part.lower()}{i}@example.org" for i, part in enumerate(chosen)]
    boxes = [f"box{i}@example.org" for i in range(N)]
    assert entities(chosen, mails, some("female|male"))[0] == "LAST_NAME"
    assert entities(chosen, boxes, some("female|male"))[0] != "LAST_NAME"


def test_short_numbers_that_never_repeat_are_keys_of_people_and_not_postal_codes() -> None:
    numbers = [str(n) for n in R.sample(range(1_000, 9_999), N)]
    repeating = R.choices(numbers[: N // 2], k=N)
    towns = R.choices(TOWNS, k=N)
    assert entities(numbers, some("female|male"), towns, towns)[0] == "UNRESOLVED_ID"
    assert entities(repeating, some("female|male"), sizes())[0] != "UNRESOLVED_ID"
    assert entities(numbers, sizes())[0] == "UNRESOLVED_ID"  # no column name has a meaning


def test_row_numbers_of_a_sampled_table_and_numbers_without_gaps_are_not_keys() -> None:
    sampled = [str(20 * i + R.randint(1, 20)) for i in range(N)]
    consecutive = [str(n) for n in range(700_001, 700_001 + N)]
    for numbers in (sampled, consecutive):
        assert entities(numbers, some("female|male"), sizes())[0] != "UNRESOLVED_ID"


def test_words_with_a_house_number_are_addresses_in_a_table_about_people() -> None:
    def street() -> str:
        return "".join(R.choices("abdeiklmnorstuv", k=7)).capitalize()

    homes = [f"{street()} {R.randint(1, 140)}{R.choice(['', 'b', '/3'])}" for _ in range(N)]
    models = [f"{R.choice(['Aster', 'Borealis', 'Corvo'])} {R.randint(1, 140)}" for _ in range(N)]
    assert entities(homes, some("female|male"))[0] == "STREET_ADDRESS"
    assert entities(homes, sizes())[0] != "STREET_ADDRESS"
    assert entities(models, some("female|male"))[0] != "STREET_ADDRESS"


@pytest.mark.parametrize("grouped", ["{} {} {} {}", "{}-{}-{}-{}"])
def test_eighteen_digits_in_groups_are_not_telephone_numbers(grouped: str) -> None:
    """CLABE, the account numbers of Mexico, have more digits than ITU-T E.164 allows, whatever their check digit is."""
    text = ["".join(R.choices("0123456789", k=18)) for _ in range(N)]
    accounts = [grouped.format(n[:3], n[3:6], n[6:17], n[17:]) for n in text]
    assert entities(accounts, some("female|male"), sizes())[0] not in ("PHONE", "")


GIVEN = "Anna|Jiří|Eva|Tomáš|Petra|Lukáš|Hana|Martin|Lenka|Pavel"
FAMILY = "Novák|Svoboda|Dvořák|Černý|Procházka|Kučera|Veselý|Horák|Němec|Marek"


def full_names() -> list[str]:
    return [f"{given} {family}" for given, family in zip(some(GIVEN), some(FAMILY), strict=True)]


def test_incomes_that_are_rounded_to_hundreds_are_not_postal_codes_next_to_towns() -> None:
    incomes = [str(round(R.lognormvariate(10.4, 0.4), -2)).removesuffix(".0") for _ in range(N)]
    assert entities(full_names(), incomes, some("Paris|Berlin|London|Madrid"))[1] != "POSTAL_CODE"


@pytest.mark.parametrize("form", ["P{:03d}", "CUST_{:05d}", "M-{}"])
def test_codes_of_the_same_letters_and_a_number_are_keys_of_few_people(form: str) -> None:
    born = [f"{R.randint(1940, 2004)}-{R.randint(1, 12):02d}-{R.randint(1, 28):02d}" for _ in range(15)]
    codes = [form.format(number) for number in range(20, 35)]
    assert entities(codes, born, R.choices(["f", "m"], k=15))[0] == "UNRESOLVED_ID"
    assert entities([*codes[:-1], codes[0]], born, R.choices(["f", "m"], k=15))[0] == ""  # one repeats
    assert entities(codes, [f"{R.uniform(3, 9):.2f}" for _ in codes])[0] == ""  # of things


@pytest.mark.parametrize("n", [13, 20, 49])
def test_codes_of_one_length_that_each_person_has_alone_are_identifiers_in_short_tables(n: int) -> None:
    people = [
        R.choices(words.split(), k=n) for words in ("Anna Peter Maria John Laura", "Smith Jones Brown Miller Davis")
    ]
    codes = [f"{R.choice('ABCU')}{number:07d}" for number in R.sample(range(10**7), n)]
    assert entities(*people, codes)[2] == "UNRESOLVED_ID"
    assert entities(*people, [codes[i // 2] for i in range(n)])[2] == ""
    assert entities(["red", "blue", "grey"] * (n // 3) + ["red"] * (n % 3), codes)[1] == ""
