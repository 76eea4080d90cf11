"""How many people are unique in the population, when only the release and the number of people are known?

Question: how many of N people are unique on the quasi-identifiers, estimated from a sample of n records?
Method: the three published estimators (Zayatz; Hoshino's Pitman model; the slide negative binomial of Chen
and Keller-McNulty, SNB) on the histogram of class sizes, and Dankar's rule for choosing among them.
Limits: each assumes that the release is a simple random sample of the population and that its own model of
class sizes holds; the three differ by factors where it does not. Where a model cannot be fitted its value is
absent, with the reason: absence is not zero.

Population uniques by Pitman's sampling formula.

Question: how many people are unique if class sizes follow a model in which new combinations keep occurring?
Method: maximum likelihood by nested roots: for each index alpha the score in theta has one root, and along
these the score in alpha is followed to its root; all sums are differences of digamma functions.
Limits: the index must lie between 0 and 1; where the class sizes are more even than that, there is no
estimate.

Population uniques by the slide negative binomial model.

Question: how many people are unique, if class sizes in the population are 1 plus a negative binomial
variable?
Method: the number of classes by Shlosser's estimator; the two parameters from the expected numbers of classes
of one and of two records, reduced to one equation that is scanned for all its roots.
Limits: at small sampling fractions Shlosser's estimator is far off and the estimate with it. A fit that
misses the number of classes of the release, to which it was not fitted, carries a caution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from privaudit.base.records import dataclass
from privaudit.model.wording import Count, Fact, Number, fact
from privaudit.risk.population.population_numerics import (
    NO_UNIQUES,
    TOO_MANY,
    Floats,
    Ints,
    ModelEstimate,
    Sample,
    bisect,
    digamma_sum,
    log_falling,
    log_gamma_ratio,
    sign_changes,
)

DANKAR_FRACTION = 0.1
"""Sampling fraction up to which Dankar's rule selects Pitman's model."""

ZAYATZ_FOR_PITMAN = fact("risk.zayatz_for_pitman")
NO_MODEL = fact("risk.no_model_applies")


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationUniques:
    """Estimated numbers of people who are unique in a population of `size`.

    ``dankar_model`` names the model that Dankar's rule selected: pitman, zayatz or snb, or None.
    """

    size: int
    zayatz: ModelEstimate
    pitman: ModelEstimate
    snb: ModelEstimate
    dankar: ModelEstimate
    dankar_model: str | None

    @property
    def by_model(self) -> dict[str, ModelEstimate]:
        """The estimates by the name of the model, that of Dankar's rule last."""
        return {"zayatz": self.zayatz, "pitman": self.pitman, "snb": self.snb, "dankar": self.dankar}


def population_uniques(size: Sequence[int] | Ints, count: Sequence[int] | Ints, population: int) -> PopulationUniques:
    """Estimate the population uniques with every model.

    Parameters
    ----------
    size, count : int sequences of shape (h,)
        Histogram of class sizes of the release: ``count[i]`` classes contain ``size[i]`` records; sizes ascend.
    population : int
        People in the population, N.

    Raises
    ------
    ConfigError
        If the population is smaller than the release.
    ValueError
        If the release has no records.
    """
    sample = Sample.of(size, count, population)
    if sample.n == population:
        known = ModelEstimate(float(sample.c1))
        return PopulationUniques(
            size=population, zayatz=known, pitman=known, snb=known, dankar=known, dankar_model=None
        )
    fits = {"zayatz": _zayatz(sample), "pitman": pitman(sample), "snb": snb(sample)}
    chosen = _dankar_choice(fits, sample.fraction)
    return PopulationUniques(
        size=population, **fits, dankar=_dankar_estimate(fits, chosen, sample.fraction), dankar_model=chosen
    )


def _zayatz(sample: Sample) -> ModelEstimate:
    """Estimate by Zayatz (1991): class sizes of the population are spread like those of the sample.

    With c_i classes of size i and P(1 | i) the hypergeometric probability that a class of i people shows one
    record in the sample, the uniques are ``(c_1 / f) * c_1 P(1|1) / sum_i c_i P(1|i)``.
    """
    if not sample.c1:
        return ModelEstimate(None, NO_UNIQUES)
    others = sample.size - 1
    n, people = sample.n, sample.population
    seen_once = np.exp(log_falling(people - n, others) - log_falling(people - 1, others)) * sample.size
    share = sample.c1 / float((sample.count * seen_once).sum())  # n/N cancels
    return ModelEstimate(sample.c1 * share / sample.fraction)


