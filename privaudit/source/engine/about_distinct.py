"""About how many distinct rows there are, to choose a plan.

Question: would the distinct rows of a table fit in memory?
Method: every code of a column has a random 64-bit word, and the hash of a row is the sum of its words. Rows whose hash
is below a threshold are a sample of the distinct rows, in which each counts once, however often it occurs.
Limits: within about a percent of large numbers; never a reported number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

SAMPLED = 100_000
"""Rows of a table of distinct rows that are below the threshold, about."""


def about_distinct(
    blocks: Iterable[Iterable[npt.NDArray[np.integer[Any]]]], cardinalities: Sequence[int], n_rows: int
) -> int:
    """Return about how many distinct rows the codes of some columns form.

    Parameters
    ----------
    blocks : iterable of iterables of integer arrays
        The rows, block by block: one array of codes for each column, which may be made when it is read.
    cardinalities : sequence of int
        Every code of column i is below ``cardinalities[i]``.
    n_rows : int
    """
    rng = np.random.default_rng(0)
    words = [rng.integers(0, 1 << 64, n, dtype=np.uint64) for n in cardinalities]
    every = max(1, n_rows // SAMPLED)
    below = np.uint64((1 << 64) // every - 1)
    found = [np.zeros(0, np.uint64)]
    for codes in blocks:
        hashes = np.zeros(1, dtype=np.uint64)
        for word, code in zip(words, codes, strict=True):
            hashes = hashes + word[code]
        found.append(np.unique(hashes[hashes <= below]))
    return min(n_rows, len(np.unique(np.concatenate(found))) * every)
