"""Rare rows, ranks and the ratio of distances, row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest

from privaudit.attacks.members.compared_tables import Compared, Rows
from privaudit.attacks.members.copies import NOTICED, _chance_matches, _match_rows, _rare_rows
from privaudit.attacks.members.membership import recognise
from privaudit.attacks.members.near_copies import sweep

SEEDS = range(30)


def tables(seed, n, values=7):
    """Return release, members and outsiders as lists of rows: a number, a category and, at times, a missing number."""
    random = np.random.default_rng(seed)

    def draw(rows):
        numbers = random.integers(0, values, size=(rows, 2)).astype(float)
        numbers[random.random(rows) < 0.1, 1] = math.nan
        return [(int(kind), *row) for kind, row in zip(random.integers(0, 3, rows), numbers.tolist(), strict=True)]

    members, outsiders = draw(n), draw(n + 5)
    return members[: seed % n] + draw(n - seed % n + 3), members, outsiders


def compared(*rows_of_tables):
    def as_rows(rows):
        values = np.array([(math.nan, *row[1:]) for row in rows])
        codes = np.array([(row[0], *(-1 if math.isnan(x) else int(x) for x in row[1:])) for row in rows])
        return Rows(codes, values)

    release, members, outsiders = map(as_rows, rows_of_tables)
    everyone = np.vstack([members.values, outsiders.values])[:, 1:]
    spans = np.array([1.0, *(np.nanmax(everyone, axis=0) - np.nanmin(everyone, axis=0))])
    return Compared(("kind", "one", "other"), (False, True, True), spans, release, members, outsiders)


def key(row):
    return tuple("missing" if math.isnan(x) else x for x in row)


@pytest.mark.parametrize("seed", SEEDS)
def test_rare_rows_are_those_that_chance_repeats_least(seed):
    given = tables(seed, 70 + seed, values=30)
    release, members, outsiders = ([key(row) for row in rows] for rows in given)
    people, everyone = members + outsiders, release + members + outsiders
    once = [i for i, row in enumerate(people) if people.count(row) == 1]

    def chance(row):
        total = 0.0
        for j in range(3):
            differs_here_only = sum(
                other[j] != row[j] and all(other[k] == row[k] for k in range(3) if k != j) for other in everyone
            )
            total += differs_here_only * sum(other[j] == row[j] for other in everyone)
        return total / (3 * len(everyone))

    rarity = {i: chance(people[i]) for i in once}
    table = compared(*given)
    matches = _match_rows(table)
    assert _chance_matches(table)[len(release) :][once] == pytest.approx([rarity[i] for i in once])
    best: tuple[float, set[int]] = (-1.0, set())
    for level in sorted({round(x, 9) for x in rarity.values()}):
        chosen = {i for i in once if rarity[i] <= level + 1e-9}
        share = sum(people[i] in release for i in chosen) / len(chosen)
        signal = len(chosen) * (1 - share) / (share + NOTICED / 2)
        if len(chosen) >= 100 and signal > best[0] + 1e-9:
            best = signal, chosen
    assert set(np.flatnonzero(_rare_rows(table, matches)).tolist()) == best[1]


def ranks(column):
    """Return of each number how many are smaller, and half of those that are equal, as a share: the mean rank."""
    known = [x for x in column if not math.isnan(x)]
    return [(sum(y < x for y in known) + (known.count(x) + 1) / 2) / len(known) if x == x else x for x in column]


def distance(one, other, low, spans, has_missing):
    total = float(one[0] != other[0])
    for j in (1, 2):
        a, b = (0.5 if math.isnan(row[j]) else (row[j] - low[j]) / spans[j] for row in (one, other))
        total += abs(a - b) + (has_missing[j] and math.isnan(one[j]) != math.isnan(other[j]))
    return round(total, 9)


def nearest(rows, table, low=(0, 0, 0), spans=(1, 1, 1), has_missing=(0, 1, 1)):
    return [min(distance(row, other, low, spans, has_missing) for other in table) for row in rows]


@pytest.mark.parametrize("seed", SEEDS)
def test_ranks_are_compared_within_the_release_and_within_all_people(seed):
    release, members, outsiders = tables(seed, 25 + seed % 5)
    table = compared(release, members, outsiders).by_rank()

    def ranked(rows):
        columns = [ranks([row[j] for row in rows]) for j in (1, 2)]
        return [(row[0], *pair) for row, *pair in zip(rows, *columns, strict=True)]

    people = ranked(members + outsiders)
    of_people = [row[1:] for row in people]
    low = [0.0, *(min(x[j] for x in of_people if not math.isnan(x[j])) for j in (0, 1))]
    inside, outside = (nearest(rows, ranked(release), low) for rows in (people[: len(members)], people[len(members) :]))
    attack = sweep(table, table.members, table.outsiders, "ranks")
    excess = [
        sum(x <= t + 1e-7 for x in inside) / len(inside) - sum(x <= t + 1e-7 for x in outside) / len(outside)
        for t in {*inside, *outside}
    ]
    assert attack.advantage.value == pytest.approx(max(excess))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ratio_of_distances_ranks_members_as_a_loop_over_all_pairs_does(seed):
    release, members, outsiders = tables(seed, 60, values=40)
    table = compared(release, members, outsiders)
    numbers = [[row[j] for row in members + outsiders if not math.isnan(row[j])] for j in (1, 2)]
    low, spans = [0, *map(min, numbers)], [1, *(max(x) - min(x) for x in numbers)]
    reference = outsiders[15:]
    scores = []
    for rows in (members[:15], outsiders[:15]):
        near, apart = (nearest(rows, others, low, spans) for others in (release, reference))
        scores.append([math.log((b + 0.001) / (a + 0.001)) for a, b in zip(near, apart, strict=True)])
    first, rest = np.arange(15), np.arange(15, len(outsiders))
    attack = {
        one.detail.method: one
        for one in recognise(table, table.members.take(first), table.outsiders.take(first), table.outsiders.take(rest))
    }["density_ratio"]
    wins = [(a > b + 1e-9) + (abs(a - b) <= 1e-9) / 2 for a in scores[0] for b in scores[1]]
    assert attack.detail.measures["auc"].value == pytest.approx(sum(wins) / len(wins))
    assert attack.success.value == pytest.approx(sum(a > max(scores[1]) + 1e-9 for a in scores[0]) / 15)
