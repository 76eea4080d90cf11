"""What a model is shown: every passage in which a believable name could occur, each distinct one once."""

import re

import numpy as np
import pyarrow as pa
import pytest
import text_sentences
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.detect.text import language_model
from privaudit.detect.text.engines.interface import EngineInfo, Span
from privaudit.detect.text.engines.registry import available_engines, load_engine
from privaudit.detect.text.spans import credible_spans, may_hold_a_name, read_passages, read_spans, sentences
from privaudit.settings.config import Settings

INSTALLED = available_engines()
WORDS = "the road was closed today by Ann Smith dr. Dr. de la van 12 4711 x7 monday Monday Leeds SKU-12"
PIECES = st.sampled_from(
    [*WORDS.split(), "Ann's", "O’Neil", "王小明", "محمد", "Hauptstraße 7", "baker street", "\n", ". ", "! ", ", ", "@"]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=14).map(" ".join)


class Finder:
    """An engine that finds every occurrence of one name and keeps what it was shown."""

    def __init__(self, name, unit="sentence"):
        self.info = EngineInfo("onnx", "finder", "1", "0")
        self.name, self.unit, self.heard = name, unit, []

    def spans(self, texts):
        self.heard.extend(texts)
        return [
            [Span("PERSON_NAME", None, at, at + len(self.name))] if (at := text.find(self.name)) >= 0 else []
            for text in texts
        ]


@given(TEXTS)
def test_sentences_hold_everything_but_blanks(text):
    parts = sentences(text)
    assert all(start < end for start, end in parts)
    assert [part for pair in parts for part in pair] == sorted(part for pair in parts for part in pair)
    assert "".join("".join(text[a:b].split()) for a, b in parts) == "".join(text.split())


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_nothing_credible_is_excluded(text):
    """Of the spans of one to three words, all that the vetoes accept lie in a passage that is shown."""
    spoken = f"{text} spoke with Ann Smith"
    words = [(found.start(), found.end()) for found in re.finditer(r"\S+", spoken)]
    credible = 0
    for part in sentences(spoken):
        inside = [word for word in words if part[0] <= word[0] and word[1] <= part[1]]
        spans = [(start, end) for i, (start, _) in enumerate(inside) for _, end in inside[i : i + 3]]
        for start, end in spans:
            for entity in ("PERSON_NAME", "CITY"):
                if credible_spans(spoken, [Span(entity, None, start, end)], trusted=True):
                    assert may_hold_a_name(spoken, *part)
                    credible += 1
    assert credible


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The parcel was damaged and has been replaced.", False),
        ("Reset on Monday, balance is zero. Paid in full since last week.", False),
        ("Handled by the evening shift, spoke with Zyx about it.", True),
        ("Brian called about the parcel this morning.", True),
        ("Brian's parcel was damaged and has been replaced.", True),
        ("Today's parcel was damaged and has been replaced.", False),
        ("brian called about the parcel this morning", True),
        ("he lives at 12 baker street now", True),
        ("昨日来电说明情况", True),
        ("4711 / 12-34", False),
        ("SPOKE WITH ZYX ABOUT IT", True),
    ],
)
def test_what_is_shown(text, read):
    assert any(may_hold_a_name(text, *part) for part in sentences(text)) is read


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 79), st.integers(0, 5), st.permutations(list(range(80))))
def test_a_name_planted_in_any_cell_is_found(cell, place, order):
    """All cells are read, so a name is found wherever it occurs, and the order of the rows moves nothing."""
    parts = ["The lift was late.", "Paid in full!", "No answer?", "See the entry of 2024.", "All values normal."]
    cells = [" ".join([*parts, f"({i})"]) for i in range(80)]
    cells[cell] = " ".join([*parts[:place], "Spoke with Zyx Qwert again.", *parts[place:], f"({cell})"])
    progress_calls = []
    for places in (range(80), order):
        engine = Finder("Zyx Qwert")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(language_model, "available_engines", lambda engine=engine: (engine.info,))
            patch.setattr(language_model, "load_engine", lambda *_, engine=engine: engine)
            progress_calls.append(
                language_model.read_text(
                    pa.array([cells[i] for i in places]), np.ones(80, dtype=np.int64), settings=Settings(), n_present=80
                )
            )
    assert progress_calls[0] == progress_calls[1]
    seen = [*progress_calls[0].entities, *(one for one in progress_calls[0].unproven if one.n_cells)]
    assert [(one.entity, one.n_cells, one.share.value) for one in seen] == [("PERSON_NAME", 1, 1 / 80)]


def test_a_passage_is_read_once_and_counts_in_every_cell():
    engine = Finder("Zyx")
    cells = [f"Row {i}: all well. Spoke with Zyx in room {i % 10}." for i in range(50)]
    found = read_spans(engine, cells)
    assert len(engine.heard) == 1
    assert [cell[one.start : one.end] for cell, (one,) in zip(cells, found, strict=True)] == ["Zyx"] * 50


def test_an_engine_that_looks_for_anything_is_shown_everything():
    cells = ["the badge was lost", "nothing to see", "12 34"]
    engine = Finder("badge", unit="all")
    found = read_passages(engine, cells)
    assert sorted(engine.heard) == sorted(cells)
    assert [len(spans) for spans in found] == [1, 0, 0]


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="no language model is installed")
@pytest.mark.parametrize("info", INSTALLED, ids=lambda info: info.name)
def test_passages_lose_nothing_that_whole_cells_show(info):
    """On notes of several sentences the passages show at least the cells with a name that whole notes show."""
    engine = load_engine(info)
    made = text_sentences.sentences(11, 240)
    notes = [" ".join(one.text.rstrip(".") + "." for one in made[i : i + 3]) for i in range(0, 240, 3)]
    truth = [any(span[0] == "PERSON_NAME" for one in made[i : i + 3] for span in one.spans) for i in range(0, 240, 3)]
    whole = [credible_spans(n, s, trusted=info.name == "onnx") for n, s in zip(notes, engine.spans(notes), strict=True)]

    def right(found):
        return sum(
            any(s.entity == "PERSON_NAME" for s in spans) == true for spans, true in zip(found, truth, strict=True)
        )

    assert right(read_spans(engine, notes)) >= right(whole)
