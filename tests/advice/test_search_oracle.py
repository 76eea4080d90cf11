"""On random lattices the search finds what measuring every state record by record finds, for every measure."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from privaudit.advice.effect.information_loss import TITLES, InformationLoss
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search, least_loss
from privaudit.advice.lattices.loss_proof import all_lose, most_saved
from privaudit.advice.lattices.projections import projected
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.protection import Protection, attributes
from privaudit.risk.codes.coded import CodedTable, merge_equal_rows


class World:
    """A small table with random ladders, requirements and limits, all in plain Python."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        self.draw = draw
        self.names = [f"q{i}" for i in range(draw.choice([1, 2, 2, 3, 3]))]
        self.values = [draw.randint(2, 5) for _ in self.names]
        n = draw.randint(4, 22)
        self.rows = [tuple(draw.randrange(v) for v in self.values) for _ in range(n)]
        self.secret = [draw.randrange(3) for _ in range(n)]
        self.population = {row: count + draw.randrange(3) for row, count in Counter(self.rows).items()}
        # Steps of a ladder are nested, except that one ladder in five has a step that is not.
        self.ladders = [self._ladder(v) for v in self.values]
        self.k = draw.choice([1, 2, 3, 4])
        self.rules = {
            "l": draw.choice([None, None, 2, 3]),
            "l_entropy": draw.choice([None, None, 1.5, 2.0]),
            "recursive": draw.choice([None, None, (2.0, 2), (1.0, 3)]),
            "t": draw.choice([None, None, 0.2, 0.4]),
            "t_reference": draw.choice(["kept", "table"]),
            "k_map": draw.choice([None, None, 3, 5]),
        }
        self.limit = draw.choice([0.0, 0.1, 0.3, 0.6, 1.0])
        self.suppression = draw.choice([1.0, 1.0, 0.5, 0.0])

    def _ladder(self, values):
        steps = [list(range(values))]
        for _ in range(self.draw.randint(1, 3)):
            before = sorted(set(steps[-1]))
            if len(before) < 2:
                break
            if self.draw.random() < 0.2:
                steps.append([self.draw.randrange(len(before)) for _ in range(values)])
            else:
                a, b = self.draw.sample(before, 2)
                steps.append([a if v == b else v for v in steps[-1]])
        steps.append([0] * values)
        return [self._dense(step) for step in steps]

    @staticmethod
    def _dense(step):
        order = sorted(set(step))
        return [order.index(v) for v in step]

    # Ours

    def ours(self, how):
        # Every value has a code, whether it occurs or not, so that domains are those of the world.
        dictionaries = [pa.array([str(v) for v in range(values)]) for values in self.values]
        codes = [np.array(column, dtype=np.int32) for column in zip(*self.rows, strict=True)]
        secret = np.array(self.secret, dtype=np.int32)
        n = len(self.rows)
        ones = np.ones(n, dtype=np.int64)
        coded = merge_equal_rows(tuple(self.names), list(codes), dictionaries, ones, n)
        everything = merge_equal_rows(
            (*self.names, "s"), [*codes, secret], [*dictionaries, pa.array(["0", "1", "2"])], ones, n
        )
        trial = TrialTable(coded, self.k, dict(zip(self.names, self.values, strict=True)))
        ladders = {name: self._recodings(name, steps) for name, steps in zip(self.names, self.ladders, strict=True)}
        loss = InformationLoss(trial, how, suppression=self.suppression, ladders=ladders)
        population = self._population(coded)
        protection = Protection(self.k, attributes(self.names, everything, ("s",)), population=population, **self.rules)
        return Lattice(trial, ladders, loss, protection)

    def _population(self, coded: CodedTable):
        rows = zip(*(code.tolist() for code in coded.codes), strict=True)
        return np.array([self.population[row] for row in rows], dtype=np.int64)

    def _recodings(self, name, steps):
        made = []
        for i, step in enumerate(steps):
            technique = "keep" if i == 0 else "drop" if i == len(steps) - 1 else "merge_rare"
            missing = max(step) + 1 if technique != "drop" else 0
            lookup = np.array([*step, missing], dtype=np.int32)
            shares = np.array([step.count(v) / len(step) for v in step] + [1 / len(step)])
            shares = None if technique == "drop" else shares
            made.append(Recoding(technique, name, {"step": i}, lookup, shares=shares))
        return made

    # Brute force

    def classes(self, state):
        return [self.recoded(row, state) for row in self.rows]

    def recoded(self, row, state):
        return tuple(ladder[level][v] for ladder, v, level in zip(self.ladders, row, state, strict=True))

    def suppressed(self, state):
        """Return the positions of the records in classes that fail."""
        made = self.classes(state)
        members = {c: [j for j, m in enumerate(made) if m == c] for c in set(made)}
        people = Counter()
        for row, count in self.population.items():
            people[self.recoded(row, state)] += count
        rules, n_values = self.rules, len(set(self.secret))
        out = set()
        for c, at in members.items():
            counts = sorted(Counter(self.secret[j] for j in at).values(), reverse=True)
            size = len(at)
            fails = size < self.k
            fails |= rules["k_map"] is not None and people[c] < rules["k_map"]
            fails |= rules["l"] is not None and len(counts) < min(rules["l"], n_values)
            if rules["l_entropy"] is not None:
                entropy = -sum(x / size * math.log(x / size) for x in counts)
                fails |= entropy < math.log(min(rules["l_entropy"], n_values)) - 1e-9
            if rules["recursive"] is not None and n_values > 1:
                ratio, least = rules["recursive"]
                fails |= counts[0] >= ratio * sum(counts[min(least, n_values) - 1 :])
            if fails:
                out.add(c)
        while rules["t"] is not None:
            kept = [j for j, m in enumerate(made) if rules["t_reference"] == "table" or m not in out]
            whole = Counter(self.secret[j] for j in kept)
            far = set()
            for c in set(members) - out:
                own = Counter(self.secret[j] for j in members[c])
                distance = sum(max(0.0, own[v] / len(members[c]) - whole[v] / len(kept)) for v in own)
                if distance > rules["t"] * (1 + 1e-9) + 1e-9:
                    far.add(c)
            out |= far
            if not far or rules["t_reference"] == "table":
                break
        return {j for j, m in enumerate(made) if m in out}

    def cost(self, how, state):
        """Return the loss in the terms of the literature, or None where too many records fail."""
        out, made, n = self.suppressed(state), self.classes(state), len(self.rows)
        if len(out) > min(int(self.limit * n), n - 1):
            return None
        kept, weight = Counter(m for j, m in enumerate(made) if j not in out), self.suppression
        whole = Counter(made)
        if how == "discernibility":
            base = sum(f * f for f in whole.values())
            added = sum(whole[m] * (n - whole[m]) for m in {made[j] for j in out})
            return (base + weight * added) / n**2
        if how == "class-size":
            return 1 / (len(kept) + bool(out))
        steps = [ladder[level] for ladder, level in zip(self.ladders, state, strict=True)]
        share = [[step.count(v) / len(step) for v in step] for step in steps]
        if how == "ambiguity":
            product = [math.prod(s[v] for s, v in zip(share, row, strict=True)) for row in self.rows]
            return sum(p + (weight * (1 - p) if j in out else 0) for j, p in enumerate(product)) / n
        lost, bits = [], []
        for i, level in enumerate(state):
            held, merged = Counter(r[i] for r in self.rows), Counter(m[i] for m in made)
            gone = Counter(made[j][i] for j in out)
            bits.append(sum(math.log2(n / held[r[i]]) for r in self.rows))
            if how == "precision":
                at = level / (len(self.ladders[i]) - 1)
                lost.append((n * at + weight * len(out) * (1 - at)) / n)
            elif how in ("loss", "geometric-loss"):
                least = n / self.values[i]
                total = sum(share[i][r[i]] for r in self.rows)
                total += weight * sum(1 - share[i][self.rows[j][i]] for j in out)
                lost.append((total - least) / (n - least))
            else:
                total = sum(math.log2(merged[made[j][i]] / held[r[i]]) for j, r in enumerate(self.rows))
                rest = n if how == "entropy-to-root" else len(out)
                among = merged if how == "entropy-to-root" else gone
                total += weight * sum(math.log2(rest / among[made[j][i]]) for j in out)
                lost.append(total / bits[-1] if bits[-1] else 0.0)
        return self._combined(how, lost, bits, len(out) * weight / n)

    def _combined(self, how, lost, bits, without_columns):
        """Columns that are one-to-one count once, with the smallest loss; columns of one value do not count."""
        n, groups = len(self.rows), []
        for i in (i for i in range(len(lost)) if bits[i] > 0):
            for group in groups:
                pairs = {(r[i], r[group[0]]) for r in self.rows}
                if len({r[i] for r in self.rows}) == len({r[group[0]] for r in self.rows}) == len(pairs) <= n / 2:
                    group.append(i)
                    break
            else:
                groups.append([i])
        if not groups:
            return without_columns
        least = [min(lost[i] for i in g) for g in groups]
        weight = [max(bits[i] for i in g) if how == "entropy" else 1.0 for g in groups]
        if how == "geometric-loss":
            return math.prod((1 + x) ** (w / sum(weight)) for x, w in zip(least, weight, strict=True)) - 1
        return min(1.0, sum(w * x for w, x in zip(weight, least, strict=True)) / sum(weight))

    def optimum(self, how, levels=None):
        states = itertools.product(*(levels or [range(len(ladder)) for ladder in self.ladders]))
        return min((c for c in (self.cost(how, s) for s in states) if c is not None), default=None)


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize(
    ("seeds", "is_compiled"),
    [
        (range(10), False),
        (range(10), True),
        pytest.param(range(10, 500), False, marks=pytest.mark.slow),
        pytest.param(range(10, 500), True, marks=pytest.mark.slow),
    ],
    ids=["10 lattices", "10 lattices, compiled", "490 lattices", "490 lattices, compiled"],
)
def test_the_search_finds_the_optimum_of_brute_force(seeds, is_compiled, monkeypatch):
    if is_compiled:
        pytest.importorskip("numba")
    monkeypatch.setattr("privaudit.advice.lattices.lattice.worth_loading", lambda visits: is_compiled)
    for seed in seeds:
        world = World(seed)
        for how in TITLES:
            best = world.optimum(how)
            found = least_loss(Search(world.ours(how), max_suppressed=world.limit))
            if best is None:
                assert found is None, (seed, how)
                continue
            assert found is not None and found.is_optimal, (seed, how)
            assert found.cost == pytest.approx(best, abs=1e-9), (seed, how)
            assert world.cost(how, found.state) == pytest.approx(found.cost, abs=1e-9), (seed, how)


