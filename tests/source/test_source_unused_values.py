"""A value of a dictionary is outside of the table only if no row of any batch refers to it."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from privaudit.source.surroundings import UnusedValues

BATCHES = st.lists(
    st.tuples(st.lists(st.sampled_from("abcdef"), unique=True, min_size=1), st.lists(st.integers(0, 9), max_size=4)),
    max_size=5,
)


@given(BATCHES)
def test_only_values_that_no_batch_refers_to_are_outside(batches):
    unused, every, held = UnusedValues(), set(), set()
    for words, rows in batches:
        rows = [row for row in rows if row < len(words)]
        every |= set(words)
        held |= {words[row] for row in rows}
        cells = pa.DictionaryArray.from_arrays(pa.array(rows, pa.int32()), pa.array(words, pa.string()))
        unused.add(pa.record_batch([cells], names=["x"]))
    assert {one.text for one in unused.texts()} == every - held
