"""The stated intervals of a linkage contain the true rate in 95 of 100 cases, and no more than 97.

Simulated pairs of release and auxiliary table whose true rates are known. A population has skewed quasi-identifiers
and, for each person, the values that an attacker holds, some of them outdated. The release is a random sample of the
population. An auxiliary table holds some people of the release and some others. The true rates are those over
everybody who could have been drawn: all people of the release, and all others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import pytest

from privaudit.attacks.links.accuracy import (
    LookUp,
    bound_by_population,
    bound_rates,
    count_rates,
    fits_population,
    look_up_both,
)
from privaudit.attacks.links.people import People
from privaudit.attacks.links.record_matches import match_records
from privaudit.model.advantage import advantage
from privaudit.model.stats import Estimate

N_PAIRS = 200
N_AUXILIARY = 5
"""Auxiliary tables drawn for each release: a thousand intervals show the coverage to 0.7 percentage points."""


@dataclass(frozen=True)
class Population:
    """People with released values, the values an attacker would hold, and who is in the release."""

    released: np.ndarray
    held: np.ndarray
    members: np.ndarray
    others: np.ndarray

    @property
    def n(self) -> int:
        """People in the population."""
        return len(self.released)

    @property
    def correct(self) -> np.ndarray:
        """Whether each person of the release would be linked correctly: unique there, with values up to date."""
        return (self._matches(self.members) == 1) & self._is_up_to_date(self.members)

    @property
    def claimed(self) -> np.ndarray:
        """Whether each other person would be claimed: exactly one record has the values held of the person."""
        return self._matches(self.others) == 1

    def _is_up_to_date(self, people: np.ndarray) -> np.ndarray:
        return (self.released[people] == self.held[people]).all(axis=1)

    def _matches(self, people: np.ndarray) -> np.ndarray:
        rows, counts = np.unique(self.released[self.members], axis=0, return_counts=True)
        size = {row.tobytes(): count for row, count in zip(rows, counts.tolist(), strict=True)}
        return np.array([size.get(row.tobytes(), 0) for row in self.held[people]])


def draw_population(rng: np.random.Generator) -> Population:
    """Draw a population, and a release of a tenth to two fifths of it."""
    n, n_columns = int(rng.integers(8_000, 20_000)), int(rng.integers(2, 7))
    columns = []
    for _ in range(n_columns):
        shares = rng.dirichlet(np.full(rng.integers(4, 20), 0.7))
        columns.append(rng.choice(len(shares), size=n, p=shares))
    released = np.array(columns, dtype=np.int32).T.copy()
    held = released.copy()
    outdated, column = rng.random(n) < rng.uniform(0, 0.15), rng.integers(0, n_columns, n)
    held[outdated, column[outdated]] = rng.integers(0, 4, outdated.sum())
    order = rng.permutation(n)
    cut = int(n * rng.uniform(0.1, 0.4))
    return Population(released, held, order[:cut], order[cut:])


def draw_auxiliary(rng: np.random.Generator, population: Population) -> np.ndarray:
    """Draw people of an auxiliary table: few of the release, and few others."""
    parts = [
        rng.choice(people, rng.integers(60, 500), replace=False) for people in (population.members, population.others)
    ]
    return np.concatenate(parts)


def link(population: Population, auxiliary: np.ndarray, *, truth: bool) -> LookUp:
    """Return the auxiliary rows looked up in the release."""
    ours = list(population.released[population.members].T)
    theirs = list(population.held[auxiliary].T)
    if truth:
        release, others = population.members.astype(np.int64), auxiliary.astype(np.int64)
        people = People(release, others, population.n, identified=np.ones(len(release), bool))
    else:
        n = len(population.members)
        people = People(np.arange(n), n + np.arange(len(auxiliary)), n + len(auxiliary))
    return look_up_both(match_records(ours, theirs), people, ours, theirs)[0]


def contains(stated: Estimate, true: float) -> bool:
    return stated.low <= true <= stated.high


def simulate(n_pairs: int, n_auxiliary: int, seed: int) -> dict[str, float]:
    """Return the share of cases in which each stated interval contains the true rate, or each bound holds."""
    rng, held = np.random.default_rng(seed), defaultdict(list)
    for _ in range(n_pairs):
        population = draw_population(rng)
        correct, outside = population.correct, population.claimed.mean()
        success = correct.mean()
        for _ in range(n_auxiliary):
            auxiliary = draw_auxiliary(rng, population)
            found = link(population, auxiliary, truth=True)
            rates, guess = count_rates(found), found.guess
            held["success"].append(contains(rates.success, success))
            held["control"].append(contains(rates.control, outside))
            gain = max(0.0, (success - guess) / (1 - guess))
            held["advantage"].append(contains(advantage(rates.success, guess), gain))
            bound = bound_rates(link(population, auxiliary, truth=False)).success.high
            held["bound"].append(bound >= max(success, rates.success.value))
            held["bound_of_rows"].append(bound >= rates.n_correct / len(auxiliary))
            sample = rng.choice(population.n, rng.integers(200, 1_000), replace=False)
            found = link(population, sample, truth=False)
            n_correct = count_rates(link(population, sample, truth=True)).n_correct
            bound = bound_by_population(found, population.n).success.high
            held["population_bound"].append(bound >= max(correct.sum() / population.n, n_correct / len(sample)))
            held["population_fits"].append(fits_population(found, population.n))
    return {name: float(np.mean(cases)) for name, cases in held.items()}


BOUNDS = ("bound", "bound_of_rows", "population_bound", "population_fits")


@pytest.mark.slow
def test_intervals_contain_the_true_rate_as_often_as_stated():
    coverage = simulate(N_PAIRS, N_AUXILIARY, seed=11)
    for name in ("success", "control", "advantage"):
        assert 0.93 <= coverage[name] <= 0.97, (name, coverage)
    for name in BOUNDS:
        assert coverage[name] >= 0.95, (name, coverage)


def test_intervals_contain_the_true_rate_in_a_few_simulated_pairs():
    coverage = simulate(8, 4, seed=5)
    for name in ("success", "control", "advantage"):
        assert coverage[name] >= 0.8, (name, coverage)
    for name in BOUNDS:
        assert coverage[name] >= 0.95, (name, coverage)


def test_a_register_attack_is_a_linkage_with_the_tables_exchanged():
    rng = np.random.default_rng(3)
    ours, theirs = ([rng.integers(-1, 4, n).astype(np.int32) for _ in range(3)] for n in (60, 90))
    release, auxiliary = rng.permutation(200)[:60], rng.permutation(200)[:90]
    first = People(release, auxiliary, 200, identified=np.ones(60, bool))
    second = People(auxiliary, release, 200, identified=np.ones(90, bool))
    register = look_up_both(match_records(ours, theirs), first, ours, theirs)[1]
    exchanged = look_up_both(match_records(theirs, ours), second, theirs, ours)[0]
    assert count_rates(register) == count_rates(exchanged)
    assert bound_rates(register) == bound_rates(exchanged)
    assert register.guess == exchanged.guess == 1 / 90


def test_people_known_to_be_in_the_release_are_not_a_random_sample_of_the_population():
    """Every auxiliary row matches, where one in ten of a random sample would: the population must not lower success."""
    rng = np.random.default_rng(4)
    released = rng.integers(0, 1_000, (10_000, 2)).astype(np.int32)
    members = np.arange(1_000)
    population = Population(released, released, members, np.arange(1_000, 10_000))
    assert not fits_population(link(population, members[:300], truth=False), population.n)
    assert fits_population(link(population, rng.permutation(10_000)[:300], truth=False), population.n)
