"""Names of texts without a model of their language are found by lists, titles and prepositions; other words are not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from privaudit.advice.technique.record import Context, technique
from privaudit.detect.text import language_model
from privaudit.detect.text.assignment import without_model
from privaudit.detect.text.engines.interface import EngineInfo, Span
from privaudit.detect.text.engines.listed import ListedNames
from privaudit.detect.text.engines.registry import available_engines
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
    "The parcel went to Rose Garden Street.",
    "The invoice is from Jordan Miller Holdings.",
    "She was born in Rose Hill County.",
]
STILL_PEOPLE = [  # words for streets are surnames as well
    ("The letter is from Mary Anne Lane.", "Mary Anne Lane"),
    ("Der Anruf kam von Petra Ring.", "Petra Ring"),
    ("The street was named by Rose Miller.", "Rose Miller"),
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


@pytest.mark.parametrize(("text", "person"), STILL_PEOPLE)
@pytest.mark.quick_cases(len(STILL_PEOPLE))
def test_people_whose_names_resemble_things_are_found(text, person):
    assert spans(text, "PERSON_NAME") == [person]


def test_without_a_model_lists_are_read_and_the_column_is_not_assessed(monkeypatch):
    monkeypatch.setattr(language_model, "available_engines", tuple)
    cells = [f"Nummer {i}: gestern kam Maria Schneider aus Hamburg." for i in range(40)]
    found = language_model.read_text(pa.array(cells), np.ones(40, np.int64), settings=Settings(), n_present=40)
    assert {one.entity: one.n_cells for one in found.entities} == {"CITY": 40, "PERSON_NAME": 40}
    assert found.why is not None


@pytest.mark.slow
@pytest.mark.skipif(not available_engines(), reason="no language model is installed")
def test_masking_reads_lists_where_no_model_reads_the_language_and_only_there():
    texts = pa.array([
        "Barua iliandikwa na Juma Hassan wa Nairobi jana asubuhi.",
        "कल राजेश शर्मा दिल्ली से आए और अब ठीक हैं।",
        "The letter was written by Jennifer Miller of Boston yesterday.",
    ])  # fmt: skip
    assert without_model(texts.to_pylist(), available_engines()).tolist() == [0, 1]
    assert without_model(texts.to_pylist(), (EngineInfo("any", "xx_any", "", ""),)).tolist() == [1]
    context = Context(random=np.random.default_rng(0))
    masked = technique("mask_text").apply(pa.table({"a": texts}), {"columns": ("a",)}, context)["a"].to_pylist()
    assert masked[0].startswith("Barua iliandikwa na <PERSON> wa <CITY>")
    assert masked[1].startswith("कल <PERSON> ") and "Miller" not in masked[2]


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
