"""A comparison that may be published: distances of margins, with noise.

Question: how far is the synthetic table from its original, without an exact number about the original?
Method: the number of records is measured first, N. Then, for every column and every pair of columns, the distance
``D = sum over cells |count - N share|`` between the counts of the original and the shares of the synthetic table, which
is public, in whole records: one record more changes one cell by 1, and so every D by 1 at most. All of them get noise
from the budget; ``D / (2 N)`` is the total variation distance.
Limits: intervals describe the noise of D and of N. A distance whose interval includes 0 may be any smaller one.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from privaudit.model.stats import Estimate
from privaudit.model.synthesis import PaidComparison
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable, Columns, cells_of

MOST_CELLS = 2_000_000
"""Pairs with more cells are not compared."""
FINE = 1_000
"""Distances are summed in thousandths of a record, and rounded down."""
METHOD = "noise"


def paid_comparison(domain: Domain, before: CodedTable, after: CodedTable, budget: Budget) -> PaidComparison:
    """Return the distances of all margins of one and two columns, with noise.

    Parameters
    ----------
    before, after : CodedTable
        The records that were synthesised, and the synthetic ones.
    budget : Budget
        Spent whole.
    """
    sets = compared_sets(before.sizes)
    # The number of records is one measurement more: as a divisor, its error is part of every distance.
    cost = budget.total / (len(sets) + 1)
    counted, half_n = budget.measure(np.array([before.n_rows]), cost)
    n = max(1, int(counted[0]))
    exact = np.array([distance(before, after, columns, n) for columns in sets], dtype=np.int64)
    noisy, half = budget.measure(exact, budget.left)

    def estimate(records: float, reach: float) -> Estimate:
        value, width = (each / (2 * n) for each in (records, reach))
        value, low, high = (min(1.0, max(0.0, each)) for each in (value, value - width, value + width))
        return Estimate(value=value, low=low, high=high, n=n, method=METHOD)

    found = {columns: estimate(float(d), half + half_n) for columns, d in zip(sets, noisy, strict=True)}
    means = []
    for size in (1, 2):
        chosen = [float(d) for columns, d in zip(sets, noisy, strict=True) if len(columns) == size]
        if chosen:
            # The noise of the margins is independent and averages out; that of n is the same in all of them.
            means.append(estimate(sum(chosen) / len(chosen), half / math.sqrt(len(chosen)) + half_n))
    names = domain.names
    return PaidComparison(
        n=n,
        columns={names[columns[0]]: each for columns, each in found.items() if len(columns) == 1},
        pairs=tuple(
            (names[columns[0]], names[columns[1]], each) for columns, each in found.items() if len(columns) == 2
        ),
        tv1=means[0],
        tv2=means[1] if len(means) > 1 else None,
    )


def compared_sets(sizes: tuple[int, ...]) -> list[Columns]:
    """Return the single columns, then the pairs that have not too many cells."""
    single: list[Columns] = [(column,) for column in range(len(sizes))]
    return single + [pair for pair in combinations(range(len(sizes)), 2) if cells_of(pair, sizes) <= MOST_CELLS]


def distance(before: CodedTable, after: CodedTable, columns: Columns, n: int) -> int:
    """Return the distance of the counts of a margin from `n` records with the synthetic shares, rounded down.

    In integers, so that no rounding changes the sensitivity: one record changes the sum by `FINE` at most, and what is
    rounded down by 1.
    """
    expected = np.rint(after.margin(columns) * (FINE * n / max(1, after.n_rows))).astype(np.int64)
    return int(np.abs(FINE * before.margin(columns) - expected).sum()) // FINE
