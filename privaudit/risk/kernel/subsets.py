"""The input and output of the partition kernels: which sets of columns are searched, and what is counted for each.

Question: what does a kernel take, and what does it return?
Method: sets are ascending tuples of column numbers; columns are renumbered in ascending order of cardinality,
so that early partitions have few, large classes. Counts are a short histogram of class sizes, cut at the
largest threshold, the sum of squared class sizes and the smallest class: all integers.
Limits: the caller bounds the number of sets.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from itertools import combinations
from math import comb

import numpy as np

from privaudit.base.arrays import Codes, Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import CodedTable

ColumnSet = tuple[int, ...]


class OutOfTime(Exception):
    """A search passed its deadline; caught where the budget was set."""


def check_time(deadline: float | None) -> None:
    """Raise `OutOfTime` once `deadline` (of the monotonic clock) has passed."""
    if deadline is not None and time.monotonic() > deadline:
        raise OutOfTime


@dataclass(frozen=True, slots=True)
class SetCounts:
    """What a kernel counted, one row per set.

    Attributes
    ----------
    sets : tuple of ascending tuples of column numbers, s of them
    histogram : int64 array of shape (s, top + 1)
        ``histogram[i, f]`` classes of set i have f records; the last column counts those of `top` or more.
    squares : int64 array of shape (s,)
        Sum of squared class sizes.
    smallest : int64 array of shape (s,)
        Smallest class size, k.
    """

    sets: tuple[ColumnSet, ...]
    histogram: Ints
    squares: Ints
    smallest: Ints

    def below(self, k: int) -> Ints:
        """Return the records in classes smaller than `k` (at most `top`), for each set."""
        sizes = np.arange(k)
        return self.histogram[:, :k] @ sizes


@dataclass(frozen=True, slots=True)
class Prepared:
    """A coded table prepared for a kernel: columns ordered by cardinality, rows and weights only.

    Attributes
    ----------
    order : tuple of int
        ``order[i]`` is the number, in the coded table, of the column that the kernel calls i.
    codes : tuple of int32 arrays of shape (d,)
    cardinalities : tuple of int
    weights : int64 array of shape (d,)
    """

    order: tuple[int, ...]
    codes: tuple[Codes, ...]
    cardinalities: tuple[int, ...]
    weights: Ints

    @property
    def n_columns(self) -> int:
        """Number of columns, m."""
        return len(self.order)

    def among(self, columns: Collection[int]) -> Prepared:
        """Return the same rows with some of the columns, numbered as in the coded table."""
        at = [i for i, column in enumerate(self.order) if column in columns]
        return Prepared(
            tuple(self.order[i] for i in at),
            tuple(self.codes[i] for i in at),
            tuple(self.cardinalities[i] for i in at),
            self.weights,
        )


def prepare(coded: CodedTable, *, widest_first: bool = False) -> Prepared:
    """Return `coded` with its columns in ascending order of cardinality, or in descending order."""
    cardinalities = [coded.cardinality(i) for i in range(len(coded.names))]
    # The place breaks ties, so that equal cardinalities give the same order, and the same work, in every run.
    order = sorted(range(len(coded.names)), key=lambda i: (cardinalities[i], i), reverse=widest_first)
    return Prepared(
        tuple(order),
        tuple(np.ascontiguousarray(coded.codes[i]) for i in order),
        tuple(cardinalities[i] for i in order),
        coded.weights,
    )


def sets_of(n_columns: int, sizes: Sequence[int], *, with_last: bool = False) -> tuple[ColumnSet, ...]:
    """Return all sets of the given sizes, or those that contain the last column, smaller sizes first."""
    last = (n_columns - 1,) if with_last else ()
    rest = range(n_columns - len(last))
    return tuple((*found, *last) for size in sizes for found in combinations(rest, size - len(last)))


def n_sets(n_columns: int, largest: int) -> int:
    """Return how many sets of 1 to `largest` columns there are."""
    return sum(comb(n_columns, size) for size in range(1, largest + 1))
