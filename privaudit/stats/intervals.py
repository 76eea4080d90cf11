"""The Wilson score interval, the one interval for proportions in privaudit.

SciPy has the same interval for whole numbers (``scipy.stats.binomtest(...).proportion_ci(method="wilson")``); expected
and weighted counts are not whole, so the formula is stated here and a test compares it with SciPy.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from privaudit.stats.estimate import AT_MOST, Estimate

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


def at_most(value: float, n: int, *, least: float = 0.0, level: float = LEVEL, method: str) -> Estimate:
    """Return an upper bound for a proportion that is expected to be at most `value`, as an estimate without lower end.

    The bound is the upper end of the Wilson score interval whose upper side alone has confidence `level`, for
    ``max(value, least)``.

    Parameters
    ----------
    value : float
        The expected proportion, in [0, 1].
    n : int
        Trials behind it.
    least : float
        A proportion in [0, 1] that the bound covers as well.
    level : float
        One-sided confidence level, above 0.5.
    method : str
        Start of the method's name, which ends with "at-most".
    """
    high = wilson_bounds(max(value, least) * n, n, level=2 * level - 1)[1]
    return Estimate(
        value=value, low=0.0, high=max(high, value), level=level, n=n, method=f"{method}-{AT_MOST}"
    )
