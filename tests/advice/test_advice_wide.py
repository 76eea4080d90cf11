"""Tables of many columns: bounds shrink beyond `WIDE`, and steps that repair nothing are recognised together."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.effect.information_loss import InformationLoss
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices import idle_steps
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import MAX_RANKED, WIDE, Search, at_once, scaled
from privaudit.advice.lattices.recoding_search import find_recodings
from privaudit.advice.lattices.refinement import Refinement
from privaudit.advice.recodings.numbers import bands
from privaudit.advice.technique import recode
from privaudit.advice.technique.protection import Attribute, Protection
from privaudit.advice.technique.recoding import keep
from privaudit.risk.codes.coded import encode_column, merge_equal_rows


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


def made(seed, n_rows=60, n_columns=9, k=3, *, t=None, most=40):
    """Return a lattice over columns of numbers whose bands of 20 are not nested in those of 50."""
    rng = np.random.default_rng(seed)
    values = [rng.integers(0, rng.integers(2, most), n_rows) for _ in range(n_columns)]
    pairs = [encode_column(pa.chunked_array([pa.array(list(map(str, v.tolist())))])) for v in values]
    names = tuple(f"q{i}" for i in range(n_columns))
    ones = np.ones(n_rows, dtype=np.int64)
    coded = merge_equal_rows(names, [c for c, _ in pairs], [d for _, d in pairs], ones, n_rows)
    trial = TrialTable(coded, k)
    ladders = {}
    for name in names:
        of = trial.column(name)
        ladders[name] = (keep(of), *(bands(of, width) for width in (5, 20, 50)), recode("drop", of, {}))
    if t is None:
        return Lattice(trial, ladders)
    rows = np.arange(coded.n_distinct)
    held = Attribute("s", rows, rng.integers(0, 3, coded.n_distinct), coded.weights)
    return Lattice(trial, ladders, InformationLoss(trial), Protection(k, (held,), t=t, l=2))


@pytest.mark.parametrize("t", [None, 0.4])
@pytest.mark.parametrize("seed", range(4))
def test_no_state_has_fewer_failing_records_than_the_bound_of_its_steps(seed, t):
    lattice, rng = made(seed, n_columns=4, t=t, most=9), np.random.default_rng(seed)
    state = tuple(rng.integers(0, 3, 4).tolist())
    steps = {i: tuple(rng.choice(5, 2, replace=False).tolist()) for i in (0, 2, 3)}
    bound = lattice.fewest_failing(state, steps)
    for levels in np.ndindex(*(len(steps.get(i, ())) + 1 for i in range(4))):
        other = tuple((state[i], *steps.get(i, ()))[at] for i, at in enumerate(levels))
        assert lattice.n_failing(other) >= bound


@pytest.mark.parametrize("t", [None, 0.4])
@pytest.mark.parametrize("seed", range(4))
def test_every_state_leads_to_a_coarsest_one_in_which_no_more_records_fail(seed, t):
    lattice = made(seed, n_columns=3, t=t, most=9)
    levels = [(0, 1, 2), (2, 3), (0, 4)]  # bands of 5, 20 and 50 years: some do not follow from others
    coarsest, part = lattice.coarsest(levels), lattice.protection.monotone_part
    assert 1 <= len(coarsest) < 12 and set(coarsest) <= set(product(*levels))
    failing = {state: lattice.table(state).records(lattice.failing(state, part)) for state in product(*levels)}
    for state in failing:
        after = [c for c in coarsest if all(m[b, a] for m, a, b in zip(lattice.order.merges, state, c, strict=True))]
        assert after and all(failing[c] <= failing[state] for c in after)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("t", [None, 0.4])
@pytest.mark.parametrize("seed", range(4))
def test_the_plan_is_the_same_where_every_step_is_counted(monkeypatch, seed, t):
    plans = []
    for few in (1, 10**9):
        monkeypatch.setattr(idle_steps, "FEW", few)
        plans.append([find_recodings(Search(made(seed, t=t), max_suppressed=share)) for share in (0.0, 0.05)])
    for one, other in zip(*plans, strict=True):
        assert one is not None and other is not None
        assert [step.key for step in one.steps] == [step.key for step in other.steps]
        assert (one.after, one.final) == (other.after, other.final)
        assert one.search.n_measured == other.search.n_measured


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", range(2))
def test_a_plan_of_many_columns_keeps_its_promise_and_is_the_same_again(seed):
    lattice = made(seed, n_columns=WIDE + 1)
    found, again = (
        find_recodings(Search(each, max_suppressed=0.05)) for each in (lattice, made(seed, n_columns=WIDE + 1))
    )
    assert found is not None and found.final.k_min >= 3 and found.n_suppressed <= 0.05 * 60
    assert again is not None and found.final == again.final
    assert [step.key for step in found.steps] == [step.key for step in again.steps]


@pytest.mark.parametrize("seed", range(4))
def test_a_search_is_hopeless_only_where_no_state_meets_the_requirements(seed):
    lattice = made(seed, n_rows=30, n_columns=3, k=4)
    for most in (0.0, 0.1, 0.5, 0.9):
        search = Search(lattice, max_suppressed=most, levels=[range(4)] * 3)
        met = any(search.cost(state) is not None for state in np.ndindex(4, 4, 4))
        assert not (met and search.is_hopeless)
        only = Search(lattice, max_suppressed=most, levels=[(2,)] * 3)
        assert only.is_hopeless == (only.cost((2, 2, 2)) is None)
