"""Classes made from finer classes equal counting raw rows, on every path through the lattice, and so does the work."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices import bounds as order
from privaudit.advice.lattices import lattice as module
from privaudit.advice.lattices.bounds import Bounds
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.recodings.numbers import bands
from privaudit.advice.technique import recode
from privaudit.advice.technique.protection import Protection, attributes
from privaudit.advice.technique.recoding import keep
from privaudit.risk.codes import packing
from tests.helpers.coded import coded_rows
from tests.helpers.columns import column

number = st.one_of(st.none(), st.integers(0, 60))
table = st.lists(st.tuples(number, number), min_size=1, max_size=30)
WIDTHS = (5, 10, 20, 50)  # 20 is not nested in 50
K = 3


def ladder(name, words):
    made = column(words.to_pylist(), name=name)
    return (keep(made), *(bands(made, w) for w in WIDTHS), recode("drop", made, {}))


def cell(value, level):
    if level == len(WIDTHS) + 1:
        return "all"
    if value is None or level == 0:
        return value
    return value // WIDTHS[level - 1]


def with_smaller_shares(steps):
    """Each step states a smaller share than the one before, as one of a hierarchy with more values than the table."""
    return [replace(step, shares=np.full(len(step.lookup), 1 / (i + 1))) for i, step in enumerate(steps)]


states = st.lists(st.tuples(st.integers(0, len(WIDTHS) + 1), st.integers(0, len(WIDTHS) + 1)), min_size=1, max_size=12)


@pytest.mark.quick_cases(7)
@pytest.mark.parametrize(
    "way",
    [
        "as it is",
        "little memory",
        "several words",
        "several words, equal hashes",
        "compiled",
        "compiled, several words",
        "shares of larger domains",
    ],
)
@settings(max_examples=10, deadline=None)
@given(rows=table, walk=states, ahead=st.lists(states, max_size=3))
def test_every_path_through_the_lattice_gives_the_same_classes(way, rows, walk, ahead):
    with pytest.MonkeyPatch.context() as patch:
        if way == "little memory":
            patch.setattr(module, "KEPT_BYTES", 200)
        if "compiled" in way:
            pytest.importorskip("numba")
            patch.setattr(module, "worth_loading", lambda visits: True)
        if "several words" in way:
            patch.setattr(packing, "WORD_BITS", 6)
        if "equal hashes" in way:
            patch.setattr(packing, "MULTIPLIER", np.uint64(0))
        coded = coded_rows("ab", rows)
        trial = TrialTable(coded, K)
        ladders = {n: ladder(n, d) for n, d in zip(coded.names, coded.dictionaries, strict=True)}
        if "shares" in way:
            ladders = {n: with_smaller_shares(steps) for n, steps in ladders.items()}
        lattice = Lattice(trial, ladders)
        lattice.threads = 2
        lattice.make_ahead([*ahead, walk[1:]])
        for state in walk:
            made = Counter(tuple(cell(v, level) for v, level in zip(r, state, strict=True)) for r in rows)
            found = lattice.measure(state)
            assert sorted(lattice.sizes(state).tolist()) == sorted(made.values())
            assert (found.k_min, found.n_classes) == (min(made.values()), len(made))
            assert found.n_below_k == sum(f for f in made.values() if f < K)


def test_lattices_over_the_same_ladders_share_their_steps():
    coded = coded_rows("ab", [(1, 2), (3, 4), (17, 30), (None, 5), (60, 60)])
    trial = TrialTable(coded, K)
    ladders = {n: ladder(n, d) for n, d in zip(coded.names, coded.dictionaries, strict=True)}
    lattice = Lattice(trial, ladders)
    alike, narrower = (
        Lattice(trial, given, protection=Protection(2), other=lattice)
        for given in (ladders, {name: steps[:3] for name, steps in ladders.items()})
    )
    assert alike.order is lattice.order
    assert narrower.order is not lattice.order
    for state in product(range(3), repeat=2):
        sizes = [sorted(each.sizes(state).tolist()) for each in (alike, narrower, Lattice(trial, ladders))]
        assert sizes[0] == sizes[1] == sizes[2]


class Unmarked(Protection):
    """The same requirements, for which values are counted in the classes of rows."""

    def marks(self, n_rows):
        return None


def walked(trial, ladders, protection, chains, walk, limit):
    """Return what every state of a walk measures and reads in a lattice of its own, and what its table takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "KEPT_BYTES", limit)
        lattice = Lattice(trial, ladders, protection=protection)
        lattice.make_ahead(chains)
        found = []
        for state in walk:
            failing, cost = lattice.n_failing(state), lattice.cost(state)
            found.append((failing, cost, lattice.table(state).nbytes, lattice.rows_read, len(lattice._cached)))
            assert lattice.loss_after_suppression(state) >= 0
        # Effects that are computed last are those of states that were measured at once, and read nothing.
        read = lattice.rows_read
        effects = [lattice.measure(state) for state in walk]
        assert lattice.rows_read == read
        return found, effects


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize("limit", [module.KEPT_BYTES, 2_000])
@settings(max_examples=15, deadline=None)
@given(
    rows=table,
    secret=st.lists(st.integers(0, 3), min_size=30, max_size=30),
    walk=states,
    ahead=st.lists(states, max_size=2),
    least=st.integers(2, 4),
)
def test_values_as_bits_give_the_same_states_and_the_same_work(is_compiled, limit, rows, secret, walk, ahead, least):
    with pytest.MonkeyPatch.context() as patch:
        if is_compiled:
            pytest.importorskip("numba")
        patch.setattr(module, "worth_loading", lambda visits: is_compiled)
        coded = coded_rows("ab", rows)
        everything = coded_rows("abs", [(*r, str(s)) for r, s in zip(rows, secret, strict=False)])
        held = attributes(coded.names, everything, ("s",))
        trial = TrialTable(coded, K)
        ladders = {n: ladder(n, d) for n, d in zip(coded.names, coded.dictionaries, strict=True)}
        assert Protection(K, held, l=least).marks(coded.n_distinct) is not None
        found, others = (
            walked(trial, ladders, kind(K, held, l=least), ahead, walk, limit) for kind in (Protection, Unmarked)
        )
        assert found == others
        fresh = Lattice(trial, ladders)
        assert found[1] == [fresh.measure(state) for state in walk]
        for (failing, *_), state in zip(found[0], walk, strict=True):
            classes: dict[tuple, list[str]] = {}
            for r, s in zip(rows, secret, strict=False):
                key = tuple(cell(v, level) for v, level in zip(r, state, strict=True))
                classes.setdefault(key, []).append(str(s))
            enough = min(least, len(set(secret[: len(rows)])))
            assert failing == sum(len(c) for c in classes.values() if len(c) < K or len(set(c)) < enough)


