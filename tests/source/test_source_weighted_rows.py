"""Weighted rows have the frequencies of a column exactly where counting the rows they stand for finds them."""

from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from privaudit.source.engine.sql_table import has_frequencies

rows = st.lists(st.tuples(st.sampled_from(["a", "b", "ä", "", None]), st.integers(1, 3)), max_size=6)


@given(rows, rows)
def test_frequencies_agree_where_those_of_a_counter_do(one, other):
    counted = Counter()
    for cell, weight in other:
        counted[cell] += weight
    wanted = Counter()
    for cell, weight in one:
        wanted[cell] += weight
    cells, weights = [cell for cell, _ in one], [weight for _, weight in one]
    table = pa.table({"c": pa.array(cells, pa.string()), "weight": pa.array(weights, pa.int64())})
    values, sums = pa.array(list(counted), pa.string()), pa.array(list(counted.values()), pa.int64())
    assert has_frequencies(table, "c", values, sums) == (wanted == counted)
    assert has_frequencies(table, "c", pa.array(list(wanted), pa.string()), pa.array(list(wanted.values()), pa.int64()))
