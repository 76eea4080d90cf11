"""Plans under k-map equal brute force over the lattice, with a population that has people the table does not have."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from privaudit.advice.effect.information_loss import TITLES, InformationLoss
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search, least_loss
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.protection import Protection, attributes
from privaudit.risk.codes.coded import encode
from privaudit.risk.population.population_rows import join_population
from privaudit.source.memory.arrow import from_arrow


class World:
    """A release with a sensitive attribute, drawn from a population, with nested ladders, in plain Python."""

    def __init__(self, seed: int) -> None:
        self.draw = draw = random.Random(seed)
        self.names = [f"q{i}" for i in range(draw.choice([1, 2, 3]))]
        self.values = [draw.randint(2, 4) for _ in self.names]
        everybody = [tuple(draw.randrange(v) for v in self.values) for _ in range(draw.randint(8, 40))]
        self.people = [(f"p{draw.randrange(12)}" if seed % 3 == 0 else f"p{i}", r) for i, r in enumerate(everybody)]
        self.rows = draw.sample(everybody, draw.randint(3, min(18, len(everybody))))
        self.secret = [draw.choice("xyz") for _ in self.rows]
        self.ladders = [self._ladder(v) for v in self.values]
        self.k, self.k_map = draw.choice([1, 1, 2, 3]), draw.choice([2, 4, 6, 9])
        self.l, self.limit = draw.choice([None, None, 2]), draw.choice([0.0, 0.2, 0.5])
        self.has_subject = seed % 3 == 0

    def _ladder(self, values):
        steps = [list(range(values))]
        while len(set(steps[-1])) > 1:
            a, b = self.draw.sample(sorted(set(steps[-1])), 2)
            steps.append([min(a, b) if v in (a, b) else v for v in steps[-1]])
        return [[sorted(set(step)).index(v) for v in step] for step in steps]

    # Ours

    def lattice(self, how):
        release = self._coded([(f"r{i}", row) for i, row in enumerate(self.rows)], self.secret)
        population = self._coded(self.people, None, subject="who" if self.has_subject else None)
        joined = join_population(release.select(self.names), population)
        domains = dict(zip(self.names, self.values, strict=True))
        trial = TrialTable(joined.table, self.k, domains, row_of=joined.row_of)
        steps_of = zip(self.names, self.ladders, strict=True)
        ladders = {name: self._recodings(trial, name, steps) for name, steps in steps_of}
        held = attributes(self.names, release, ("s",), row_of=joined.row_of)
        protection = Protection(
            self.k, held, l=self.l, k_map=self.k_map, population=joined.population, persons=joined.persons
        )
        return Lattice(trial, ladders, InformationLoss(trial, how, ladders=ladders), protection)

    def _coded(self, rows, secret, subject=None):
        cells = {n: pa.array([str(row[i]) for _, row in rows], pa.string()) for i, n in enumerate(self.names)}
        cells |= {"who": pa.array([who for who, _ in rows], pa.string())} if subject else {}
        cells |= {"s": pa.array(secret, pa.string())} if secret else {}
        with from_arrow(pa.table(cells)) as dataset:
            return encode(dataset, [*self.names, *(["s"] if secret else [])], subject=subject)

    def _recodings(self, trial, name, steps):
        words = trial.column(name).dictionary.to_pylist()
        domain = self.values[self.names.index(name)]
        made = []
        for i, step in enumerate(steps):
            new = sorted({step[int(word)] for word in words})
            lookup = np.array([*(new.index(step[int(word)]) for word in words), len(new)], dtype=np.int32)
            shares = np.array([*(step.count(step[int(word)]) / domain for word in words), 1 / domain])
            made.append(Recoding("keep" if i == 0 else "merge_rare", name, {"step": i}, lookup, shares=shares))
        return made

    # Brute force

    def suppressed(self, state):
        """Return the positions of the records in classes that fail."""
        made = [self.recoded(row, state) for row in self.rows]
        whom = {}
        for i, (who, row) in enumerate(self.people):
            whom.setdefault(self.recoded(row, state), set()).add(who if self.has_subject else i)
        records, distinct = Counter(made), {}
        for new, s in zip(made, self.secret, strict=True):
            distinct.setdefault(new, set()).add(s)
        least = min(self.l or 1, len(set(self.secret)))
        return [
            i
            for i, new in enumerate(made)
            if records[new] < self.k or len(whom[new]) < self.k_map or len(distinct[new]) < least
        ]

    def recoded(self, row, state):
        return tuple(ladder[level][v] for ladder, v, level in zip(self.ladders, row, state, strict=True))

    def allowed(self):
        states = itertools.product(*(range(len(ladder)) for ladder in self.ladders))
        n = len(self.rows)
        return [s for s in states if len(self.suppressed(s)) <= min(int(self.limit * n), n - 1)]


@pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(12, 200), marks=pytest.mark.slow)], ids=["12 worlds", "188 worlds"]
)
def test_the_plan_of_least_loss_under_k_map_is_that_of_every_state_measured(seeds):
    reached = 0
    for seed in seeds:
        world = World(seed)
        allowed = world.allowed()
        for how in TITLES:
            lattice = world.lattice(how)
            found = least_loss(Search(lattice, max_suppressed=world.limit))
            assert (found is None) == (not allowed), (seed, how)
            if found is None:
                continue
            reached += 1
            least = min(lattice.loss_after_suppression(state) for state in allowed)
            assert found.is_optimal and found.state in allowed, (seed, how)
            assert found.cost == pytest.approx(least, abs=1e-9), (seed, how)
            assert lattice.n_failing(found.state) == len(world.suppressed(found.state)), (seed, how)
    assert reached


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("seed", range(30))
def test_every_state_suppresses_the_records_that_a_count_in_the_population_suppresses(seed):
    world = World(seed)
    lattice = world.lattice("loss")
    for state in itertools.product(*(range(len(ladder)) for ladder in world.ladders)):
        assert lattice.n_failing(state) == len(world.suppressed(state)), state
        sizes = Counter(world.recoded(row, state) for row in world.rows)
        assert sorted(lattice.sizes(state).tolist()) == sorted(sizes.values())


def test_a_lattice_with_more_columns_than_an_array_has_axes_is_searched():
    """Columns with one usable step add no state: 80 columns of which three may change have 8 states."""
    rng = random.Random(5)
    names = [f"q{i}" for i in range(80)]
    table = pa.table({n: pa.array([rng.choice("ab") for _ in range(12)]) for n in names})
    with from_arrow(table) as dataset:
        coded = encode(dataset, names)
    trial = TrialTable(coded, 2)
    keeps = trial.untouched
    drops = {n: Recoding("drop", n, {}, np.zeros(len(keeps[n].lookup), dtype=np.int32)) for n in names}
    lattice = Lattice(trial, {n: (keeps[n], drops[n]) for n in names})
    levels = [(0, 1) if i < 3 else (1,) for i in range(80)]
    found = least_loss(Search(lattice, max_suppressed=0.0, levels=levels))
    states = [(*head, *[1] * 77) for head in itertools.product((0, 1), repeat=3)]
    allowed = [s for s in states if lattice.n_failing(s) == 0]
    assert found.is_optimal and found.n_states == 8
    assert found.cost == pytest.approx(min(lattice.loss_after_suppression(s) for s in allowed))
