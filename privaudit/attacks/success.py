"""How much is a success worth? Intervals, and success beyond what guessing or false links explain.

Question: k of n targets were re-identified; how sure is the rate, and how much of it is the table's doing?
Method: Wilson's score interval for a rate; the advantage ``(success - base) / (1 - base)`` with the error of
both rates propagated to first order, as in Anonymeter's residual risk.
Limits: the interval speaks of other targets drawn like these. An advantage below zero is reported as zero.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from privaudit.model import Estimate

LEVEL = 0.95


def wilson(successes: float, n: int, *, level: float = LEVEL, method: str = "wilson") -> Estimate:
    """Return the rate ``successes / n`` with Wilson's score interval.

    ``(p + z^2/2n ± z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n)``; with no trial at all anything is possible.

    Parameters
    ----------
    successes : float
        Between 0 and `n`; fractional where it is an expected number.
    n : int
        Targets, 0 or more.

    Returns
    -------
    Estimate in [0, 1].

    Raises
    ------
    ValueError
        If `successes` is not within 0 and `n`.

    References
    ----------
    .. [1] E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927.
    """
    if not 0 <= successes <= n:
        raise ValueError("successes lie between 0 and the number of trials")
    if n == 0:
        return Estimate(value=0.0, low=0.0, high=1.0, level=level, n=0, method=method)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low, high = max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))
    return Estimate(value=p, low=low, high=high, level=level, n=n, method=method)


def advantage(success: Estimate, base: float | Estimate) -> Estimate:
    """Return how much better than `base` an attack succeeds, ``(s - b) / (1 - b)``, at least 0.

    An exact base moves the interval of `success`. A measured one (the control) adds its own error:
    ``sqrt((ds / (1 - b))^2 + ((1 - s) db / (1 - b)^2)^2)`` with d the distance to the interval's bound on the
    side that matters: a high success against a low base gives the upper bound.

    Returns
    -------
    Estimate in [0, 1]; 0 where the base succeeds always.

    References
    ----------
    .. [1] M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023.
    """
    b = base.value if isinstance(base, Estimate) else base
    if b >= 1:
        return Estimate(
            value=0.0, low=0.0, high=0.0, level=success.level, n=success.n, method="base-is-certain"
        )
    value = (success.value - b) / (1 - b)
    if isinstance(base, Estimate):
        low = value - _propagate(success, base, success.value - success.low, base.high - b)
        high = value + _propagate(success, base, success.high - success.value, b - base.low)
        method = "residual-wilson"
    else:
        low, high = (success.low - b) / (1 - b), (success.high - b) / (1 - b)
        method = success.method
    clipped = [min(1.0, max(0.0, x)) for x in (value, low, high)]
    return Estimate(
        value=clipped[0], low=clipped[1], high=clipped[2], level=success.level, n=success.n, method=method
    )


def _propagate(success: Estimate, base: Estimate, ds: float, db: float) -> float:
    rest = 1 - base.value
    return math.hypot(ds / rest, (1 - success.value) * db / rest**2)
