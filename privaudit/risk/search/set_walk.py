"""Visit every combination of columns, smaller ones first, with a counter that states who matches whom.

Question: as in `risk.search.combinations` and `risk.search.special_uniques`, where class sizes are not sums of
records: missing cells match anything, or people are counted who have rows in several classes.
Method: a `Counter` counts one set of columns and returns how many each unit (a distinct row, or a person) matches.
Sets are visited by ascending size, so that a unit at risk on a set is minimal there only if it is not at risk on a
subset.
Limits: every set is counted from the whole table; nothing is reused from its subsets.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import combinations
from typing import Protocol

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.base.records import dataclass
from privaudit.model import Combination, ExposedValues
from privaudit.model.minimal import mark_minimal
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.missing import Matches, TooManyPairs
from privaudit.risk.kernel.subsets import ColumnSet, OutOfTime, check_time
from privaudit.risk.kernel.unique_steps import Bits, packed, unpacked
from privaudit.risk.search.combinations import SearchResult, exposed_combination, minimal_spans
from privaudit.risk.search.special_uniques import MinimalUniques
from privaudit.risk.search.work import MOST_VISITS, beyond_bound, bounded, not_searched, out_of_time
from privaudit.settings.config import Progress, silent


@dataclass(frozen=True, slots=True)
class Counted:
    """One set of columns, counted.

    Attributes
    ----------
    matches : Matches
        Histogram of the numbers of matches.
    of_unit : int64 array of shape (u,)
        Matches of each unit.
    of_row : int64 array of shape (d,)
        Matches of each distinct row.
    n_classes : int
        Classes of records, a missing cell being a category.
    mean_class_size : float
    separation : float or None
        Share of record pairs that do not match.
    """

    matches: Matches
    of_unit: Ints
    of_row: Ints
    n_classes: int
    mean_class_size: float
    separation: float | None


class Counter(Protocol):
    """Counts who matches whom on one set of columns of `coded`.

    Attributes
    ----------
    coded : CodedTable
    unit_weights : int64 array of shape (u,)
        What each unit counts for: the records of a distinct row, 1 for a person.
    rows_read : int
        Rows that are read for one set, for the bound on work.
    most_visits : int
        The largest product of `rows_read` and sets.
    """

    @property
    def coded(self) -> CodedTable: ...  # noqa: D102 - described above

    @property
    def unit_weights(self) -> Ints: ...  # noqa: D102

    @property
    def rows_read(self) -> int: ...  # noqa: D102

    @property
    def most_visits(self) -> int: ...  # noqa: D102

    def count(self, chosen: ColumnSet) -> Counted:
        """Count the set of column numbers `chosen`."""

    def exposing(self, counted: Counted, fresh: Flags) -> Flags:
        """Return which rows, or pairs of row and person, are unique for the units in `fresh`."""

    def by_value(self, exposed: Mapping[int, Flags]) -> dict[str, ExposedValues]:
        """Count the exposed units of each column by value, from what `exposing` returned."""


@dataclass(slots=True)
class _Walk:
    """The combinations counted so far, and for each k the units at risk and minimal on each set."""

    counter: Counter
    thresholds: tuple[int, ...]
    ks: tuple[int, ...] = (2,)
    combinations: list[Combination] = field(default_factory=list)
    risky: dict[tuple[int, ColumnSet], Bits] = field(default_factory=dict)
    minimal: dict[tuple[int, ColumnSet], Bits] = field(default_factory=dict)
    exposing: dict[ColumnSet, Bits] = field(default_factory=dict)

    def visit(self, chosen: ColumnSet) -> None:
        """Count one set; all its subsets were counted before."""
        counted = self.counter.count(chosen)
        self.combinations.append(self.combination(chosen, counted))
        for k in self.ks:
            risky = packed(counted.of_unit < k)
            known = np.zeros_like(risky)
            for i in range(len(chosen)):
                known |= self.risky.get((k, chosen[:i] + chosen[i + 1 :]), known)
            self.risky[k, chosen] = risky
            fresh = risky & ~known
            if not fresh.any():
                continue
            self.minimal[k, chosen] = fresh
            if k == min(self.ks):
                marked = unpacked(fresh, len(counted.of_unit))
                self.exposing[chosen] = packed(self.counter.exposing(counted, marked))

    def forget(self, sets: Sequence[ColumnSet]) -> None:
        """Discard what was found on `sets`."""
        for chosen in sets:
            self.exposing.pop(chosen, None)
            for k in self.ks:
                self.minimal.pop((k, chosen), None)

    def combination(self, chosen: ColumnSet, counted: Counted) -> Combination:
        coded, matches = self.counter.coded, counted.matches
        columns, classes = tuple(coded.names[c] for c in chosen), (counted.n_classes, counted.mean_class_size)
        return exposed_combination(
            columns, matches, self.thresholds, coded.n_rows, *classes, separation=counted.separation
        )

    def minimal_uniques(self, max_size: int, whole: Matches, k: int) -> MinimalUniques:
        """Return the minimal sets found on which units match fewer than `k`, by unit."""
        names, weights = self.counter.coded.names, self.counter.unit_weights
        n_minimal = np.zeros((max_size, len(weights)), dtype=np.int32)
        by_set = {}
        for chosen, bits in sorted((chosen, bits) for (at, chosen), bits in self.minimal.items() if at == k):
            marked = unpacked(bits, len(weights))
            n_minimal[len(chosen) - 1] += marked
            by_set[tuple(names[c] for c in chosen)] = int(weights[marked].sum())
        return MinimalUniques(
            columns=names,
            k=k,
            max_size=max_size,
            weights=weights,
            n_minimal=n_minimal,
            by_set=by_set,
            n_unique=whole.n_unique,
            n_pairs=whole.below(3) - whole.below(2),
            by_value=self.counter.by_value(self._exposed()) if k == min(self.ks) else {},
        )

    def _exposed(self) -> dict[int, Flags]:
        """Return, for each column, the rows or pairs with a minimal set that contains the column."""
        joined: dict[int, Bits] = {}
        for chosen, bits in self.exposing.items():
            for c in chosen:
                joined[c] = joined[c] | bits if c in joined else bits
        length = self.counter.rows_read
        return {c: unpacked(bits, length) for c, bits in joined.items()}


def walk_sets(
    counter: Counter,
    *,
    max_size: int,
    thresholds: Sequence[int],
    k: int | None = None,
    budget: float | None = None,
    most_visits: int | None = MOST_VISITS,
    policy_ks: Sequence[int] = (),
    progress: Progress = silent,
) -> tuple[SearchResult, dict[int, MinimalUniques]]:
    """Count every set of up to `max_size` columns, and all columns.

    Parameters
    ----------
    counter : Counter
    max_size, thresholds, k, budget, most_visits, progress
        As for `privaudit.risk.search.combinations.search`.
    policy_ks : sequence of int
        Values of k, besides 2, for which minimal sets of fewer than k matches are found.

    Returns
    -------
    SearchResult, and MinimalUniques by k, empty where not even single columns were searched
    """
    coded, names = counter.coded, counter.coded.names
    wanted = tuple(sorted({2, *thresholds, *(() if k is None else (k,))}))
    most = None if most_visits is None else min(most_visits, counter.most_visits)
    work = bounded([coded.cardinality(i) for i in range(len(names))], max_size, counter.rows_read, most)
    limits = beyond_bound(names, work, counter.rows_read)
    ks = tuple(sorted({2, *policy_ks}))
    walk = _Walk(counter, wanted, ks)
    deadline = None if budget is None else time.monotonic() + budget
    done, every = 0, tuple(range(len(names)))
    steps = [(every, size) for size in range(1, work.largest + 1)]
    if work.columns:
        steps.append((work.columns, work.largest + 1))
    for among, size in steps:
        stopped = _count_level(walk, among, size, deadline, progress)
        if stopped is not None:
            limits = [
                out_of_time(names, size, work.requested, budget)
                if isinstance(stopped, OutOfTime)
                else not_searched("risk.combinations_not_matched", names, size, work.requested)
            ]
            break
        if among == every:
            done = size
        else:  # minimal sets are stated for all sets of a size or for none
            walk.forget(list(combinations(among, size)))
    whole = counter.count(every)
    if done < len(every):
        walk.combinations.append(walk.combination(every, whole))
    spanned = minimal_spans(walk.combinations, counter.coded.n_units)
    result = SearchResult(spanned if k is None else mark_minimal(spanned, k), tuple(limits), done)
    found = {one: walk.minimal_uniques(done, whole.matches, one) for one in ks} if done else {}
    return result, found


def _count_level(
    walk: _Walk, among: ColumnSet, size: int, deadline: float | None, progress: Progress
) -> OutOfTime | TooManyPairs | None:
    """Count the sets of one size among some columns; where that fails, discard them and return what stopped it."""
    before = len(walk.combinations)
    sets = list(combinations(among, size))
    try:
        for i, chosen in enumerate(sets):
            check_time(deadline)
            progress(f"matches on sets of {size}", i / len(sets))
            walk.visit(chosen)
    except (OutOfTime, TooManyPairs) as reason:
        del walk.combinations[before:]
        walk.forget(sets)
        return reason
    return None
