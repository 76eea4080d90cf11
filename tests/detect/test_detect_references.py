"""Keys that refer to people, codes with a description, names that a generator numbered."""

from __future__ import annotations

import random
import uuid

import pytest

from privaudit.detect.catalogue.wordlists import listed_words
from tests.helpers.detection import judge

R = random.Random(11)
KEYS = [str(uuid.UUID(int=R.getrandbits(128), version=4)) for _ in range(60)]
NUMBERS = [str(R.randint(10**6, 10**7)) for _ in range(60)]
DIAGNOSES = ("Asthma (disorder)", "Diabetes mellitus (disorder)", "Acute bronchitis (disorder)", "Anemia (disorder)")


def visits(n: int = 240) -> dict[str, list[str]]:
    kinds = [i % 7 % 4 for i in range(n)]
    return {
        "START": [f"2020-0{1 + i % 9}-1{i % 9}" for i in range(n)],
        "ENCOUNTER": [str(uuid.UUID(int=R.getrandbits(128), version=4)) for _ in range(n)],
        "CODE": [str(15_777_000 + 1_000 * k + k) for k in kinds],
        "DESCRIPTION": [DIAGNOSES[k] for k in kinds],
    }


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["PATIENT", "member", "customer", "employee"])
@pytest.mark.parametrize("keys", [KEYS, NUMBERS], ids=["uuid", "number"])
def test_a_key_named_after_a_person_is_a_person_id(name: str, keys: list[str]) -> None:
    found = judge({**visits(), name: [R.choice(keys) for _ in range(240)]})
    assert found[name].is_.entity == "PERSON_ID"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    "name",
    ["patient_uuid", "user_guid", "id_customer", "fk_customer", "customerRef", "patient_identifier", "PatientUID"],
)
def test_words_for_keys_around_the_name_of_a_person_change_nothing(name: str) -> None:
    assert judge({**visits(), name: [R.choice(KEYS) for _ in range(240)]})[name].is_.entity == "PERSON_ID"


def test_numbers_from_one_without_gaps_refer_to_people() -> None:
    customers = [str(1 + i % 45) for i in range(240)]
    assert judge({**visits(), "customer": customers})["customer"].is_.entity == "PERSON_ID"
    rows = judge({**visits(), "customer": [str(i + 1) for i in range(240)]})["customer"].is_
    assert rows is None or rows.entity == "ROW_NUMBER"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["ENCOUNTER", "ORDER", "PRODUCT", "DEVICE", "order_uuid", "fk_product"])
def test_a_key_named_after_a_thing_is_not_a_person_id(name: str) -> None:
    found = judge({**visits(), name: [R.choice(KEYS) for _ in range(240)]})
    assert found[name].is_ is None or found[name].is_.entity != "PERSON_ID"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("cells", [["0", "1", "2", "3"], [str(i) for i in range(30)]])
def test_counts_under_the_name_of_a_person_are_not_keys(cells: list[str]) -> None:
    found = judge({**visits(), "customer": [R.choice(cells) for _ in range(240)]})["customer"]
    assert found.is_ is None or found.is_.entity != "PERSON_ID"


def test_codes_take_the_entity_type_of_their_description() -> None:
    assert judge(visits())["CODE"].is_.entity == "MEDICAL"


def test_codes_that_occur_less_often_than_the_text_next_to_them_are_not_described_by_it() -> None:
    table = visits()
    table["CODE"] = [str(15_777_000 + i % 11) for i in range(240)]
    found = judge(table)["CODE"].is_
    assert found is None or found.entity != "MEDICAL"


SYLLABLES = ("bor", "cza", "dre", "fil", "gra", "kow", "luz", "mir", "now", "ska")


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("form", ["{}{}", "{} {}", "{}_{}"])
@pytest.mark.parametrize("case", [str.title, str.lower])
def test_names_that_no_list_has_may_carry_a_number_under_a_column_of_names(form: str, case: object) -> None:
    unknown = [form.format(case("".join(R.sample(SYLLABLES, 3))), i) for i in range(100, 240)]  # type: ignore[operator]
    assert judge({"LAST": unknown})["LAST"].is_.entity == "LAST_NAME"
    for other in ("name", "device", "c1"):  # things have such names as well
        found = judge({other: unknown})[other].is_
        assert found is None or found.entity not in ("LAST_NAME", "PERSON_NAME", "FIRST_NAME"), other


def test_numbered_names_under_a_column_of_names_are_names() -> None:
    given = [f"{R.choice(('Elvis', 'Zyphoria', 'Qorvanth', 'Maria', 'Drelwyn'))}{i}" for i in range(100, 240)]
    assert judge({"FIRST": given})["FIRST"].is_.entity == "FIRST_NAME"


def test_a_record_id_that_repeats_and_determines_the_names_is_the_key_of_the_people() -> None:
    people = [(f"{n}", given, family, f"19{50 + n % 49}-0{n % 9 + 1}-1{n % 9}") for n, given, family in persons(40)]
    visits = [person for person in people for _ in range(4)]
    columns = dict(zip(("record_id", "fname", "lname", "dob"), map(list, zip(*visits, strict=True)), strict=True))
    assert judge({**columns, "score": [str(i % 9) for i in range(160)]})["record_id"].is_.entity == "PERSON_ID"
    alone = [str(n) for n in range(160)]
    assert judge({**columns, "record_id": alone})["record_id"].is_.entity == "RECORD_ID"


@pytest.mark.parametrize(("share", "is_key"), [(0.05, True), (0.4, False)])
def test_a_number_whose_rows_have_mistyped_names_is_the_key_of_the_people(share: float, is_key: bool) -> None:
    readers = [(f"{700_000 + 7919 * n % 90_001}", f"{given} {family}") for n, given, family in persons(60)]
    loans = [reader for reader in readers for _ in range(5)]
    wrong = set(random.Random(3).sample(range(300), round(share * 300)))
    cells = [f"{name[0]}{name[2]}{name[1]}{name[3:]}" if i in wrong else name for i, (_, name) in enumerate(loans)]
    found = judge({"nr_karty": [number for number, _ in loans], "czytelnik": cells})["nr_karty"].is_
    assert (found is not None and found.entity == "PERSON_ID") is is_key


def test_user_names_under_a_bare_user_are_found() -> None:
    logins = [f"{family}{given}".lower() for _, given, family in persons(60)]
    clients = [f"85.{n}.{(7 * n) % 250}.{(11 * n) % 250}" for n in range(1, 61)]
    assert judge({"client": clients, "user": logins})["user"].is_.entity == "USERNAME"


def persons(n: int) -> list[tuple[int, str, str]]:
    given, family = sorted(listed_words("given_names")), sorted(listed_words("surnames"))
    return [(i, given[41 * i].title(), family[43 * i].title()) for i in range(1, n + 1)]
