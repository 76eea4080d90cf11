"""The junction-tree engine: exact margins, trees, fits and samples, compared with brute force over all cells."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from privaudit.releases.synthetic.engine.estimation import Measurement, combined, estimated_total, fit
from privaudit.releases.synthetic.engine.field import Field
from privaudit.releases.synthetic.engine.junction_tree import junction_tree, tree_cells
from privaudit.releases.synthetic.engine.margins import CodedTable, cells_of
from privaudit.releases.synthetic.engine.network import Network, Step, conditional, draw_by_shares

DOMAINS = 200


def random_case(seed: int) -> tuple[tuple[int, ...], list[tuple[int, ...]], dict]:
    random = np.random.default_rng(seed)
    n_columns = int(random.integers(1, 7))
    sizes = tuple(int(size) for size in random.integers(1, 5, n_columns))
    sets = {
        tuple(sorted(random.choice(n_columns, random.integers(1, min(n_columns, 3) + 1), replace=False).tolist()))
        for _ in range(random.integers(0, 8))
    }
    potentials = {each: 3 * random.normal(size=[sizes[c] for c in each]) for each in sorted(sets)}
    return sizes, sorted(sets), potentials


def brute_force(sizes: tuple[int, ...], potentials: dict) -> np.ndarray:
    """Return the probability of every cell of the whole domain."""
    total = np.zeros(sizes)
    for columns, theta in potentials.items():
        total = total + theta.reshape([size if c in columns else 1 for c, size in enumerate(sizes)])
    weights = np.exp(total - total.max())
    return weights / weights.sum()


def summed(joint: np.ndarray, columns: tuple[int, ...]) -> np.ndarray:
    return joint.sum(axis=tuple(c for c in range(joint.ndim) if c not in columns))


@pytest.mark.slow
def test_all_margins_equal_brute_force_on_200_random_domains() -> None:
    for seed in range(DOMAINS):
        sizes, sets, potentials = random_case(seed)
        field = Field(sets, sizes)
        network = field.network(potentials)
        joint = brute_force(sizes, potentials)
        margins = field.margins(network)
        assert set(margins) == set(sets)
        for columns in sets:
            np.testing.assert_allclose(margins[columns], summed(joint, columns), atol=1e-12)
        for n in range(1, len(sizes) + 1):
            for columns in combinations(range(len(sizes)), n):
                np.testing.assert_allclose(network.marginal(columns), summed(joint, columns), atol=1e-12)


def test_margins_come_in_the_order_of_the_columns_that_were_asked_for() -> None:
    sizes, sets, potentials = (2, 3, 4), [(0, 1), (1, 2)], {}
    random = np.random.default_rng(0)
    potentials = {each: random.normal(size=[sizes[c] for c in each]) for each in sets}
    network = Field(sets, sizes).network(potentials)
    np.testing.assert_allclose(network.marginal((2, 0)), network.marginal((0, 2)).T)


def test_a_junction_tree_covers_every_set_and_has_the_running_intersection_property() -> None:
    for seed in range(DOMAINS):
        sizes, sets, _ = random_case(seed)
        tree = junction_tree(sets, sizes)
        for columns in sets:
            assert any(set(columns) <= set(clique.columns) for clique in tree)
        for i, clique in enumerate(tree):
            before = {column for other in tree[:i] for column in other.columns}
            parent = set() if clique.parent < 0 else set(tree[clique.parent].columns)
            # What a clique shares with all cliques before it is in its parent.
            assert set(clique.columns) & before == set(clique.separator)
            assert set(clique.separator) <= parent
        assert sorted(column for clique in tree for column in clique.rest) == list(range(len(sizes)))
        assert tree_cells(sets, sizes) == sum(cells_of(clique.columns, sizes) for clique in tree)


def test_margins_of_a_table_equal_a_count_of_its_rows() -> None:
    random = np.random.default_rng(1)
    sizes = (3, 2, 4)
    table = CodedTable(np.array([random.integers(size, size=50) for size in sizes]), sizes)
    found = table.margin((2, 0))
    for i in range(4):
        for j in range(3):
            assert found[i, j] == sum((row[2], row[0]) == (i, j) for row in table.codes.T)


def test_a_sample_has_the_shares_of_its_table_up_to_rounding() -> None:
    random = np.random.default_rng(2)
    table = conditional(random.random((4, 5)), 1)
    groups = random.integers(4, size=1_000)
    drawn = draw_by_shares(table, groups, random)
    for group in range(4):
        inside = drawn[groups == group]
        expected = table[group] * len(inside)
        counts = np.bincount(inside, minlength=5)
        assert (np.abs(counts - expected) < 1 + 1e-9).all()


def test_a_sample_is_unbiased_where_groups_are_small() -> None:
    random = np.random.default_rng(3)
    table = np.array([[0.3, 0.7]])
    found = [draw_by_shares(table, np.zeros(1, dtype=np.int64), random)[0] for _ in range(4_000)]
    assert abs(np.mean(found) - 0.7) < 4 * (0.21 / 4_000) ** 0.5


def test_drawn_columns_are_independent_given_their_parents() -> None:
    """Two columns without a relation stay without one, although each follows its shares nearly exactly."""
    network = Network((2, 3, 3), tuple(Step((), (i,), np.full((1, n), 1 / n)) for i, n in enumerate((2, 3, 3))))
    margin = network.sample(18_000, np.random.default_rng(4)).margin((1, 2)) / 18_000
    assert np.abs(margin - 1 / 9).max() < 0.01


def test_a_fit_of_exact_margins_reproduces_them() -> None:
    random = np.random.default_rng(5)
    sizes = (3, 4, 2, 3)
    table = CodedTable(np.array([random.integers(size, size=500) for size in sizes]), sizes)
    sets = [(0, 1), (1, 2), (2, 3)]
    measured = [Measurement(each, table.margin(each).astype(float), 1.0) for each in sets]
    found = fit(measured, sizes, steps=2_000)
    assert found.total == pytest.approx(500)
    for each in sets:
        np.testing.assert_allclose(found.margins[each], table.margin(each) / 500, atol=2e-3)


def test_measurements_of_one_set_are_combined_with_the_smallest_variance() -> None:
    first, second = (Measurement((0,), np.array([value]), variance) for value, variance in ((10.0, 1.0), (20.0, 4.0)))
    found = combined([first, second])[(0,)]
    assert found.counts[0] == pytest.approx((10 / 1 + 20 / 4) / (1 / 1 + 1 / 4))
    assert found.variance == pytest.approx(1 / (1 / 1 + 1 / 4))
    assert estimated_total([first, second]) == pytest.approx(12.0)
