"""Whether most of the cells match does not depend on the order in which their values are read."""

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.source.profile.numbers import first_piece, most_match

shares = st.sampled_from([0.5, 0.8, 0.9, 0.99, 1.0])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9)), max_size=40), st.integers(0, 400), shares, st.booleans())
def test_most_cells_match_where_their_count_is_at_least_the_share(some, n_more, share, is_match):
    cells = [*some, *[(is_match, 1)] * n_more]
    values = pa.array([f"{'1' if matches else 'a'}{i}" for i, (matches, _) in enumerate(cells)], pa.string())
    counts = np.array([n for _, n in cells], dtype=np.int64)
    matched = sum(n for matches, n in cells if matches)
    assert most_match(values, counts, "^1", share) == (matched >= share * counts.sum())


@given(st.integers(0, 100_000), shares)
def test_the_first_piece_shows_that_no_value_matches(n, share):
    first = first_piece(n, share)
    assert first <= n
    assert n - first < share * n or first == min(n, 1 << 14)