@pytest.mark.parametrize("seed", [610, 750, 951, 1022, *range(40)])
def test_a_lattice_too_large_for_branch_and_bound_has_a_plan_where_one_of_fewer_steps_has(seed, monkeypatch):
    """In the first four, the ascent ends where the only column left would have to be dropped."""
    monkeypatch.setattr("privaudit.advice.lattices.lattice_search.MAX_STATES", 6)
    world = World(seed)
    search = Search(world.ours("loss"), max_suppressed=world.limit, keeps_a_column=True)
    dropped = tuple(len(ladder) - 1 for ladder in world.ladders)

    def least(levels):
        costs = [world.cost("loss", state) for state in itertools.product(*levels) if state != dropped]
        return min((cost for cost in costs if cost is not None), default=None)

    fewer = search.with_fewer_steps().levels
    found, whole = least_loss(search), least(search.levels)
    assert math.prod(map(len, fewer)) <= 6
    assert found is not None or least(fewer) is None
    if found is not None:
        assert whole - 1e-9 <= found.cost == pytest.approx(world.cost("loss", found.state))


def test_further_steps_save_no_more_than_their_bound():
    bounded = reached = 0
    for world in map(World, range(30)):
        freed = [range(len(ladder)) for ladder in world.ladders]
        before = [range(world.draw.randrange(len(steps)), len(steps)) for steps in freed]
        for how in ("loss", "precision", "class-size"):
            saved = most_saved(world.ours(how), before, freed)
            best, then = world.optimum(how, before), world.optimum(how, freed)
            if saved == math.inf:
                continue
            bounded += 1
            assert how != "class-size" and (best is None) == (then is None), how
            if best is not None:
                assert best - saved - 1e-9 <= then <= best + 1e-9, how
                reached += saved > 0 and then == pytest.approx(best - saved)
    assert bounded >= 10 and reached >= 3


