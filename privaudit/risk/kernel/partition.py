"""Class counts of every set of columns at once: the compiled kernel.

Question: class counts of thousands of column sets over millions of distinct rows.
Method: columns are in ascending order of cardinality. Sets whose table over all codes fits into the cache are
counted depth-first, every row carrying the number of its class: one more column is one sequential pass. For
the others, rows are laid out class by class of the set's widest column, and stripped partitions [1]_ are
refined from there by ever narrower columns: a class fits into the cache, and a class of one distinct row
is finished: its size is known and it is dropped. Nothing is hashed or sorted.
Limits: 32-bit counters; a table of 2^31 records or more goes to `privaudit.risk.kernel.partition_arrays`. Results are
integers, so they do not depend on threads.

References
----------
.. [1] Y. Huhtala et al., TANE: An Efficient Algorithm for Discovering Functional and Approximate
   Dependencies, The Computer Journal 42(2), 1999.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Ints
from privaudit.base.records import dataclass
from privaudit.risk.kernel import partition_loops as loops
from privaudit.risk.kernel.subsets import ColumnSet, Prepared, SetCounts, check_time, sets_of

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Int32s = Codes
Int64s = Ints

TABLE_SPACE = 1 << 20  # entries of 4 bytes, most of which fit into the second-level cache of a core


@dataclass(frozen=True, slots=True)
class _Partition:
    """Classes of two distinct rows or more, and the counts of the finished classes.

    ``rows[starts[c]:starts[c + 1]]`` are the lines of `matrix` in class c, with their `weights` (empty
    where every weight is 1); `histogram`, `squares` and `smallest` are of the finished classes.
    """

    matrix: npt.NDArray[Any]
    rows: Int32s
    weights: Int32s
    starts: Int32s
    histogram: Int64s
    squares: int
    smallest: int


class _Workspace:
    """Scratch memory of one thread; arrays for a partition are allocated when a depth first needs them."""

    def __init__(self, table: _Table) -> None:
        widest = max(table.cardinalities)
        self.n = table.n_rows
        self.weighted = len(table.weights) > 0
        self.counts = np.zeros(max(widest, table.space), dtype=np.int32)
        self.sizes = np.zeros(widest if self.weighted else 0, dtype=np.int32)
        self.touched = np.zeros(widest + 1, dtype=np.int32)
        self.one_class = np.zeros(self.n, dtype=np.int32)
        self._rooms: dict[tuple[str, int], Int32s] = {}

    def room(self, kind: str, depth: int) -> Int32s:
        """Return an array of int32 for one purpose at one depth."""
        if (kind, depth) not in self._rooms:
            length = {"starts": self.n // 2 + 2, "weights": self.n * self.weighted}.get(kind, self.n)
            self._rooms[kind, depth] = np.empty(length, dtype=np.int32)
        return self._rooms[kind, depth]


class _Table:
    """The prepared table in the layouts that the loops read."""

    def __init__(self, table: Prepared) -> None:
        n = len(table.weights)
        self.codes = table.codes
        self.cardinalities = table.cardinalities
        self.n_columns = table.n_columns
        unit = bool((table.weights == 1).all())
        self.weights = np.zeros(0, np.int32) if unit else table.weights.astype(np.int32)
        self.n_rows = n
        # Every table is read and cleared whole: one much larger than the rows takes longer than they do.
        self.space = min(TABLE_SPACE, max(4 * n, 1024))
        # Two bytes for each code where they suffice: the passes are bound by the memory that they read.
        narrow = max(table.cardinalities) <= 1 << 16
        self.matrix = np.empty((n, table.n_columns), dtype=np.uint16 if narrow else np.int32)
        for i, codes in enumerate(table.codes):
            self.matrix[:, i] = codes


def count_sets(
    table: Prepared,
    *,
    sizes: Sequence[int],
    top: int,
    threads: int = 2,
    deadline: float | None = None,
    with_last: bool = False,
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
    with_last : bool, default False
        Count only the sets that contain the last column.
    """
    search = _Search(_Table(table), sizes, top, deadline, with_last)
    search.run(threads)
    return SetCounts(search.sets, search.histogram, search.squares, search.smallest)


