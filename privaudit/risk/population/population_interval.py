"""An interval for the number of population uniques that does not depend on a model of class sizes.

Question: which numbers of unique people in the population are compatible with the class sizes of the release?
Method: a population is described by the number of its classes of each size. Each population implies how many classes
of each size a simple random sample shows on average; it is compatible with the release if all these means lie in
their exact Poisson intervals (Bonferroni over the sizes). Two linear programs find the fewest and the most uniques of
any compatible population.
Limits: the release must be a simple random sample. Below a sampling fraction of about 5 % the interval is wide, because
the release itself does not determine the number: a narrower interval would rest on a model alone.

References
----------
.. [1] B. Efron, R. Thisted, Estimating the number of unseen species: how many words did Shakespeare know?, Biometrika
   63, 1976 (linear programs over compatible populations).
.. [2] F. Garwood, Fiducial limits for the Poisson distribution, Biometrika 28, 1936.
"""

from __future__ import annotations

import math

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.model.stats import LEVEL
from privaudit.risk.population.population_numerics import Sample

SINGLE_SIZES = 12
"""Class sizes of the release with a constraint of their own; larger sizes are taken together in ranges."""
RANGE_GROWTH = 1.5
DENSE_SIZES = 60
"""Class sizes of the population with a variable of their own; beyond, sizes grow by `SIZE_GROWTH`."""
SIZE_GROWTH = 1.06
REACH = 8.0
"""Standard deviations by which the largest class of the population may exceed its expectation."""


def compatible_uniques(sample: Sample, *, level: float = LEVEL) -> tuple[float, float] | None:
    """Return the fewest and the most population uniques that are compatible with the release.

    The interval covers the true number with probability `level` or more for every population, up to the grid of
    class sizes: the class counts of a simple random sample vary less than Poisson counts, for which the intervals
    of the means are exact.

    Parameters
    ----------
    sample : Sample
        The histogram of class sizes and the size of the population.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    (low, high) : whole floats, 0 to the size of the population; None where no population is compatible
    """
    from scipy.optimize import linprog

    edges = _ranges(float(sample.size[-1]))
    low, high = _poisson_intervals(_counts_in(sample, edges), level)
    sizes = _population_sizes(sample)
    means = _expected(sizes, edges, sample.fraction)
    rows = np.concatenate([means, -means, sizes[None, :]])
    bounds = np.concatenate([high, -low, [sample.population]])
    # Scaled, so that counts of 1 and of 10^6, and fractions of 1 and of 10^-9, weigh alike for the solver.
    scale = np.maximum(np.abs(bounds), 1.0)
    rows, bounds = rows / scale[:, None], bounds / scale
    # Columns as well: the expected counts of large classes differ by orders of magnitude from those of small ones.
    reach = np.abs(rows).max(axis=0)
    rows = rows / reach
    goal = np.zeros(len(sizes))
    found = []
    for sign in (1.0, -1.0):
        goal[0] = sign
        solved = linprog(goal, A_ub=rows, b_ub=bounds, bounds=(0, None), method="highs")
        if solved.x is None or solved.status != 0:
            return None
        # The scaled variable is `reach` times the number of population uniques.
        found.append(float(solved.x[0] / reach[0]))
    # Everybody outside of the release can at most be unique, or make one sample unique common.
    outside = sample.population - sample.n
    least, most = max(sample.c1 - outside, 0.0), sample.c1 + outside
    # Rounded outwards, so that the interval of whole people still covers.
    return max(float(math.floor(min(found))), least), min(float(math.ceil(max(found))), most)


def _ranges(largest: float) -> Floats:
    """Return the lower edges of the ranges of class sizes of the release, and infinity."""
    edges = list(range(1, SINGLE_SIZES + 2))
    while edges[-1] <= largest:
        edges.append(max(edges[-1] + 1, math.ceil(edges[-1] * RANGE_GROWTH)))
    return np.array([*edges, math.inf], dtype=np.float64)


def _counts_in(sample: Sample, edges: Floats) -> Floats:
    at = np.searchsorted(edges, sample.size, side="right") - 1
    return np.bincount(at, weights=sample.count, minlength=len(edges) - 1).astype(np.float64)


def _poisson_intervals(counts: Floats, level: float) -> tuple[Floats, Floats]:
    """Return simultaneous intervals for the means behind `counts` (Garwood 1936, Bonferroni)."""
    from scipy.special import chdtri

    # Bonferroni: all intervals contain their means together with the stated probability.
    tail = (1 - level) / (2 * len(counts))
    low = np.where(counts > 0, chdtri(2 * np.maximum(counts, 1), 1 - tail) / 2, 0.0)
    return low, chdtri(2 * counts + 2, tail) / 2


def _population_sizes(sample: Sample) -> Floats:
    """Return class sizes of the population, every one up to `DENSE_SIZES`, then growing geometrically."""
    expected = float(sample.size[-1]) / sample.fraction
    largest = min(expected + REACH * math.sqrt(expected / sample.fraction) + 1, float(sample.population))
    sizes = list(range(1, DENSE_SIZES + 1))
    while sizes[-1] < largest:
        sizes.append(math.ceil(sizes[-1] * SIZE_GROWTH))
    return np.array(sizes, dtype=np.float64)


def _expected(sizes: Floats, edges: Floats, fraction: float) -> Floats:
    """Return how many classes in each range a class of each size of the population is expected to add, 0 to 1."""
    from scipy.special import betainc

    most = edges[:-1, None] - 1  # P(X <= most) of a binomial X is an incomplete beta function
    below = np.where(most >= sizes, 1.0, betainc(np.maximum(sizes - most, 1.0), most + 1, 1 - fraction))
    return np.diff(np.concatenate([below, np.ones((1, len(sizes)))]), axis=0)
