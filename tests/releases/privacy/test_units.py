"""Rows of a person, coins and parts: by random words of the operating system, independently for each unit."""

from __future__ import annotations

import numpy as np
import pytest

from privaudit.releases.privacy.units import at_most, coins, parts


@pytest.mark.parametrize("most", [1, 2, 5])
def test_at_most_m_rows_of_each_person_are_kept_and_none_of_nobody(most: int) -> None:
    owner = np.random.default_rng(0).integers(31, size=300)
    kept = at_most(owner, 30, most)
    counts = np.bincount(owner, minlength=31)
    assert (np.diff(kept) > 0).all()
    assert (np.bincount(owner[kept], minlength=30)[:30] == np.minimum(counts[:30], most)).all()
    assert 30 not in owner[kept]


def test_every_row_of_a_person_is_as_likely_to_be_kept() -> None:
    owner = np.zeros(5, dtype=np.int64)
    counts = np.bincount(np.concatenate([at_most(owner, 1, 2) for _ in range(4_000)]), minlength=5)
    assert np.abs(counts - 1_600).max() < 5 * (4_000 * 0.4 * 0.6) ** 0.5


@pytest.mark.parametrize("share", [0.0, 0.2, 0.999_999_999_999, 1.0])
def test_coins_have_their_probability(share: float) -> None:
    found = coins(100_000, share)
    assert abs(found.mean() - share) <= 5 * (share * (1 - share) / 100_000) ** 0.5 + 1e-9


def test_parts_are_equally_likely() -> None:
    counts = np.bincount(parts(50_000, 5), minlength=5)
    assert len(counts) == 5
    assert np.abs(counts - 10_000).max() < 5 * (50_000 * 0.2 * 0.8) ** 0.5
