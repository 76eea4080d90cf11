"""Statistics that several rooms share: one estimate record, one interval for proportions, the Wilson score interval.

Question: how is a sampled or simulated number stated?
Method: `Estimate` holds value and interval; `wilson` computes the score interval for a proportion. SciPy has the same
interval for whole numbers (``scipy.stats.binomtest(...).proportion_ci(method="wilson")``); expected and weighted counts
are not whole, so the formula is stated here and a test compares it with SciPy.
Limits: ground floor; imports nothing of privaudit but the base of records.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire

if TYPE_CHECKING:
    from privaudit.base.arrays import Flags, Ints

AT_MOST = "at-most"
"""How the method of an estimate ends that states an upper bound only."""

PARTIAL = "partial"
"""How the method of an interval ends that is widened by what units of unknown outcome may change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Wire):
    """A sampled or simulated number with its interval.

    Attributes
    ----------
    value, low, high : float
        The estimate and the bounds of its confidence interval, ``low <= value <= high``.
    level : float
        Confidence level of the interval, in (0, 1). An exact number has ``low == value == high`` and level 1.
    n : int
        Number of units behind the estimate.
    method : str
        How the interval was computed, for example "wilson" or "exact". A method that ends with "at-most" states an
        upper bound: `high` is the bound, `level` its one-sided confidence level, and `low` is 0 and states nothing.

    Raises
    ------
    ValueError
        If the value lies outside its interval.
    """

    value: float
    low: float
    high: float
    level: float = 0.95
    n: int
    method: str

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError("an estimate must lie within its interval: low <= value <= high")

    @property
    def is_upper_bound(self) -> bool:
        """Whether only the upper end is stated: the number is at most `high`."""
        return self.method.endswith(AT_MOST)


def exact(value: float, n: int) -> Estimate:
    """Return `value`, counted over all `n` units, as an estimate without sampling error."""
    return Estimate(value=value, low=value, high=value, level=1.0, n=n, method="exact")


LEVEL = 0.95
"""The confidence level of every interval, unless stated otherwise."""


def wilson_bounds(successes: float, n: float, *, level: float = LEVEL) -> tuple[float, float]:
    """Return the bounds of the Wilson score interval for ``successes / n``.

    ``(p + z^2/2n ± z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n)`` with ``p = successes / n``.

    Parameters
    ----------
    successes : float
        Between 0 and `n`; fractional for an expected or weighted count.
    n : float
        Trials, or the effective number of trials, 0 or more. With no trial the interval is [0, 1].
    level : float
        Confidence level in (0, 1).

    Returns
    -------
    (low, high) : floats in [0, 1] with ``low <= successes / n <= high``.

    Raises
    ------
    ValueError
        If `successes` is not between 0 and `n`.

    References
    ----------
    .. [1] E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927.
    """
    if not 0 <= successes <= n:
        raise ValueError("successes must lie between 0 and the number of trials")
    if n == 0:
        return 0.0, 1.0
    from statistics import NormalDist  # which imports fractions and decimals

    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


def wilson(successes: float, n: int, *, level: float = LEVEL, method: str = "wilson") -> Estimate:
    """Return the proportion ``successes / n`` with its Wilson score interval; 0 in [0, 1] where `n` is 0.

    Parameters, errors and source as in `wilson_bounds`.
    """
    low, high = wilson_bounds(successes, n, level=level)
    return Estimate(value=successes / n if n else 0.0, low=low, high=high, level=level, n=n, method=method)


def student(freedom: int) -> float:
    """Return Student's two-sided 95 % quantile, by the expansion ``z + (z^3 + z) / 4 f`` (Fisher, Cornish 1960)."""
    z = 1.959964
    return z + (z**3 + z) / (4 * max(1, freedom))


def share_of_rows(hits: Flags, rows: Ints, *, rate: float, of: int, scale: float = 1.0) -> Estimate:
    """Estimate a share of rows from a sample of values that `base.sampling.drawn_by_rows` drew.

    A value with w rows is in the sample with probability ``1 - exp(-rate w)``, so it stands for
    ``a = w / (1 - exp(-rate w))`` rows: ``p = sum(a_i h_i) / sum(a_i)``. The interval is Wilson's for ``n = rate * of``
    rows. A value that is read shows all of its rows, so the variance of p is at most that of n single rows (by
    ``x <= e^x - 1``). For no hit the upper bound is ``1 - (1 - level)^(1/n)``, about 3/n, because m rows that match are
    not seen with probability ``exp(-rate m)``.

    Parameters
    ----------
    hits : bool array of length k
        Values that match.
    rows : int64 array of length k, not empty
    rate : float
        Rows drawn for each row, above 0.
    of : int
        Rows of all values that could be drawn.
    scale : float
        Share of all rows whose values could be drawn, known exactly; value and interval are multiplied by it.

    References
    ----------
    .. [1] E. Cohen, H. Kaplan, Summarizing data using bottom-k sketches, PODC 2007.
    """
    import numpy as np

    stands_for = rows / -np.expm1(-rate * rows)
    n = rate * of
    p = float(stands_for[hits].sum() / stands_for.sum())
    low, high = wilson_bounds(p * n, n) if p else (0.0, 1.0 - (1.0 - LEVEL) ** (1.0 / n))
    return Estimate(
        value=p * scale,
        low=low * scale,
        high=high * scale,
        level=LEVEL,
        n=len(rows),
        method="wilson, weighted by rows" if p else "rule of three",
    )


def at_most(value: float, n: int, *, least: float = 0.0, method: str) -> Estimate:
    """Return an upper bound for a proportion that is expected to be at most `value`, as an estimate without lower end.

    The bound is the upper end of the Wilson score interval whose upper side alone has confidence `LEVEL`, for
    ``max(value, least)``.

    Parameters
    ----------
    value : float
        The expected proportion, in [0, 1].
    n : int
        Trials behind it.
    least : float
        A proportion in [0, 1] that the bound covers as well.
    method : str
        Start of the method's name, which ends with "at-most".
    """
    high = wilson_bounds(max(value, least) * n, n, level=2 * LEVEL - 1)[1]
    return Estimate(value=value, low=0.0, high=max(high, value), level=LEVEL, n=n, method=f"{method}-{AT_MOST}")
