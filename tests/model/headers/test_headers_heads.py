"""A word inside a compound name counts for the noun it qualifies, not for itself."""

from __future__ import annotations

import pytest

from privaudit.model import vocabulary
from privaudit.model.headers import read_header

QUALIFIED = (
    "TrainingTimesLastYear",
    "Previously_Insured",
    "YearsWithCurrManager",
    "YearsSinceLastPromotion",
    "days_with_doctor",
    "hours_for_client",
    "months_as_customer",
    "Account_withdrawal",
    "first_visit",
    "LastQuarterSales",
    "contact_method",
    "currently_insured",
    "not_insured",
)
NAMING = {
    "last": "LAST_NAME",
    "customer_last": "LAST_NAME",
    "patient_first": "FIRST_NAME",
    "insured_name": "PERSON_NAME",
    "insured": "PERSON_NAME",
    "manager": "PERSON_NAME",
    "manager_name": "PERSON_NAME",
    "account_no": "BANK_ACCOUNT",
    "date_of_birth": "DATE_OF_BIRTH",
    "age_in_years": "AGE",
}


@pytest.mark.parametrize("name", QUALIFIED)
def test_a_qualifying_word_suggests_no_identifier(name: str) -> None:
    assert not {hint.entity for hint in read_header(name).hints} & vocabulary.with_role("direct")


@pytest.mark.parametrize("name", sorted(NAMING))
def test_the_head_of_the_name_suggests_its_entity_type(name: str) -> None:
    assert read_header(name).hints[0].entity == NAMING[name]


@pytest.mark.parametrize("unit", ["years", "months", "days", "hours"])
@pytest.mark.parametrize("relation", ["with", "at", "since", "as"])
@pytest.mark.parametrize("person", ["manager", "doctor", "customer", "owner"])
def test_a_quantity_related_to_a_person_is_a_quantity(unit: str, relation: str, person: str) -> None:
    header = read_header(f"{unit}_{relation}_{person}")
    assert header.qualifier is not None
    assert not {hint.entity for hint in header.hints} & vocabulary.with_role("direct")


def test_an_acronym_of_another_language_between_other_words_does_not_decide_alone():
    """The word "fin" is an identity number in Azerbaijani, and an abbreviation in "BsmtFin.SF.1"."""
    assert read_header("FIN kod").strength("NATIONAL_ID") > 0.5
    assert read_header("musteri_fin").strength("NATIONAL_ID") > 0.5
    assert 0 < read_header("BsmtFin.SF.1").strength("NATIONAL_ID") < 0.5
