"""Population uniques by the slide negative binomial model.

Question: how many people are unique, if class sizes in the population are 1 plus a negative binomial
variable?
Method: the number of classes by Shlosser's estimator; the two parameters from the expected numbers of classes
of one and of two records, reduced to one equation that is scanned for all its roots.
Limits: at small sampling fractions Shlosser's estimator is far off and the estimate with it. A fit that
misses the number of classes of the release, to which it was not fitted, carries a caution.
"""

from __future__ import annotations

import math

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.model.wording import Count, Fact, Number, fact
from privaudit.risk.population.population_numerics import NO_UNIQUES, TOO_MANY, ModelEstimate, Sample, sign_changes

FIT_TOLERANCE = 0.2
"""Relative error in the number of classes from which a fitted model carries a caution."""

NO_PAIRS = fact("risk.no_pairs")
NO_SOLUTION = fact("risk.no_solution")


def snb(sample: Sample) -> ModelEstimate:
    """Estimate by the slide negative binomial model (Chen, Keller-McNulty 1998): ``K b^a``.

    Class sizes of the population are 1 plus a negative binomial variable with parameters a and b. K, the
    number of classes in the population, is Shlosser's estimate (Haas, Stokes 1998); a and b solve, with
    sampling fraction f and ``q = (1-f)(1-b)``::

        c_1 = K f (b/(1-q))^a (1 + a q/(1-q))
        c_2 = K f^2 a (1-b) b^a (2 - (1-a) q) / (2 (1-q)^(a+2))

    Their ratio is a quadratic equation in a with one positive root, which leaves one equation in b.
    """
    if not sample.c1:
        return ModelEstimate(None, NO_UNIQUES)
    if not sample.c2:
        return ModelEstimate(None, NO_PAIRS)
    classes = shlosser(sample.size, sample.count, sample.fraction)
    # Logits of b, because roots lie close to 0 and to 1, where an even grid over b would miss them.
    logits = np.linspace(-30, 30, 481)
    roots = [_expit(x) for x in sign_changes(lambda x: _snb_gap(sample, classes, _expit(x)), logits)]
    if not roots:
        return ModelEstimate(None, NO_SOLUTION)
    # The two equations can have several solutions; the number of classes, to which none was fitted, decides.
    b = min(roots, key=lambda root: abs(_snb_seen(sample, classes, root) - sample.classes))
    a = _snb_a(sample, b)
    value = classes * b**a
    if value > sample.population:
        return ModelEstimate(None, TOO_MANY)
    parameters = (("classes", classes), ("alpha", a), ("beta", b))
    return ModelEstimate(value, None, parameters, _disagreement(_snb_seen(sample, classes, b), sample.classes))


def _disagreement(expected: float, seen: float) -> Fact | None:
    """Return a caution where a fit on c_1 and c_2 misses the number of classes, to which it was not fitted."""
    if abs(expected - seen) <= FIT_TOLERANCE * seen:
        return None
    observed = Count(round(seen), unit="class")
    return fact("risk.classes_disagree", expected=Number(expected), observed=observed)


def shlosser(size: Floats, count: Floats, fraction: float) -> float:
    """Estimate the number of classes in the population from those in a sample (Shlosser 1981).

    The second-order form of Haas and Stokes (1998), with sampling fraction f and c_i classes of size i::

        J + c_1 * sum_i i f^2 (1-f^2)^(i-1) c_i / sum_i (1-f)^i ((1+f)^i - 1) c_i
                * (sum_i (1-f)^i c_i / sum_i i f (1-f)^(i-1) c_i)^2

    Parameters
    ----------
    size, count : float arrays of shape (h,)
    fraction : float in (0, 1)
    """
    once, twice = math.log1p(-fraction), math.log1p(-fraction * fraction)
    paired = (size * fraction**2 * np.exp((size - 1) * twice) * count).sum()
    # (1-f)^i ((1+f)^i - 1) as (1-f^2)^i (1 - (1+f)^-i): the powers of 1 + f would overflow for large classes.
    grown = (np.exp(size * twice) * -np.expm1(-size * math.log1p(fraction)) * count).sum()
    unseen = (np.exp(size * once) * count).sum()
    single = (size * fraction * np.exp((size - 1) * once) * count).sum()
    alone = count[size == 1].sum()
    return float(count.sum() + alone * (paired / grown) * (unseen / single) ** 2)


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _snb_a(sample: Sample, b: float) -> float:
    f, rest = sample.fraction, 1 - b
    q = (1 - f) * rest
    ratio = 2 * sample.c2 / sample.c1 * (1 - q)
    square, linear, constant = rest * f * q, rest * f * (2 - q) - ratio * q, -ratio * (1 - q)
    if square <= 0:
        return math.inf
    root = math.sqrt(linear * linear - 4 * square * constant)
    # The form of the root that subtracts no two numbers of nearly the same size.
    return (root - linear) / (2 * square) if linear <= 0 else -2 * constant / (root + linear)


def _snb_gap(sample: Sample, classes: float, b: float) -> float:
    """Log of expected over observed sample uniques, with `a` from the ratio of the two equations."""
    a = _snb_a(sample, b)
    if not math.isfinite(a):
        return math.nan
    q = (1 - sample.fraction) * (1 - b)
    power = a * math.log1p(-sample.fraction * (1 - b) / (1 - q))
    return math.log(classes * sample.fraction / sample.c1) + power + math.log1p(a * q / (1 - q))


def _snb_seen(sample: Sample, classes: float, b: float) -> float:
    """Return the number of classes of the population that the model expects in the sample."""
    rest = 1 - sample.fraction
    hidden = rest * math.exp(_snb_a(sample, b) * math.log(b / (1 - rest * (1 - b))))
    return classes * (1 - hidden)
