"""People in a column of companies are counted where they are more than companies that are named after people."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.detect.chance import is_beyond_chance
from privaudit.detect.subjects.people_among_others import UNLISTED, names_a_person
from privaudit.detect.text.engines.interface import models
from tests.helpers.detection import judge

GIVEN = ("Anna", "Peter", "Karin", "Thomas", "Maria", "Claudia", "Stefan", "Paolo")
FAMILY = ("Schmidt", "Garcia", "Rossi", "Novak", "Kowalska", "Zwingli", "Ostrander", "Quistorp")
PEOPLE = [f"{given} {family}" for given in GIVEN for family in FAMILY]
FORMS = ("GmbH", "s.r.o.", "AG", "Ltd", "S.p.A.", "B.V.", "& Sons", "Sp. z o.o.")
FIRMS = [f"{family} {form}" for family in FAMILY for form in FORMS] + [
    f"{stem}{ending} {form}" for stem in ("Nord", "Vita", "Agro") for ending in ("pak", "chem", "log") for form in FORMS
]
NAMED_AFTER_PEOPLE = ["Peter Hahn", "Carl Zeiss"]


def _people(cells: Sequence[str], header: str = "supplier") -> int:
    found = judge({header: random.Random(3).sample(cells, len(cells))})[header]
    return next((one.n_cells for one in found.contains if one.entity == "PERSON_NAME"), 0)


@pytest.mark.parametrize("n_people", [0, 1, 10, 40])
def test_every_person_among_companies_is_counted_beyond_chance(n_people: int) -> None:
    cells = [*FIRMS, *PEOPLE[:n_people]]
    assert _people(cells) == (n_people if n_people >= 10 else 0)


@given(n_people=st.integers(0, 40), n_firms=st.integers(30, 120), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=10)
def test_the_count_is_that_of_a_loop_over_the_cells(n_people: int, n_firms: int, seed: int) -> None:
    draw = random.Random(seed)
    others = [*draw.sample(PEOPLE, n_people), *NAMED_AFTER_PEOPLE]
    cells = [*draw.sample(FIRMS, n_firms), *others]
    assert [text for text in cells if names_a_person(text)] == others
    rate = models("false_alarms_in_names")["lists"]
    found = judge({"supplier": cells})["supplier"]
    if found.is_ is not None and found.is_.entity == "ORGANISATION":
        assert _people(cells) == (len(others) if is_beyond_chance(len(others), len(others), rate) else 0)


@pytest.mark.parametrize(
    "form", ["{family}, {given}", "Dr. {given} {family}", "{given} van der {family}", "Frau {family}"]
)
def test_names_in_other_orders_and_after_titles(form: str) -> None:
    assert all(names_a_person(form.format(given=given, family=family)) for given in GIVEN for family in FAMILY)


@pytest.mark.parametrize(
    "text",
    ["Peter Schmidt GmbH", "Marks & Spencer", "Johnson & Johnson", "Ford", "Anna-Seghers-Straße", "Maria Restaurant",
     "San Francisco", "The Anna Schmidt", "Pan American", "Alice Italian"],
)  # fmt: skip
def test_what_is_not_the_name_of_a_person(text: str) -> None:
    assert not names_a_person(text)


@pytest.mark.parametrize("text", ["Morgan Stanley", "Anna 4711", "anna schmidt"])
def test_one_company_that_is_named_like_a_person_is_not_a_finding(text: str) -> None:
    assert _people([*FIRMS, text]) == 0


def test_the_share_of_organisations_is_that_of_the_cells_with_a_word_of_companies() -> None:
    found = judge({"supplier": [*FIRMS, *PEOPLE[:34]]})["supplier"].is_
    assert found is not None
    assert (found.entity, found.share.value) == ("ORGANISATION", len(FIRMS) / (len(FIRMS) + 34))


def test_a_column_named_as_customers_is_one_of_companies_where_more_are() -> None:
    names = [
        f"{given} {family} {form}" for given, family in zip(GIVEN * 8, FAMILY * 8, strict=True) for form in FORMS[:2]
    ]
    found = judge({"customer_name": names})["customer_name"].is_
    assert found is not None
    assert found.entity == "ORGANISATION"


@pytest.mark.parametrize("n_people", [0, 30])
def test_the_gate_decides_on_the_people_of_a_list_of_suppliers(n_people: int) -> None:
    cells = [*FIRMS, *PEOPLE[:n_people]]
    revenue = [1000 * (i % 37 + 5) for i in range(len(cells))]
    table = pa.table({"supplier_name": cells, "industry": ["food", "media"] * (len(cells) // 2), "revenue": revenue})
    report = privaudit.scan(table, ner=False)
    assert report.gate().passed is (n_people == 0)
    assert [finding.code for finding in report.findings if finding.code == "PII002"] == ["PII002"] * (n_people > 0)


@pytest.mark.parametrize("n_people", [0, 5, 30])
def test_names_on_no_list_among_companies_are_not_assessed(n_people: int) -> None:
    people = [f"Xqu{'abcdefghij'[i % 10]}{'klm'[i % 3]} {FAMILY[i % len(FAMILY)]}" for i in range(n_people)]
    found = judge({"supplier": [*FIRMS[:60], *people]})["supplier"]
    assert not found.contains
    assert (found.unassessed is not None and found.unassessed.code == UNLISTED) is (n_people == 30)
