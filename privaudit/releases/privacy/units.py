"""Units of privacy: which rows of a person are read, and which units are held out.

Question: what may be chosen at random before noise is added, and by which random numbers?
Method: random words of the operating system, as for noise. At most m rows of each person bound what one person changes
in every count; a coin for each unit decides about it independently of all others.
Limits: a choice protects nothing by itself; it keeps the sensitivity that the mechanisms are calibrated for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.releases.privacy import noise

_WORDS = 2.0**64
MOST_ROWS = 10**6
"""Most rows of a person that a declaration may read."""


def at_most(owner: Any, n_people: int, most: int) -> Any:
    """Return the rows that are kept, ascending: at most `most` of each person, chosen at random.

    Parameters
    ----------
    owner : array of int of shape (n,)
        The person of each row; rows of `n_people` and above belong to nobody and are not kept.
    """
    words = noise.random_words(len(owner))
    order = np.lexsort((words, owner))
    ranked = owner[order]
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    place = np.arange(len(ranked)) - np.repeat(starts, np.diff(np.append(starts, len(ranked))))
    return np.sort(order[(place < most) & (ranked < n_people)])


def coins(n_units: int, share: float) -> Flags:
    """Return a coin for each unit, which is true with probability `share`."""
    return noise.random_words(n_units) < np.uint64(min(share * _WORDS, _WORDS - 2.0**11))


def parts(n_units: int, n_parts: int) -> Ints:
    """Return the part of each unit, 0 to ``n_parts - 1`` with the same probability."""
    return noise.uniform_below(n_parts, n_units)