@pytest.mark.parametrize("at_once", [1, 3, 4096])
def test_states_are_taken_from_the_coarsest_to_the_finest_however_many_are_put_in_order(monkeypatch, at_once):
    monkeypatch.setattr(order, "SORTED", at_once)
    rng = np.random.default_rng(at_once)
    coded = coded_rows("ab", rng.integers(0, 60, (40, 2)).tolist())
    trial = TrialTable(coded, K)
    lattice = Lattice(trial, {n: ladder(n, d) for n, d in zip(coded.names, coded.dictionaries, strict=True)})
    levels = [range(len(WIDTHS) + 2)] * 2
    every = [(a, b) for a in levels[0] for b in levels[1]]
    cost = {state: sum(lattice.loss.without_suppression(step) for step in lattice.steps(state)) for state in every}
    ranked = sorted(every, key=lambda state: (round(cost[state], 9), state), reverse=True)
    bounds, closed = Bounds(lattice, levels, 0), (2, 1)
    taken = [bounds.take() for _ in range(5)]
    bounds.close_finer(closed)
    taken += [bounds.take() for _ in range(len(bounds))]
    finer = [s for s in ranked[5:] if lattice.order.finer(lattice.order.key(s)[None, :], closed)[0]]
    assert taken == [state for state in ranked if state not in finer]
