"""How many people are unique in the population, when only the release and the number of people are known?

Question: of a population of N people, how many are unique on the quasi-identifiers, judged from a sample of
n?
Method: the three published estimators (Zayatz; Hoshino's Pitman model; the slide negative binomial of Chen
and Keller-McNulty, SNB) on the histogram of class sizes, and Dankar's rule for choosing among them.
Limits: each assumes that the release is a simple random sample of the population and that its own model of
class sizes holds; the three differ by factors where it does not. Where a model cannot be fitted its value is
absent and the reason is given: absence is not zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.errors import ConfigError
from privaudit.risk.population_models import (
    Floats,
    bisect,
    digamma_sum,
    log_falling,
    log_gamma_ratio,
    sign_changes,
)

Ints = npt.NDArray[np.integer[Any]]

DANKAR_FRACTION = 0.1
"""Sampling fraction up to which Dankar's rule takes Pitman's model."""

FIT_TOLERANCE = 0.2
"""Relative error in the number of classes from which a fitted model carries a caution."""

NO_UNIQUES = "no record is unique in the release, so the model has nothing to estimate from"
NO_PAIRS = "no class of the release holds exactly two records, which the model needs"
ALL_UNIQUE = "every record of the release is unique, so the likelihood has no maximum"
ONE_CLASS = "all records of the release are in one class"
EVEN = "the class sizes are more even than the model allows (its index is not above 0)"
NO_SOLUTION = "the equations of the model have no solution for these class sizes"
TOO_MANY = "the fitted model gives more uniques than people"
NO_ESTIMATE = "none of the models it chooses from could be fitted"


@dataclass(frozen=True, slots=True)
class Modelled:
    """An estimated number of people, or None and why the model does not apply.

    ``parameters`` are the fitted parameters of the model by name; ``caution`` says where a fitted model
    disagrees with what the release shows.
    """

    value: float | None
    why: str | None = None
    parameters: tuple[tuple[str, float], ...] = ()
    caution: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationUniques:
    """Estimated numbers of people who are unique in a population of `size`.

    ``dankar_model`` names the model that Dankar's rule took: pitman, zayatz or snb, or None.
    """

    size: int
    zayatz: Modelled
    pitman: Modelled
    snb: Modelled
    dankar: Modelled
    dankar_model: str | None

    def wire(self) -> dict[str, Any]:
        """Return the keys of ``risk.population`` that follow from a population size."""
        models = {"zayatz": self.zayatz, "pitman": self.pitman, "snb": self.snb, "dankar": self.dankar}
        return {
            "size": self.size,
            **{name: model.value for name, model in models.items()},
            "dankar_model": self.dankar_model,
            "not_applicable": {name: model.why for name, model in models.items() if model.why},
            "cautions": {name: model.caution for name, model in models.items() if model.caution},
        }


def population_uniques(
    size: Sequence[int] | Ints, count: Sequence[int] | Ints, population: int
) -> PopulationUniques:
    """Estimate the population uniques with every model.

    Parameters
    ----------
    size, count : int sequences of shape (h,)
        Histogram of class sizes of the release: ``count[i]`` classes hold ``size[i]`` records; sizes ascend.
    population : int
        People in the population, N.

    Raises
    ------
    ConfigError
        When the population is smaller than the release.
    ValueError
        When the release holds no records.
    """
    sizes = _Sizes.of(size, count, population)
    if sizes.n == population:
        known = Modelled(float(sizes.c1))
        return PopulationUniques(
            size=population, zayatz=known, pitman=known, snb=known, dankar=known, dankar_model=None
        )
    fits = {"zayatz": _zayatz(sizes), "pitman": _pitman(sizes), "snb": _snb(sizes)}
    chosen = _dankar(fits, sizes.fraction)
    return PopulationUniques(
        size=population,
        **fits,
        dankar=Modelled(None, NO_ESTIMATE) if chosen is None else Modelled(fits[chosen].value),
        dankar_model=chosen,
    )


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Histogram of class sizes and the numbers that the models read off it."""

    size: Floats
    count: Floats
    n: int
    population: int

    @classmethod
    def of(cls, size: Sequence[int] | Ints, count: Sequence[int] | Ints, population: int) -> _Sizes:
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
        return float(self.count[self.size == size].sum())

    @property
    def c1(self) -> float:
        return self.classes_of(1)

    @property
    def c2(self) -> float:
        return self.classes_of(2)

    @property
    def classes(self) -> float:
        return float(self.count.sum())

    @property
    def fraction(self) -> float:
        return self.n / self.population


