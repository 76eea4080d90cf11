"""Class counts of every set of columns at once: the kernel in array operations.

Question: as in `privaudit.risk.kernel.partition`, for tables so small that loading the compiler would take longer.
Method: depth-first; each set refines the class labels of its prefix by packing label and code into one
integer, counted by a table where the space is small and by sorting where it is not. Rows that are alone
in their class are dropped.
Limits: about 30 ns for each row and set. Integers throughout, so results do not depend on the order of rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.sorted_keys import number_keys
from privaudit.risk.kernel.subsets import ColumnSet, Prepared, SetCounts, check_time, sets_of


@dataclass(frozen=True, slots=True)
class _Partition:
    """Rows in classes of several distinct rows, their class labels, and the sizes of the finished classes."""

    rows: npt.NDArray[np.intp]
    labels: Ints
    n_classes: int
    finished: Ints


def count_sets(
    table: Prepared, *, sizes: Sequence[int], top: int, deadline: float | None = None, with_last: bool = False
) -> SetCounts:
    """Count the classes of every set of the given sizes.

    Parameters
    ----------
    table : Prepared
    sizes : sequence of int
        Sizes of the sets to count, each from 1 to the number of columns.
    top : int
        Class sizes of `top` or more share the last bin of the histogram.
    deadline : float, optional
        Time of the monotonic clock after which `OutOfTime` is raised.
    with_last : bool, default False
        Count only the sets that contain the last column.
    """
    sets = sets_of(table.n_columns, sizes, with_last=with_last)
    search = _Search(table, max(sizes, default=0), top, {found: i for i, found in enumerate(sets)}, deadline)
    everyone = _Partition(
        np.arange(len(table.weights)), np.zeros(len(table.weights), np.int64), 1, np.zeros(0, np.int64)
    )
    search.descend((), everyone)
    return SetCounts(sets, search.histogram, search.squares, search.smallest)


class _Search:
    """One walk over the tree of column sets."""

    def __init__(
        self, table: Prepared, largest: int, top: int, place: dict[ColumnSet, int], deadline: float | None
    ) -> None:
        self.deadline = deadline
        self.table = table
        self.largest = largest
        self.place = place
        self.histogram = np.zeros((len(place), top + 1), dtype=np.int64)
        self.squares = np.zeros(len(place), dtype=np.int64)
        self.smallest = np.zeros(len(place), dtype=np.int64)

    def descend(self, prefix: ColumnSet, part: _Partition) -> None:
        """Count every set that extends `prefix`."""
        if len(prefix) >= self.largest:
            return
        check_time(self.deadline)
        for column in range(prefix[-1] + 1 if prefix else 0, self.table.n_columns):
            child, sizes = self._refine(part, column)
            found = (*prefix, column)
            if found in self.place:
                self._record(self.place[found], sizes)
            self.descend(found, child)

    def _refine(self, part: _Partition, column: int) -> tuple[_Partition, Ints]:
        key = part.labels * self.table.cardinalities[column] + self.table.codes[column][part.rows]
        labels, n_classes = _number(key, part.n_classes * self.table.cardinalities[column])
        members = np.bincount(labels, minlength=n_classes)
        sizes = np.bincount(labels, weights=self.table.weights[part.rows], minlength=n_classes)
        whole = sizes.astype(np.int64)
        alone = members == 1
        rank = np.cumsum(~alone) - 1
        stay = ~alone[labels]
        finished = np.concatenate([part.finished, whole[alone]])
        child = _Partition(part.rows[stay], rank[labels[stay]], int((~alone).sum()), finished)
        return child, np.concatenate([part.finished, whole])

    def _record(self, i: int, sizes: Ints) -> None:
        top = self.histogram.shape[1] - 1
        self.histogram[i] = np.bincount(np.minimum(sizes, top), minlength=top + 1)
        self.squares[i] = np.dot(sizes, sizes)
        self.smallest[i] = sizes.min(initial=np.iinfo(np.int64).max) if len(sizes) else 0


def _number(key: Ints, space: int) -> tuple[Ints, int]:
    if space <= max(4 * len(key), 1024):
        present = np.zeros(space, dtype=bool)
        present[key] = True
        rank = np.cumsum(present) - 1
        return rank[key], int(rank[-1]) + 1 if space else 0
    labels, distinct = number_keys(key, space)
    return labels, len(distinct)
