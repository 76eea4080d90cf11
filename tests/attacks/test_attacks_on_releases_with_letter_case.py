"""Copies where values differ in the case of their letters: as an attacker compares them who knows both tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from privaudit.attacks.inputs import AttackInputs
from privaudit.attacks.members.compared_tables import read_compared
from privaudit.attacks.members.copies import count_copies
from privaudit.settings.config import Settings
from privaudit.source import open_dataset

SETTINGS = Settings()
VALUES = ["a", "A", "bc", "Bc", "BC", "d", " D", "*"]


def draw(random, n):
    return pd.DataFrame({name: random.choice(VALUES, n) for name in ("one", "other")})


def copied(release, members, outsiders):
    """Return how many members and how many outsiders have an equal row in the release."""
    with (
        open_dataset(release, SETTINGS) as a,
        open_dataset(members, SETTINGS) as b,
        open_dataset(outsiders, SETTINGS) as c,
    ):
        compared, _ = read_compared(AttackInputs(release=a, original=b, outsiders=c, settings=SETTINGS))
    attack = count_copies(compared, "all_columns")
    return attack.n_correct, round(attack.control * attack.n_outsiders)


def expected(release, members, outsiders, form):
    def rows(table):
        return [tuple(form(cell.strip()) for cell in row) for row in table.itertuples(index=False)]

    released = set(rows(release))
    return tuple(sum(row in released for row in rows(table)) for table in (members, outsiders))


@pytest.mark.parametrize("seed", range(30))
def test_a_release_that_keeps_the_case_of_its_original_is_compared_as_it_is_written(seed):
    random = np.random.default_rng(seed)
    members, outsiders, others = (draw(random, n) for n in (60, 60, 30))
    release = pd.concat([members.iloc[: seed % 8], others], ignore_index=True)
    assert copied(release, members, outsiders) == expected(release, members, outsiders, str)


@pytest.mark.parametrize("change", [str.upper, str.lower, str.swapcase, str.title])
@pytest.mark.parametrize("seed", range(8))
def test_a_release_that_writes_values_in_another_case_has_the_copies_of_folded_values(seed, change):
    """`swapcase` writes what the original does not have ("bC"), as a program that changes the case of each letter."""
    random = np.random.default_rng(seed)
    members, outsiders, others = (draw(random, n) for n in (60, 60, 30))
    release = pd.concat([members.iloc[:9], others], ignore_index=True).map(change)
    if change is str.swapcase:
        assert (release == "bC").any(axis=None)
    assert copied(release, members, outsiders) == expected(release, members, outsiders, str.lower)


def test_who_is_a_member_does_not_decide_how_values_are_compared():
    random = np.random.default_rng(1)
    members, outsiders, release = (draw(random, 40) for _ in range(3))
    assert copied(release, members, outsiders) == copied(release, outsiders, members)[::-1]
