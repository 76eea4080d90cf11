"""How much of the success of an attack is due to the table?

Question: by how much does success exceed what guessing or false claims explain?
Method: the advantage ``(success - base) / (1 - base)``, with the error of both rates propagated to first order, as in
the residual risk of Anonymeter.
Limits: the interval describes other targets drawn like these. An advantage below zero is reported as zero.
"""

from __future__ import annotations

import math

from privaudit.model.stats import AT_MOST, PARTIAL, Estimate


def advantage(success: Estimate, base: float | Estimate) -> Estimate:
    """Return how much better than `base` an attack succeeds, ``(s - b) / (1 - b)``, at least 0.

    An exact base shifts the interval of `success`. A measured base (the control) adds its own error,
    ``sqrt((ds / (1 - b))^2 + ((1 - s) db / (1 - b)^2)^2)`` with d the distance to the bound of the interval on the
    relevant side: a high success against a low base gives the upper bound. Where that base is known partially only, its
    interval is not a sampling error, and the bounds are those of the two extremes.

    Parameters
    ----------
    success : Estimate
    base : float or Estimate
        The success of guessing, known exactly, or the measured rate of the control.

    Returns
    -------
    Estimate in [0, 1]; 0 where the base always succeeds, and then at most ``(s - b) / (1 - b)`` for the highest success
    and the lowest base of the intervals.

    References
    ----------
    .. [1] M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023.
    """
    b = base.value if isinstance(base, Estimate) else base
    if b >= 1:
        return _over_certain_base(success, base)
    value = _gain(success.value, b)
    if isinstance(base, Estimate) and base.method.endswith(PARTIAL):
        low, high = _gain(success.low, base.high), _gain(success.high, base.low)
        method = f"residual-wilson-{PARTIAL}"
    elif isinstance(base, Estimate):
        low = value - _propagated_error(success, base, success.value - success.low, base.high - b)
        high = value + _propagated_error(success, base, success.high - success.value, b - base.low)
        method = "residual-wilson"
    else:
        low, high = _gain(success.low, b), _gain(success.high, b)
        method = success.method
    clipped = [min(1.0, max(0.0, bound)) for bound in (value, low, high)]
    return Estimate(
        value=clipped[0], low=clipped[1], high=clipped[2], level=success.level, n=success.n, method=method
    )


def _gain(success: float, base: float) -> float:
    return (success - base) / (1 - base) if base < 1 else 0.0


def _over_certain_base(success: Estimate, base: float | Estimate) -> Estimate:
    high = max(0.0, _gain(success.high, base.low)) if isinstance(base, Estimate) else 0.0
    method = "base-is-certain" + (f"-{AT_MOST}" if success.is_upper_bound else "")
    return Estimate(value=0.0, low=0.0, high=high, level=success.level, n=success.n, method=method)


def _propagated_error(success: Estimate, base: Estimate, ds: float, db: float) -> float:
    rest = 1 - base.value
    return math.hypot(ds / rest, (1 - success.value) * db / rest**2)
