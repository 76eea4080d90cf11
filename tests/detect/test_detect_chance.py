"""What chance explains is not evidence; what it does not explain is: codes, few words, dates in digits, keys."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from pathlib import Path
from string import ascii_uppercase, digits

import numpy as np
import pyarrow as pa
import pytest

import privaudit
from privaudit.detect import chance
from privaudit.detect.catalogue import check_systems, detectors, validators
from privaudit.detect.text import embedded
from tests.helpers.detection import judge

R = random.Random(11)
N = 90
GIVEN = "Ann Joe Mia Tom Eva Kofi Ingrid Luis Priya Omar".split()
FAMILY = "Lee Rossi Garcia Novak Okafor Jensen Silva Murphy".split()


def people(n: int = N) -> dict[str, list[str]]:
    return {"age": [str(R.choice([30, 40])) for _ in range(n)], "sex": [R.choice("MF") for _ in range(n)]}


def entity(name: str, cells: list[str], **others: list[str]) -> str:
    verdict = judge({**people(len(cells)), **others, name: cells})[name].is_
    return verdict.entity if verdict else ""


def test_the_rate_of_a_system_is_that_of_its_codes_by_brute_force() -> None:
    for name in ("il.idnr", "nl.bsn", "us.ssn"):
        rates = check_systems.rates(name, 9)
        draw = random.Random(9)
        drawn = [f"{draw.randrange(10**8, 10**9)}" for _ in range(check_systems.N)]
        assert rates["random digits"] == sum(map(validators.get(name), drawn)) / check_systems.N
    assert check_systems.rates("luhn", 9)["mod 10 (Luhn)"] == 1
    assert check_systems.rates("luhn", 9)["mod 97"] < 0.3


@pytest.mark.slow
def test_codes_with_a_common_check_digit_are_not_numbers_of_people() -> None:
    """For every common system and length: only a word or a country makes them national numbers."""
    official = {d.entity for d in detectors.load(None) if d.validator and not d.regex} - {"PRODUCT_CODE", "DEVICE_ID"}
    for length in (6, 7, 8):
        for name, complete in check_systems.SYSTEMS.items():
            cells = [complete(str(R.randrange(10 ** (length - 1), 10**length))) for _ in range(N)]
            assert entity("part", cells) not in official, (name, length)


@pytest.mark.parametrize("width", [5, 7, 9, 11])
def test_a_series_is_not_a_number_of_people(width: int) -> None:
    cells = [f"{n:0{width}d}" for n in range(37, 37 + N)]
    assert entity("item", cells) not in ("TAX_ID", "NATIONAL_ID", "SSN", "HEALTH_ID")


def test_a_country_next_to_it_makes_a_check_digit_evidence() -> None:
    cells = [check_systems.SYSTEMS["mod 10 (Luhn)"](str(R.randrange(10**8, 10**9))) for _ in range(N)]
    assert entity("c3", cells) != "NATIONAL_ID"
    assert entity("teudat zehut", cells) == "NATIONAL_ID"


def test_card_numbers_whose_check_digit_is_that_of_chance_are_not_cards() -> None:
    cells = [" ".join([f"4{R.randrange(1000):03}", *(f"{R.randrange(10**4):04}" for _ in range(3))]) for _ in range(60)]
    assert entity("values", cells) != "CREDIT_CARD"
    assert entity("card_number", cells) == "CREDIT_CARD"  # invented cards of test data


@pytest.mark.parametrize("name", ["car_colour", "paint", "trim", "finish"])
@pytest.mark.parametrize("shares", [(1, 1, 1, 1), (9, 1, 1, 1), (1, 1, 1, 9)])
def test_a_few_words_that_are_also_surnames_decide_nothing(name: str, shares: tuple[int, ...]) -> None:
    for words in ("brown grey black white", "white black green young"):
        cells = R.choices(words.split(), shares, k=100)
        assert entity(name, cells) not in ("LAST_NAME", "FIRST_NAME", "PERSON_NAME", "RACE_ETHNICITY")


def test_an_order_is_not_an_occupation() -> None:
    for name in ("rank", "position"):
        assert entity(name, [str(R.randint(1, 10)) for _ in range(N)]) == ""
        assert entity(name, R.choices(["nurse", "teacher", "welder"], k=N)) == "OCCUPATION"


FORMS = {
    "nickname": '{0} "{2}" {1}',
    "brackets": "{0} ({2}) {1}",
    "HL7": "{1}^{0}^^",
    "dots": "{0}.{1}",
    "underscores": "{0}_{1}",
    "two people": "{0} & {2} {1}",
}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("form", FORMS)
def test_names_are_found_in_the_forms_of_systems(form: str) -> None:
    cells = [FORMS[form].format(R.choice(GIVEN), R.choice(FAMILY), R.choice(GIVEN)) for _ in range(N)]
    assert {entity(name, cells) for name in ("name", "holder", "c7")} == {"PERSON_NAME"}


def test_paths_and_labels_in_these_forms_are_not_names() -> None:
    labels = [f"{R.choice(['src', 'lib', 'doc'])}_{R.choice(['main', 'test', 'blue'])}" for _ in range(N)]
    assert entity("name", labels) == ""


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("written", ["%m%d%Y", "%d%m%Y", "%y%m%d", "%d%m%y", "%Y%j", "days"])
def test_dates_in_digits_are_dates_under_a_name_of_dates(written: str) -> None:
    days = [date(2019, 1, 1) + timedelta(days=R.randrange(1000)) for _ in range(N)]
    start = date(1899, 12, 30)
    cells = [str((day - start).days) if written == "days" else day.strftime(written) for day in days]
    assert entity("visit_date", cells) == "DATE_EVENT"
    births = [(date(1950, 1, 1) + timedelta(days=R.randrange(19_000))).strftime(written) for _ in range(N)]
    assert written == "days" or entity("dob", births) == "DATE_OF_BIRTH"


@pytest.mark.slow
def test_other_digits_are_not_dates() -> None:
    for name in ("visit_date", "c7"):
        for length in (5, 6, 7, 8):
            if (name, length) != ("visit_date", 5):  # numbers of days have no other form
                cells = [str(R.randrange(10 ** (length - 1), 10**length)) for _ in range(N)]
                assert entity(name, cells) != "DATE_EVENT", (name, length)


def test_codes_of_diagnoses_are_found_by_form_and_header() -> None:
    cells = R.choices(["250.00", "401.9", "414.01", "008.45", "296.20"], k=N)
    assert {entity(name, cells) for name in ("principal_dx", "discharge_dx", "dx2")} == {"MEDICAL"}
    assert entity("principal_dx", [f"{R.uniform(0, 9):.3f}" for _ in range(N)]) == ""


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(("birth", "sex"), [("c1", "c2"), ("born", "sex")])
def test_a_code_that_determines_people_is_their_key(birth: str, sex: str) -> None:
    """Without names of the other columns, 31 of 40 draws show that the rows are about people; this draw does."""
    R.seed("test_a_code_that_determines_people_is_their_key")
    n_people, n = 40, 300
    born = [str(date(1940, 1, 1) + timedelta(days=R.randrange(22_000))) for _ in range(n_people)]
    numbers = [str(n) for n in R.sample(range(10**5, 10**6), n_people)]
    rows = [R.randrange(n_people) for _ in range(n)]
    stays = {"c0": [numbers[r] for r in rows], birth: [born[r] for r in rows], sex: ["MF"[r % 2] for r in rows]}
    assert judge(stays)["c0"].is_.entity == "PERSON_ID"  # type: ignore[union-attr]
    R.shuffle(stays["c0"])
    found = judge(stays)["c0"].is_
    assert found is None or found.entity != "PERSON_ID"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("written", ["%y%m%d", "%Y%j", "days"])
def test_whole_numbers_that_state_a_day_are_not_years(written: str, tmp_path: Path) -> None:
    days = [date(2021, 1, 1) + timedelta(days=R.randrange(700)) for _ in range(N)]
    cells = [str((day - date(1899, 12, 30)).days) if written == "days" else day.strftime(written) for day in days]
    lines = [",".join(row) for row in zip(*people().values(), cells, strict=True)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["age,sex,visit_date", *lines]))
    assert "DAT001" in {finding.code for finding in privaudit.scan(file, ner=False).findings}


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("name", ["readings", "trace", "sensor_values"])
@pytest.mark.parametrize("widths", [(4, 4, 4, 4), (3, 3, 3), (2, 2, 2)])
def test_several_numbers_in_a_cell_are_neither_an_identifier_nor_cards(name: str, widths: tuple[int, ...]) -> None:
    """Of 60 random numbers with the prefix of a card issuer, six pass the check of cards."""
    draw = random.Random(name)
    cells = [" ".join(str(draw.randrange(10 ** (n - 1), 10**n)) for n in widths) for _ in range(60)]
    cells = [f"4{cell[1:]}" for cell in cells]
    found = judge({**people(len(cells)), name: cells})[name]
    assert found.is_ is None
    assert "CREDIT_CARD" not in {one.entity for one in found.contains}


DAYS = [date(2019, 1, 1) + timedelta(5 * n) for n in range(N)]
BIRTHS = [date(1940, 1, 1) + timedelta(260 * n) for n in range(N)]


@pytest.mark.parametrize(
    ("name", "write", "days", "expected"),
    [
        ("visit_date", lambda day: f"{day.year}-{day.timetuple().tm_yday:03d}", DAYS, "DATE_EVENT"),
        ("admitted", lambda day: f"{day.year}/{day.timetuple().tm_yday:03d}", DAYS, "DATE_EVENT"),
        ("c3", lambda day: f"{day.year}-{day.timetuple().tm_yday:03d}", DAYS, "DATE_EVENT"),
        ("date_of_birth", lambda day: f"{day.year}-{day.timetuple().tm_yday:03d}", BIRTHS, "DATE_OF_BIRTH"),
        ("c3", lambda day: f"{day.year}-{day.timetuple().tm_yday:03d}", BIRTHS, "DATE_OF_BIRTH"),
        ("c3", lambda day: f"{day:%d%m%Y}", BIRTHS, "DATE_OF_BIRTH"),
        ("onset_date", lambda day: f"{(day - date(1899, 12, 30)).days}.{day.day * 3:02d}", DAYS, "DATE_EVENT"),
    ],
)
@pytest.mark.quick_cases(4)
def test_days_of_a_year_and_days_with_a_fraction_are_dates(name, write, days, expected) -> None:
    found = judge({**people(), name: [write(day) for day in days]})[name].is_
    assert found is not None and found.entity == expected


@pytest.mark.parametrize("name", ["zip", "postal_code", "postcode"])
def test_decimals_under_a_name_for_postal_codes_are_not_assessed_among_people(name: str) -> None:
    cells = [f"{R.randrange(10000, 99999)}.{R.randrange(11, 99)}" for _ in range(N)]
    assert judge({**people(), name: cells})[name].unassessed is not None
    assert judge({"price": cells, "item": [f"part {n}" for n in range(N)], name: cells})[name].unassessed is None


@pytest.mark.parametrize("p", [0.1, 0.003])
def test_the_upper_tail_is_that_of_the_binomial(p: float) -> None:
    from scipy.stats import binom

    for n, passing in ((50, 5), (50, 12), (200, 200), (400, 61), (10, 1), (20_000, 70)):
        wanted = 1.0 if passing <= n * p else binom.sf(passing - 1, n, p)
        assert chance.upper_tail(n, passing, p) == pytest.approx(wanted, rel=1e-6)


def test_the_rate_by_chance_is_that_of_the_check() -> None:
    codes = [f"{n:09d}" for n in R.sample(range(10**9), 500)]
    rate = chance.rate_by_chance(codes, by_validator("nl.bsn"))
    assert rate == pytest.approx(sum(map(validators.get("nl.bsn"), codes)) / 500, abs=0.05)
    assert chance.rate_by_chance(["no digits"] * 3, by_validator("nl.bsn")) == 0


def by_validator(name: str) -> chance.Accepts:
    return lambda codes: np.array([validators.get(name)(code) for code in codes.to_pylist()])


def contents(cells: list[str]) -> set[str]:
    return {one.entity for one in judge({"ref": cells})["ref"].contains}


def test_codes_contain_no_number_that_chance_explains() -> None:
    """Of 20,000 random codes of ten characters, seven have the form of an Indian PAN."""
    draw = random.Random(3)
    codes = ["".join(draw.choices(ascii_uppercase + digits, k=10)) for _ in range(20_000)]
    has_form = [re.fullmatch("[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]", code) is not None for code in codes]
    assert 0 < sum(has_form) < 20
    assert "TAX_ID" not in contents(codes)
    numbers = [f"{''.join(draw.choices(ascii_uppercase, k=3))}PK{draw.randrange(1000, 9999)}Q" for _ in range(40)]
    assert "TAX_ID" in contents([*codes, *numbers])


@pytest.mark.parametrize("other", ["no number", "in the letter of May"])
def test_a_number_unlike_the_other_cells_is_reported(other: str) -> None:
    assert "TAX_ID" in contents([*(f"{other} {'ab'[i % 2]}{i}" for i in range(N)), "ABCPK1234Q"])


@pytest.mark.parametrize(("valid", "counts"), [(40, False), (120, True)])
def test_card_numbers_in_text_count_where_more_are_valid_than_chance_makes(valid: int, *, counts: bool) -> None:
    """Of 400 numbers with the prefix of an issuer, one in ten passes Luhn by chance."""
    drawn = [f"4{R.randrange(10**14):014d}" for _ in range(400)]
    check = validators.get("luhn")
    right = [next(n + d for d in digits if check(n + d)) for n in drawn]
    wrong = [next(n + d for d in digits if not check(n + d)) for n in drawn]
    texts = [f"see {number} of the list, please" for number in (*right[:valid], *wrong[valid:])]
    found = embedded.find_embedded(pa.array(texts), np.ones(len(texts), dtype=np.int64))
    assert any(one.entity == "CREDIT_CARD" for one in found) is counts


NO_LIST = "Zzyvark Qwellon Brumdat Ostrivel Kwixam Dralpo Yentrub".split()


@pytest.mark.parametrize("written", ["{1}. {0}", "{0} {1}.", "{0} {1}.{2}.", "Dr. {0} {1}."])
def test_repeated_words_with_initials_are_names(written: str) -> None:
    staff = [written.format(word, *R.sample(ascii_uppercase, 2)) for word in NO_LIST]
    assert entity("c0", R.choices(staff, k=300)) == "PERSON_NAME"


@pytest.mark.parametrize("written", ["Part {1}.", "{0} {1}", "{1}. {3}"])
def test_letters_after_one_word_and_without_a_point_are_not_initials(written: str) -> None:
    things = [written.format(word, *R.sample(ascii_uppercase, 2), word.lower()) for word in NO_LIST]
    assert entity("c0", R.choices(things, k=300)) != "PERSON_NAME"
