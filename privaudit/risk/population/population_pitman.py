"""Population uniques by Pitman's sampling formula.

Question: how many people are unique if class sizes follow a model in which new combinations keep occurring?
Method: maximum likelihood by nested roots: for each index alpha the score in theta has one root, and along
these the score in alpha is followed to its root; all sums are differences of digamma functions.
Limits: the index must lie between 0 and 1; where the class sizes are more even than that, there is no
estimate.
"""

from __future__ import annotations

import math

import numpy as np

from privaudit.model.wording import fact
from privaudit.risk.population.population_numerics import (
    NO_UNIQUES,
    TOO_MANY,
    ModelEstimate,
    Sample,
    bisect,
    digamma_sum,
    log_gamma_ratio,
    sign_changes,
)

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