def _zayatz(sizes: _Sizes) -> Modelled:
    """Estimate by Zayatz (1991): class sizes of the population are spread like those of the sample.

    With c_i classes of size i and P(1 | i) the hypergeometric probability that a class of i people shows one
    record in the sample, the uniques are ``(c_1 / f) * c_1 P(1|1) / sum_i c_i P(1|i)``.
    """
    if not sizes.c1:
        return Modelled(None, NO_UNIQUES)
    others = sizes.size - 1
    n, people = sizes.n, sizes.population
    seen_once = np.exp(log_falling(people - n, others) - log_falling(people - 1, others)) * sizes.size
    share = sizes.c1 / float((sizes.count * seen_once).sum())  # n/N cancels
    return Modelled(sizes.c1 * share / sizes.fraction)


def _pitman(sizes: _Sizes) -> Modelled:
    """Estimate by Pitman's sampling formula (Hoshino 2001): ``gamma(t+1) / gamma(t+a) * N^a``.

    The parameters t (theta) and a (alpha) maximise the likelihood
    ``sum_{i<J} log(t + i a) - sum_{i<n} log(t + i) + sum_j sum_{i<f_j} log(i - a)``:
    for each a in (0, 1) the score in t has one root, and along these the score in a is followed to its root.
    """
    if sizes.n == sizes.c1:
        return Modelled(None, ALL_UNIQUE)
    if sizes.classes == 1:
        return Modelled(None, ONE_CLASS)
    if not sizes.c1:
        return Modelled(None, NO_UNIQUES)
    grid = np.concatenate([[1e-4, 1e-3], np.linspace(0.01, 0.99, 50), [0.999, 0.9999]])
    roots = sign_changes(lambda a: _score_alpha(sizes, _best_theta(sizes, a), a), grid)
    if not roots:
        return Modelled(None, EVEN)
    alpha = max(roots, key=lambda a: _likelihood(sizes, _best_theta(sizes, a), a))
    theta = _best_theta(sizes, alpha)
    value = math.exp(log_gamma_ratio(theta, 1, alpha) + alpha * math.log(sizes.population))
    if value > sizes.population:
        return Modelled(None, TOO_MANY)
    return Modelled(value, None, (("theta", theta), ("alpha", alpha)))


def _best_theta(sizes: _Sizes, alpha: float) -> float:
    """Root in theta, above -alpha, of ``sum_{i<J} 1/(theta + i alpha) - sum_{i<n} 1/(theta + i)``."""

    def score(log_distance: float) -> float:
        theta = math.exp(log_distance) - alpha
        return _theta_sum(sizes, theta, alpha) - float(digamma_sum(1 + theta, sizes.n + theta))

    return math.exp(bisect(score, -30.0, 2 * math.log(sizes.n) + 30)) - alpha


def _theta_sum(sizes: _Sizes, theta: float, alpha: float) -> float:
    start = theta / alpha
    return float(digamma_sum(1 + start, sizes.classes + start)) / alpha


def _score_alpha(sizes: _Sizes, theta: float, alpha: float) -> float:
    """Derivative of the likelihood in alpha: ``sum_{i<J} i/(t + i a) - sum_j sum_{i<f_j} 1/(i - a)``."""
    gained = (sizes.classes - 1 - theta * _theta_sum(sizes, theta, alpha)) / alpha
    return gained - float((sizes.count * digamma_sum(1 - alpha, sizes.size - alpha)).sum())


def _likelihood(sizes: _Sizes, theta: float, alpha: float) -> float:
    from scipy.special import gammaln

    start = theta / alpha
    between = sizes.classes - 1
    classes = between * math.log(alpha) + gammaln(start + 1 + between) - gammaln(start + 1)
    records = gammaln(theta + sizes.n) - gammaln(theta + 1)
    within = (sizes.count * (gammaln(sizes.size - alpha) - gammaln(1 - alpha))).sum()
    return float(classes - records + within)


