"""MST: a tree of pairs.

Question: which pairs of columns, one tree of them, describe a table best?
Method: a third of the budget measures single columns, a third chooses a maximum spanning tree of pairs by the
exponential mechanism, a third measures the chosen pairs (McKenna, Miklau, Sheldon 2021). The score of a pair is the
distance between its counts and those of independent columns.
Limits: every column keeps the relation to its neighbours in the tree only, so that a column which depends on several
others is predicted poorly.

References
----------
.. [1] R. McKenna, G. Miklau, D. Sheldon, Winning the NIST contest: a scalable and general approach to differentially
   private synthetic data, 2021.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from privaudit.releases.privacy.post_processing import projected
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.engine.estimation import Measurement, fit
from privaudit.releases.synthetic.engine.margins import CodedTable, Columns, cells_of
from privaudit.releases.synthetic.methods.independent import fit_independent, measured_columns
from privaudit.releases.synthetic.methods.registry import Bounds, Fitted

STEPS = 300


def fit_mst(table: CodedTable, budget: Budget, bounds: Bounds) -> Fitted:
    """Measure all columns and a spanning tree of pairs."""
    n_columns = len(table.sizes)
    if n_columns == 1:
        return fit_independent(table, budget, bounds)
    measured = measured_columns(table, budget, budget.total / 3 / n_columns)
    pairs, n_cut = _tree(table, budget, measured, bounds)
    if pairs:
        cost = budget.left / len(pairs)
        for pair in pairs:
            counts, variance = budget.count(table.margin(pair), cost)
            measured.append(Measurement(pair, counts.astype(np.float64), variance))
    fitted = fit(measured, table.sizes, steps=STEPS)
    return Fitted(
        model=fitted.network, total=fitted.total, margins=tuple(each.columns for each in measured), n_cut=n_cut
    )


def _tree(table: CodedTable, budget: Budget, measured: list[Measurement], bounds: Bounds) -> tuple[list[Columns], int]:
    """Return the pairs of a spanning tree, each chosen with the same part of a third of the budget (Kruskal)."""
    n_columns = len(table.sizes)
    most = bounds.max_cells // n_columns
    pairs = list(combinations(range(n_columns), 2))
    allowed = [pair for pair in pairs if cells_of(pair, table.sizes) <= most]
    scores = {pair: _dependence(table, measured, pair) for pair in allowed}
    component = list(range(n_columns))
    cost = budget.total / 3 / (n_columns - 1)
    chosen: list[Columns] = []
    for _ in range(n_columns - 1):
        open_pairs = [pair for pair in allowed if component[pair[0]] != component[pair[1]]]
        if not open_pairs:
            break
        pair = open_pairs[budget.choose([scores[each] for each in open_pairs], cost)]
        chosen.append(pair)
        old, new = component[pair[0]], component[pair[1]]
        component = [new if each == old else each for each in component]
        bounds.progress(len(chosen) / n_columns)
    return chosen, len(pairs) - len(allowed)


def _dependence(table: CodedTable, measured: list[Measurement], pair: Columns) -> int:
    """Return the distance between the counts of a pair and the integers nearest to independent columns.

    The latter are known from noisy margins, so that one record changes the distance by 1 at most.
    """
    first, second = (measured[column].counts for column in pair)
    total = max(1.0, float(first.sum()))
    expected = np.outer(projected(first, total), projected(second, total)) / total
    return int(np.abs(table.margin(pair) - np.rint(expected).astype(np.int64)).sum())
