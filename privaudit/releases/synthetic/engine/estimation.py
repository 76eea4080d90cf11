"""Estimation: which distribution fits noisy margins?

Question: which Markov random field has margins as close to the measured ones as their noise allows?
Method: mirror descent with the entropy as mirror map (McKenna, Sheldon, Miklau 2019): the potentials move against the
gradient of the weighted squared error; the step grows while the error falls and shrinks where it does not. Measurements
of one set of columns are combined by the inverse of their variances first. A fit can start from the potentials of an
earlier one.
Limits: the error falls slowly at the end; the number of steps is bounded.

References
----------
.. [1] R. McKenna, D. Sheldon, G. Miklau, Graphical-model based estimation and inference for differential privacy, 2019.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.records import dataclass
from privaudit.releases.synthetic.engine.field import Field
from privaudit.releases.synthetic.engine.margins import Columns
from privaudit.releases.synthetic.engine.network import Network

FIRST_STEP = 2.0
_GROWTH, _CUT = 1.5, 1 / 3


@dataclass(frozen=True, slots=True)
class Measurement:
    """A noisy margin: counts of `columns` with independent noise of `variance` in each cell."""

    columns: Columns
    counts: Floats
    variance: float


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted distribution.

    Attributes
    ----------
    total : float
        Estimated number of records.
    margins : mapping
        The fitted shares of every measured set of columns.
    potentials : mapping
        What a later fit can start from.
    """

    network: Network
    field: Field
    total: float
    margins: Mapping[Columns, Floats]
    potentials: Mapping[Columns, Floats]


def combined(measurements: Sequence[Measurement]) -> dict[Columns, Measurement]:
    """Return one measurement for each set of columns: the mean, weighted by the inverse of the variances."""
    found: dict[Columns, Measurement] = {}
    for each in measurements:
        known = found.get(each.columns)
        if known is not None:
            weight = known.variance / (known.variance + each.variance)
            counts = known.counts + weight * (each.counts - known.counts)
            each = Measurement(each.columns, counts, known.variance * (1 - weight))
        found[each.columns] = each
    return found


def estimated_total(measurements: Sequence[Measurement]) -> float:
    """Return the number of records by the sums of the measured margins, with the smallest variance; at least 1."""
    weights = np.array([1 / (each.counts.size * each.variance) for each in measurements])
    sums = np.array([each.counts.sum() for each in measurements])
    return max(1.0, float((weights * sums).sum() / weights.sum()))


def fit(
    measurements: Sequence[Measurement],
    sizes: Sequence[int],
    *,
    steps: int,
    start: Mapping[Columns, Floats] | None = None,
) -> Fit:
    """Fit a distribution to noisy margins.

    Parameters
    ----------
    measurements : sequence of Measurement
        At least one.
    sizes : sequence of int
        Number of codes of each column.
    steps : int
        Number of gradient steps.
    start : mapping, optional
        The potentials of an earlier fit.
    """
    by_set = combined(measurements)
    total = estimated_total(measurements)
    field = Field(by_set, sizes)
    strongest = max(1 / each.variance for each in by_set.values())
    wanted = {columns: each.counts / total for columns, each in by_set.items()}
    weight = {columns: 1 / each.variance / strongest for columns, each in by_set.items()}
    known = start or {}
    theta = {columns: known.get(columns, np.zeros_like(wanted[columns])) for columns in by_set}

    def evaluated(potentials: Mapping[Columns, Floats]) -> tuple[Network, dict[Columns, Floats], float]:
        network = field.network(potentials)
        margins = field.margins(network)
        return network, margins, sum(weight[s] * float(((margins[s] - wanted[s]) ** 2).sum()) for s in by_set)

    step = FIRST_STEP
    network, margins, error = evaluated(theta)
    for _ in range(steps):
        moved = {s: theta[s] - step * weight[s] * (margins[s] - wanted[s]) for s in by_set}
        tried = evaluated(moved)
        if tried[2] <= error:
            theta, (network, margins, error) = moved, tried
            step *= _GROWTH
        else:
            step *= _CUT
    return Fit(network, field, total, margins, theta)