def _snb(sizes: _Sizes) -> Modelled:
    """Estimate by the slide negative binomial model (Chen, Keller-McNulty 1998): ``K b^a``.

    Class sizes of the population are 1 plus a negative binomial variable with parameters a and b. K, the
    number of classes in the population, is Shlosser's estimate (Haas, Stokes 1998); a and b solve, with
    sampling fraction f and ``q = (1-f)(1-b)``::

        c_1 = K f (b/(1-q))^a (1 + a q/(1-q))
        c_2 = K f^2 a (1-b) b^a (2 - (1-a) q) / (2 (1-q)^(a+2))

    Their ratio is a quadratic equation in a with one positive root, which leaves one equation in b.
    """
    if not sizes.c1:
        return Modelled(None, NO_UNIQUES)
    if not sizes.c2:
        return Modelled(None, NO_PAIRS)
    classes = shlosser(sizes.size, sizes.count, sizes.fraction)
    logits = np.linspace(-30, 30, 481)
    roots = [_expit(x) for x in sign_changes(lambda x: _snb_gap(sizes, classes, _expit(x)), logits)]
    if not roots:
        return Modelled(None, NO_SOLUTION)
    b = min(roots, key=lambda root: abs(_snb_seen(sizes, classes, root) - sizes.classes))
    a = _snb_a(sizes, b)
    value = classes * b**a
    if value > sizes.population:
        return Modelled(None, TOO_MANY)
    parameters = (("classes", classes), ("alpha", a), ("beta", b))
    return Modelled(value, None, parameters, _disagreement(_snb_seen(sizes, classes, b), sizes.classes))


def _disagreement(expected: float, seen: float) -> str | None:
    """Say where a fit that uses only c_1 and c_2 misses the number of classes it was not fitted to."""
    if abs(expected - seen) <= FIT_TOLERANCE * seen:
        return None
    return f"the fitted model expects {expected:,.0f} classes in the release, which has {seen:,.0f}"


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
    grown = (np.exp(size * twice) * -np.expm1(-size * math.log1p(fraction)) * count).sum()
    unseen = (np.exp(size * once) * count).sum()
    single = (size * fraction * np.exp((size - 1) * once) * count).sum()
    alone = count[size == 1].sum()
    return float(count.sum() + alone * (paired / grown) * (unseen / single) ** 2)


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _snb_a(sizes: _Sizes, b: float) -> float:
    f, rest = sizes.fraction, 1 - b
    q = (1 - f) * rest
    ratio = 2 * sizes.c2 / sizes.c1 * (1 - q)
    square, linear, constant = rest * f * q, rest * f * (2 - q) - ratio * q, -ratio * (1 - q)
    if square <= 0:
        return math.inf
    root = math.sqrt(linear * linear - 4 * square * constant)
    return (root - linear) / (2 * square) if linear <= 0 else -2 * constant / (root + linear)


def _snb_gap(sizes: _Sizes, classes: float, b: float) -> float:
    """Log of expected over observed sample uniques, with `a` from the ratio of the two equations."""
    a = _snb_a(sizes, b)
    if not math.isfinite(a):
        return math.nan
    q = (1 - sizes.fraction) * (1 - b)
    power = a * math.log1p(-sizes.fraction * (1 - b) / (1 - q))
    return math.log(classes * sizes.fraction / sizes.c1) + power + math.log1p(a * q / (1 - q))


def _snb_seen(sizes: _Sizes, classes: float, b: float) -> float:
    """Classes of the population expected to show in the sample."""
    rest = 1 - sizes.fraction
    hidden = rest * math.exp(_snb_a(sizes, b) * math.log(b / (1 - rest * (1 - b))))
    return classes * (1 - hidden)


def _dankar(fits: dict[str, Modelled], fraction: float) -> str | None:
    """Choose by the decision rule of Dankar, El Emam, Neisa, Roffey (2012).

    Up to a sampling fraction of 0.1 Pitman's model, or Zayatz's where that fails; above it the smaller of
    Zayatz's and the SNB.
    """
    if fraction <= DANKAR_FRACTION:
        order = ["pitman", "zayatz"]
    else:
        values = {name: fits[name].value for name in ("zayatz", "snb")}
        order = sorted(
            values, key=lambda name: math.inf if values[name] is None else float(values[name] or 0)
        )
    return next((name for name in order if fits[name].value is not None), None)
