"""Bounds of the planner shrink with the columns beyond `WIDE`, and states of many columns compare as their levels."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.lattices.lattice_search import MAX_RANKED, WIDE, at_once, scaled
from privaudit.advice.lattices.refinement import Refinement


def test_bounds_are_as_stated_up_to_wide_and_shrink_beyond():
    assert [scaled(1_500, n) for n in (1, WIDE, 2 * WIDE)] == [1_500, 1_500, 750]
    assert at_once(64, WIDE) == 1
    # Ranking the steps again and again measures about as many states as the bound allows.
    for n_columns in (8, WIDE, 123, 400):
        n_steps = 3 * n_columns
        rounds = -(-n_steps // at_once(n_steps, n_columns))
        assert rounds == 1 or rounds * n_steps <= 2 * max(n_steps, scaled(MAX_RANKED, n_columns))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=130), st.integers(0, 2**31))
def test_states_of_any_number_of_columns_compare_by_their_levels(n_steps, seed):
    rng = np.random.default_rng(seed)
    order = Refinement([np.tril(np.ones((n, n), dtype=bool)) for n in n_steps])
    levels = np.stack([rng.integers(0, n, 40) for n in n_steps], axis=1)
    levels[:20] = np.maximum(levels[:20], levels[20:])
    keys = order.keys(levels)
    assert order.is_packed
    for state in levels:
        assert (order.finer(keys, state.tolist()) == (levels <= state).all(axis=1)).all()
        assert (order.coarser(keys, state.tolist()) == (levels >= state).all(axis=1)).all()
