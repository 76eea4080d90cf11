"""Names of texts without a model of their language are found by lists, titles and prepositions; other words are not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from privaudit.detect.text import language_model
from privaudit.detect.text.engines.interface import Span
from privaudit.detect.text.engines.listed import ListedNames
from privaudit.detect.text.spans import credible_spans, read_spans
from privaudit.settings.config import Settings

FOUND = [
    ("Gestern kam Maria Schneider aus Hamburg.", "Maria Schneider", "Hamburg"),
    ("Der Anruf von Frau Oderwald kam aus Bremen.", "Oderwald", "Bremen"),
    ("La carta es de Carmen Ruiz en Sevilla.", "Carmen Ruiz", "Sevilla"),
    ("A carta foi escrita por Ana da Silva em Lisboa.", "Ana da Silva", "Lisboa"),
    ("Abbiamo visto la signora, cioè Giulia Rossi, a Milano.", "Giulia Rossi", "Milano"),
    ("Barua iliandikwa na Juma Hassan wa Nairobi.", "Juma Hassan", "Nairobi"),
    ("اتصلنا اليوم مع محمد حسن من القاهرة", "محمد حسن", "القاهرة"),
    ("कल राजेश शर्मा दिल्ली से आए", "राजेश शर्मा", "दिल्ली"),
]
PLAIN = [
    "Die Vereinigten Staaten haben im Mai neue Regeln erlassen.",
    "Der Koch bereitete das Essen am Montag zu.",
    "El Banco Central subió los tipos en marzo.",
    "Il Ministero della Salute ha pubblicato i dati.",
    "Benki Kuu ya Kenya ilipandisha riba.",
    "Le Conseil de Paris a voté le budget.",
    "कृपया अस्पताल में दवा जमा करें",
    "Please update the Windows Server today.",
]


def spans(text: str, entity: str) -> list[str]:
    return [text[s.start : s.end] for s in read_spans(ListedNames(), [text])[0] if s.entity == entity]


@pytest.mark.parametrize(("text", "person", "town"), FOUND)
@pytest.mark.quick_cases(len(FOUND))
def test_listed_people_and_towns_are_found(text, person, town):
    assert spans(text, "PERSON_NAME") == [person]
    assert spans(text, "CITY") == [town]


@pytest.mark.parametrize("text", PLAIN)
@pytest.mark.quick_cases(len(PLAIN))
def test_other_capitalised_words_are_not_people(text):
    assert spans(text, "PERSON_NAME") == []


def test_without_a_model_lists_are_read_and_the_column_is_not_assessed(monkeypatch):
    monkeypatch.setattr(language_model, "available_engines", tuple)
    cells = [f"Nummer {i}: gestern kam Maria Schneider aus Hamburg." for i in range(40)]
    found = language_model.read_text(pa.array(cells), np.ones(40, np.int64), settings=Settings(), n_present=40)
    assert {one.entity: one.n_cells for one in found.entities} == {"CITY": 40, "PERSON_NAME": 40}
    assert found.why is not None


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("The Paris collection sold out.", False),
        ("Order a Paris raincoat in blue.", False),
        ("We saw the Paris clinic today.", True),
        ("The Paris patients left early.", True),
        ("She moved to Paris last year.", True),
        ("It was the Paris of her youth.", True),
    ],
)
@pytest.mark.quick_cases(6)
def test_a_place_that_describes_a_thing_does_not_count(text, counts):
    start = text.index("Paris")
    assert bool(credible_spans(text, [Span("CITY", None, start, start + 5)], trusted=False)) is counts
