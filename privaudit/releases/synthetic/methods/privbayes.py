"""PrivBayes: a Bayesian network, with pure epsilon.

Question: in which order are columns drawn, and given which other columns?
Method: columns are added one after another (Zhang et al. 2017). For each, permute and flip chooses the column
and up to three parents whose joint counts differ most from independence; then each table is measured with discrete
Laplace noise. A set of parents is considered as long as its table has on average some records for the noise of each
cell. Tables are made consistent with the columns that are drawn before.
Limits: the relation of a column to its parents only. Nothing about the table is public: the number of records is
measured, too.

The score of column X with parents P is ``sum |c(x, p) - c(x) c(p) / n|`` over all cells. One more record changes the
difference by ``n/(n+1) (e - P(x)) (f - P(p))``, e and f being the indicators of its values, so the sum changes by less
than ``2 * 2 = 4``.

References
----------
.. [1] J. Zhang et al., PrivBayes: private data release via Bayesian networks, ACM Transactions on Database Systems 42,
   2017.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.releases.privacy.post_processing import projected
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.engine.margins import CodedTable, Columns, cells_of
from privaudit.releases.synthetic.engine.network import Network, Step, conditional
from privaudit.releases.synthetic.methods.registry import Bounds, Fitted

MOST_PARENTS = 3
FOR_TOTAL = 0.01
"""Part of the budget that measures the number of records."""
FOR_CHOICES = 0.3
LEAST_PER_CELL = 4.0
"""Records for each cell of a table, in standard deviations of its noise, that make it worth measuring."""
SENSITIVITY = 4
MOST_CANDIDATES = 2_000
"""Parents are chosen among the columns drawn last, where all sets of parents would be more than this."""


def fit_privbayes(table: CodedTable, budget: Budget, bounds: Bounds) -> Fitted:
    """Choose a Bayesian network and measure its tables."""
    n_columns = len(table.sizes)
    counted, _ = budget.count(np.array([table.n_rows]), FOR_TOTAL * budget.total)
    total = max(1.0, float(counted[0]))
    for_tables = (1 - FOR_TOTAL - FOR_CHOICES) * budget.total / n_columns
    deviation = budget.variance(for_tables) ** 0.5
    most_cells = min(bounds.max_cells / n_columns, total / (LEAST_PER_CELL * deviation))
    order, n_cut = _structure(table, budget, most_cells, bounds)
    steps: list[Step] = []
    for given, drawn in order:
        counts, _ = budget.count(table.margin((*given, drawn)), for_tables)
        steps.append(_step(given, drawn, counts.astype(np.float64), total))
    network = Network(table.sizes, tuple(steps))
    margins = tuple(tuple(sorted((*given, drawn))) for given, drawn in order)
    return Fitted(model=network, total=total, margins=margins, n_cut=n_cut)


def _step(given: Columns, drawn: int, counts: Floats, total: float) -> Step:
    """Return the distribution of a column given its parents; where no parents were counted, that of all records."""
    plain = projected(counts, total)
    overall = plain.reshape(-1, plain.shape[-1]).sum(axis=0)
    return Step(given, (drawn,), conditional(plain, len(given), overall / max(overall.sum(), 1e-9)))


def _structure(
    table: CodedTable, budget: Budget, most_cells: float, bounds: Bounds
) -> tuple[list[tuple[Columns, int]], int]:
    """Return the parents of each column in the order of drawing, and how many sets of parents were too large."""
    n_columns = len(table.sizes)
    # The first column is the one with the fewest values, which is public.
    first = min(range(n_columns), key=lambda column: (table.sizes[column], column))
    order: list[tuple[Columns, int]] = [((), first)]
    scores: dict[tuple[Columns, int], int] = {}
    cost = FOR_CHOICES * budget.total / max(1, n_columns - 1)
    n_cut = 0
    while len(order) < n_columns:
        known = [column for _, column in order]
        left = [column for column in range(n_columns) if column not in known]
        candidates, n_large = _candidates(known, left, table.sizes, most_cells)
        n_cut = max(n_cut, n_large)
        for each in candidates:
            if each not in scores:
                scores[each] = _dependence(table, *each)
        order.append(candidates[budget.choose([scores[c] for c in candidates], cost, sensitivity=SENSITIVITY)])
        bounds.progress(len(order) / n_columns)
    return order, n_cut


def _candidates(
    known: list[int], left: list[int], sizes: tuple[int, ...], most_cells: float
) -> tuple[list[tuple[Columns, int]], int]:
    """Return the pairs of parents and column; a set of parents that a larger allowed set contains is omitted."""
    per_column = max(1, MOST_CANDIDATES // len(left))
    reach = len(known)
    while reach > MOST_PARENTS and sum(comb(reach, n) for n in range(1, MOST_PARENTS + 1)) > per_column:
        reach -= 1
    recent = sorted(known[-reach:])
    found, n_large = [], 0
    for column in left:
        kept: list[set[int]] = []
        for n in range(min(MOST_PARENTS, len(recent)), 0, -1):
            for parents in combinations(recent, n):
                if cells_of((*parents, column), sizes) > most_cells:
                    n_large += 1
                elif not any(set(parents) < larger for larger in kept):
                    kept.append(set(parents))
                    found.append((parents, column))
        if not kept:
            found.append(((), column))
    return found, n_large


def _dependence(table: CodedTable, parents: Columns, column: int) -> int:
    """Return the distance of the joint counts from independence, rounded down."""
    if not parents or not table.n_rows:
        return 0
    joint = table.margin((*parents, column)).reshape(-1, table.sizes[column])
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0)) / table.n_rows
    return int(np.abs(joint - expected).sum())
