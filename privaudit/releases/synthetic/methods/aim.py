"""AIM: the margins that the distribution misses most, one after another.

Question: which margins are worth their noise?
Method: the adaptive and iterative mechanism (McKenna et al. 2022). All columns are measured first. Then, in every
round, the exponential mechanism chooses the set of up to three columns whose counts differ most from the fitted
distribution, less the error that the noise of measuring it would add, weighted by how many sets of three columns it
contributes to; the set is measured, and the distribution is fitted again. Where a measurement taught less than its
noise, later rounds get four times the budget. Candidates are limited to those whose junction tree keeps the bound of
cells, which grows with the budget that is spent.
Limits: the margin of a candidate that is in no clique is counted on a sample of the fitted distribution, which has as
many records as the table.

References
----------
.. [1] R. McKenna, B. Mullins, D. Sheldon, G. Miklau, AIM: an adaptive and iterative mechanism for differentially
   private synthetic data, 2022, arXiv 2201.12677.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.engine import estimation
from privaudit.releases.synthetic.engine.estimation import Measurement
from privaudit.releases.synthetic.engine.junction_tree import tree_cells
from privaudit.releases.synthetic.engine.margins import CodedTable, Columns, Counts, cells_of
from privaudit.releases.synthetic.methods.independent import measured_columns
from privaudit.releases.synthetic.methods.registry import Bounds, Fitted

ROUNDS_PER_COLUMN = 10
MEASURED = 0.9
"""Part of the budget of a round that measures; the rest chooses."""
STEPS, LAST_STEPS = 30, 100
"""Gradient steps after each round and at the end. More of them fit the noise: the error on Adult grows again."""
MOST_CANDIDATES = 1_000
"""Sets of three columns are considered up to this many, else pairs."""
MOST_CELLS_OF_A_SET = 0.1
"""A set with more than this part of the bound of cells is not considered."""
MOST_SAMPLED = 200_000


def fit_aim(table: CodedTable, budget: Budget, bounds: Bounds) -> Fitted:
    """Measure all columns, then the sets of columns that the fitted distribution misses most."""
    return _Aim(table, budget, bounds).run()


class _Aim:
    def __init__(self, table: CodedTable, budget: Budget, bounds: Bounds) -> None:
        self.table, self.budget, self.bounds = table, budget, bounds
        self.sizes = table.sizes
        self.candidates, self.n_cut = _candidates(self.sizes, bounds.max_cells)
        weights = _weights(self.candidates, len(self.sizes))
        self.weight = dict(zip(self.candidates, weights, strict=True))
        self.exact = {columns: table.margin(columns) for columns in self.candidates}
        # The sample decides scores only, which the mechanism protects whatever it is: it may be the same in every run.
        self.random = np.random.default_rng(0)
        self.blocked: set[Columns] = set()

    def run(self) -> Fitted:
        budget, n_columns = self.budget, len(self.sizes)
        round_cost = budget.total / (ROUNDS_PER_COLUMN * n_columns)
        measured = measured_columns(self.table, budget, MEASURED * round_cost)
        fitted = estimation.fit(measured, self.sizes, steps=STEPS)
        is_last = False
        while not is_last:
            if budget.left < 2 * round_cost:
                round_cost, is_last = budget.left, True
            chosen = self._choice(fitted, round_cost, measured)
            counts, variance = budget.count(self.exact[chosen], MEASURED * round_cost)
            measured.append(Measurement(chosen, counts.astype(np.float64), variance))
            steps = LAST_STEPS if is_last else STEPS
            before = self._expected(fitted, chosen, None)
            fitted = estimation.fit(measured, self.sizes, steps=steps, start=fitted.potentials)
            if np.abs(fitted.margins[chosen] * fitted.total - before).sum() <= self._noise(chosen, round_cost):
                round_cost = min(4 * round_cost, budget.left)
            self.bounds.progress(budget.spent / budget.total)
        return Fitted(
            model=fitted.network,
            total=fitted.total,
            margins=tuple(dict.fromkeys(each.columns for each in measured)),
            n_cut=self.n_cut + len(self.blocked),
        )

    def _choice(self, fitted: estimation.Fit, round_cost: float, measured: Sequence[Measurement]) -> Columns:
        """Choose a set of columns by its weighted distance from the fitted distribution, less the noise."""
        allowed = self._allowed(fitted, measured)
        n_rows = max(1, min(MOST_SAMPLED, round(fitted.total)))
        sample = fitted.network.sample(n_rows, self.random)
        scores = []
        for columns in allowed:
            expected = self._expected(fitted, columns, sample)
            distance = int(np.abs(self.exact[columns] - expected).sum())
            scores.append(self.weight[columns] * (distance - round(self._noise(columns, round_cost))))
        cost = (1 - MEASURED) * round_cost
        return allowed[self.budget.choose(scores, cost, sensitivity=max(self.weight.values()))]

    def _allowed(self, fitted: estimation.Fit, measured: Sequence[Measurement]) -> list[Columns]:
        """Return the candidates whose junction tree keeps the bound of cells at this part of the budget."""
        limit = self.bounds.max_cells * min(1.0, self.budget.spent / self.budget.total)
        sets = list(dict.fromkeys(each.columns for each in measured))
        self.blocked = {
            columns
            for columns in self.candidates
            if not fitted.field.contains(columns) and tree_cells([*sets, columns], self.sizes) > limit
        }
        return [columns for columns in self.candidates if columns not in self.blocked]

    def _expected(self, fitted: estimation.Fit, columns: Columns, sample: CodedTable | None) -> Counts:
        """Return the fitted counts of a margin, rounded: from the fit, the sample, or exactly where none is given."""
        if columns in fitted.margins:
            shares = fitted.margins[columns]
        elif sample is not None:
            shares = sample.margin(columns) / sample.n_rows
        else:
            shares = fitted.network.marginal(columns)
        return np.rint(shares * fitted.total).astype(np.int64)

    def _noise(self, columns: Columns, round_cost: float) -> float:
        """Return the expected distance that measuring a margin in a round of this cost adds."""
        return self.budget.deviation(MEASURED * round_cost) * cells_of(columns, self.sizes)


def _candidates(sizes: Sequence[int], max_cells: int) -> tuple[list[Columns], int]:
    """Return the sets of columns that are considered, and how many the bound of cells removes."""
    n_columns = len(sizes)
    degree = 3 if comb(n_columns, 3) <= MOST_CANDIDATES else 2
    most = max_cells * MOST_CELLS_OF_A_SET
    found: list[Columns] = [(column,) for column in range(n_columns)]
    n_cut = 0
    for n in range(2, min(degree, n_columns) + 1):
        for columns in combinations(range(n_columns), n):
            if cells_of(columns, sizes) <= most:
                found.append(columns)
            else:
                n_cut += 1
    return found, n_cut


def _weights(candidates: Sequence[Columns], n_columns: int) -> list[int]:
    """Return the weight of each candidate: over all sets of three columns, the sum of how many columns are shared."""
    degree = min(n_columns, max(map(len, candidates)))
    weights = []
    for columns in candidates:
        n, others = len(columns), n_columns - len(columns)
        weights.append(sum(k * comb(n, k) * comb(others, degree - k) for k in range(1, degree + 1)))
    divisor = math.gcd(*weights)
    return [weight // divisor for weight in weights]