def _dankar_estimate(fits: dict[str, ModelEstimate], chosen: str | None, fraction: float) -> ModelEstimate:
    if chosen is None:
        return ModelEstimate(None, NO_MODEL)
    replaces_pitman = chosen == "zayatz" and fraction <= DANKAR_FRACTION
    return ModelEstimate(fits[chosen].value, caution=ZAYATZ_FOR_PITMAN if replaces_pitman else fits[chosen].caution)


def _dankar_choice(fits: dict[str, ModelEstimate], fraction: float) -> str | None:
    """Choose by the decision rule of Dankar, El Emam, Neisa, Roffey (2012).

    Up to a sampling fraction of 0.1 Pitman's model, or Zayatz's where that fails; above it the smaller of
    Zayatz's and the SNB.
    """
    if fraction <= DANKAR_FRACTION:
        order = ["pitman", "zayatz"]
    else:
        values = {name: fits[name].value for name in ("zayatz", "snb")}
        order = sorted(values, key=lambda name: math.inf if values[name] is None else float(values[name] or 0))
    return next((name for name in order if fits[name].value is not None), None)


ALL_UNIQUE = fact("risk.all_sample_unique")
ONE_CLASS = fact("risk.single_class")
NO_INDEX = fact("risk.no_index")


def pitman(sample: Sample) -> ModelEstimate:
    """Estimate by Pitman's sampling formula (Hoshino 2001): ``gamma(t+1) / gamma(t+a) * N^a``.

    The parameters t (theta) and a (alpha) maximise the likelihood
    ``sum_{i<J} log(t + i a) - sum_{i<n} log(t + i) + sum_j sum_{i<f_j} log(i - a)``:
    for each a in (0, 1) the score in t has one root, and along these the score in a is followed to its root.
    """
    if sample.n == sample.c1:
        return ModelEstimate(None, ALL_UNIQUE)
    if sample.classes == 1:
        return ModelEstimate(None, ONE_CLASS)
    if not sample.c1:
        return ModelEstimate(None, NO_UNIQUES)
    # Denser at both ends, where tables of almost only uniques or of few classes have their index.
    grid = np.concatenate([[1e-4, 1e-3], np.linspace(0.01, 0.99, 50), [0.999, 0.9999]])
    roots = sign_changes(lambda a: _score_alpha(sample, _best_theta(sample, a), a), grid)
    if not roots:
        return ModelEstimate(None, NO_INDEX)
    # A root of the score may be a minimum: the likelihood decides among them.
    alpha = max(roots, key=lambda a: log_likelihood(sample, _best_theta(sample, a), a))
    theta = _best_theta(sample, alpha)
    value = math.exp(log_gamma_ratio(theta, 1, alpha) + alpha * math.log(sample.population))
    if value > sample.population:
        return ModelEstimate(None, TOO_MANY)
    return ModelEstimate(value, None, (("theta", theta), ("alpha", alpha)))


def _best_theta(sample: Sample, alpha: float) -> float:
    """Root in theta, above -alpha, of ``sum_{i<J} 1/(theta + i alpha) - sum_{i<n} 1/(theta + i)``."""

    def score(log_distance: float) -> float:
        theta = math.exp(log_distance) - alpha
        return _theta_sum(sample, theta, alpha) - float(digamma_sum(1 + theta, sample.n + theta))

    # Searched by the logarithm of the distance from -alpha, the end of the range: theta spans many orders of
    # magnitude.
    return math.exp(bisect(score, -30.0, 2 * math.log(sample.n) + 30)) - alpha


def _theta_sum(sample: Sample, theta: float, alpha: float) -> float:
    start = theta / alpha
    return float(digamma_sum(1 + start, sample.classes + start)) / alpha


def _score_alpha(sample: Sample, theta: float, alpha: float) -> float:
    """Derivative of the likelihood in alpha: ``sum_{i<J} i/(t + i a) - sum_j sum_{i<f_j} 1/(i - a)``."""
    gained = (sample.classes - 1 - theta * _theta_sum(sample, theta, alpha)) / alpha
    return gained - float((sample.count * digamma_sum(1 - alpha, sample.size - alpha)).sum())


def log_likelihood(sample: Sample, theta: float, alpha: float) -> float:
    """Return the logarithm of the likelihood of the class sizes, up to a constant."""
    from scipy.special import gammaln

    start = theta / alpha
    between = sample.classes - 1
    classes = between * math.log(alpha) + gammaln(start + 1 + between) - gammaln(start + 1)
    records = gammaln(theta + sample.n) - gammaln(theta + 1)
    within = (sample.count * (gammaln(sample.size - alpha) - gammaln(1 - alpha))).sum()
    return float(classes - records + within)


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
    observed = Count(n=round(seen), unit="class")
    return fact("risk.classes_disagree", expected=Number(value=expected), observed=observed)


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
