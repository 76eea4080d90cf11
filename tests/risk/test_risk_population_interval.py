"""The interval for population uniques covers the truth whatever the population, or is absent with a limit."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.population.population_interval import compatible_uniques
from privaudit.risk.population.population_numerics import Sample
from privaudit.risk.population.population_risk import estimate_uniques
from tests.helpers.paths import third_party


def drawn(people, n, rng):
    sizes = rng.multivariate_hypergeometric(people, n, method="marginals")
    size, count = np.unique(sizes[sizes > 0], return_counts=True)
    return Sample.of(size, count, int(people.sum()))


def adult(*columns):
    import csv

    with third_party("arx/data/adult.csv").open(encoding="utf-8") as file:
        records = csv.DictReader(file, delimiter=";")
        return np.array(list(Counter(tuple(r[c] for c in columns) for r in records).values()))


POPULATIONS = {
    "slide negative binomial": lambda rng: 1 + rng.negative_binomial(0.5, 0.05, 5_000),
    "slide negative binomial, rarely unique": lambda rng: 1 + rng.negative_binomial(2.0, 0.3, 5_000),
    "heavy tail": lambda rng: rng.zipf(1.8, 8_000).clip(1, 4_000),
    "nobody unique": lambda rng: np.full(6_000, 2),
    "everybody unique": lambda rng: np.ones(10_000, int),
    "uniques and crowds": lambda rng: np.r_[np.ones(4_000, int), np.full(300, 40)],
    "Adult, eight columns": lambda rng: adult(
        "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"
    ),
    "Adult, four columns": lambda rng: adult("sex", "age", "race", "education"),
}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("fraction", [0.01, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("name", POPULATIONS)
def test_it_covers_the_population_uniques_of_real_and_made_populations(name, fraction):
    rng = np.random.default_rng([len(name), round(100 * fraction)])
    people = POPULATIONS[name](rng)
    truth, n = int((people == 1).sum()), round(int(people.sum()) * fraction)
    bounds = [compatible_uniques(drawn(people, n, rng)) for _ in range(10)]
    assert all(b is not None and b[0] <= truth <= b[1] for b in bounds)


def test_from_half_of_a_population_it_is_narrow():
    people = POPULATIONS["Adult, eight columns"](None)
    low, high = compatible_uniques(drawn(people, len(people), np.random.default_rng(3)))
    assert high - low < 0.5 * (people == 1).sum()


def means_of(population, sizes, fraction):
    """Expected classes of each size in the sample, by the definition of the binomial distribution."""
    return [
        sum(
            times * math.comb(size, i) * fraction**i * (1 - fraction) ** (size - i)
            for size, times in population.items()
            if size >= i
        )
        for i in sizes
    ]


@given(counts=st.lists(st.integers(0, 4), min_size=1, max_size=3).filter(any), more=st.integers(1, 12))
@settings(max_examples=30, deadline=None)
def test_no_compatible_population_of_brute_force_lies_outside(counts, more):
    n = sum(size * c for size, c in enumerate(counts, 1))
    people = n + more
    size = [i for i, c in enumerate(counts, 1) if c]
    sample = Sample.of(size, [c for c in counts if c], people)
    bounds = compatible_uniques(sample)
    ranges = 14  # twelve single sizes, a range for 13 and more, and one beyond every size
    tail = 0.05 / (2 * ranges)
    observed = [*counts, *([0] * (13 - len(counts)))][:12]
    intervals = [(chi2.ppf(tail, 2 * c) / 2 if c else 0.0, chi2.ppf(1 - tail, 2 * c + 2) / 2) for c in observed]
    for ks in itertools.product(range(0, people + 1, 3), repeat=3):
        population = dict(zip((1, 2, 5), ks, strict=True))
        total = sum(s * k for s, k in population.items())
        if total > people or abs(population[1] - sample.c1) > more:
            continue
        means = means_of(population, range(1, 13), n / people)
        if all(low <= mean <= high for mean, (low, high) in zip(means, intervals, strict=True)):
            assert bounds is not None
            assert bounds[0] - 1e-6 <= population[1] <= bounds[1] + 1e-6


@given(counts=st.lists(st.integers(0, 30), min_size=1, max_size=8).filter(any), factor=st.floats(1.01, 50))
@settings(max_examples=60, deadline=None)
def test_it_lies_within_what_people_outside_the_release_can_change(counts, factor):
    n = sum(size * c for size, c in enumerate(counts, 1))
    people = math.ceil(n * factor)
    sample = Sample.of([i for i, c in enumerate(counts, 1) if c], [c for c in counts if c], max(people, n + 1))
    bounds = compatible_uniques(sample)
    if bounds is None:
        return
    low, high = bounds
    outside = sample.population - n
    assert 0 <= low <= high <= sample.population
    assert sample.c1 - outside <= low
    assert high <= sample.c1 + outside


def test_a_higher_level_never_gives_a_narrower_interval():
    sample = drawn(POPULATIONS["Adult, eight columns"](None), 10_000, np.random.default_rng(2))
    bounds = [compatible_uniques(sample, level=level) for level in (0.8, 0.9, 0.95, 0.99)]
    assert all(wide[0] <= slim[0] and slim[1] <= wide[1] for slim, wide in itertools.pairwise(bounds))


def test_hundreds_of_millions_of_people_take_no_time():
    rng = np.random.default_rng(4)
    people = np.r_[np.ones(300_000, int), rng.zipf(1.7, 200_000).clip(1, 5_000_000), 200_000_000]
    sizes = rng.binomial(people, 0.3)
    size, count = np.unique(sizes[sizes > 0], return_counts=True)
    low, high = compatible_uniques(Sample.of(size, count, int(people.sum())))
    assert low <= (people == 1).sum() <= high


# What the report states


def limits_of(size, count, population):
    limits = []
    sizes = ClassSizes.of(np.repeat(size, count), n_rows=int(np.dot(size, count)))
    return estimate_uniques(sizes, population, "number", limits), limits


def codes(limits):
    return [limit.code for limit in limits]


def test_below_a_twentieth_of_the_population_a_limit_warns():
    size, count = [1, 2, 3, 5, 9], [500, 120, 60, 30, 10]
    n = int(np.dot(size, count))
    _, small = limits_of(size, count, 20 * n + 1)
    _, large = limits_of(size, count, 20 * n)
    assert "risk.small_sampling_fraction" in codes(small)
    assert "risk.small_sampling_fraction" not in codes(large)


def test_an_estimate_that_the_release_excludes_carries_a_limit():
    people = np.full(20_000, 3)  # nobody is unique; the models estimate thousands
    sample = drawn(people, 30_000, np.random.default_rng(5))
    found, limits = limits_of(sample.size.astype(int), sample.count.astype(int), 60_000)
    assert found.interval.high < found.zayatz
    excluded = [limit.values["model"].code for limit in limits if limit.code == "risk.estimate_incompatible"]
    assert "zayatz" in excluded


def test_a_release_that_is_not_a_random_sample_has_no_interval_and_a_limit():
    found, limits = limits_of([10], [200_000], 4_000_000)  # half of everybody, always ten of a class
    assert found.interval is None
    assert "risk.no_compatible_population" in codes(limits)


def test_the_whole_population_has_an_exact_interval():
    found, _ = limits_of([1, 4], [7, 2], 15)
    assert (found.interval.low, found.interval.high, found.interval.level) == (7, 7, 1.0)