class _Search:
    """One walk over the tree of column sets; each set's line is written by exactly one task."""

    def __init__(self, table: _Table, sizes: Sequence[int], top: int, deadline: float | None, with_last: bool) -> None:
        self.table = table
        self.with_last = with_last
        self.deadline = deadline
        self.largest = max(sizes)
        self.cardinalities = np.array(table.cardinalities, dtype=np.int64)
        self.sets = sets_of(table.n_columns, sizes, with_last=with_last)
        self.place = {found: i for i, found in enumerate(self.sets)}
        self.histogram = np.zeros((len(self.sets), top + 1), dtype=np.int64)
        self.squares = np.zeros(len(self.sets), dtype=np.int64)
        self.smallest = np.zeros(len(self.sets), dtype=np.int64)
        self.spaces: SimpleQueue[_Workspace] = SimpleQueue()

    def run(self, threads: int) -> None:
        """Walk the whole tree: tables by pairs of first columns, the rest by widest and second widest column."""
        from concurrent.futures import ThreadPoolExecutor

        # Memory for each thread, not for each task: a task waits until another returns its workspace.
        for _ in range(threads):
            self.spaces.put(_Workspace(self.table))
        first = self.table.n_columns - 1 if self.with_last else 0
        wide = [c for c in reversed(range(first, self.table.n_columns)) if not self._all_fit((c,))]
        with ThreadPoolExecutor(threads) as pool:
            # The next column is laid out while the sets below this one are counted, and no more than two layouts are
            # in memory.
            laid = [pool.submit(self._lay_out, column) for column in wide[:1]]
            tables = [pool.submit(self._table_task, *task) for task in self._table_tasks()]
            for i, column in enumerate(wide):
                part = laid.pop().result()
                laid = [pool.submit(self._lay_out, narrower) for narrower in wide[i + 1 : i + 2]]
                self._below(column, part, pool)
            for task in tables:
                task.result()

    def _record(self, found: ColumnSet, line: Int64s, squares: int, smallest: int) -> None:
        i = self.place.get(found)
        if i is not None:
            self.histogram[i] = line
            self.squares[i] = squares
            first = int(np.argmax(line > 0))
            # Below the last bin the histogram is exact; the loops track the smallest size in the last bin alone.
            self.smallest[i] = first if first < len(line) - 1 else smallest

    # Sets whose table fits: columns ascend.

    def _fits(self, found: Sequence[int]) -> bool:
        return prod(self.table.cardinalities[c] for c in found) <= self.table.space

    def _table_tasks(self) -> list[tuple[int, int | None]]:
        firsts = [c for c in range(self.table.n_columns) if self._fits((c,))]
        pairs = [(a, b) for a in firsts for b in firsts if a < b and self._fits((a, b)) and self.largest > 1]
        return [*((c, None) for c in firsts), *pairs]

    def _table_task(self, first: int, second: int | None) -> None:
        space = self.spaces.get()
        try:
            if second is None:
                self._by_table((first,), space.one_class, 1, space, deeper=False)
            else:
                labels, n_classes = self.table.codes[first], self.table.cardinalities[first]
                self._by_table((first, second), labels, n_classes, space)
        finally:
            self.spaces.put(space)

    def _by_table(
        self, found: ColumnSet, labels: Int32s, n_classes: int, space: _Workspace, *, deeper: bool = True
    ) -> None:
        """Count `found`, given the class numbers over all its columns but the last, and every set that extends it."""
        check_time(self.deadline)
        table, cardinality = self.table, self.table.cardinalities[found[-1]]
        line = np.zeros(self.histogram.shape[1], np.int64)
        given = (labels, table.codes[found[-1]], cardinality, table.weights, space.counts)
        later = [c for c in range(found[-1] + 1, table.n_columns) if self._fits((*found, c))]
        if not deeper or not later or len(found) == self.largest:
            loops.table_count(*given)
            squares, smallest = loops.table_tally(space.counts, n_classes * cardinality, line)
            self._record(found, line, squares, smallest)
            return
        out = space.room("labels", len(found))
        size = n_classes * cardinality
        n_new, squares, smallest = loops.table_number(*given, size, line, out)
        self._record(found, line, squares, smallest)
        for column in later:
            self._by_table((*found, column), out, n_new, space)

    # All other sets: columns descend from the widest.

    def _all_fit(self, found: ColumnSet) -> bool:
        """Return whether the tables of all sets that extend `found` by narrower columns fit."""
        # The widest of the narrower columns: where their table fits, that of every other choice does.
        room = min(self.largest - len(found), found[-1])
        return self._fits((*found, *range(found[-1] - room, found[-1])))

    def _lay_out(self, column: int) -> _Partition:
        table = self.table
        matrix = np.empty((table.n_rows, max(column, 1)), dtype=table.matrix.dtype)
        weights = np.empty(table.n_rows if len(table.weights) else 0, dtype=np.int32)
        starts = np.empty(table.n_rows // 2 + 2, dtype=np.int32)
        finished = np.zeros(self.histogram.shape[1], np.int64)
        at = np.zeros(table.cardinalities[column], dtype=np.int32)
        n_rows, n_classes, squares, smallest = loops.lay_out(
            table.matrix, column, at, table.weights, matrix, weights, starts, finished
        )
        return _Partition(
            matrix,
            np.arange(n_rows, dtype=np.int32),
            weights[:n_rows],
            starts[: n_classes + 1],
            finished,
            squares,
            smallest,
        )

    def _below(self, column: int, part: _Partition, pool: ThreadPoolExecutor) -> None:
        """Count every set whose widest column is `column`, except those whose table fits."""
        if not self._fits((column,)):
            self._single(column)
        if self.largest == 2:
            list(pool.map(lambda _: self._task(lambda space: self._leaves((column,), part, space)), [None]))
        elif self.largest > 2:
            seconds = [c for c in reversed(range(column)) if not self._all_fit((column, c))]
            list(pool.map(lambda c: self._task(lambda space: self._extend((column, c), part, space)), seconds))

    def _task(self, work: Callable[[_Workspace], None]) -> None:
        space = self.spaces.get()
        try:
            work(space)
        finally:
            self.spaces.put(space)

    def _single(self, column: int) -> None:
        """Count a single column whose table does not fit."""
        weights = self.table.weights if len(self.table.weights) else None
        sizes = np.bincount(self.table.codes[column], weights=weights).astype(np.int64)
        sizes = sizes[sizes > 0]
        top = self.histogram.shape[1] - 1
        line = np.bincount(np.minimum(sizes, top), minlength=top + 1)
        self._record((column,), line, int(np.dot(sizes, sizes)), int(sizes.min()))

    def _extend(self, found: ColumnSet, part: _Partition, space: _Workspace) -> None:
        """Refine `part` by the last column of `found`, and count every set that extends it."""
        check_time(self.deadline)
        child = self._refine(found, part, space)
        if len(found) + 1 == self.largest or found[-1] == 1:
            self._leaves(found, child, space)
            return
        for column in reversed(range(found[-1])):
            if not self._all_fit((*found, column)):
                self._extend((*found, column), child, space)

    def _leaves(self, prefix: ColumnSet, part: _Partition, space: _Workspace) -> None:
        """Count the sets that add one narrower column to `prefix`, except those whose table fits."""
        stop = prefix[-1]
        first = sum(self._fits((*prefix, c)) for c in range(stop))
        if first == stop:
            return
        histograms = np.zeros((stop, self.histogram.shape[1]), dtype=np.int64)
        squares = np.full(stop, part.squares, dtype=np.int64)
        smallest = np.full(stop, part.smallest, dtype=np.int64)
        loops.count_children(
            part.matrix,
            first,
            stop,
            self.cardinalities,
            part.rows,
            part.weights,
            part.starts,
            space.counts,
            space.touched,
            np.zeros((3, stop), dtype=np.int64),
            histograms,
            squares,
            smallest,
        )
        for column in range(first, stop):
            line = histograms[column] + part.histogram
            found = (column, *reversed(prefix))
            self._record(found, line, int(squares[column]), int(smallest[column]))

    def _refine(self, found: ColumnSet, part: _Partition, space: _Workspace) -> _Partition:
        depth = len(found)
        whole, finished = part.histogram.copy(), part.histogram.copy()
        rows, weights, starts = (space.room(kind, depth) for kind in ("rows", "weights", "starts"))
        n_rows, n_classes, squares, smallest, finished_squares, finished_smallest = loops.refine(
            part.matrix,
            found[-1],
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
            finished,
        )
        # Sets whose table fits are counted by the tables; each line is written by one task alone.
        if not self._fits(found):
            ascending = tuple(reversed(found))
            self._record(ascending, whole, squares + part.squares, min(smallest, part.smallest))
        return _Partition(
            part.matrix,
            rows[:n_rows],
            weights[:n_rows],
            starts[: n_classes + 1],
            finished,
            finished_squares + part.squares,
            min(finished_smallest, part.smallest),
        )
