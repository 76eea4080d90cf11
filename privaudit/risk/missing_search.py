"""Combinations and minimal sample uniques where a missing cell matches anything.

Question: as in `privaudit.risk.combinations` and `privaudit.risk.special_uniques`, where records match without
forming classes.
Method: every set of columns is collapsed to its distinct rows, whose matches `privaudit.risk.missing` counts.
Sets are visited by ascending size, so that a record at risk on a set is minimal there only if it is not at risk on
a subset.
Limits: the number of classes, mean class size and distinction are those with missing as a category, because matching
forms no classes; k, uniques, records below a threshold and separation are counted over matches.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from privaudit.config import Progress, silent
from privaudit.model import Combination, MissingSemantics
from privaudit.risk.coded import CodedTable, dense_labels, sums
from privaudit.risk.combinations import (
    SearchResult,
    bounded_size,
    mark_minimal,
    minimal_spans,
    not_searched,
    out_of_time,
    separation,
)
from privaudit.risk.exposed_values import exposed_values
from privaudit.risk.missing import Matches, TooManyPairs, match_sizes
from privaudit.risk.special_uniques import MinimalUniques
from privaudit.risk.subsets import ColumnSet, OutOfTime, check_time, prepare
from privaudit.risk.unique_steps import Bits, packed, unpacked

Ints = npt.NDArray[np.int64]


@dataclass(slots=True)
class _Walk:
    """The combinations counted so far, and for each k the rows at risk and minimal on each set."""

    coded: CodedTable
    semantics: MissingSemantics
    thresholds: tuple[int, ...]
    ks: tuple[int, ...] = (2,)
    combinations: list[Combination] = field(default_factory=list)
    risky: dict[tuple[int, ColumnSet], Bits] = field(default_factory=dict)
    minimal: dict[tuple[int, ColumnSet], Bits] = field(default_factory=dict)

    def visit(self, chosen: ColumnSet) -> None:
        """Count one set; all its subsets were counted before."""
        labels, weights, size = self._matches(chosen)
        self.combinations.append(self._combination(chosen, Matches.of(size, weights), len(weights)))
        for k in self.ks:
            risky = packed((size < k)[labels])
            known = np.zeros_like(risky)
            for i in range(len(chosen)):
                known |= self.risky.get((k, chosen[:i] + chosen[i + 1 :]), known)
            self.risky[k, chosen] = risky
            fresh = risky & ~known
            if fresh.any():
                self.minimal[k, chosen] = fresh

    def _matches(self, chosen: ColumnSet) -> tuple[Ints, Ints, Ints]:
        """Return the distinct row of each row over `chosen`, its records and its matches."""
        codes = [self.coded.codes[c] for c in chosen]
        absent = [len(self.coded.dictionaries[c]) for c in chosen]
        labels, n_classes = dense_labels(codes, [gone + 1 for gone in absent])
        weights = sums(labels, self.coded.weights, n_classes)
        first = np.empty(n_classes, dtype=np.int64)
        first[labels] = np.arange(len(labels))
        return labels, weights, match_sizes([code[first] for code in codes], absent, weights, self.semantics)

    def _combination(self, chosen: ColumnSet, matches: Matches, n_classes: int) -> Combination:
        n = self.coded.n_rows
        return Combination(
            columns=tuple(self.coded.names[c] for c in chosen),
            n_classes=n_classes,
            k_min=matches.k_min,
            n_unique=matches.n_unique,
            share_unique=matches.n_unique / n,
            n_below={str(k): matches.below(k) for k in self.thresholds},
            mean_class_size=n / n_classes,
            distinction=n_classes / n,
            separation=separation(n, matches.n_pairs),
        )

    def minimal_uniques(self, max_size: int, whole: Matches, k: int = 2) -> MinimalUniques:
        """Return the minimal sets found on which records match fewer than `k`, by record."""
        d = self.coded.n_distinct
        n_minimal = np.zeros((max_size, d), dtype=np.int32)
        by_set = {}
        exposed: dict[int, Bits] = {}
        of_k = sorted((chosen, bits) for (at, chosen), bits in self.minimal.items() if at == k)
        for chosen, bits in of_k:
            marked = unpacked(bits, d)
            n_minimal[len(chosen) - 1] += marked
            by_set[tuple(self.coded.names[c] for c in chosen)] = int(self.coded.weights[marked].sum())
            for c in chosen:
                exposed[c] = exposed[c] | bits if c in exposed else bits
        return MinimalUniques(
            columns=self.coded.names,
            k=k,
            max_size=max_size,
            weights=self.coded.weights,
            n_minimal=n_minimal,
            by_set=by_set,
            n_unique=whole.n_unique,
            n_pairs=whole.below(3) - whole.below(2),
            by_value=exposed_values(self.coded, exposed),
        )


def search_matching(
    coded: CodedTable,
    whole: Matches,
    *,
    semantics: MissingSemantics,
    max_size: int,
    thresholds: Sequence[int],
    k: int | None = None,
    budget: float | None = None,
    policy_ks: Sequence[int] = (),
    progress: Progress = silent,
) -> tuple[SearchResult, dict[int, MinimalUniques]]:
    """Count the matches on every set of up to `max_size` columns, and on all columns.

    Parameters
    ----------
    coded : CodedTable
    whole : Matches
        Over all columns.
    semantics : {"category", "wildcard", "one-sided"}
    max_size, thresholds, k, budget, progress
        As for `privaudit.risk.combinations.search`.
    policy_ks : sequence of int
        Values of k, besides 2, for which minimal sets of fewer than k matches are found.

    Returns
    -------
    SearchResult, and MinimalUniques by k, empty where not even single columns were searched
    """
    wanted = tuple(sorted({2, *thresholds, *(() if k is None else (k,))}))
    largest, limits = bounded_size(prepare(coded), max_size, coded.names)
    ks = tuple(sorted({2, *policy_ks}))
    walk = _Walk(coded, semantics, wanted, ks)
    deadline = None if budget is None else time.monotonic() + budget
    done = 0
    for size in range(1, largest + 1):
        stopped = _count_level(walk, size, deadline, progress)
        if stopped is not None:
            limits.append(
                out_of_time(coded.names, size, largest, budget)
                if isinstance(stopped, OutOfTime)
                else not_searched("risk.combinations_not_matched", coded.names, size, largest)
            )
            break
        done = size
    every = tuple(range(len(coded.names)))
    if done < len(every):
        walk.combinations.append(walk._combination(every, whole, coded.n_distinct))
    spanned = minimal_spans(walk.combinations, coded.n_rows)
    result = SearchResult(spanned if k is None else mark_minimal(spanned, k), tuple(limits), done)
    return result, {one: walk.minimal_uniques(done, whole, one) for one in ks} if done else {}


def _count_level(
    walk: _Walk, size: int, deadline: float | None, progress: Progress
) -> OutOfTime | TooManyPairs | None:
    """Count all sets of one size; where that fails, discard them and return the exception that stopped it."""
    before = len(walk.combinations)
    sets = list(combinations(range(len(walk.coded.names)), size))
    try:
        for i, chosen in enumerate(sets):
            check_time(deadline)
            progress(f"matches on sets of {size}", i / len(sets))
            walk.visit(chosen)
    except (OutOfTime, TooManyPairs) as reason:
        del walk.combinations[before:]
        for chosen in sets:
            for k in walk.ks:
                walk.minimal.pop((k, chosen), None)
        return reason
    return None
