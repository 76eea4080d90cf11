"""The nearest rows of a release, for many targets.

Question: how far is each target from its nearest row of a table, and which rows are nearest?
Method: all pairs in blocks that stay in the cache, on all cores; Gower's sum over numbers and categories
(`attacks.members.compared_tables`). A block of targets sees one row after the other of the table as a vector.
Limits: the time grows with targets times rows. Of equally near rows any is returned; distances that differ by less than
single precision shows are equal.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from privaudit.attacks.members.compared_tables import Points
from privaudit.base.parallel import all_threads, each

Floats = npt.NDArray[np.float32]
Exact = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
BLOCK = 32
"""Targets whose distances to all rows are in memory at once, for each thread."""
PIECE = 8_192
"""Rows whose distances to a block are computed together: two arrays of a megabyte stay in the cache."""
DIGITS = 9
"""Decimals of a distance: fewer than double precision has, so that equal distances are equal numbers."""


def nearest_distance(targets: Points, table: Points) -> Exact:
    """Return the distance of each target to its nearest row of `table`; infinite where the table is empty."""
    if not len(table.numbers):
        return np.full(len(targets.numbers), np.inf)
    rows = nearest_rows(targets, table)[:, 0]
    # Measured again in double precision: single precision makes equal distances differ in the last digits, and a
    # threshold would then divide targets that are equally near.
    found: Exact = np.abs(targets.numbers - table.numbers[rows]).sum(axis=1)
    found += (targets.categories != table.categories[rows]).sum(axis=1)
    return found.round(DIGITS)


def nearest_rows(targets: Points, table: Points, k: int = 1) -> Ints:
    """Return the `k` nearest rows of each target, in no particular order: int64 array of shape (targets, k)."""
    k = min(k, len(table.numbers))
    targets, table = (points._replace(numbers=points.numbers.astype(np.float32)) for points in (targets, table))

    def nearest(start: int) -> Ints:
        pieces = (_distances(targets, table, start, at) for at in range(0, len(table.numbers), PIECE))
        if k == 1:
            least: Ints = _least(pieces)[:, None]
            return least
        # A partition finds the k nearest without the cost of ordering all rows.
        found: Ints = np.argpartition(np.hstack([*pieces]), k - 1, axis=1)[:, :k]
        return found

    rows = each(nearest, _blocks(targets), all_threads(targets.threads))
    return np.concatenate(rows) if rows else np.empty((0, k), dtype=np.int64)


def _least(pieces: Iterator[Floats]) -> Ints:
    """Return for each target the row of its smallest distance; one piece at a time is in memory."""
    first = next(pieces)
    targets = np.arange(len(first))
    found: Ints = first.argmin(axis=1)
    best, n_before = first[targets, found], first.shape[1]
    for piece in pieces:
        at = piece.argmin(axis=1)
        is_nearer = piece[targets, at] < best
        found[is_nearer] = n_before + at[is_nearer]
        best, n_before = np.minimum(best, piece[targets, at]), n_before + piece.shape[1]
    return found


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
