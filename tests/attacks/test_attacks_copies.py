"""Copies among rare rows: which rows are chosen, and what the comparison finds where many rows are equal by chance."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.attacks.members.compared_tables import Compared, Rows
from privaudit.attacks.members.copies import LEAST_RARE, _chance_matches, _compare, _match_rows, _rare_rows

SIZES = (2, 5, 8, 6, 4)


def table(n: int, random: np.random.Generator, sizes: tuple[int, ...] = SIZES) -> Rows:
    """Return rows of skewed and related columns."""
    first = random.integers(0, 1 << 16, n) ** 2 >> 20
    codes = np.column_stack([(first // 7**i + (random.random(n) < 0.2) * random.integers(9, size=n)) % s
                             for i, s in enumerate(sizes)])  # fmt: skip
    return Rows(codes.astype(np.int64), np.full(codes.shape, np.nan))


def compared(release: Rows, members: Rows, outsiders: Rows) -> Compared:
    names = tuple(f"c{i}" for i in range(members.codes.shape[1]))
    return Compared(names, (False,) * len(names), np.ones(len(names)), release, members, outsiders)


@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 4))
def test_matches_by_chance_are_those_of_a_loop_over_all_pairs(seed: int, n: int, d: int) -> None:
    random = np.random.default_rng(seed)
    tables = compared(*(table(n, random, SIZES[:d]) for _ in range(3)))
    codes = np.vstack([rows.codes for rows in tables.tables()])
    expected = [
        np.mean([
            sum((other != row).nonzero()[0].tolist() == [i] for other in codes) * np.mean(codes[:, i] == row[i])
            for i in range(d)
        ])
        for row in codes
    ]  # fmt: skip
    np.testing.assert_allclose(_chance_matches(tables), expected)


@pytest.mark.parametrize("seed", range(4))
def test_the_choice_of_rare_rows_does_not_depend_on_who_is_a_member(seed: int) -> None:
    random = np.random.default_rng(seed)
    release, members, outsiders = (table(1_500, random) for _ in range(3))
    people = np.vstack([members.codes, outsiders.codes])
    mixed = random.permutation(len(people))
    others = [Rows(part, np.full(part.shape, np.nan)) for part in np.split(people[mixed], 2)]
    before = compared(release, members, outsiders)
    after = replace(before, members=others[0], outsiders=others[1])
    chosen = _rare_rows(before, _match_rows(before))
    assert 2 * LEAST_RARE <= chosen.sum() < len(people)
    assert np.array_equal(chosen[mixed], _rare_rows(after, _match_rows(after)))


def test_rows_are_chosen_by_their_rarity_and_occur_once() -> None:
    random = np.random.default_rng(5)
    tables = compared(*(table(2_000, random) for _ in range(3)))
    matches = _match_rows(tables)
    chosen, chance = _rare_rows(tables, matches), _chance_matches(tables)[2_000:]
    assert matches.once[chosen].all()
    assert chance[chosen].max() < chance[matches.once & ~chosen].min()


@pytest.mark.slow
def test_copies_are_noticed_more_often_the_more_there_are_and_other_people_seldom() -> None:
    """In 100 populations: of a level of 95 % over both comparisons, at most 8 are findings where nobody was copied."""
    random = np.random.default_rng(1)
    found = []
    for share in (0.0, 0.05, 0.15):
        noticed = 0
        for _ in range(100):
            members, outsiders, others = (table(1_500, random) for _ in range(3))
            cut = round(share * members.n)
            codes = np.vstack([members.codes[:cut], others.codes[cut:]])
            release = Rows(codes, np.full(codes.shape, np.nan))
            noticed += any(each.advantage.low > 0 for each in _compare(compared(release, members, outsiders)))
        found.append(noticed)
    assert found[0] <= 8
    assert all(a < b for a, b in pairwise(found))
