"""The catalogue of measures: complete, in plain words, and the same in the pack, the page and the records."""

import importlib.util
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from privaudit.risk.diversity import diversity
from privaudit.risk.entity import entity_risk
from privaudit.risk.marginal import Marginal
from privaudit.risk.population import population_uniques
from privaudit.risk.reidentification import MatchSizes, reidentification
from privaudit.risk.weights import weighted_risk

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = re.compile(r"\b(anonymous|safe|compliant|pii-free|no pii|guarantee\w*)\b", re.IGNORECASE)

spec = importlib.util.spec_from_file_location("make_measures", ROOT / "docs" / "make_measures.py")
make_measures = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_measures)

PACK = tomllib.loads((ROOT / "rules" / "reference" / "measures.toml").read_text(encoding="utf-8"))
ENTRIES = dict(make_measures.entries(PACK))


def test_the_page_is_what_the_pack_says():
    assert (ROOT / "docs" / "measures.md").read_text(encoding="utf-8") == make_measures.page()


def test_every_group_is_on_the_page():
    assert set(PACK) == set(make_measures.GROUPS)


@pytest.mark.parametrize("place", ENTRIES)
def test_every_entry_has_the_five_lines_in_plain_words(place):
    lines = ENTRIES[place]
    assert list(lines) == ["title", "plain", "not_said", "formula", "source"]
    assert all(isinstance(text, str) and text == text.strip() != "" for text in lines.values())
    assert lines["plain"][0].isupper() and lines["plain"].endswith(".")
    assert lines["not_said"].endswith(".")
    assert not any(FORBIDDEN.search(text) for text in lines.values())


def documented(group, wire):
    known = [place for place in ENTRIES if place.startswith(f"{group}.")]
    return {
        key
        for key in wire
        if not any(p == f"{group}.{key}" or p.startswith(f"{group}.{key}.") for p in known)
    }


def test_every_number_of_the_records_has_an_entry():
    one = np.ones(2, int)
    assert documented("diversity", diversity(one * 0, one[:1] * 2, one, np.arange(2), 2).wire()) == set()
    assert documented("weighted", weighted_risk(one, one * 2.0).wire()) == set()
    marginal = Marginal(n_unique_without=0, n_unique_added=0, n_below_added={}, n_classes_added=0)
    assert documented("marginal", marginal.wire()) == set()
    match = reidentification(MatchSizes.from_classes(one, one)).population_wire()
    models = population_uniques([1, 2], [5, 5], 100).wire()
    assert documented("population", {**match, **models}) <= {"not_applicable", "cautions"}
    entity = entity_risk(np.arange(2), np.arange(2), one).wire()
    assert documented("entity", entity) <= {"class_sizes", "history_sizes"}
