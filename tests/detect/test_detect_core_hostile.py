"""No cell is odd enough to stop detection, and none of them comes back in a message."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

import privaudit
from privaudit.base.errors import UnreadableSource
from privaudit.detect.catalogue.forms import specs
from privaudit.settings.config import Settings
from tests.helpers.detection import judge

SHARED = Path(__file__).resolve().parents[2].parent / "shared"

ODD = [
    "x" * 100_000,
    "1" * 100_000,
    "\x00\x01\x02\x1b[31m",
    "\u202e\u200b\u200d\ufeff",
    "𝟙𝟚𝟛-𝟜𝟝-𝟞𝟟𝟠𝟡",
    "(((((((((((((((((((((((((((((((",
    "a@b@c@d..com",
    "+" * 50,
    "=cmd|' /C calc'!A0",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "e" + "\u0301" * 500,
    "1e999",
    "-0",
    "9" * 400,
    "0x" + "f" * 300,
    " ",
    "\n\n\n",
]


@pytest.mark.parametrize("name", ["c0", "email", "age", "dob", "name", "card", "ip", "zip", "phone", "iban", "notes"])
def test_odd_cells_pass_through(name: str) -> None:
    assert judge({name: ODD * 3})[name].column == name


def test_every_odd_cell_alone() -> None:
    columns = {f"column {i}": [cell, cell, "1"] for i, cell in enumerate(ODD)}
    found = judge(columns)
    assert found.keys() == columns.keys()
    assert not [cell for cell in ODD if len(cell.strip()) >= 14 and cell in repr(found)]


def test_empty_columns_are_nothing() -> None:
    found = judge({"email": [None, None], "x": ["a", None]})
    assert found["email"].is_ is None and found["email"].contains == ()


def naughty() -> list[str]:
    """Return the strings of the list of naughty strings, those that are written in base64 with them."""
    folder = SHARED / "data" / "ugly" / "blns"
    if not folder.exists():
        pytest.skip("reference tables are not beside the project")
    found = json.loads((folder / "blns.json").read_text(encoding="utf-8"))
    coded = json.loads((folder / "blns.base64.json").read_text(encoding="utf-8"))
    found += [base64.b64decode(text).decode("utf-8", "replace") for text in coded]
    return [text.encode("utf-8", "replace").decode() for text in dict.fromkeys(found)]


MODEL = [pytest.param(False, id="without model"), pytest.param(True, id="with model", marks=pytest.mark.slow)]


@pytest.mark.parametrize("model", MODEL)
@pytest.mark.slow
def test_naughty_strings_as_cells_notes_and_names(model: bool) -> None:
    """Every string as a cell, inside a note and as the name of a column: no crash, and none comes back."""
    texts = naughty()
    chosen = Settings(ner=model)
    notes = [f"The client wrote {text} and waited for the answer of office {i}" for i, text in enumerate(texts)]
    reported = repr(judge({"comment": texts, "c1": texts[::-1], "email": texts, "notes": notes}, chosen))
    assert not [text for text in texts if len(text.strip()) >= 14 and text.strip() in reported]
    names = [text for text in texts if text.strip()][:: 15 if model else 6]
    judge({name: ["one two three four five six", "1", "x@example.org"] for name in names}, chosen)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODEL)
def test_cells_and_names_of_great_length_and_odd_signs(model: bool) -> None:
    cells = [
        *ODD,
        "é" * 100_000,
        "a@b.co " * 15_000,
        "\x1f\x7f" * 50,
        "\x85\x0b\x0c" * 30,
        "1 " * 50_000,
        "%" * 100_000,
    ]
    cells += ["&" * 100_000, "&#64;" * 20_000, "(at)" * 25_000, "a at b dot c " * 8_000, "1\n" * 50_000, "+1 " * 30_000]
    name, short = "h" * 10_000, [*ODD, *["x"] * (len(cells) - len(ODD))]
    columns = {name: cells, "email " * 2_000: cells[::-1], "\x00\x01": short, "\u202e" * 50: short, "a\nb": short}
    found = judge(columns, Settings(ner=model))
    assert len(found) == len(columns)
    assert not [cell for cell in cells if len(cell) > 1_000 and cell[:100] in repr(found)]


@pytest.mark.slow
def test_no_word_of_a_note_ends_a_scan() -> None:
    """Every word that detectors look for, next to digits of every length."""
    words = set()
    for spec in specs():
        words |= {re.sub(r"\[[^]]*\][*?]?|\(\?[^)]*\)|[\\?]", "", part) for part in spec.words.split("|")}
    notes = [f"{word} {'1234567890123456789'[:n]} and more of it" for word in sorted(words) for n in range(5, 19)]
    assert judge({"notes": notes})["notes"].unassessed is None


def test_a_name_that_is_not_a_text_is_refused_in_words() -> None:
    import pandas as pd

    frame = pd.DataFrame([[1, 2], [3, 4]])
    frame.columns = pd.Index(["a\ud800", "b"], dtype=object)
    with pytest.raises(UnreadableSource, match="not valid Unicode"):
        privaudit.scan(frame)
