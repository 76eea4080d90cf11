"""A column with many texts is coded as Arrow codes it, whatever texts its rows share and whatever their hashes are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.source.cells import unique_texts

CELLS = st.lists(st.one_of(st.none(), st.text("ab", max_size=3), st.integers(0, 10**9).map(str)), max_size=60)


@pytest.fixture(scope="module", autouse=True)
def _whatever_the_size():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unique_texts, "LEAST_ROWS", 0)
        patch.setattr(unique_texts, "_LEAST_DISTINCT", 0)
        patch.setattr(unique_texts, "_MOST_TIED", 1)
        yield


def assert_is_coded(cells, size, skipped=0):
    chunks = [pa.array(cells[i : i + size], pa.string()) for i in range(0, len(cells), size)]
    column = pa.chunked_array(chunks, pa.string()).slice(skipped)
    found = unique_texts.encoded_by_hash(column)
    wanted = column.combine_chunks().dictionary_encode()
    assert found is not None and found.type == wanted.type
    assert found.indices.to_pylist() == wanted.indices.to_pylist()
    assert found.dictionary.to_pylist() == wanted.dictionary.to_pylist()


@given(CELLS, st.integers(1, 60), st.integers(0, 5))
def test_the_codes_are_those_of_arrow(cells, size, skipped):
    assert_is_coded(cells, size, skipped)


@given(CELLS, st.integers(1, 4))
def test_equal_hashes_of_different_texts_change_nothing(cells, n_hashes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            unique_texts,
            "keyed_hashes",
            lambda texts, seed: np.array([len(t) % n_hashes << 60 for t in texts.to_pylist()], dtype=np.uint64),
        )
        assert_is_coded(cells, 7)


def test_a_column_that_repeats_its_values_is_left_to_arrow(monkeypatch):
    monkeypatch.setattr(unique_texts, "_LEAST_DISTINCT", 0.99)
    monkeypatch.setattr(unique_texts, "_MOST_TIED", 0.5)
    few = pa.chunked_array([[str(i % 40_000) for i in range(90_000)]])
    assert unique_texts.encoded_by_hash(few) is None  # seen in the sample
    pairs = pa.chunked_array([[str(i // 3 if i % 3 == 0 else i % 7) for i in range(90_000)]])
    assert unique_texts.encoded_by_hash(pairs) is None
    twice = pa.chunked_array([[str(i % 45_000) for i in range(90_000)]])
    monkeypatch.setattr(unique_texts, "_LEAST_DISTINCT", 0.5)
    assert unique_texts.encoded_by_hash(twice) is None  # seen in the hashes
