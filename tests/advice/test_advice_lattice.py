"""Classes made from finer classes equal counting raw rows, on every path through the lattice."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices import lattice as module
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.recodings.numbers import bands
from privaudit.advice.technique import recode
from privaudit.advice.technique.protection import Protection
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


states = st.lists(st.tuples(st.integers(0, len(WIDTHS) + 1), st.integers(0, len(WIDTHS) + 1)), min_size=1, max_size=12)


@pytest.mark.quick_cases(6)
@pytest.mark.parametrize(
    "way",
    [
        "as it is",
        "little memory",
        "several words",
        "several words, equal hashes",
        "compiled",
        "compiled, several words",
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
