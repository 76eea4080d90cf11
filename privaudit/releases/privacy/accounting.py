"""What mechanisms cost together: epsilon, delta and rho.

Question: how much privacy does a set of mechanisms spend, and how much noise does a budget buy?
Method: pure epsilon adds up; rho of zero-concentrated differential privacy adds up and is converted by the curve of
Canonne, Kamath and Steinke (2020, corollary 13); pure mechanisms that were fixed beforehand compose optimally (Kairouz,
Oh, Viswanath 2017). `cheapest` states the smallest of the three totals.
Limits: `optimal` and `cheapest` hold for mechanisms whose parameters were fixed before the first answer. Across plans,
which may be chosen after earlier answers, the ledger adds epsilon and delta, or rho: both sums are valid with
adaptively chosen parameters (Rogers et al. 2016, "Privacy odometers and filters"; Whitehouse et al. 2023).

Examples
--------
>>> round(epsilon_of(0.5, 1e-6), 4)
5.2215
>>> round(rho_of(1.0, 1e-9), 5)
0.0153
>>> optimal([Fraction(1, 10)] * 30, 1e-6) <= 2.4
True
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Literal

from privaudit.base.records import dataclass

Rule = Literal["sum", "curve", "optimal"]

_MOST_STEPS = 200_000
"""Points of the grid of privacy losses; epsilons with a finer common divisor are rounded up to such a grid."""
_ROUNDING = 1e-11
"""Relative allowance for floating-point rounding: totals are rounded up by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The cost of several mechanisms together: (epsilon, delta)-differential privacy, by the rule that gave it."""

    epsilon: float
    delta: float
    rule: Rule


def exact(value: float | int | str | Fraction) -> Fraction:
    """Return a declared number as the fraction that its decimal digits state: 0.1 is 1/10.

    >>> exact(0.1) * 3 == exact(0.3)
    True
    """
    return value if isinstance(value, Fraction) else Fraction(str(value))


def rounded_up(value: Fraction | float) -> float:
    """Return the float whose decimal digits state `value`, or the next one above it.

    >>> rounded_up(Fraction(1, 10)), Fraction(str(rounded_up(Fraction(1, 3)))) >= Fraction(1, 3)
    (0.1, True)
    """
    found = float(value)
    return found if Fraction(str(found)) >= value else math.nextafter(found, math.inf)


def _float_above(value: Fraction) -> float:
    """Return the least float that is at least `value`: a rho that is a float stays what `rho_of` returned."""
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)


def epsilon_of(rho: float, delta: float) -> float:
    """Return the smallest epsilon for which rho-zCDP implies (epsilon, delta)-differential privacy by the curve.

    ``min over a > 1 of a rho + (ln(1/delta) + (a - 1) ln(1 - 1/a) - ln a) / (a - 1)``; each a gives a valid epsilon.

    Parameters
    ----------
    rho : float, at least 0
    delta : float in (0, 1)

    References
    ----------
    .. [1] C. Canonne, G. Kamath, T. Steinke, "The discrete Gaussian for differential privacy", 2020, corollary 13.
    """
    if rho < 0 or not 0 < delta < 1:
        raise ValueError("rho is at least 0, delta is between 0 and 1")
    if rho == 0:
        return 0.0
    log_delta = math.log(delta)

    # Over the logarithm of a - 1: the best order lies anywhere from just above 1 to many thousands.
    def bound(log_excess: float) -> float:
        excess = math.exp(log_excess)  # a - 1
        order = 1 + excess
        return order * rho + (-log_delta + excess * math.log(excess / order) - math.log(order)) / excess

    # The bound has one minimum; it is near a - 1 = sqrt(ln(1/delta) / rho).
    middle = 0.5 * math.log(-log_delta / rho)
    return max(0.0, _minimum(bound, middle - 8, middle + 8)) * (1 + _ROUNDING)


def rho_of(epsilon: float, delta: float) -> float:
    """Return the largest rho whose `epsilon_of` at `delta` is at most `epsilon`.

    Parameters
    ----------
    epsilon : float above 0
    delta : float in (0, 1)
    """
    if epsilon <= 0:
        raise ValueError("epsilon is above 0")
    low, high = 0.0, epsilon
    while epsilon_of(high, delta) <= epsilon:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if epsilon_of(middle, delta) <= epsilon else (low, middle)
    return low


def rho_of_pure(epsilon: Fraction) -> Fraction:
    """Return the rho of a mechanism of pure epsilon: ``epsilon^2 / 2`` (Bun, Steinke 2016, proposition 1.4)."""
    return epsilon * epsilon / 2


def sigma2_of(rho: float | Fraction, sensitivity2: int | Fraction = 1) -> Fraction:
    """Return the variance of discrete Gaussian noise that costs at most `rho`: ``sensitivity^2 / (2 rho)``, rounded up.

    Parameters
    ----------
    rho : float above 0
    sensitivity2 : int or Fraction
        The square of the L2 sensitivity.
    """
    wanted = Fraction(sensitivity2) / (2 * Fraction(rho))
    # A power of two as denominator keeps the integers of the sampler small; the noise grows by at most 1/1024.
    grid = max(1, 2 ** (11 - math.floor(math.log2(wanted)))) if wanted < 1024 else 1
    return Fraction(math.ceil(wanted * grid), grid)


def optimal(epsilons: Sequence[Fraction], delta: float) -> float:
    """Return the smallest epsilon at which mechanisms of these pure epsilons compose to (epsilon, delta).

    The worst case is a randomised response each, with the privacy losses +e and -e. The distribution of their sum is
    computed on the grid of the common divisor; ``delta(x) = sum over losses s > x of P(s) (1 - exp(x - s))``.

    Parameters
    ----------
    epsilons : sequence of Fraction
    delta : float in (0, 1)

    References
    ----------
    .. [1] P. Kairouz, S. Oh, P. Viswanath, "The composition theorem for differential privacy", 2017, theorem 3.3.
    """
    import numpy as np

    if not epsilons:
        return 0.0
    step, counts = _grid(epsilons)
    mass = np.ones(1)
    for n_steps, n in counts.items():
        positive = 1 / (1 + math.exp(-n_steps * step))  # P(loss = +e)
        for _ in range(n):
            longer = np.zeros(len(mass) + 2 * n_steps)
            longer[: len(mass)] = (1 - positive) * mass
            longer[2 * n_steps :] += positive * mass
            mass = longer
    # Each mechanism moves the loss by its epsilon up or down, so the losses are symmetric around 0.
    losses = (np.arange(len(mass)) - len(mass) // 2) * step
    above = losses > 0

    def excess(epsilon: float) -> float:
        return float(np.dot(mass[above], np.maximum(0.0, -np.expm1(epsilon - losses[above]))))

    low, high = 0.0, float(sum(epsilons))
    # Sums of rounded floats are compared with a slightly smaller delta, so that rounding never grants a smaller
    # epsilon.
    if excess(low) <= delta * (1 - 1e-9):
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) <= delta * (1 - 1e-9) else (middle, high)
    return high * (1 + _ROUNDING)


def cheapest(epsilons: Sequence[Fraction], rhos: Sequence[Fraction], delta: float) -> Total:
    """Return the smallest valid total of mechanisms that were all fixed beforehand.

    Parameters
    ----------
    epsilons : sequence of Fraction
        Of the mechanisms with pure epsilon.
    rhos : sequence of Fraction
        Of the mechanisms with rho, such as Gaussian noise.
    delta : float in [0, 1)
        0 allows the sum only, and no mechanism with rho.

    Raises
    ------
    ValueError
        For a mechanism with rho and delta 0.
    """
    total = sum(epsilons, Fraction(0))
    if delta == 0:
        if rhos:
            raise ValueError("a mechanism with rho needs a delta above 0")
        return Total(epsilon=rounded_up(total), delta=0.0, rule="sum")
    rho = sum(rhos, Fraction(0))
    # Every mechanism has a rho, pure ones too: one curve over all is often below the sum of two bounds.
    in_curve = rho + sum(map(rho_of_pure, epsilons), Fraction(0))
    found = [Total(epsilon=epsilon_of(_float_above(in_curve), delta), delta=delta, rule="curve")]
    if rhos:
        # Basic composition of the two parts: pure mechanisms add their sum to the epsilon of the others.
        whole = total + exact(epsilon_of(_float_above(rho), delta))
        found.append(Total(epsilon=rounded_up(whole), delta=delta, rule="sum"))
    else:
        found.append(Total(epsilon=optimal(epsilons, delta), delta=delta, rule="optimal"))
        found.append(Total(epsilon=rounded_up(total), delta=0.0, rule="sum"))
    # The sum costs no delta, so it is preferred where it is as small.
    return min(found, key=lambda each: (each.epsilon, each.delta))


def _grid(epsilons: Iterable[Fraction]) -> tuple[float, Counter[int]]:
    """Return the step of a grid and the number of mechanisms by their epsilon in steps, rounded up."""
    values = list(epsilons)
    divisor = Fraction(math.gcd(*(each.numerator for each in values)), math.lcm(*(each.denominator for each in values)))
    common = Fraction(math.gcd(*(int(each / divisor) for each in values))) * divisor
    step = max(common, sum(values) / _MOST_STEPS)
    return float(step), Counter(math.ceil(each / step) for each in values)


def _minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the smallest value of a function with one minimum, by golden section."""
    ratio = (math.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(80):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return min(at_left, at_right)
