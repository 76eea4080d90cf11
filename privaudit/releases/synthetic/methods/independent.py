"""Independent columns: the baseline.

Question: what does a synthetic table have where nothing but single columns is measured?
Method: one noisy margin for each column, with the same noise in each; pure epsilon, which needs less noise than rho as
long as there are few columns.
Limits: columns are independent of each other; on small tables this is the best that a small epsilon can pay for.
"""

from __future__ import annotations

import numpy as np

from privaudit.releases.privacy.post_processing import projected
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.engine.estimation import Measurement, estimated_total
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.engine.network import independent
from privaudit.releases.synthetic.methods.registry import Bounds, Fitted


def fit_independent(table: CodedTable, budget: Budget, bounds: Bounds) -> Fitted:
    """Measure every column, and draw each by its own distribution."""
    measured = measured_columns(table, budget, budget.total / len(table.sizes))
    total = estimated_total(measured)
    network = independent([projected(each.counts, total) / total for each in measured])
    return Fitted(model=network, total=total, margins=tuple(each.columns for each in measured))


def measured_columns(table: CodedTable, budget: Budget, cost: float) -> list[Measurement]:
    """Return the noisy margin of each single column, at `cost` each."""
    found = []
    for column in range(len(table.sizes)):
        counts, variance = budget.count(table.margin((column,)), cost)
        found.append(Measurement((column,), counts.astype(np.float64), variance))
    return found
