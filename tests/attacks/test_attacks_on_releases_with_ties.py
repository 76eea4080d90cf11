"""Rows that are equally near: linkability and inference, row by row, and whatever the values are called."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from privaudit.attacks.members.compared_tables import Compared, Rows
from privaudit.attacks.members.inference import infer
from privaudit.attacks.members.linkability import join_halves
from privaudit.attacks.members.singling_out import multivariate
from privaudit.attacks.values.class_modes import WITHIN

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 30))]


def draw(random, n, sizes):
    return [tuple(int(random.integers(size)) for size in sizes) for _ in range(n)]


def compared(release, members, outsiders, numbers=()):
    """Return tables of small integers, sorted as attacks read them; those in columns `numbers` are numbers."""
    d = len(release[0])

    def as_rows(rows):
        codes = np.array(sorted(rows), dtype=np.int64)
        return Rows(codes, np.where(np.isin(np.arange(d), numbers), codes, math.nan).astype(float))

    people = np.array(members + outsiders)
    spans = np.where(np.isin(np.arange(d), numbers), np.maximum(np.ptp(people, axis=0), 1), 1).astype(float)
    tables = (as_rows(rows) for rows in (release, members, outsiders))
    return Compared(tuple(f"c{i}" for i in range(d)), tuple(i in numbers for i in range(d)), spans, *tables)


def distances(target, rows, columns, numbers=(), spans=None):
    """Return Gower's sum between a person and each row."""
    return [
        round(
            sum(abs(target[j] - row[j]) / spans[j] if j in numbers else float(target[j] != row[j]) for j in columns), 6
        )
        for row in rows
    ]


def near_and_open(found, k):
    """Return the rows that are among the k nearest for certain, and those of which some are."""
    last = sorted(found)[k - 1]
    return {i for i, x in enumerate(found) if x < last}, {i for i, x in enumerate(found) if x == last}


def probability_of_a_common_row(one, other, k):
    """Return how probable a common row is where open rows are drawn at random, for each half on its own."""
    (sure, ties), (sure2, ties2) = one, other
    if sure & sure2:
        return 1.0
    drawn, drawn2 = k - len(sure), k - len(sure2)
    both, free = len(ties & ties2), len(ties - ties2 - sure2)
    apart = sum(
        math.comb(both, j) * math.comb(free, drawn - j) * math.comb(len(ties2 - sure) - j, drawn2)
        for j in range(min(both, drawn) + 1)
        if j <= len(ties2 - sure)
    )
    return 1 - apart / math.comb(len(ties), drawn) / math.comb(len(ties2), drawn2)


@pytest.mark.parametrize("seed", SEEDS)
def test_halves_meet_as_often_as_equally_near_rows_are_drawn_at_random(seed):
    """Six standard deviations: a correct attack fails in one of 10^9 tables."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 4, size=4 + seed % 3)
    members, outsiders, others = (draw(random, 1_500, sizes) for _ in range(3))
    release = sorted(members[: 150 * (seed % 3)] + others[:300])
    half = len(sizes) // 2
    halves = range(half), range(half, len(sizes))
    table = compared(release, members, outsiders)
    attack = join_halves(table, halves, table.members, table.outsiders)
    measures = attack.detail.measures
    for people, rates in (
        (members, (attack.success, measures["nearest_members"])),
        (outsiders, (attack.control_rate, measures["nearest_outsiders"])),
    ):
        for k, rate in zip((10, 1), rates, strict=True):
            expected = variance = 0.0
            for person, n in Counter(people).items():
                near = (near_and_open(distances(person, release, columns), k) for columns in halves)
                chance = probability_of_a_common_row(*near, k)
                expected, variance = expected + n * chance, variance + n * chance * (1 - chance)
            assert abs(rate.value * len(people) - expected) <= 6 * math.sqrt(variance) + 1e-6, k


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_probability_of_a_common_row_is_that_of_listing_all_draws(k):
    for sure, ties, sure2, ties2 in (
        (set(), {0, 1, 2, 3}, set(), {2, 3, 4}),
        ({9}, {0, 1, 2}, {1}, {0, 2, 9, 7}),
        (set(), {0, 1, 2}, {0}, {1, 2, 5}),
    ):
        if k <= len(sure | sure2) or k - len(sure) > len(ties):
            continue
        draws = [
            [given | set(chosen) for chosen in combinations(sorted(some), k - len(given))]
            for given, some in ((sure, ties), (sure2, ties2))
        ]
        meets = [bool(a & b) for a, b in product(*draws)]
        assert probability_of_a_common_row((sure, ties), (sure2, ties2), k) == pytest.approx(np.mean(meets))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_guess_is_the_most_frequent_value_of_all_nearest_rows(seed):
    """A number among many: the lower median of the nearest rows, right within a band."""
    random = np.random.default_rng(seed)
    is_number = seed % 3 == 2
    sizes = [3, 12, 2, 80 if is_number else 4]
    members, outsiders, others = (draw(random, 80, sizes) for _ in range(3))
    release = members[: 40 * (seed % 2)] + others[:70]
    numbers = (1, 3) if is_number else (1,)
    table = compared(release, members, outsiders, numbers)
    attack = infer(table, 3, table.members, table.outsiders)
    for people, rate in ((members, attack.success), (outsiders, attack.control_rate)):
        least = most = 0
        for person in people:
            found = distances(person, release, range(3), numbers, table.spans)
            secrets = sorted(row[3] for row, x in zip(release, found, strict=True) if x == min(found))
            if is_number:
                guesses = {secrets[(len(secrets) - 1) // 2]}
            else:
                counts = Counter(secrets)
                leading = [value for value, n in counts.items() if n == max(counts.values())]
                overall = Counter(row[3] for row in release)
                guesses = {value for value in leading if overall[value] == max(overall[x] for x in leading)}
            right = [abs(x - person[3]) <= (WITHIN * person[3] if is_number else 0) for x in guesses]
            least, most = least + all(right), most + any(right)
        assert least <= round(rate.value * len(people)) <= most


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_values_decide_no_guess(seed):
    """Of two equally frequent values of a class, the more frequent one of the release is guessed."""
    random = np.random.default_rng(seed)
    release = [(a, b, int(random.random() < 0.7)) for a, b in product(range(4), range(5)) for _ in range(4)]
    release.append((4, 4, 0))
    assert sum(row[2] for row in release) * 2 != len(release)
    members, outsiders = (draw(random, 60, (4, 5, 2)) for _ in range(2))

    def renamed(rows):
        return [(a, b, 1 - c) for a, b, c in rows]

    tables = [compared(*map(of, (release, members, outsiders))) for of in (list, renamed)]
    found = [infer(table, 2, table.members, table.outsiders) for table in tables]
    assert found[0].success == found[1].success and found[0].control_rate == found[1].control_rate
    assert found[0].baseline == found[1].baseline


@pytest.mark.parametrize("seed", range(3))
def test_a_guess_of_at_least_or_at_most_contains_a_number(seed):
    random = np.random.default_rng(seed)
    values = np.where(random.random((80, 5)) < 0.5, math.nan, random.integers(0, 40, (80, 5)).astype(float))
    rows = Rows(np.nan_to_num(values, nan=-1).astype(np.int64), values)
    table = Compared(tuple("abcde"), (True,) * 5, np.ones(5), rows, rows, rows)
    statements, guesses = multivariate(table, random)
    is_side = statements.sides != 0
    assert is_side.any() and not np.isnan(guesses.numbers[is_side]).any()
    assert (guesses.codes[~is_side] == -1).any() and (guesses.sides == statements.sides).all()
    assert len(np.unique(guesses.numbers[is_side])) > 20
