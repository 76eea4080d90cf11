"""How much of the success of an attack is due to the table?

Question: by how much does success exceed what guessing or false claims explain?
Method: the advantage ``(success - base) / (1 - base)``, with the error of both rates propagated to first order, as in
the residual risk of Anonymeter.
Limits: the interval describes other targets drawn like these. An advantage below zero is reported as zero.
"""

from __future__ import annotations

import math

from privaudit.stats import Estimate


def advantage(success: Estimate, base: float | Estimate) -> Estimate:
    """Return how much better than `base` an attack succeeds, ``(s - b) / (1 - b)``, at least 0.

    An exact base shifts the interval of `success`. A measured base (the control) adds its own error,
    ``sqrt((ds / (1 - b))^2 + ((1 - s) db / (1 - b)^2)^2)`` with d the distance to the bound of the interval on the
    relevant side: a high success against a low base gives the upper bound.

    Parameters
    ----------
    success : Estimate
    base : float or Estimate
        The success of guessing, known exactly, or the measured rate of the control.

    Returns
    -------
    Estimate in [0, 1]; 0 where the base always succeeds.

    References
    ----------
    .. [1] M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023.
    """
    b = base.value if isinstance(base, Estimate) else base
    if b >= 1:
        return Estimate(value=0.0, low=0.0, high=0.0, level=success.level, n=success.n, method="base-is-certain")
    value = (success.value - b) / (1 - b)
    if isinstance(base, Estimate):
        low = value - _propagated_error(success, base, success.value - success.low, base.high - b)
        high = value + _propagated_error(success, base, success.high - success.value, b - base.low)
        method = "residual-wilson"
    else:
        low, high = (success.low - b) / (1 - b), (success.high - b) / (1 - b)
        method = success.method
    clipped = [min(1.0, max(0.0, bound)) for bound in (value, low, high)]
    return Estimate(
        value=clipped[0], low=clipped[1], high=clipped[2], level=success.level, n=success.n, method=method
    )


def _propagated_error(success: Estimate, base: Estimate, ds: float, db: float) -> float:
    rest = 1 - base.value
    return math.hypot(ds / rest, (1 - success.value) * db / rest**2)
