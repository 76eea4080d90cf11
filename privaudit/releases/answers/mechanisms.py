"""Noisy integers and their error: the parts that queries and models are made of.

Question: what does one mechanism add, what does it cost, and how far is its answer from the exact one?
Method: exact integers of bounded sensitivity get discrete Laplace noise of scale sensitivity / epsilon, or discrete
Gaussian noise of variance sensitivity^2 / (2 rho). Errors of ratios are simulated from the distribution of
the noise around the noisy answer.
Limits: intervals cover the noise only, not the rounding, the clipping, or the choice of the people in the table.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from privaudit.releases.privacy import noise

CONFIDENCE = 0.95
_SIMULATED = 20_000


class Noisy(NamedTuple):
    """A noisy integer and the scale of its discrete Laplace noise."""

    value: int
    scale: Fraction


def noisy_sum(values: Any, sensitivity: int, epsilon: Fraction, counts: Any = None) -> Noisy:
    """Return the sum of integers with discrete Laplace noise of scale ``sensitivity / epsilon``.

    Parameters
    ----------
    values : int64 array, or array of Python integers
    counts : int64 array, optional
        How often each value occurs; once where absent.
    """
    scale = Fraction(sensitivity) / epsilon
    return Noisy(exact_sum(values, counts) + int(noise.discrete_laplace(scale, 1)[0]), scale)


def exact_sum(values: Any, counts: Any = None) -> int:
    """Return the sum of integers, in Python integers where int64 could overflow."""
    n = len(values) if counts is None else int(counts.sum())
    if int(np.abs(values).max(initial=0)) * max(1, n) < noise.LARGEST:
        return int(values.sum() if counts is None else values @ counts)
    weights = itertools.repeat(1) if counts is None else counts.tolist()
    return sum(value * weight for value, weight in zip(values.tolist(), weights, strict=False))


def noisy_counts(counts: Any, sensitivity: int, epsilon: Fraction) -> Any:
    """Return counts with discrete Laplace noise of scale ``sensitivity / epsilon``."""
    return counts + noise.discrete_laplace(Fraction(sensitivity) / epsilon, counts.size).reshape(counts.shape)


def rank_error(n_candidates: int, sensitivity: Fraction, epsilon: Fraction) -> int:
    """Return the loss of utility that a choice among candidates does not exceed in 95 of 100 draws.

    ``2 sensitivity (ln d + ln 20) / epsilon`` for the exponential mechanism (McSherry, Talwar 2007); that of permute
    and flip is not larger.
    """
    return math.ceil(2 * float(sensitivity) * (math.log(n_candidates) - math.log(1 - CONFIDENCE)) / float(epsilon))


class Spread(NamedTuple):
    """The error of an answer that is calculated from noisy numbers: standard deviation and interval."""

    sd: float
    low: float
    high: float


def simulated(function: Callable[..., Any], *numbers: Noisy) -> Spread:
    """Return the spread of ``function(numbers - noise)``: which exact values fit the noisy ones.

    The draws are floating-point numbers of a fixed generator: they describe the answer and are not added to it.
    """
    rng = np.random.default_rng(0)
    drawn = [each.value - rng.laplace(0, float(each.scale), _SIMULATED) for each in numbers]
    found = function(*drawn)
    low, high = np.quantile(found, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Spread(float(found.std()), float(low), float(high))
