"""Numerics that the estimators of population uniques share: stable sums, ratios of gamma functions, roots.

Question: how do the models stay exact from a handful of records to 10^8?
Method: falling factorials by Stirling's series where terms are large, differences of digamma functions in
place of sums over records, and roots by a scan for sign changes followed by bisection to the last bit.
Limits: numerics only. `scipy.special` is imported when first needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LARGE = 1e4
"""From here on Stirling's series with three terms is exact to the last bits of a double."""


def log_falling(a: float, m: Floats) -> Floats:
    """Return ``log(a (a-1) ... (a-m+1))`` for each m in 0..a, minus infinity where m exceeds a.

    Differences of two such logarithms keep full precision where those of log-gamma would lose it.
    """
    from scipy.special import gammaln

    rest = a - np.minimum(m, a)
    small = gammaln(a + 1) - gammaln(rest + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        core = m * math.log(max(a, 1)) - (rest + 0.5) * np.log1p(-m / a) - m if a else np.zeros_like(m)
        series = core + _stirling(np.float64(max(a, 1))) - _stirling(np.maximum(rest, 1))
    return np.where(m > a, -np.inf, np.where(rest > LARGE, series, small))


def _stirling(x: Any) -> Any:
    return 1 / (12 * x) - 1 / (360 * x**3) + 1 / (1260 * x**5)


def log_gamma_ratio(z: float, a: float, b: float) -> float:
    """Return ``log(gamma(z + a) / gamma(z + b))`` for a and b in [0, 1], stable for any size of z."""
    from scipy.special import gammaln

    if z > LARGE:
        second = a * (a - 1) - b * (b - 1)
        third = a * (a - 0.5) * (a - 1) - b * (b - 0.5) * (b - 1)
        return (a - b) * math.log(z) + second / (2 * z) - third / (6 * z * z)
    return float(gammaln(z + a) - gammaln(z + b))


def digamma_sum(first: float, last: Floats | float) -> Any:
    """Return ``1/first + 1/(first+1) + ... + 1/(last-1)`` as a difference of digamma functions."""
    from scipy.special import digamma

    return digamma(last) - digamma(first)


def bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where `function`, of opposite signs at `low` and `high`, turns sign: to the last bit."""
    rising = function(low) < 0
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if (function(middle) < 0) == rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def sign_changes(function: Callable[[float], float], grid: Floats) -> list[float]:
    """Return the roots of `function` that a scan over the ascending `grid` finds."""
    values = [function(float(x)) for x in grid]
    roots = []
    for i in range(len(grid) - 1):
        left, right = values[i], values[i + 1]
        if math.isfinite(left) and math.isfinite(right) and (left < 0) != (right < 0):
            roots.append(bisect(function, float(grid[i]), float(grid[i + 1])))
    return roots
