"""How many links can be correct at most, where the truth is not known?

Question: what share of the targets is linked correctly at most?
Method: without a population, as many targets as possible are taken to be in the searched table. A class with A target
people and S searched people has at most ``min(S, A)`` of them, and a link drawn at random is correct in 1 of S cases:
success is at most ``sum min(S, A) / S`` over ``sum min(S, A)``, and at least allows for the mean of 1/S over the
searched people of classes with a target, which is the success for one of them drawn at random. With a population of N
people of which the target people are a random sample, each is in the searched table with probability ``n / N``, n its
people, so that success is ``n / N`` times the mean of 1/S over all searched people.
Limits: bounds, not estimates: targets whose values are outdated are linked less often. The population is not used where
more rows match than a random sample of it would.

References
----------
.. [1] F. K. Dankar, K. El Emam, A method for evaluating marketer re-identification risk, PAIS 2010.
"""

from __future__ import annotations

import math

import numpy as np

from privaudit.attacks.links.accuracy import LinkRates, LookUp
from privaudit.attacks.links.people import count_people
from privaudit.model.attacks import EXPECTED
from privaudit.model.stats import Estimate, at_most

STANDARD_ERRORS = 3
"""Standard errors above the expected share of matches from which the population is taken not to fit."""


def bound_rates(found: LookUp) -> LinkRates:
    """Return the success to be expected at most if as many targets as possible are in the searched table."""
    n, expected = found.most_in_both, found.expected_correct
    if not n:  # nobody can be in both tables
        n_people = count_people(found.targets.people)
        return LinkRates(n_people, None, at_most(0.0, n_people, method=EXPECTED))
    success = at_most(min(1.0, expected / n), n, least=mean_chance(found, met=True), method=EXPECTED)
    return LinkRates(n, None, success)


def expect_rates(found: LookUp) -> LinkRates:
    """Return the success to be expected if each record were a person, where several may belong to one.

    The records of a class may all belong to one person, so that each target that matches can be linked: the interval
    ends at 1 where a target matches, and at 0 otherwise.
    """
    n, expected = found.most_in_both, found.expected_correct
    if not n:
        n_people = count_people(found.targets.people)
        return LinkRates(n_people, None, Estimate(value=0.0, low=0.0, high=0.0, n=n_people, method=EXPECTED))
    return LinkRates(n, None, Estimate(value=min(1.0, expected / n), low=0.0, high=1.0, n=n, method=EXPECTED))


def bound_by_population(found: LookUp, n_population: int) -> LinkRates:
    """Return the success to be expected at most if the targets are a random sample of a population.

    Parameters
    ----------
    n_population : int
        People in the population that the searched table was drawn from.
    """
    n = count_people(found.targets.people)
    share = min(1.0, count_people(found.searched.people) / n_population)
    success = min(share * mean_chance(found), found.expected_correct / n)
    return LinkRates(n, None, at_most(success, n, method=f"{EXPECTED}-population"))


def mean_chance(found: LookUp, *, met: bool = False) -> float:
    """Return the mean over searched people of 1/S: the chance to draw them from the S people with equal values.

    A person with several rows has the mean chance of the rows; a row with a missing cell has none. With `met`,
    people whose values no target has do not count: they are in no link.
    """
    side = found.searched
    placed = side.labels >= 0
    chance = np.zeros(len(side.labels))
    chance[placed] = 1 / found.crowd.size[side.labels[placed]]
    is_met = np.append((found.target_crowd.size > 0) | (not met), True)[side.labels]
    known = (side.people >= 0) & is_met
    rows = np.bincount(side.people[known])
    total = np.bincount(side.people[known], weights=chance[known])
    present = rows > 0
    values = np.concatenate([total[present] / rows[present], chance[(side.people < 0) & is_met]])
    return math.fsum(values.tolist()) / max(1, len(values))


def fits_population(found: LookUp, n_population: int) -> bool:
    """Return whether no more target rows match than those of a random sample of the population would.

    A person of the searched table matches at least the own record. Everybody else matches with the probability q that
    a searched person shares the values with another one, so that a share of ``p + (1 - p) q`` is expected to match,
    ``p = n / N``. More than three standard errors above that, the targets are more often in the table than assumed.
    """
    side = found.searched
    n_searched, n_targets = count_people(side.people), len(found.targets.labels)
    p = min(1.0, n_searched / n_population)
    size = np.append(found.crowd.size, 0)[side.labels]
    q = float((size > 1).mean())
    expected = p + (1 - p) * q
    variance = expected * (1 - expected) / n_targets + (1 - p) ** 2 * q * (1 - q) / len(size)
    matched = float((found.claims.size > 0).mean())
    return matched <= expected + STANDARD_ERRORS * math.sqrt(variance)
