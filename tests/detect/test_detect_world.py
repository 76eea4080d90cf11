"""Column names and values of the whole world: every name of the matrix is read for what it means."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from privaudit.detect.header import PLAIN, read_header

MATRIX = tomllib.loads(Path(__file__).with_name("world_headers.toml").read_text(encoding="utf-8"))
IDS = "NATIONAL_ID SSN TAX_ID"
MEANINGS = {
    "first": "FIRST_NAME",
    "last": "LAST_NAME MAIDEN_NAME",
    "full": "PERSON_NAME",
    "birth": "DATE_OF_BIRTH",
    "birth_year": "BIRTH_YEAR",
    "age": "AGE",
    "sex": "GENDER",
    "marital": "MARITAL_STATUS",
    "nationality": "NATIONALITY",
    "ethnicity": "RACE_ETHNICITY",
    "religion": "RELIGION",
    "email": "EMAIL",
    "phone": "PHONE",
    "mobile": "PHONE",
    "street": "STREET_ADDRESS ADDRESS_PART",
    "house": "ADDRESS_PART STREET_ADDRESS",
    "zip": "POSTAL_CODE",
    "city": "CITY",
    "state": "STATE COUNTY_REGION GEO_CODE",
    "country": "COUNTRY",
    "id": IDS + " HEALTH_ID",
    "tax": IDS,
    "passport": "PASSPORT",
    "licence": "DRIVER_LICENSE",
    "account": "BANK_ACCOUNT IBAN",
    "income": "INCOME",
    "job": "OCCUPATION",
    "employer": "EMPLOYER ORGANISATION",
    "education": "EDUCATION",
    "illness": "MEDICAL",
    "blood": "MEDICAL",
    "party": "POLITICS",
    "union": "UNION",
    "insurance": "HEALTH_ID NATIONAL_ID SSN",
    "notes": "FREE_TEXT",
    "order": "RECORD_ID",
}
# Columns of things: a name may say that they are ordinary, or nothing, but never that they are about a person.
THINGS = {
    "amount": {PLAIN, "FINANCIAL", "CATEGORY"},
    "status": {PLAIN, "CATEGORY", "RECORD_ID"},
    "product": {PLAIN, "CATEGORY", "RECORD_ID"},
}


def _spellings(text: str) -> Iterator[str]:
    """Yield a name as it stands, in snake case, in capitals and, in Latin letters, without accents."""
    yield text
    words = re.split(r"[\s\-.'’]+", text.strip("."))
    snake = "_".join(words)
    yield snake
    yield snake.upper()
    plain = "".join(c for c in unicodedata.normalize("NFKD", snake) if not unicodedata.combining(c))
    plain = plain.replace("đ", "d").replace("ł", "l").replace("ı", "i").replace("ø", "o").replace("ß", "ss")
    if plain.isascii():
        yield plain.lower()
        yield "".join(word.capitalize() for word in plain.split("_"))
        if len(plain) > 5:
            yield f"tbl_{plain.lower()}"


def _cases() -> Iterator[tuple[str, str, str]]:
    for language, meanings in MATRIX.items():
        for meaning, names in meanings.items():
            yield from ((language, meaning, name) for name in names.split("|"))


def _wrong(meaning: str, name: str) -> list[str]:
    """Say which ways of writing `name` are misread. Where one word means two things both are right: values decide."""
    wrong = []
    for written in _spellings(name):
        hints = read_header(written).hints
        clear = hints[0] if hints else None
        if meaning in THINGS:
            if clear is not None and clear.strength > 0.5 and clear.entity not in THINGS[meaning]:
                wrong.append(f"{written} -> {clear.entity} ({clear.language})")
        elif not {h.entity for h in hints if h.phrase == hints[0].phrase} & {*MEANINGS[meaning].split()}:
            wrong.append(f"{written} -> {clear and (clear.entity, clear.language)}")
    return wrong


def test_the_matrix_covers_the_world() -> None:
    assert len(MATRIX) >= 25
    assert all(len(meanings) >= 20 for meanings in MATRIX.values())


@pytest.mark.parametrize("language", list(MATRIX))
def test_every_name_is_read_for_what_it_means(language: str) -> None:
    wrong = [w for lang, meaning, name in _cases() if lang == language for w in _wrong(meaning, name)]
    assert not wrong
