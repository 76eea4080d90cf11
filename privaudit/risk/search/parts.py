"""Combinations of a table whose distinct rows do not fit in memory, counted part by part.

Question: class counts of every small set of columns, and of all columns, where nearly all rows are distinct.
Method: one scan codes all rows in the narrowest type. The columns are taken in turn, the one with most values first.
Rows are divided by their value in that column, so each class over a set that contains it lies in one part: the counts
of the parts add up to exact ones. Then the column is omitted, and the rest collapses further. A column on which every
record is unique is not read: every record is unique on every set that contains it.
Limits: a value that most rows have makes one large part. Measures that need all rows at once (minimal sample uniques)
are not measured, and a time budget may end the search between two columns.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import prod

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass
from privaudit.model import Combination
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded_rows import CodedRows, Coding
from privaudit.risk.kernel.subsets import OutOfTime, Prepared, SetCounts, sets_of
from privaudit.risk.search.combinations import SearchResult, combination_of, combinations_of, count_sets, minimal_spans
from privaudit.risk.search.work import MOST_VISITS, beyond_bound, bounded, out_of_time
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.dataset import Dataset
from privaudit.source.engine.queries import about_distinct

SHARE_OF_ROWS = 0.25
"""Share of the memory of a run for the distinct rows and for counting them."""
BYTES_PER_CELL = 40
"""Memory of one cell of the distinct rows while they are coded and counted: text, codes, layouts of the kernel."""


@dataclass(frozen=True, slots=True)
class CountedInParts:
    """The combinations of a table, and its classes over all columns.

    Attributes
    ----------
    result : SearchResult
    sizes : ClassSizes
        Over all columns; a missing cell is a category.
    """

    result: SearchResult
    sizes: ClassSizes


SHARE_AT_ONCE, BYTES_AT_ONCE = 0.5, 150
"""Share of the memory for all distinct rows, and of one of their cells, where every measure and remedy is computed."""


def most_rows(settings: Settings, n_columns: int) -> int:
    """Return how many distinct rows over `n_columns` columns are searched at once: the memory setting decides."""
    from privaudit.source.input.allowed_size import room_of

    return max(1, int(room_of(settings) * SHARE_OF_ROWS / (BYTES_PER_CELL * max(1, n_columns))))


def rows_at_once(settings: Settings, n_columns: int) -> int:
    """Return up to how many distinct rows over `n_columns` columns every measure is computed, and no parts are made."""
    from privaudit.source.input.allowed_size import room_of

    most = int(room_of(settings) * SHARE_AT_ONCE / (BYTES_AT_ONCE * max(1, n_columns)))
    return max(1, min(most_rows(settings, n_columns), most))


def rows_of_a_part(dataset: Dataset, names: Sequence[str], settings: Settings) -> int | None:
    """Return how many distinct rows over `names` are searched at once; None where all are, or there are no parts.

    Where people are counted, the distinct rows are those over `names` and the data subject column.
    """
    if not can_be_coded(dataset, names):
        return None
    wanted = with_subject(names, settings)
    return most_rows(settings, len(wanted)) if names and exceed_memory(dataset, wanted, settings) else None


def can_be_coded(dataset: Dataset, names: Sequence[str]) -> bool:
    """Whether all values of each column are known, so that its cells can be coded before the rows are grouped."""
    return all(dataset.frequencies(name).totals is None for name in names)


def with_subject(names: Sequence[str], settings: Settings) -> list[str]:
    """Return `names`, and the data subject column where people are counted."""
    return [*names, *([] if settings.subject is None else [settings.subject])]


def exceed_memory(dataset: Dataset, wanted: Sequence[str], settings: Settings) -> bool:
    """Whether the distinct rows over several columns are more than every measure is computed on at once."""
    at_once = rows_at_once(settings, len(wanted))
    if dataset.n_rows <= at_once or len(wanted) < 2:
        return False
    n_values = [dataset.frequencies(name).n_distinct for name in wanted]
    if max(n_values) > at_once:
        return True
    return prod(n + 1 for n in n_values) > at_once and dataset.about_distinct(wanted) > at_once


def search_in_parts(
    dataset: Dataset,
    codings: Mapping[str, Coding],
    *,
    max_size: int,
    thresholds: Sequence[int],
    most: int,
    budget: float | None = None,
    most_visits: int | None = MOST_VISITS,
    threads: int = 2,
    progress: Progress = silent,
) -> CountedInParts:
    """Count the equivalence classes of every set of up to `max_size` columns, and of all columns together.

    Parameters
    ----------
    dataset : Dataset
        With one record or more.
    codings : mapping of column to Coding
        The quasi-identifiers, in the order of the report.
    max_size, thresholds, budget, most_visits, threads, progress
        As for `privaudit.risk.search.combinations.search`.
    most : int
        Distinct rows that are read at once, about.
    """
    names = tuple(codings)
    wanted = tuple(sorted({2, *thresholds}))
    rows = min(dataset.n_rows, prod(coding.n_codes for coding in codings.values()))
    # A part of a size would need another pass over all parts.
    work = replace(bounded([c.n_codes for c in codings.values()], max_size, rows, most_visits), columns=())
    largest, limits = work.largest, beyond_bound(names, work, rows)
    deadline = None if budget is None else time.monotonic() + budget
    without_keys = {name: coding for name, coding in codings.items() if coding.n_codes < dataset.n_rows}
    coded = CodedRows(dataset, without_keys, most * len(names) * BYTES_PER_CELL)
    search = _Search(coded, codings, wanted, most, threads, deadline)
    done = largest
    left = sorted(names, key=lambda name: (codings[name].n_codes, names.index(name)))
    while left:
        progress("counting the classes of combinations", 1 - len(left) / len(names))
        try:
            left = search.without_widest(left, largest)
        except OutOfTime:
            limits.append(out_of_time(tuple(n for n in names if n in left), 1, largest, budget))
            done = 0
            break
    progress("counting the classes of combinations", 1.0)
    found = search.found
    sizes = search.whole
    assert sizes is not None, "the first column counts the classes over all columns"
    if len(names) > largest or done < largest:
        found = [c for c in found if len(c.columns) < len(names)] + [combination_of(names, sizes, wanted)]
    result = SearchResult(minimal_spans(found, dataset.n_rows), tuple(limits), done)
    return CountedInParts(result, sizes)


@dataclass(slots=True)
class _Search:
    """The combinations counted so far."""

    rows: CodedRows
    codings: Mapping[str, Coding]
    thresholds: tuple[int, ...]
    most: int
    threads: int
    deadline: float | None
    found: list[Combination] = field(default_factory=list)
    whole: ClassSizes | None = None

    def without_widest(self, left: list[str], largest: int) -> list[str]:
        """Count the sets of the columns `left` that contain the last of them; return the columns that remain."""
        column = self.codings[left[-1]]
        if column.n_codes == self.rows.n:  # every record is unique on it
            self._with_key(left, largest)
            return left[:-1]
        widths = [self.codings[name].n_codes for name in left]
        about = min(self.rows.n, prod(widths))
        if about > self.most:
            about = about_distinct(self.rows.blocks(left), widths, self.rows.n)
        if about <= self.most:
            self._divided(left, widths, None, largest)
            return []
        self._divided(left, widths, column.parts(-(-about // self.most)), largest)
        return left[:-1]

    def _divided(self, left: list[str], widths: list[int], part_of: Ints | None, largest: int) -> None:
        """Count part by part, or all rows at once where there is one part.

        The first time, the classes over all columns are counted as well, even where the time is over.
        """
        is_first, is_late = self.whole is None, False
        total: SetCounts | None = None
        sizes = ClassSizes((), ())
        for part in [None] if part_of is None else distinct(part_of):
            codes, weights = self.rows.distinct(left, part_of, part, self.most)
            if is_first:
                sizes = sizes.merge(ClassSizes.of(weights, n_rows=int(weights.sum())))
            if is_late:
                continue
            table = Prepared(tuple(range(len(left))), tuple(codes), tuple(widths), weights)
            try:
                counts = self._count(table, largest, with_last=part_of is not None)
            except OutOfTime:
                is_late = True
                if not is_first:
                    break
                continue
            total = counts if total is None else _added(total, counts)
        if is_first:
            self.whole = sizes
        if is_late:
            raise OutOfTime
        assert total is not None
        self._add(left, total)

    def _count(self, table: Prepared, largest: int, *, with_last: bool) -> SetCounts:
        sizes = range(1, min(largest, table.n_columns) + 1)
        n = int(table.weights.sum())
        top = max(self.thresholds)
        return count_sets(table, n, sizes, top, self.threads, self.deadline, with_last=with_last)

    def _add(self, left: Sequence[str], counts: SetCounts) -> None:
        names = tuple(self.codings)
        order = [names.index(name) for name in left]
        self.found += combinations_of(names, self.rows.n, order, counts, self.thresholds)

    def _with_key(self, left: Sequence[str], largest: int) -> None:
        """Add the sets that contain the last of the columns, on which every record is unique."""
        alone = ClassSizes((1,), (self.rows.n,))
        self.whole = self.whole or alone
        names = tuple(self.codings)
        for chosen in sets_of(len(left), range(1, min(largest, len(left)) + 1), with_last=True):
            columns = tuple(sorted((left[i] for i in chosen), key=names.index))
            self.found.append(combination_of(columns, alone, self.thresholds))


def _added(one: SetCounts, other: SetCounts) -> SetCounts:
    """Return the counts of two parts of a table that share no class."""
    return replace(
        one,
        histogram=one.histogram + other.histogram,
        squares=one.squares + other.squares,
        smallest=np.minimum(one.smallest, other.smallest),
    )
