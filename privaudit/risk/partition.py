"""How do the records fall into classes, for every set of columns at once? The compiled kernel.

Question: class counts of thousands of column sets over millions of distinct rows.
Method: depth-first refinement of stripped partitions [1]_. A partition is row numbers and class offsets;
adding a column counts inside each class, with a scratch array as long as the column's dictionary, so nothing
is hashed or sorted. A class that holds one distinct row is settled: its weight is known, it cannot split, it
drops out. Columns come in ascending order of cardinality; below the first column of a set, codes are laid out
in its order.
Limits: 32-bit counters; a table of 2^31 records or more goes to `privaudit.risk.kernel_numpy`. Results are
integers, so they do not depend on threads.

References
----------
.. [1] Y. Huhtala et al., TANE: An Efficient Algorithm for Discovering Functional and Approximate
Dependencies,
   The Computer Journal 42(2), 1999.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from privaudit.risk.partition_loops import count_classes, gather, refine
from privaudit.risk.subsets import ColumnSet, Prepared, SetCounts, check_time, sets_of

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]

NONE = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True)
class _Partition:
    """Classes of two distinct rows or more, and what the settled ones add up to.

    ``rows[starts[c]:starts[c + 1]]`` are the members of class c, `weights` run beside them (empty where every
    weight is 1); `histogram`, `squares` and `smallest` are of the settled classes.
    """

    rows: Int32s
    weights: Int32s
    starts: Int32s
    histogram: Int64s
    squares: int
    smallest: int


class _Workspace:
    """Scratch of one thread: a counter per code, and one partition's room per depth."""

    def __init__(self, n_rows: int, widest: int, depths: int, *, weighted: bool) -> None:
        self.counts = np.zeros(widest, dtype=np.int32)
        self.sizes = np.zeros(widest if weighted else 0, dtype=np.int32)
        self.touched = np.zeros(widest + 1, dtype=np.int32)
        self.rows = [np.empty(n_rows, dtype=np.int32) for _ in range(depths)]
        self.weights = [np.empty(n_rows if weighted else 0, dtype=np.int32) for _ in range(depths)]
        self.starts = [np.empty(n_rows // 2 + 2, dtype=np.int32) for _ in range(depths)]


def count_sets(
    table: Prepared, *, sizes: Sequence[int], top: int, threads: int = 2, deadline: float | None = None
) -> SetCounts:
    """Count the classes of every set of the given sizes.

    Parameters
    ----------
    table : Prepared
        Fewer than 2^31 records.
    sizes : sequence of int
        Sizes of the sets to count, each from 1 to the number of columns.
    top : int
        Class sizes of `top` or more share the last bin of the histogram.
    threads : int
        Threads that share the work; the result does not depend on it.
    deadline : float, optional
        Time of the monotonic clock after which `OutOfTime` is raised.
    """
    search = _Search(table, sizes, top, threads, deadline)
    search.run()
    return SetCounts(search.sets, search.histogram, search.squares, search.smallest)


class _Search:
    """One walk over the tree of column sets; each set's line is written by exactly one task."""

    def __init__(
        self, table: Prepared, sizes: Sequence[int], top: int, threads: int, deadline: float | None
    ) -> None:
        self.table = table
        self.deadline = deadline
        self.sizes = frozenset(sizes)
        self.largest = max(sizes)
        self.top = top
        self.threads = threads
        self.sets = sets_of(table.n_columns, sizes)
        self.place = {found: i for i, found in enumerate(self.sets)}
        self.histogram = np.zeros((len(self.sets), top + 1), dtype=np.int64)
        self.squares = np.zeros(len(self.sets), dtype=np.int64)
        self.smallest = np.zeros(len(self.sets), dtype=np.int64)
        self.unit = bool((table.weights == 1).all())
        self.codes: Sequence[Int32s] = table.codes
        self.spaces: SimpleQueue[_Workspace] = SimpleQueue()

    def run(self) -> None:
        """Walk the whole tree."""
        n = len(self.table.weights)
        widest = max(self.table.cardinalities)
        for _ in range(self.threads):
            self.spaces.put(_Workspace(n, widest, max(self.largest - 2, 0), weighted=not self.unit))
        weights = np.zeros(0, np.int32) if self.unit else self.table.weights.astype(np.int32)
        root = _Partition(
            np.arange(n, dtype=np.int32),
            weights,
            np.array([0, n] if n > 1 else [0], dtype=np.int32),
            np.zeros(self.top + 1, np.int64),
            0,
            NONE,
        )
        if n == 1:
            root = self._lonely(root)
        with ThreadPoolExecutor(self.threads) as pool:
            for first in range(self.table.n_columns):
                self._below_first(first, root, pool)

    def _lonely(self, root: _Partition) -> _Partition:
        weight = int(self.table.weights[0])
        histogram = root.histogram.copy()
        histogram[min(weight, self.top)] = 1
        return _Partition(root.rows[:0], root.weights[:0], root.starts, histogram, weight * weight, weight)

    def _below_first(self, first: int, root: _Partition, pool: ThreadPoolExecutor) -> None:
        n = len(self.table.weights)
        space = _Workspace(n, self.table.cardinalities[first], 1, weighted=not self.unit)
        self.codes = self.table.codes
        part = self._refine((first,), root, space, 0)
        if self.largest == 1:
            return
        later = range(first + 1, self.table.n_columns)
        if self.largest > 2:
            laid = dict(
                zip(later, pool.map(lambda c: gather(self.table.codes[c], part.rows), later), strict=True)
            )
            self.codes = [laid.get(c, self.table.codes[c]) for c in range(self.table.n_columns)]
            part = _Partition(
                np.arange(len(part.rows), dtype=np.int32),
                part.weights,
                part.starts,
                part.histogram,
                part.squares,
                part.smallest,
            )
        list(pool.map(lambda c: self._task(first, c, part), later))

    def _task(self, first: int, second: int, part: _Partition) -> None:
        space = self.spaces.get()
        try:
            self._extend((first,), second, part, space)
        finally:
            self.spaces.put(space)

    def _extend(self, prefix: ColumnSet, column: int, part: _Partition, space: _Workspace) -> None:
        check_time(self.deadline)
        found = (*prefix, column)
        if len(found) == self.largest or column + 1 == self.table.n_columns:
            if len(found) in self.sizes:
                self._count(found, part, space)
            return
        child = self._refine(found, part, space, len(prefix) - 1)
        for later in range(column + 1, self.table.n_columns):
            self._extend(found, later, child, space)

    def _count(self, found: ColumnSet, part: _Partition, space: _Workspace) -> None:
        i = self.place[found]
        line = self.histogram[i]
        line += part.histogram
        squares, smallest = count_classes(
            self.codes[found[-1]],
            self.table.cardinalities[found[-1]],
            part.rows,
            part.weights,
            part.starts,
            space.counts,
            space.touched,
            line,
        )
        self.squares[i] = squares + part.squares
        self.smallest[i] = min(smallest, part.smallest)

    def _refine(self, found: ColumnSet, part: _Partition, space: _Workspace, depth: int) -> _Partition:
        whole = part.histogram.copy()
        settled = part.histogram.copy()
        rows, weights, starts = space.rows[depth], space.weights[depth], space.starts[depth]
        n_rows, n_classes, squares, smallest, settled_squares, settled_smallest = refine(
            self.codes[found[-1]],
            self.table.cardinalities[found[-1]],
            part.rows,
            part.weights,
            part.starts,
            space.counts,
            space.sizes,
            space.touched,
            rows,
            weights,
            starts,
            whole,
            settled,
        )
        if len(found) in self.sizes:
            i = self.place[found]
            self.histogram[i] = whole
            self.squares[i] = squares + part.squares
            self.smallest[i] = min(smallest, part.smallest)
        return _Partition(
            rows[:n_rows],
            weights[:n_rows],
            starts[: n_classes + 1],
            settled,
            settled_squares + part.squares,
            min(settled_smallest, part.smallest),
        )