@pytest.mark.quick_cases(5)
@pytest.mark.parametrize("seed", range(60))
def test_what_every_state_loses_is_proved_up_to_the_optimum(seed):
    world = World(seed)
    for how in TITLES:
        best = world.optimum(how)

        def proved(least, how=how, **limits):
            return all_lose(Search(world.ours(how), max_suppressed=world.limit, **limits), least)

        if best is None:
            assert proved(1.1)
            continue
        assert proved(best - 1e-6) and not proved(best + 1e-6), how
        assert not proved(best + 1e-6, most_measured=1), how


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", range(20))
def test_a_search_without_time_returns_a_bound_that_no_state_is_below(seed):
    world = World(seed)
    for how in TITLES:
        best = world.optimum(how)
        found = least_loss(Search(world.ours(how), max_suppressed=world.limit, budget=0.0))
        if found is not None:
            assert found.bound <= best + 1e-9 <= found.cost + 2e-9, (seed, how)
            assert found.is_optimal == (found.bound >= found.cost)


@pytest.mark.quick_cases(40)
@pytest.mark.parametrize("seed", range(40))
def test_projections_on_halves_of_the_columns_bound_the_classes_of_every_state(seed):
    world = World(seed)
    lattice = world.ours("class-size")
    levels = [range(len(ladder)) for ladder in world.ladders]
    bounds = projected(lattice, levels)
    for i, state in enumerate(itertools.product(*levels)):
        sizes = list(Counter(world.classes(state)).values())
        small = [size for size in sizes if size < world.k]
        assert bounds.kept[i] >= len(sizes) - len(small)
        assert bounds.squares[i] <= sum(size**2 for size in sizes) + 1e-9
        assert bounds.suppressed[i] <= sum(small)
        n = len(world.rows)
        added = sum(size * (n - size) for size in small)
        assert bounds.suppressed[i] * n - bounds.suppressed_squares[i] <= added
    # On two columns each half is a column, and where the other is dropped the bound is exact.
    if len(levels) == 2:
        dropped = [i for i, state in enumerate(itertools.product(*levels)) if state[1] == len(levels[1]) - 1]
        exact = [sum(n**2 for n in Counter(world.classes((a, len(levels[1]) - 1))).values()) for a in levels[0]]
        assert bounds.squares[dropped] == pytest.approx(exact)
