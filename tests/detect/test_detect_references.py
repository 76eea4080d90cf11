"""Keys that refer to people, codes with a description, names that a generator numbered."""

from __future__ import annotations

import random
import uuid

import pytest

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


@pytest.mark.parametrize("name", ["PATIENT", "member", "customer", "employee"])
@pytest.mark.parametrize("keys", [KEYS, NUMBERS], ids=["uuid", "number"])
def test_a_key_named_after_a_person_is_a_person_id(name: str, keys: list[str]) -> None:
    found = judge({**visits(), name: [R.choice(keys) for _ in range(240)]})
    assert found[name].is_.entity == "PERSON_ID"


@pytest.mark.parametrize("name", ["ENCOUNTER", "ORDER", "PRODUCT", "DEVICE"])
def test_a_key_named_after_a_thing_is_not_a_person_id(name: str) -> None:
    found = judge({**visits(), name: [R.choice(KEYS) for _ in range(240)]})
    assert found[name].is_ is None or found[name].is_.entity != "PERSON_ID"


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


def test_numbered_names_under_a_column_of_names_are_names() -> None:
    given = [f"{R.choice(('Elvis', 'Zyphoria', 'Qorvanth', 'Maria', 'Drelwyn'))}{i}" for i in range(100, 240)]
    assert judge({"FIRST": given})["FIRST"].is_.entity == "FIRST_NAME"
