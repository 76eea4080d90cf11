"""How much of the success of an attack is due to the table?

Question: by how much does success exceed what guessing or the control explains?
Method: the advantage ``(success - base) / (1 - base) = 1 - (1 - success) / (1 - base)``: one minus a ratio of failure
rates. Against a measured base its interval is that of the ratio by MOVER, from the Wilson intervals of both rates.
Limits: the interval describes other targets drawn like these. Where the base always succeeds, the advantage is not
defined. With one or two successes or failures in a group the interval is wider than stated.
"""

from __future__ import annotations

import math
from typing import Literal, TypedDict

from privaudit.model.stats import AT_MOST, PARTIAL, Estimate

BASE_IS_CERTAIN = "base-is-certain"
"""How the method of an advantage begins that is not defined, because the base always succeeds."""


def advantage(success: Estimate, base: float | Estimate) -> Estimate:
    """Return how much better than `base` an attack succeeds, ``(s - b) / (1 - b)``; negative where it does worse.

    An exact base shifts the interval of `success`. Against a measured base (the control) the interval is MOVER's for
    the ratio of the failure rates ``p = 1 - s`` and ``q = 1 - c`` with Wilson intervals [l, u]::

        low  = (pq - sqrt((pq)^2 - l_p u_q (2p - l_p)(2q - u_q))) / (u_q (2q - u_q))
        high = (pq + sqrt((pq)^2 - u_p l_q (2p - u_p)(2q - l_q))) / (l_q (2q - l_q))

    Where a rate is known partially only, its interval is not a sampling error, and the bounds are those of the two
    extremes.

    Parameters
    ----------
    success : Estimate
    base : float or Estimate
        The success of guessing, known exactly, or the measured rate of the control.

    Returns
    -------
    Estimate of at most 1; 0 with the method "base-is-certain" where the base always succeeds.

    References
    ----------
    .. [1] A. Donner, G. Zou, Closed-form confidence intervals for functions of the normal mean and standard deviation,
       Statistical Methods in Medical Research 21, 2012.
    """
    b = base.value if isinstance(base, Estimate) else base
    if b >= 1:
        return _over_certain_base(success, base)
    value = _gain(success.value, b)
    if not isinstance(base, Estimate):
        low, high, method = _gain(success.low, b), _gain(success.high, b), success.method
    elif base.method.endswith(PARTIAL) or success.method.endswith(PARTIAL):
        low, high = _gain(success.low, base.high), _gain(success.high, base.low)
        method = f"mover-{PARTIAL}"
    else:
        low, high = _by_ratio(success, base)
        method = "mover"
    return Estimate(
        value=value,
        low=min(low, value),
        high=min(1.0, max(high, value)),
        level=success.level,
        n=success.n,
        method=method,
    )


def _gain(success: float, base: float) -> float:
    return (success - base) / (1 - base) if base < 1 else 0.0


class AgainstControl(TypedDict):
    """The fields of an attack whose success is compared with the same attack on outsiders."""

    n_targets: int
    success: Estimate
    control: float
    control_rate: Estimate
    advantage: Estimate
    against: Literal["control"]


def against_control(success: Estimate, control: Estimate) -> AgainstControl:
    """Return the fields of an `Attack` that compare its success with that of the same attack on outsiders.

    Parameters
    ----------
    success, control : Estimate
        The share of members, and of outsiders, for whom the attack succeeds.
    """
    return AgainstControl(
        n_targets=success.n,
        success=success,
        control=control.value,
        control_rate=control,
        advantage=advantage(success, control),
        against="control",
    )


def _over_certain_base(success: Estimate, base: float | Estimate) -> Estimate:
    high = max(0.0, _gain(success.high, base.low)) if isinstance(base, Estimate) else 0.0
    method = BASE_IS_CERTAIN + (f"-{AT_MOST}" if success.is_upper_bound else "")
    return Estimate(value=0.0, low=0.0, high=high, level=success.level, n=success.n, method=method)


def _by_ratio(success: Estimate, control: Estimate) -> tuple[float, float]:
    """Return the bounds of one minus the ratio of failures, in the forms that divide by nothing near zero."""
    p, low_p, high_p = 1 - success.value, 1 - success.high, 1 - success.low
    q, low_q, high_q = 1 - control.value, 1 - control.high, 1 - control.low
    pq = p * q
    root = math.sqrt(max(0.0, pq * pq - low_p * high_q * (2 * p - low_p) * (2 * q - high_q)))
    least = low_p * (2 * p - low_p) / (pq + root) if pq + root else 0.0
    root = math.sqrt(max(0.0, pq * pq - high_p * low_q * (2 * p - high_p) * (2 * q - low_q)))
    most = (pq + root) / (low_q * (2 * q - low_q))
    return 1 - most, 1 - least
