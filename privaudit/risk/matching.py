"""Combinations and minimal sample uniques where a missing cell may be anything.

Question: the same as `privaudit.risk.combinations` and `privaudit.risk.special_uniques`, when records match
without forming classes.
Method: every set of columns is collapsed to its distinct rows, whose matches `privaudit.risk.missing` counts.
Sets come by ascending size, so that a record is at risk on a set by itself or through one of its subsets, and
is minimal in the first case only.
Limits: number of classes, mean class size and distinction are those with missing as a category, for matching
makes no classes; k, uniques, records below a threshold and separation are counted over matches.
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
    separation,
)
from privaudit.risk.exposed import exposed_values
from privaudit.risk.minimal_steps import Bits, packed, unpacked
from privaudit.risk.missing import Matches, TooManyPairs, match_sizes
from privaudit.risk.special_uniques import SpecialUniques
from privaudit.risk.subsets import ColumnSet, OutOfTime, check_time, prepare

Ints = npt.NDArray[np.int64]
TOO_MANY = "so many rows have missing cells in so many ways that matching them takes too long"


@dataclass(slots=True)
class _Walk:
    """What has been found so far."""

    coded: CodedTable
    semantics: MissingSemantics
    thresholds: tuple[int, ...]
    fewer_than: tuple[int, ...] = (2,)
    found: list[Combination] = field(default_factory=list)
    risky: dict[tuple[int, ColumnSet], Bits] = field(default_factory=dict)
    minimal: dict[tuple[int, ColumnSet], Bits] = field(default_factory=dict)

    def visit(self, chosen: ColumnSet) -> None:
        """Count one set, all subsets of which were counted before."""
        labels, weights, size = self._matches(chosen)
        self.found.append(self._combination(chosen, Matches.of(size, weights), len(weights)))
        for k in self.fewer_than:
            risky = packed((size < k)[labels])
            known = np.zeros_like(risky)
            for i in range(len(chosen)):
                known |= self.risky.get((k, chosen[:i] + chosen[i + 1 :]), known)
            self.risky[k, chosen] = risky
            fresh = risky & ~known
            if fresh.any():
                self.minimal[k, chosen] = fresh

    def _matches(self, chosen: ColumnSet) -> tuple[Ints, Ints, Ints]:
        """Return the distinct row of each row over `chosen`, the records behind it and its matches."""
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

    def special_uniques(self, max_size: int, whole: Matches, k: int = 2) -> SpecialUniques:
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
        return SpecialUniques(
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
    fewer_than: Sequence[int] = (),
    progress: Progress = silent,
) -> tuple[SearchResult, dict[int, SpecialUniques]]:
    """Count the matches on every set of up to `max_size` columns and on all of them.

    Parameters
    ----------
    coded : CodedTable
    whole : Matches
        Over all columns.
    semantics : {"category", "wildcard", "one-sided"}
    max_size, thresholds, k, budget, progress
        As for `privaudit.risk.combinations.search`.
    fewer_than : sequence of int
        Values of k, besides 2, for which minimal sets of fewer than k matches are found.

    Returns
    -------
    SearchResult, and SpecialUniques by k; none where not even single columns were searched
    """
    wanted = tuple(sorted({2, *thresholds, *(() if k is None else (k,))}))
    largest, limits = bounded_size(prepare(coded), max_size, coded.names)
    ks = tuple(sorted({2, *fewer_than}))
    walk = _Walk(coded, semantics, wanted, ks)
    deadline = None if budget is None else time.monotonic() + budget
    done = 0
    for size in range(1, largest + 1):
        why = _level(walk, size, deadline, progress)
        if why is not None:
            limits.append(not_searched(coded.names, size, largest, why.format(budget=budget)))
            break
        done = size
    every = tuple(range(len(coded.names)))
    if done < len(every):
        walk.found.append(walk._combination(every, whole, coded.n_distinct))
    spanned = minimal_spans(walk.found, coded.n_rows)
    result = SearchResult(spanned if k is None else mark_minimal(spanned, k), tuple(limits), done)
    return result, {one: walk.special_uniques(done, whole, one) for one in ks} if done else {}


def _level(walk: _Walk, size: int, deadline: float | None, progress: Progress) -> str | None:
    """Count all sets of one size; if that does not succeed, forget them and return why."""
    before = len(walk.found)
    sets = list(combinations(range(len(walk.coded.names)), size))
    try:
        for i, chosen in enumerate(sets):
            check_time(deadline)
            progress(f"matches on sets of {size}", i / len(sets))
            walk.visit(chosen)
    except (OutOfTime, TooManyPairs) as reason:
        del walk.found[before:]
        for chosen in sets:
            for k in walk.fewer_than:
                walk.minimal.pop((k, chosen), None)
        return "the time budget of {budget:g} s ended" if isinstance(reason, OutOfTime) else TOO_MANY
    return None
