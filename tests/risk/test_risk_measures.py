"""The catalogue of measures: complete, in plain words, and the same in the pack, the page and the records."""

import dataclasses
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

from privaudit.model import Diversity, Marginal, Population, SpecialUniques, SubjectRisk, WeightedRisk

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = re.compile(r"\b(anonymous|safe|compliant|pii-free|no pii|guarantee\w*)\b", re.IGNORECASE)

spec = importlib.util.spec_from_file_location("make_measures", ROOT / "docs" / "make_measures.py")
make_measures = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_measures)

PACK = tomllib.loads((ROOT / "rules" / "reference" / "measures.toml").read_text(encoding="utf-8"))
ENTRIES = dict(make_measures.entries(PACK))


def test_the_page_is_generated_from_the_measures():
    assert (ROOT / "docs" / "measures.md").read_text(encoding="utf-8") == make_measures.page()


def test_every_group_is_on_the_page():
    assert set(PACK) == set(make_measures.GROUPS)


@pytest.mark.parametrize("place", ENTRIES)
def test_every_entry_has_the_five_lines_in_plain_words(place):
    lines = ENTRIES[place]
    assert [line for line in lines if line != "also"] == ["title", "plain", "not_said", "formula", "source"]
    assert all(isinstance(text, str) and text == text.strip() != "" for text in lines.values())
    assert lines["plain"][0].isupper() and lines["plain"].endswith(".")
    assert lines["not_said"].endswith(".")
    assert not any(FORBIDDEN.search(text) for text in lines.values())


@pytest.mark.parametrize(
    ("group", "record", "undocumented"),
    [
        ("diversity", Diversity, set()),
        ("weighted", WeightedRisk, set()),
        ("marginal", Marginal, set()),
        ("population", Population, set()),
        ("special_uniques", SpecialUniques, set()),
        ("subject", SubjectRisk, {"class_sizes", "history_sizes"}),
    ],
)
def test_every_number_of_the_records_has_an_entry(group, record, undocumented):
    keys = {field.name for field in dataclasses.fields(record)}
    places = [place.removeprefix(f"{group}.").split(".")[0] for place in ENTRIES if place.startswith(f"{group}.")]
    assert keys - set(places) == undocumented
