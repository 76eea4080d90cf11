"""The nearest rows of a release, for many targets.

Question: how far is each target from its nearest row of a table, and which rows are nearest?
Method: all pairs in blocks that stay in the cache, on all cores; Gower's sum over numbers and categories
(`attacks.members.compared_tables`). A block of targets sees one row after the other of the table as a vector.
Limits: the time grows with targets times rows. Distances that differ by less than single precision shows are equal.
Which of equally near rows are returned is drawn at random: their order in the table is that of their values, and would
decide otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from privaudit.attacks.members.compared_tables import Points
from privaudit.base.arrays import Ints
from privaudit.base.parallel import all_threads, each

Floats = npt.NDArray[np.float32]
Exact = npt.NDArray[np.float64]
Found = TypeVar("Found")
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
    # Of equally near rows any has the distance.
    rows = np.concatenate([*_by_block(targets, table, lambda _, pieces: _least(pieces)), np.empty(0, dtype=np.int64)])
    # Measured again in double precision: single precision makes equal distances differ in the last digits, and a
    # threshold would then divide targets that are equally near.
    found: Exact = np.abs(targets.numbers - table.numbers[rows]).sum(axis=1)
    found += (targets.categories != table.categories[rows]).sum(axis=1)
    return found.round(DIGITS)


def nearest_rows(targets: Points, table: Points, k: int = 1, seed: int = 0) -> Ints:
    """Return the `k` nearest rows of each target, in no particular order: int64 array of shape (targets, k).

    Of the rows that are as far as the last of them, those that are returned are drawn at random. Attacks that compare
    the rows of two searches need different seeds, or equally near rows would be the same ones in both.
    """
    k = min(k, len(table.numbers))

    def nearest(start: int, pieces: Iterator[Floats]) -> Ints:
        return _nearest_of(np.hstack([*pieces]), k, np.random.default_rng([seed, start]), _rounding(table))

    rows = _by_block(targets, table, nearest)
    return np.concatenate(rows) if rows else np.empty((0, k), dtype=np.int64)


def with_nearest(
    targets: Points, table: Points, function: Callable[[Ints, Ints, int], npt.NDArray[np.number]]
) -> Exact:
    """Return what `function` makes of all rows that are nearest to each target, one number for each target.

    Parameters
    ----------
    function : callable
        Of a row for each pair of a target and one of its nearest rows, the target of the pair, and how many targets
        there are; returns an array of one number for each of these targets.
    """

    def of_block(_: int, pieces: Iterator[Floats]) -> npt.NDArray[np.number]:
        distances = np.hstack([*pieces])
        labels, rows = np.nonzero(distances <= distances.min(axis=1, keepdims=True) + _rounding(table))
        return function(rows, labels, len(distances))

    found = _by_block(targets, table, of_block)
    return np.concatenate(found).astype(np.float64) if found else np.empty(0)


def _by_block(targets: Points, table: Points, function: Callable[[int, Iterator[Floats]], Found]) -> list[Found]:
    """Return what `function` makes of the distances of each block of targets to all rows, in pieces, on all cores."""
    targets, table = (points._replace(numbers=points.numbers.astype(np.float32)) for points in (targets, table))

    def of_block(start: int) -> Found:
        pieces = (_distances(targets, table, start, at) for at in range(0, len(table.numbers), PIECE))
        return function(start, pieces)

    return each(of_block, range(0, len(targets.numbers), BLOCK), all_threads(targets.threads))


def _rounding(points: Points) -> float:
    """Return by how much single precision makes equal distances differ: the last digit of each term of the sum."""
    return float(np.finfo(np.float32).eps * (points.numbers.shape[1] + 1))


def _nearest_of(distances: Floats, k: int, random: np.random.Generator, rounding: float) -> Ints:
    """Return the `k` nearest rows of each target of a block."""
    # A partition finds the k nearest without the cost of ordering all rows.
    found: Ints = np.argpartition(distances, k - 1, axis=1)[:, :k]
    last = np.take_along_axis(distances, found, axis=1).max(axis=1, keepdims=True)
    is_open = (distances <= last + rounding).sum(axis=1) > k
    if is_open.any():
        far, last = distances[is_open], last[is_open]
        drawn = np.where(far < last - rounding, -1.0, random.random(far.shape))
        found[is_open] = np.argpartition(np.where(far <= last + rounding, drawn, np.inf), k - 1, axis=1)[:, :k]
    return found


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
