"""Coverage of the intervals of release attacks and of sampled partial knowledge, in 1,000 simulated runs each."""

from __future__ import annotations

import math

import numpy as np
import pytest

from privaudit.attacks.facts import partial_knowledge
from privaudit.attacks.facts.partial_knowledge import count_known
from privaudit.attacks.members import singling_out
from privaudit.attacks.members.compared_tables import Compared, Rows
from privaudit.attacks.members.membership import Scored, auc, recognised
from privaudit.attacks.members.near_copies import CRITICAL, largest_difference

RUNS = 1_000


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize(("shift", "n", "m"), [(3.0, 60, 60), (0.5, 200, 200), (1.0, 100, 300), (0.0, 150, 150)])
def test_the_interval_of_the_area_covers_it(shift, n, m):
    """Normal scores: the area is the probability that a member's exceeds an outsider's, Phi(shift / sqrt 2)."""
    random = np.random.default_rng(1)
    true, covered = 0.5 * (1 + math.erf(shift / 2)), 0
    for _ in range(RUNS):
        found = auc(Scored(random.normal(shift, 1, n), random.normal(0, 1, m)))
        covered += found.low <= true <= found.high
    assert 0.93 * RUNS <= covered <= 0.97 * RUNS


def exceeded(threshold, mean):
    """Return the probability that a normal score with this mean is above a threshold."""
    return 0.5 * math.erfc((threshold - mean) / math.sqrt(2))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(("shift", "n"), [(1.0, 100), (0.0, 100), (2.0, 100), (0.5, 300)])
def test_the_interval_of_recognised_members_covers_the_advantage_at_the_threshold_of_the_attack(shift, n):
    """The threshold is one of the outsiders' scores, so that the share of further outsiders above it is not 1 %."""
    random, rarest = np.random.default_rng(6), np.arange(n) < n // 10
    covered = 0
    for _ in range(RUNS):
        scored = Scored(random.normal(shift, 1, n), random.normal(0, 1, n))
        threshold = sorted(scored.outsiders)[-1 - n // 100]
        success, control = exceeded(threshold, shift), exceeded(threshold, 0)
        found = recognised((), scored, rarest, "nearest").advantage
        covered += found.low <= (success - control) / (1 - control) <= found.high
    assert 0.93 * RUNS <= covered <= 0.985 * RUNS


def test_scores_that_know_nothing_succeed_as_often_as_guessing():
    random, rarest = np.random.default_rng(9), np.arange(1_000) < 100
    found = [recognised((), Scored(*random.normal(0, 1, (2, 1_000))), rarest, "nearest") for _ in range(50)]
    assert np.mean([each.success.value for each in found]) == pytest.approx(found[0].baseline, rel=0.2)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(("copied", "n"), [(0.05, 500), (0.2, 300), (0.6, 200)])
def test_the_interval_of_the_share_of_near_copies_covers_it(copied, n):
    """A share of the members is at distance 0; the distances of all others are those of outsiders."""
    random = np.random.default_rng(2)
    critical, covered = CRITICAL * math.sqrt(2 / n), 0
    for _ in range(RUNS):
        inside = np.where(random.random(n) < copied, 0.0, random.gamma(2, 1, n)).astype(np.float32)
        d, _place = largest_difference(inside, random.gamma(2, 1, n).astype(np.float32))
        covered += d - critical <= copied <= d + critical
    assert covered >= 0.93 * RUNS


def test_a_release_without_copies_is_significant_in_one_of_twenty_runs_at_most():
    """Distances and ranks are two attacks on the same people: both together stay below 5 %."""
    random = np.random.default_rng(3)
    n, alarms = 300, 0
    critical = CRITICAL * math.sqrt(2 / n)
    for _ in range(RUNS):
        pairs = (random.gamma(2, 1, (2, n)).astype(np.float32) for _ in range(2))
        alarms += any(largest_difference(*pair)[0] > critical for pair in pairs)
    assert alarms <= 0.065 * RUNS  # 5 %, and two standard deviations of 1,000 runs


def numbers_of_people(random: np.random.Generator, n: int, n_columns: int) -> Rows:
    """Columns of whole numbers that depend on one property of a person."""
    values = np.round((random.normal(size=(n, 1)) + random.normal(size=(n, n_columns))) * 4)
    return Rows((values + 1_000).astype(np.int64), values)


@pytest.mark.slow
@pytest.mark.parametrize("n_columns", [5, 12])
@pytest.mark.parametrize("of", [singling_out.univariate, singling_out.multivariate])
def test_statements_about_a_release_of_others_are_significant_in_one_of_forty_runs_at_most(of, n_columns):
    """Many statements are about one row: each counted by itself, 22 % of the runs with 12 columns were significant."""
    random, runs, alarms = np.random.default_rng(4), 200, 0
    for _ in range(runs):
        release, members, outsiders = (numbers_of_people(random, 100, n_columns) for _ in range(3))
        names = tuple(f"c{i}" for i in range(n_columns))
        compared = Compared(names, (True,) * n_columns, np.ones(n_columns), release, members, outsiders)
        found = of(compared, random)
        statements = found[0] if of is singling_out.multivariate else found
        attack = singling_out.isolate(compared, statements, statements, members, outsiders, "tried")
        alarms += attack.advantage.low > 0
    assert alarms <= 0.025 * runs + 2 * math.sqrt(0.025 * 0.975 * runs)


def sampled_coverage(runs, most_visits, monkeypatch):
    """Return how often the interval of the mean over drawn sets contains the mean over all sets of four columns."""
    random = np.random.default_rng(4)
    spaces = (2, 3, 3, 4, 5, 6, 8, 9, 12)
    columns = [random.integers(0, space, 60).astype(np.int32) for space in spaces]
    weights = np.ones(60, dtype=np.int64)
    (true,) = (one for one in count_known(columns, spaces, weights, sizes=[4]) if one.m == 4)
    monkeypatch.setattr(partial_knowledge, "MOST_EXACT", 5)
    monkeypatch.setattr(partial_knowledge, "MOST_VISITS", most_visits)
    monkeypatch.setattr(partial_knowledge, "SETS_DRAWN", 40)
    covered = 0
    for seed in range(runs):
        (found,) = (one for one in count_known(columns, spaces, weights, sizes=[4], seed=seed) if one.m == 4)
        covered += found.unique.low <= true.unique.value <= found.unique.high
        assert found.n_unique_some <= true.n_unique_some and found.n_unique_worst <= true.n_unique_worst
    return covered


WORK = [0, 60 * 170]  # none beyond single columns; all sets of three columns, and those of four among the seven widest


@pytest.mark.slow
@pytest.mark.parametrize("most_visits", WORK)
def test_the_interval_of_sampled_unicity_covers_the_mean_over_all_sets(most_visits, monkeypatch):
    assert sampled_coverage(RUNS, most_visits, monkeypatch) >= 0.93 * RUNS


@pytest.mark.parametrize("most_visits", WORK)
def test_the_interval_of_sampled_unicity_covers_it_in_fewer_runs(most_visits, monkeypatch):
    # 93 %, and two standard deviations of 60 runs
    assert sampled_coverage(60, most_visits, monkeypatch) >= 0.86 * 60
