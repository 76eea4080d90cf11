"""The nearest word of a sentence names a number, before or after it; another number or a label in between ends it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from privaudit.detect.catalogue.sentences import sides
from privaudit.detect.text.embedded import find_embedded, find_spans

STEUER_ID = "86095742719"
NHS = "943 476 5919"
FOUND = [
    (f"The number {STEUER_ID} is his Steuer-ID.", "TAX_ID"),
    (f"Die Steuer-ID der Familie aus der zweiten Etage lautet {STEUER_ID}.", "TAX_ID"),
    (f"The form with {NHS} had an NHS number.", "HEALTH_ID"),
    ("AB1234567 is her passport.", "PASSPORT"),
    ("Er ist am 12.03.1984 geboren.", "DATE_OF_BIRTH"),
    ("È nata a Roma il 12 marzo 1984.", "DATE_OF_BIRTH"),
    ("Родился 12 марта 1984 в Казани", "DATE_OF_BIRTH"),
    ("患者 1984年3月12日出生", "DATE_OF_BIRTH"),
    ("مواليد 12/03/1984", "DATE_OF_BIRTH"),
    ("मरीज का जन्म 12/03/1984 को हुआ", "DATE_OF_BIRTH"),
    ("Richiamare al 347 1234567 domani.", "PHONE"),
    ("Favor ligar para 11 91234 5678 hoje.", "PHONE"),
    ("请回拨 13800138000", "PHONE"),
    ("कृपया 9876543210 पर कॉल करें", "PHONE"),
    ("Перезвоните: 8 916 123 45 67", "PHONE"),
    ("Rappeler au 06 12 34 56 78", "PHONE"),
]
NOT_FOUND = [
    (f"The Steuer-ID is missing. Item {STEUER_ID} came.", "TAX_ID"),
    (f"The Steuer-ID is missing, the order {STEUER_ID} came.", "TAX_ID"),
    (f"The Steuer-ID 4711 4711 is wrong and {STEUER_ID} boxes came.", "TAX_ID"),
    (f"{STEUER_ID} boxes came and the Steuer-ID 4711 4711 is wrong.", "TAX_ID"),
    ("AB1234567 came before her passport.", "PASSPORT"),
    ("On 12.03.1984 the rate of births was low.", "DATE_OF_BIRTH"),
]


def entities(text: str) -> set[str]:
    return {one.entity for one in find_embedded(pa.array([text]), np.ones(1, np.int64))}


@pytest.mark.parametrize(("text", "entity"), FOUND)
@pytest.mark.quick_cases(len(FOUND))
def test_a_word_of_the_sentence_names_the_value(text, entity):
    assert entity in entities(text)


@pytest.mark.parametrize(("text", "entity"), NOT_FOUND)
@pytest.mark.quick_cases(len(NOT_FOUND))
def test_a_word_that_names_something_else_does_not_count(text, entity):
    assert entity not in entities(text)


def test_the_sides_of_a_value_are_parts_of_its_sentence():
    text = "First. Before 12345 near VALUE after 6789 far. Last."
    start = text.index("VALUE")
    assert sides(text, start, start + 5) == (" near ", " after ", True)
    assert sides("no. 5 VALUE", 6, 11) == ("no. 5 ", "", False)


@pytest.mark.parametrize(
    "address",
    ["221 Baker Street", "12 Oak Lane, Apt 4B", "Lea-Scherz-Platz 8/3", "8, rue Jeanne Moulin", "Via Garibaldi, 12",
     "Storgatan 77", "ul. Paderewskiego 77", "Avenida da Liberdade, 16"],
)  # fmt: skip
@pytest.mark.quick_cases(8)
def test_a_street_address_in_a_sentence_is_found_whole(address):
    text = f"Post an {address} gesandt."
    spans = [(a, b) for a, b, entity, _ in find_spans(text) if entity == "STREET_ADDRESS"]
    assert any(text[a:b] == address for a, b in spans)
