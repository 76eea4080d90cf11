"""The nearest rows of a release, for many targets.

Question: how far is each target from its nearest row of a table, and which rows are nearest?
Method: all pairs in blocks that stay in the cache, on all cores; Gower's sum over numbers and categories
(`attacks.members.compared_tables`). A block of targets sees one row after the other of the table as a vector.
Limits: exact; the time grows with targets times rows. Of equally near rows any is returned.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privaudit.attacks.members.compared_tables import Points
from privaudit.base.parallel import all_threads, each

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
BLOCK = 32
"""Targets whose distances to all rows are in memory at once, for each thread."""
PIECE = 8_192
"""Rows whose distances to a block are computed together: two arrays of a megabyte stay in the cache."""


def nearest_distance(targets: Points, table: Points) -> Floats:
    """Return the distance of each target to its nearest row of `table`; infinite where the table is empty."""

    def smallest(start: int) -> Floats:
        # The minimum is taken piece by piece: the distances of a block to the whole table are never in memory.
        best = np.full(len(targets.numbers[start : start + BLOCK]), np.inf, dtype=np.float32)
        for at in range(0, len(table.numbers), PIECE):
            best = np.minimum(best, _distances(targets, table, start, at).min(axis=1))
        return best

    found = each(smallest, _blocks(targets), all_threads(targets.threads))
    return np.concatenate(found) if found else np.empty(0, dtype=np.float32)


def nearest_rows(targets: Points, table: Points, k: int = 1) -> Ints:
    """Return the `k` nearest rows of each target, in no particular order: int64 array of shape (targets, k)."""
    k = min(k, len(table.numbers))

    def nearest(start: int) -> Ints:
        pieces = [_distances(targets, table, start, at) for at in range(0, len(table.numbers), PIECE)]
        distance = np.hstack(pieces)
        found: Ints
        # A partition finds the k nearest without the cost of ordering all rows.
        found = distance.argmin(axis=1)[:, None] if k == 1 else np.argpartition(distance, k - 1, axis=1)[:, :k]
        return found

    rows = each(nearest, _blocks(targets), all_threads(targets.threads))
    return np.concatenate(rows) if rows else np.empty((0, k), dtype=np.int64)


def _blocks(targets: Points) -> range:
    """Return where each block of targets begins."""
    return range(0, len(targets.numbers), BLOCK)


def _distances(targets: Points, table: Points, start: int, at: int) -> Floats:
    """Return the distances between a block of targets and a piece of the table."""
    rows, piece = slice(start, start + BLOCK), slice(at, at + PIECE)
    shape = len(targets.numbers[rows]), len(table.numbers[piece])
    total = np.zeros(shape, dtype=np.float32)
    part = np.empty(shape, dtype=np.float32)
    for mine, theirs in zip(targets.numbers[rows].T, table.numbers[piece].T, strict=True):
        np.subtract(mine[:, None], theirs[None, :], out=part)
        np.abs(part, out=part)
        total += part
    differs = np.empty(shape, dtype=bool)
    for mine, theirs in zip(targets.categories[rows].T, table.categories[piece].T, strict=True):
        np.not_equal(mine[:, None], theirs[None, :], out=differs)
        total += differs
    return total
