"""Parts of the methods of synthesis, by property, by loops and by differences: trees, donors, gradients, intervals."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from privaudit.model import Attack
from privaudit.model.advantage import advantage, against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import fact
from privaudit.releases.synthetic.budget import ConcentratedBudget, OpenBudget, PureBudget
from privaudit.releases.synthetic.children import _matched
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.judgement import EXCLUDED_AT, _possible
from privaudit.releases.synthetic.methods import gan
from privaudit.releases.synthetic.methods.aim import ROUNDS_PER_COLUMN, fit_aim
from privaudit.releases.synthetic.methods.cart import LEAST_IN_LEAF, _features, fit_cart
from privaudit.releases.synthetic.methods.mst import fit_mst
from privaudit.releases.synthetic.methods.privbayes import fit_privbayes
from privaudit.releases.synthetic.methods.registry import Bounds
from privaudit.releases.synthetic.paid_comparison import compared_sets, paid_comparison
from privaudit.releases.synthetic.samples import people_of
from tests.releases.synthetic.test_paid_comparison import DOMAIN, table_of


@pytest.mark.parametrize("kind", [ConcentratedBudget, PureBudget])
def test_an_interval_of_a_paid_comparison_has_the_width_of_its_noise(kind):
    """The noise of n is in every distance and in every mean; that of several margins averages out."""
    halves = []

    class Watched(kind):
        def measure(self, values, cost):
            found, half = super().measure(values, cost)
            halves.append(half)
            return found, half

    found = paid_comparison(DOMAIN, table_of(3_000, 2), table_of(2_500, 3), Watched(5.0))
    of_n, of_margin = halves
    single = [*found.columns.values(), *(each for *_, each in found.pairs)]
    for one, half in [(each, of_margin) for each in single] + [
        (found.tv1, of_margin / math.sqrt(3)),
        (found.tv2, of_margin / math.sqrt(3)),
    ]:
        assert one.low == pytest.approx(max(0.0, one.value - (half + of_n) / (2 * found.n)))
        assert one.high == pytest.approx(one.value + (half + of_n) / (2 * found.n)) and one.value > 0


def test_copies_are_excluded_at_their_own_level():
    success, control = wilson(9, 400), wilson(4, 400)
    attack = Attack(
        kind="copies",
        knowledge=(),
        attacker=fact("attacks.copies_attacker"),
        outcome=fact("attacks.copies_outcome_alone"),
        baseline=0.0,
        **against_control(success, control),
    )
    assert _possible(attack) == advantage(wilson(9, 400, level=EXCLUDED_AT), wilson(4, 400, level=EXCLUDED_AT))
    assert _possible(attack).high > advantage(success, control).high


def test_records_without_a_person_are_people_of_their_own():
    people = people_of(pa.chunked_array([["a", None, "b", "a", None]]))
    assert people[0] == people[3] and len(set(people.tolist())) == 4


def test_a_donor_agrees_with_its_parent_in_as_many_first_columns_as_any():
    random = np.random.default_rng(0)
    sizes = (3, 4, 5)
    parents, pool = (CodedTable(np.array([random.integers(0, size, n) for size in sizes]), sizes) for n in (80, 12))
    chosen = _matched(parents, pool, 3, np.random.default_rng(1))
    for parent, donor in zip(parents.codes.T.tolist(), pool.codes.T[chosen].tolist(), strict=True):

        def agreed(row, parent=parent):
            return next((i for i in range(3) if row[i] != parent[i]), 3)

        assert agreed(donor) == max(map(agreed, pool.codes.T.tolist()))


def test_donors_that_agree_equally_are_drawn_alike():
    pool = CodedTable(np.zeros((1, 8), dtype=np.int64), (1,))
    parents = CodedTable(np.zeros((1, 4_000), dtype=np.int64), (1,))
    counts = np.bincount(_matched(parents, pool, 1, np.random.default_rng(2)), minlength=8)
    assert abs(counts - 500).max() < 6 * math.sqrt(500)


def test_the_pairs_of_mst_are_a_spanning_tree():
    """Three equal columns attract each other: a third pair of them would be a circle, and leave a column alone."""
    random = np.random.default_rng(3)
    one = random.integers(0, 4, 2_000)
    codes = np.array([one, one, one, random.integers(0, 4, 2_000), (one + random.integers(0, 2, 2_000)) % 4])
    fitted = fit_mst(CodedTable(codes, (4,) * 5), OpenBudget(), Bounds())
    pairs = [columns for columns in fitted.margins if len(columns) == 2]
    reached = {0}
    for _ in pairs:
        reached |= {column for pair in pairs if set(pair) & reached for column in pair}
    assert len(pairs) == 4 and reached == {0, 1, 2, 3, 4}


def test_sets_that_are_too_large_for_privbayes_are_counted():
    random = np.random.default_rng(4)
    table = CodedTable(np.array([random.integers(0, 6, 500) for _ in range(4)]), (6,) * 4)
    assert fit_privbayes(table, OpenBudget(), Bounds(max_cells=4 * 36)).n_cut > 0
    few = CodedTable(table.codes % 2, (2,) * 4)
    assert fit_privbayes(few, OpenBudget(), Bounds()).n_cut == 0


def test_rounds_of_aim_cost_more_where_they_add_noise_alone():
    random = np.random.default_rng(5)
    table = CodedTable(np.array([random.integers(0, 3, 300) for _ in range(5)]), (3,) * 5)
    counted = []

    class Watched(ConcentratedBudget):
        def count(self, counts, cost):
            counted.append(cost)
            return super().count(counts, cost)

    budget = Watched(0.01)
    fit_aim(table, budget, Bounds())
    assert len(counted) < ROUNDS_PER_COLUMN * 5 / 2 and budget.left == pytest.approx(0, abs=1e-9)


def test_a_leaf_of_a_tree_has_no_fewer_records_than_stated():
    """A leaf of one record would draw the values of one person."""
    random = np.random.default_rng(6)
    sizes = (9, 8, 7)
    table = CodedTable(np.array([random.integers(0, size, 400) for size in sizes]), sizes)
    model = fit_cart(table, OpenBudget(), Bounds()).model
    for column, tree in enumerate(model.trees):
        features = _features(list(table.codes[:column]), sizes, (False,) * 3, 400)
        assert np.unique(tree.leaves(features), return_counts=True)[1].min() >= LEAST_IN_LEAF


def training(seed=7, clip=1e9):
    """Return a training with the random numbers that it draws next."""
    random = np.random.default_rng(seed)
    sizes = (2, 3)
    table = CodedTable(np.array([random.integers(0, size, 12) for size in sizes]), sizes)
    plan = gan._Plan(judge=(5,), batches=1, epochs=1, rate=1e-3, clip=clip)
    made = gan._Training(table, [np.full(size, 1 / size) for size in sizes], plan, random)
    made.batch_size = 12.0
    return made


def log_sigmoid(values):
    return -np.log1p(np.exp(-values))


def loss_of_generator(made, state):
    made.random.bit_generator.state = state
    return float(-log_sigmoid(made.discriminator.forward(made._made()[0])[-1]).mean())


def loss_of_discriminator(made, state):
    made.random.bit_generator.state = state
    real, fake = (made.discriminator.forward(rows)[-1] for rows in (made._one_hot(np.arange(12)), made._made()[0]))
    return float(-log_sigmoid(real).mean() - log_sigmoid(-fake).mean())


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("who", ["generator", "discriminator"])
def test_a_step_of_the_adversarial_network_follows_the_gradient_of_its_loss(who):
    made = training()
    state, step, changes = made.random.bit_generator.state, 1e-6, []
    network = getattr(made, who)
    for name in ("of_generator", "of_discriminator"):
        getattr(made, name).update = lambda weights, given: changes.append(given)
    made.generate() if who == "generator" else made.judge(np.arange(12), None)
    loss = loss_of_generator if who == "generator" else loss_of_discriminator
    for layer, (weight, change) in enumerate(zip(network.weights, changes[0], strict=True)):
        for at in np.random.default_rng(layer).choice(weight.size, 6, replace=False):
            place, losses = np.unravel_index(at, weight.shape), []
            for sign in (1, -1):
                weight[place] += sign * step
                losses.append(loss(made, state))
                weight[place] -= sign * step
            assert change[place] == pytest.approx((losses[0] - losses[1]) / (2 * step), rel=1e-3, abs=1e-7)


def test_generator_and_discriminator_are_trained_in_turn(monkeypatch):
    monkeypatch.setattr(gan, "OPEN", gan._Plan(judge=(5,), batches=3, epochs=2, rate=1e-3, clip=1.0))
    steps = []
    for name in ("judge", "generate"):
        kept = getattr(gan._Training, name)
        monkeypatch.setattr(
            gan._Training, name, lambda *given, kept=kept, name=name: (steps.append(name), kept(*given))[1]
        )
    gan.fit_gan(training().table, OpenBudget(), Bounds())
    assert steps == ["judge", "generate"] * 6


def test_every_pair_of_a_distance_is_compared_once():

    assert compared_sets((2, 3, 4)) == [(0,), (1,), (2,), *combinations(range(3), 2)]
