"""The budget of a synthesis: it cannot be exceeded, noise and choices have the distributions that are claimed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.releases.privacy.noise import choose, permute_and_flip
from privaudit.releases.synthetic.budget import ConcentratedBudget, OpenBudget, PureBudget
from privaudit.releases.synthetic.engine.estimation import Measurement, fit
from privaudit.releases.synthetic.engine.margins import CodedTable, Counts
from privaudit.releases.synthetic.methods.aim import _Aim
from privaudit.releases.synthetic.methods.gan import NORM
from privaudit.releases.synthetic.methods.mst import _dependence as mst_score
from privaudit.releases.synthetic.methods.privbayes import SENSITIVITY
from privaudit.releases.synthetic.methods.privbayes import _dependence as privbayes_score
from privaudit.releases.synthetic.methods.registry import METHODS, Bounds


@pytest.mark.parametrize("budget", [ConcentratedBudget(0.1), PureBudget(1.0), OpenBudget()])
def test_a_method_cannot_spend_more_than_its_budget(budget: ConcentratedBudget) -> None:
    budget.count(np.zeros(3, dtype=np.int64), 0.6 * budget.total)
    with pytest.raises(ValueError, match="more than its budget"):
        budget.choose([1, 2], 0.5 * budget.total)
    with pytest.raises(ValueError, match="more than its budget"):
        budget.count(np.zeros(3, dtype=np.int64), -0.1)
    assert budget.left == pytest.approx(0.4 * budget.total)


@pytest.mark.parametrize("kind", [ConcentratedBudget, PureBudget])
@pytest.mark.parametrize("rows", [1, 3])
def test_noise_has_the_stated_variance(kind: type[ConcentratedBudget], rows: int) -> None:
    budget = kind(2.0, rows_per_unit=rows)
    counts, variance = budget.count(np.full(20_000, 7), 0.5)
    assert counts.mean() == pytest.approx(7, abs=4 * math.sqrt(variance / 20_000))
    assert counts.var() == pytest.approx(variance, rel=0.1)
    expected = rows**2 / (2 * 0.5) if kind is ConcentratedBudget else None
    if expected is not None:
        assert variance == pytest.approx(expected, rel=0.01)


def exponential(scores: Sequence[int], epsilon: float, sensitivity: int) -> Any:
    weights = np.exp((np.array(scores) - max(scores)) * epsilon / (2 * sensitivity))
    return weights / weights.sum()


def flipped(scores: Sequence[int], epsilon: float, sensitivity: int) -> Any:
    """Return the probabilities of permute and flip by all orders: the first candidate that is accepted is chosen."""
    accepted = np.exp((np.array(scores) - max(scores)) * epsilon / (2 * sensitivity))
    found, orders = np.zeros(len(scores)), [*itertools.permutations(range(len(scores)))]
    for order in orders:
        passed = np.cumprod([1.0, *(1 - accepted[list(order)])])
        found[list(order)] += passed[:-1] * accepted[list(order)] / len(orders)
    return found


@pytest.mark.parametrize(("draw", "stated"), [(choose, exponential), (permute_and_flip, flipped)])
def test_a_choice_has_its_probabilities(draw: Any, stated: Any) -> None:
    scores, epsilon, sensitivity = [0, 3, 5, -40, 4], Fraction(3, 2), 2
    n = 6_000
    found = np.bincount([draw(scores, epsilon, sensitivity) for _ in range(n)], minlength=5)
    expected = n * stated(scores, float(epsilon), sensitivity)
    assert ((found - expected) ** 2 / np.maximum(expected, 1)).sum() < 23.5  # 4 degrees of freedom, p = 0.0001


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(-2, 2)), min_size=1, max_size=5), st.sampled_from([0.1, 1, 4])
)
def test_permute_and_flip_discloses_no_more_than_epsilon_and_errs_less(
    pairs: list[tuple[int, int]], epsilon: float
) -> None:
    """Over all orders, for scores that one unit changes by at most the sensitivity."""
    scores, others = [score for score, _ in pairs], [score + change for score, change in pairs]
    found = flipped(scores, epsilon, 2)
    assert found.sum() == pytest.approx(1)
    assert np.abs(np.log(found / flipped(others, epsilon, 2))).max() <= epsilon * (1 + 1e-9)
    assert found @ scores >= exponential(scores, epsilon, 2) @ scores - 1e-9


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**17), Fraction(10**17 + 1, 10**17), Fraction(0.1234567) / 7])
def test_a_choice_takes_an_epsilon_of_any_denominator(epsilon: Fraction) -> None:
    """The denominators of an epsilon that was a float, times the sensitivity, exceed 64 bits."""
    for draw in (choose, permute_and_flip):
        assert draw([0, 10**5, 0], epsilon, 1_000) in range(3)
        # A gap of 5 * 10^8 in the exponent: any other choice is impossible in practice.
        assert draw([0, 10**12, 0], 1 + epsilon, 1_000) == 1


def test_an_open_budget_adds_no_noise_and_takes_the_best() -> None:
    budget = OpenBudget()
    assert budget.count(np.array([1, 2]), 1.0)[0].tolist() == [1, 2]
    assert budget.choose([4, 9, 2], 1.0) == 1
    assert not budget.adds_noise


def test_noise_of_disjoint_vectors_costs_once() -> None:
    budget = ConcentratedBudget(1.0)
    add = budget.disjoint(10, 0.5)
    vectors = np.concatenate([add(np.zeros(2_000, dtype=np.int64)) for _ in range(3)])
    assert budget.spent == 0.5
    assert vectors.var() == pytest.approx(10**2 / (2 * 0.5), rel=0.15)


def all_neighbours(sizes: tuple[int, ...], n_rows: int) -> list[tuple[CodedTable, CodedTable]]:
    """Return every table of `n_rows` records next to every table with one record more."""
    cells = [np.array(cell) for cell in np.ndindex(*sizes)]
    found = []
    for index in np.ndindex(*(len(cells),) * n_rows):
        codes = np.array([cells[i] for i in index]).reshape(n_rows, len(sizes)).T
        for cell in cells:
            larger = np.concatenate([codes, cell[:, None]], axis=1)
            found.append((CodedTable(codes, sizes), CodedTable(larger, sizes)))
    return found


def test_one_record_changes_no_score_by_more_than_its_sensitivity() -> None:
    """Over all tables of up to three records of a 2 x 3 domain, and all records that are added."""
    measured = [Measurement((c,), np.array([2.0, 1.0, 0.5][: 2 + c]), 1.0) for c in range(2)]
    largest = {"privbayes": 0, "mst": 0}
    for n_rows in range(1, 4):
        for smaller, larger in all_neighbours((2, 3), n_rows):
            largest["privbayes"] = max(
                largest["privbayes"], abs(privbayes_score(smaller, (0,), 1) - privbayes_score(larger, (0,), 1))
            )
            scores = [mst_score(each, measured, (0, 1)) for each in (smaller, larger)]
            largest["mst"] = max(largest["mst"], abs(scores[0] - scores[1]))
    assert largest["mst"] == 1
    assert 0 < largest["privbayes"] <= SENSITIVITY


class Recorded(ConcentratedBudget):
    """A budget that records what is stated of choices and of vectors."""

    def __init__(self, total: float) -> None:
        super().__init__(total)
        self.choices: list[tuple[list[int], int]] = []
        self.norms: list[int] = []

    def _choice(self, scores: Sequence[int], cost: float, sensitivity: int) -> int:
        self.choices.append((list(scores), sensitivity))
        return 0

    def disjoint(self, norm: int, cost: float) -> Callable[[Counts], Counts]:
        self.norms.append(norm)
        return super().disjoint(norm, cost)


def test_one_record_changes_no_score_of_aim_by_more_than_the_sensitivity_of_its_choice() -> None:
    """Scores of the same fitted distribution, of 30 tables and of each with one record more."""
    random, sizes, largest = np.random.default_rng(0), (2, 3, 2, 2), 0.0
    for _ in range(30):
        codes = np.array([random.integers(size, size=9) for size in sizes])
        tables = [CodedTable(codes[:, :n], sizes) for n in (8, 9)]
        measured = [Measurement((c,), random.integers(0, 5, n).astype(float), 1.0) for c, n in enumerate(sizes)]
        fitted = fit(measured, sizes, steps=5)
        found = []
        for table in tables:
            budget = Recorded(1.0)
            budget.spent = 0.9  # candidates are limited by what is spent
            aim = _Aim(table, budget, Bounds(max_cells=10_000))
            aim.random = np.random.default_rng(1)
            aim._choice(fitted, 0.05, measured)
            found += budget.choices
        (fewer, sensitivity), (more, same) = found
        assert sensitivity == same and len(fewer) == len(more) > len(sizes)
        largest = max(largest, np.abs(np.subtract(fewer, more)).max() / sensitivity)
    assert largest == 1


def test_methods_state_the_sensitivities_that_are_tested() -> None:
    table = CodedTable(np.random.default_rng(0).integers(2, size=(4, 50)), (2, 2, 2, 2))
    budget = Recorded(1.0)
    METHODS["privbayes"].fit(table, budget, Bounds())
    assert {sensitivity for _, sensitivity in budget.choices} == {SENSITIVITY}
    budget = Recorded(1.0)
    METHODS["mst"].fit(table, budget, Bounds())
    assert {sensitivity for _, sensitivity in budget.choices} == {1}
    budget = Recorded(1.0)
    METHODS["gan"].fit(table, budget, Bounds())
    assert set(budget.norms) == {NORM}


@pytest.mark.quick_cases(len(METHODS))
@pytest.mark.parametrize("rows", [0, 3])
@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.pays != "nothing"])
def test_a_method_that_was_paid_does_not_fail_for_want_of_records(name: str, rows: int) -> None:
    """An error would disclose how few there are; batches of the adversarial network may have none."""
    table = CodedTable(np.zeros((3, rows), dtype=np.int32), (2, 3, 2))
    kind = ConcentratedBudget if METHODS[name].pays == "rho" else PureBudget
    fitted = METHODS[name].fit(table, kind(1.0), Bounds())
    assert fitted.model.sample(5, np.random.default_rng(0)).n_rows == 5
