"""k without one column is the smallest class over the others, counted by hand."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.codes.coded import encode
from privaudit.risk.measures.marginal import marginal
from privaudit.source.memory.arrow import from_arrow

NAMES = ("a", "b", "c")
ROW = st.tuples(st.sampled_from("xy"), st.sampled_from("pq"), st.sampled_from("mn"))


@settings(max_examples=40, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=30))
def test_k_without_a_column_is_the_smallest_class_over_the_others(rows: list[tuple[str, str, str]]) -> None:
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(NAMES)})
    with from_arrow(table) as dataset:
        found = marginal(encode(dataset, NAMES), thresholds=(2,))
    for i, name in enumerate(NAMES):
        others = Counter(tuple(v for j, v in enumerate(row) if j != i) for row in rows)
        assert found[name].k_min_without == min(others.values())
