"""What the estimators of population uniques share: the histogram they read, stable sums, ratios, roots.

Question: how do the models stay exact from a handful of records to 10^8?
Method: falling factorials by Stirling's series where terms are large, differences of digamma functions in
place of sums over records, and roots by a scan for sign changes followed by bisection to the last bit.
Limits: numerics only. `scipy.special` is imported when first needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.model.wording import Fact, fact

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
        # The ends are neighbouring floats: no number lies between them.
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
        # A function that is not defined at one end has no sign there; a pole is not a root.
        if math.isfinite(left) and math.isfinite(right) and (left < 0) != (right < 0):
            roots.append(bisect(function, float(grid[i]), float(grid[i + 1])))
    return roots


Ints = npt.NDArray[np.integer[Any]]

NO_UNIQUES = fact("risk.no_sample_uniques")
TOO_MANY = fact("risk.more_uniques_than_people")


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """An estimated number of people, or None and the reason why the model does not apply.

    ``parameters`` are the fitted parameters of the model by name; ``caution`` states where a fitted model disagrees
    with the release.
    """

    value: float | None
    reason: Fact | None = None
    parameters: tuple[tuple[str, float], ...] = ()
    caution: Fact | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """Histogram of class sizes and the numbers that the models read off it."""

    size: Floats
    count: Floats
    n: int
    population: int

    @classmethod
    def of(cls, size: Sequence[int] | Ints, count: Sequence[int] | Ints, population: int) -> Sample:
        """Return the sample after checking it against the size of the population; errors as in `population_uniques`."""
        f, c = np.asarray(size, np.int64), np.asarray(count, np.int64)
        n = int((f * c).sum())
        if n < 1 or len(f) != len(c) or (f < 1).any() or (c < 1).any():
            raise ValueError("a histogram of class sizes has positive sizes and counts, and at least one")
        if population < n:
            raise ConfigError(
                f"the population ({population:,} people) is smaller than the table ({n:,} records).",
                hint="--population is the number of people the records were drawn from",
            )
        return cls(f.astype(np.float64), c.astype(np.float64), n, population)

    def classes_of(self, size: int) -> float:
        """Return the number of classes that contain `size` records."""
        return float(self.count[self.size == size].sum())

    @property
    def c1(self) -> float:
        """Classes of one record."""
        return self.classes_of(1)

    @property
    def c2(self) -> float:
        """Classes of two records."""
        return self.classes_of(2)

    @property
    def classes(self) -> float:
        """Classes of the release, J."""
        return float(self.count.sum())

    @property
    def fraction(self) -> float:
        """Sampling fraction, n / N."""
        return self.n / self.population
