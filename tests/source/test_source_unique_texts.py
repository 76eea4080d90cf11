"""A column with many texts is coded as Arrow codes it, whatever texts its rows share and whatever their hashes are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.base.sampling import keyed_hashes
from privaudit.source.cells.unique_texts import encoded_by_hash, encoded_by_ties, tied_rows

CELLS = st.lists(st.one_of(st.none(), st.text("ab", max_size=3), st.integers(0, 10**9).map(str)), max_size=60)
MANY = 300_000


def assert_is_coded(found, column):
    wanted = column.combine_chunks().dictionary_encode()
    assert found.type == wanted.type
    assert found.indices.equals(wanted.indices)
    assert found.dictionary.equals(wanted.dictionary)


def chunked(cells, size, skipped=0):
    return pa.chunked_array([cells[i : i + size] for i in range(0, len(cells), size)], pa.string()).slice(skipped)


@given(CELLS, st.integers(1, 60), st.integers(0, 5))
def test_the_codes_are_those_of_arrow(cells, size, skipped):
    column = chunked(cells, size, skipped)
    assert_is_coded(encoded_by_ties(column, tied_rows(keyed_hashes(column.drop_null(), 0))), column)


@given(CELLS, st.integers(1, 4))
def test_equal_hashes_of_different_texts_change_nothing(cells, n_hashes):
    hashes = np.array([len(cell) % n_hashes << 60 for cell in cells if cell is not None], dtype=np.uint64)
    assert_is_coded(encoded_by_ties(chunked(cells, 7), tied_rows(hashes)), chunked(cells, 7))


@pytest.mark.parametrize(("n_distinct", "is_coded"), [(MANY // 2, False), (MANY - MANY // 100, True)])
def test_a_column_that_repeats_its_values_is_left_to_arrow(n_distinct, is_coded):
    column = chunked([None, *(str(i % n_distinct) for i in range(MANY))], MANY // 3)
    found = encoded_by_hash(column)
    assert (found is not None) == is_coded
    if is_coded:
        assert_is_coded(found, column)
