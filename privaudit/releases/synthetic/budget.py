"""The budget of one synthesis: noisy counts and private choices, each at a cost.

Question: what may a method know of the table, and what does it pay for it?
Method: every look at the table is either a set of counts with noise or a choice among candidates. Costs add up in one
unit: rho of zero-concentrated differential privacy with discrete Gaussian noise and the exponential mechanism, or
epsilon with discrete Laplace noise and permute and flip, which chooses better but would cost four times the rho. Noise
and choices are drawn in integers.
Limits: the ledger has recorded the whole amount before the table is read; the budget makes sure that a method
spends no more. `OpenBudget` adds no noise: its table is not differentially private.

References
----------
.. [1] M. Cesar, R. Rogers, Bounding, concentrating, and truncating: unifying privacy loss composition, 2021: a choice
   with epsilon is epsilon^2/8-zCDP.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np

from privaudit.releases.privacy import noise
from privaudit.releases.privacy.accounting import sigma2_of
from privaudit.releases.privacy.noise import choose, permute_and_flip
from privaudit.releases.synthetic.engine.margins import Counts

ROUNDING = 1e-9
"""Relative excess over the total that is floating-point rounding of the costs."""


class Budget(ABC):
    """What a method may spend.

    Parameters
    ----------
    total : float
        In the unit of the budget.
    rows_per_unit : int
        The most records that one unit of privacy (a record, or a person) has in the table.
    """

    adds_noise = True
    """Whether the budget protects anyone."""
    reach: ClassVar[float]
    """Half the width of the 95 % interval of the noise, in standard deviations."""

    def __init__(self, total: float, *, rows_per_unit: int = 1) -> None:
        self.total = total
        self.rows_per_unit = rows_per_unit
        self.spent = 0.0

    @property
    def left(self) -> float:
        """What is not spent yet."""
        return self.total - self.spent

    def count(self, counts: Counts, cost: float) -> tuple[Counts, float]:
        """Return counts with noise, and the variance of the noise.

        Parameters
        ----------
        counts : int64 array
            A margin: one record changes one cell by 1.
        cost : float
        """
        self._spend(cost)
        drawn = self._noise(counts.size, cost)
        return counts + drawn.reshape(counts.shape), self.variance(cost)

    def measure(self, values: Counts, cost: float) -> tuple[Counts, float]:
        """Return several numbers with noise, and half the width of the 95 % interval of each.

        Parameters
        ----------
        values : int64 array
            One record changes each of them by 1 at most.
        cost : float
            For all of them together.
        """
        self._spend(cost)
        each = cost / max(1, values.size)
        return values + self._noise(values.size, each), self.reach * math.sqrt(self.variance(each))

    def choose(self, scores: Sequence[int], cost: float, *, sensitivity: int = 1) -> int:
        """Return the position of a high score.

        Parameters
        ----------
        scores : sequence of int
            One record changes no score by more than `sensitivity`.
        cost : float
        """
        self._spend(cost)
        return self._choice(scores, cost, sensitivity * self.rows_per_unit)

    def disjoint(self, norm: int, cost: float) -> Callable[[Counts], Counts]:
        """Return what adds noise to several vectors of integers, where each record is part of one of them.

        Parameters
        ----------
        norm : int
            The most that a record changes its vector (L2).
        cost : float
            For all vectors together (parallel composition).
        """
        self._spend(cost)
        return lambda vector: vector + self._noise(vector.size, cost / norm**2)

    @abstractmethod
    def variance(self, cost: float) -> float:
        """Return the variance of the noise that `cost` buys for each cell of a margin."""

    def deviation(self, cost: float) -> float:
        """Return the expected absolute noise of a cell that `cost` buys."""
        return math.sqrt(2 / math.pi * self.variance(cost))

    @abstractmethod
    def _noise(self, size: int, cost: float) -> Counts: ...

    @abstractmethod
    def _choice(self, scores: Sequence[int], cost: float, sensitivity: int) -> int: ...

    def _spend(self, cost: float) -> None:
        if not cost > 0 or self.spent + cost > self.total * (1 + ROUNDING):
            raise ValueError("a method spends more than its budget")
        self.spent += cost


class ConcentratedBudget(Budget):
    """A budget in rho: discrete Gaussian noise."""

    reach = 1.96

    def variance(self, cost: float) -> float:
        """Return ``rows_per_unit^2 / (2 rho)``, rounded up as `sigma2_of` does."""
        return float(sigma2_of(cost, self.rows_per_unit**2))

    def _noise(self, size: int, cost: float) -> Counts:
        return noise.discrete_gaussian(sigma2_of(cost, self.rows_per_unit**2), size)

    def _choice(self, scores: Sequence[int], cost: float, sensitivity: int) -> int:
        # The exponential mechanism costs epsilon^2 / 8 of rho.
        return choose(scores, _below(math.sqrt(8 * cost)), sensitivity)


class PureBudget(Budget):
    """A budget in epsilon: discrete Laplace noise, delta 0."""

    # 95 % of a Laplace distribution are within ln 20 times its scale, which is its deviation over sqrt 2.
    reach = math.log(20) / math.sqrt(2)

    def variance(self, cost: float) -> float:
        """Return the variance of the discrete Laplace distribution of scale ``rows_per_unit / epsilon``."""
        return noise.laplace_sd(self.rows_per_unit / _below(cost)) ** 2

    def _noise(self, size: int, cost: float) -> Counts:
        return noise.discrete_laplace(self.rows_per_unit / _below(cost), size)

    def _choice(self, scores: Sequence[int], cost: float, sensitivity: int) -> int:
        return permute_and_flip(scores, _below(cost), sensitivity)


class OpenBudget(Budget):
    """A budget without privacy: exact counts and the best choice; variances only weigh margins against each other."""

    adds_noise = False
    reach = 0.0

    def __init__(self) -> None:
        super().__init__(OPEN_TOTAL)

    def variance(self, cost: float) -> float:
        """Return the variance that `cost` would buy."""
        return 1 / (2 * cost)

    def _noise(self, size: int, cost: float) -> Counts:
        return np.zeros(size, dtype=np.int64)

    def _choice(self, scores: Sequence[int], cost: float, sensitivity: int) -> int:
        return max(range(len(scores)), key=scores.__getitem__)


OPEN_TOTAL = 50.0
"""What methods believe to have where nothing is paid: so much that noise decides nothing."""


def _below(value: float) -> Fraction:
    """Return a fraction of small integers that is at most `value`, within a thousandth."""
    # A fraction that is rounded down: the noise is exact, and no draw costs more than was asked for.
    grid = max(1, 2 ** (11 - math.floor(math.log2(value))))
    return Fraction(math.floor(value * grid), grid)
