"""Columns alike in form are screened together, and each is screened as it would be alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.detect import patterns
from privaudit.detect.catalogue import detectors, wordlists
from privaudit.detect.subjects import places
from privaudit.detect.witnesses import prepare
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile.columns import profile

CELLS = ("yes", "no", "1", "0", "2", "ann@example.com", "+254712345678", "192.168.0.1", "2020-01-31", "M", "F", "1.5")


@settings(max_examples=6, deadline=None)
@given(st.lists(st.lists(st.sampled_from(CELLS), min_size=6, max_size=6), min_size=1, max_size=6))
def test_columns_screened_together_are_screened_as_alone(cells):
    every = detectors.load(None)
    table = pa.table({f"c{i}": values for i, values in enumerate([*cells, *(each[::-1] for each in cells)])})
    with from_arrow(table) as dataset:
        columns = prepare(dataset, profile(dataset), Settings()).columns
    together = patterns.screen(columns, every)
    for column, found in zip(columns, together, strict=True):
        assert patterns.screen([column], every) == [found]


def test_columns_with_equal_values_are_read_once(monkeypatch):
    rng = np.random.default_rng(3)
    with from_arrow(pa.table({f"q{i}": np.append(np.arange(6), rng.integers(0, 6, 60)) for i in range(40)})) as dataset:
        columns = prepare(dataset, profile(dataset), Settings()).columns
    assert len(patterns._forms(columns)) == 1
    assert len({str(column.counts) for column in columns}) > 1


def pieces_of_addresses() -> list[str]:
    """Return words for a street in every script, numbers, and what may be between them."""
    words = [word for key in ("words", "endings", "unspaced") for word in wordlists.word_list("street", key)]
    return [*sorted(words), *" .,-/_\n", "12", "7", "main", "abc", "x", "\u00e9", "\u5317", "\uc9c0\ud558", "'"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(pieces_of_addresses()), max_size=7).map("".join), min_size=1, max_size=20))
def test_addresses_searched_at_once_are_those_searched_one_by_one(texts):
    assert places._kinds_of_addresses(texts) == list(map(places._kind_of_address, texts))


def test_every_word_for_a_street_is_searched_for():
    texts = [f"12 {word}" for word in sorted(wordlists.word_list("street", "words"))]
    texts += [f"abc{ending} 7" for ending in sorted(wordlists.word_list("street", "endings"))]
    assert places._kinds_of_addresses(texts) == ["street"] * len(texts)
