"""Suppress few cells so that every record matches k records: local suppression.

Question: which cells of small classes have to go, and no more than that?
Method: records of classes smaller than k lose cells, and only a minimal set of cells: without them the record
equals k records or more on the rest. Which record loses which set is weighted set cover: a record that lost cells also
matches records that are still too few, and each of those needs one record less. The set that repairs most per cell is
taken first; in the end cells that are no longer needed are given back.
With ``wildcard`` a suppressed cell matches every value, on either side, as sdcMicro counts. With ``value`` a suppressed
cell is a value of its own, as a reader of the file and the default of a scan count: then records that lose the same
columns and agree on the rest form classes of k. The cheapest sets are taken first, and then exchanged for fewer cells,
also with records of larger classes (`fewer_cells`).
Where a record may lose few cells only, sets without which no two rows become equal are omitted: they join nobody.
Limits: fewer cells may suffice. Missing cells are a value. Tables with more than 10 columns lose at most
three cells of a record before they lose all.

References
----------
.. [1] A. Meyerson, R. Williams, On the complexity of optimal k-anonymity, PODS 2004 (set cover).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any, Literal

import numpy as np

from privaudit.advice.technique.columns import text_of, with_column
from privaudit.advice.technique.fewer_cells import MOST_LABELS, Exchange
from privaudit.advice.technique.near_rows import joining_sets
from privaudit.advice.technique.record import Context
from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.packing import Packing, number_rows
from privaudit.risk.codes.row_keys import dense_labels, sums

Semantics = Literal["wildcard", "value"]
ALL_SETS = 10
LARGEST = 3


@dataclass(frozen=True, slots=True)
class SuppressedCells:
    """Which records lose which cells.

    Attributes
    ----------
    row : int64 array of shape (s,)
        Distinct row of the coded table.
    lost : bool array of shape (s, m)
        The columns that are suppressed.
    count : int64 array of shape (s,)
        Records of the row that lose these cells.
    """

    row: Ints
    lost: Flags
    count: Ints

    def by_column(self) -> Ints:
        """Return the suppressed cells of each column."""
        return np.asarray((self.lost * self.count[:, None]).sum(axis=0))

    @property
    def n_cells(self) -> int:
        """All suppressed cells."""
        return int(self.by_column().sum())


def suppress_cells(
    coded: CodedTable, k: int, importance: Mapping[str, float] | None = None, *, semantics: Semantics = "wildcard"
) -> SuppressedCells:
    """Return few cells without which every record matches at least k records.

    Parameters
    ----------
    coded : CodedTable
        The quasi-identifiers; at least k records.
    k : int
    importance : mapping of column to weight, optional
        What a suppressed cell of a column costs, 0 or more; 1 where not given.
    semantics : {"wildcard", "value"}
    """
    weights = np.array([float((importance or {}).get(name, 1.0)) for name in coded.names])
    if coded.n_rows < k or not coded.names:
        nothing = np.zeros(0, np.int64)
        return SuppressedCells(nothing, np.zeros((0, len(weights)), bool), nothing)
    rows = _Rows(coded)
    sets = _column_sets(rows, weights)
    if semantics == "wildcard":
        return _Cover(rows, k, weights, sets).solve()
    return _exchanged(rows, k, weights, sets, _Merge(rows, k, sets).solve())


def n_column_sets(m: int) -> int:
    """Return how many sets of columns a record of a table of `m` columns may lose."""
    return (1 << m) - 1 if m <= ALL_SETS else 1 + sum(comb(m, size) for size in range(1, LARGEST + 1))


class _Rows:
    """The distinct rows of a table, packed so that columns are omitted by a mask."""

    def __init__(self, coded: CodedTable) -> None:
        self.codes, self.weights = coded.codes, coded.weights
        self.widths = [len(words) + 1 for words in coded.dictionaries]
        self.m = len(self.widths)
        self._packing = Packing(self.widths)
        self._keys = self._packing.pack(coded.codes, coded.n_distinct)

    def groups(self, lost: Sequence[int]) -> tuple[Ints, Ints]:
        """Return the class of each row over the columns that are left, and the records of each class."""
        labels, distinct = number_rows(self._keys & self._packing.without(lost), self._packing.space)
        return labels, sums(labels, self.weights, len(distinct))

    def cost(self, cells: SuppressedCells, weights: Floats) -> float:
        """Return what the suppressed cells cost that are not missing already."""
        held = np.column_stack(
            [code[cells.row] < width - 1 for code, width in zip(self.codes, self.widths, strict=True)]
        )
        return float((((cells.lost & held) @ weights) * cells.count).sum())


def _column_sets(rows: _Rows, weights: Floats) -> list[tuple[int, ...]]:
    """Return the sets of columns that a record may lose, the cheapest first."""
    m = rows.m
    few = None if m <= ALL_SETS else joining_sets(rows.codes, rows.widths, LARGEST)
    if few is None:
        sizes = range(1, m + 1 if m <= ALL_SETS else LARGEST + 1)
        few = [chosen for size in sizes for chosen in combinations(range(m), size)]
    sets = few if m <= ALL_SETS else [*few, tuple(range(m))]
    return sorted(sets, key=lambda chosen: (float(weights[list(chosen)].sum()), len(chosen), chosen))


class _Cover:
    """Weighted set cover over the rows of small classes, where suppressed cells match every value.

    ``missing[p]`` records are missing to k for the rows ``small[p]``; ``group[s][p]`` is the class of row p without
    the s-th set of columns, and ``need[s][g]`` the records of class g that still miss some.
    """

    def __init__(self, rows: _Rows, k: int, weights: Floats, sets: Sequence[tuple[int, ...]]) -> None:
        self.k, self.m, self.sets = k, len(weights), list(sets)
        self.small = np.flatnonzero(rows.weights < k)
        self.records = rows.weights[self.small]
        self.lost: dict[tuple[int, int], int] = {}
        """Records of each row that lose a set of columns, by row and set."""
        self.whole = self.records.copy()
        """Records of each row that lost no cell."""
        self.missing = k - self.records
        self.costs = [max(1e-9, float(weights[list(chosen)].sum())) for chosen in sets]
        self.group: list[Ints] = []
        self.need: list[Ints] = []
        self.members: list[tuple[Ints, Ints]] = []
        self.suffices = np.zeros((len(sets), len(self.small)), dtype=bool)
        for s, chosen in enumerate(sets):
            labels, sizes = rows.groups(chosen)
            own = labels[self.small]
            self.suffices[s] = sizes[own] >= k
            _, dense = np.unique(own, return_inverse=True)
            order = np.argsort(dense, kind="stable")
            starts = np.searchsorted(dense[order], np.arange(int(dense.max(initial=-1)) + 2))
            self.group.append(dense)
            self.members.append((order, starts))
            self.need.append(np.bincount(dense, weights=self.records).astype(np.int64))

    def peers(self, s: int, p: int) -> Ints:
        """Return the rows that equal row p without the s-th set of columns, p among them."""
        order, starts = self.members[s]
        g = self.group[s][p]
        return order[starts[g] : starts[g + 1]]

    def gain(self, s: int, p: int) -> float:
        """Return the records that are no longer missed per cost, where a record of row p loses the s-th set."""
        if self.missing[p] <= 0 or self.whole[p] <= 0:
            return 0.0
        return (int(self.missing[p]) + int(self.need[s][self.group[s][p]]) - int(self.whole[p])) / self.costs[s]

    def solve(self) -> SuppressedCells:
        """Take the best set until no record misses another, then give back what is not needed."""
        queue = [(-self.gain(s, p), s, p) for p in range(len(self.small)) for s in self._minimal(p)]
        heapq.heapify(queue)
        # Gains only fall, so an entry whose gain is still that of the queue is the best of all.
        while queue:
            was, s, p = heapq.heappop(queue)
            now = self.gain(s, p)
            if now <= 0:
                continue
            if -was - now > 1e-12:
                heapq.heappush(queue, (-now, s, p))
                continue
            self._take(s, p)
            heapq.heappush(queue, (-self.gain(s, p), s, p))
        self._give_back()
        taken = sorted(self.lost.items())
        lost = np.zeros((len(taken), self.m), dtype=bool)
        for i, ((_, s), _) in enumerate(taken):
            lost[i, list(self.sets[s])] = True
        at = np.array([p for (p, _), _ in taken], dtype=np.int64)
        return SuppressedCells(self.small[at], lost, np.array([n for _, n in taken], dtype=np.int64))

    def _minimal(self, p: int) -> list[int]:
        """Return the minimal sets of columns without which row p equals k records."""
        found: list[int] = []
        for s in np.flatnonzero(self.suffices[:, p]).tolist():
            if not any(set(self.sets[t]) <= set(self.sets[s]) for t in found):
                found.append(s)
        return found

    def _take(self, s: int, p: int) -> None:
        """Let one record of row p lose the s-th set of columns."""
        if self.missing[p] > 0:
            self._satisfy(np.array([p]), np.array([1]))
        self.lost[p, s] = self.lost.get((p, s), 0) + 1
        self.whole[p] -= 1
        peers = self.peers(s, p)
        others = peers[(peers != p) & (self.missing[peers] > 0)]
        self.missing[others] -= 1
        done = others[self.missing[others] == 0]
        self._satisfy(done, self.whole[done])

    def _satisfy(self, rows: Ints, records: Ints) -> None:
        """Take records that no longer miss any out of what their groups need."""
        for need, group in zip(self.need, self.group, strict=True):
            np.subtract.at(need, group[rows], records)

    def _give_back(self) -> None:
        """Restore cells without which every record still matches k records."""
        matched = self.records.copy()
        for (p, s), n in self.lost.items():
            peers = self.peers(s, p)
            matched[peers[peers != p]] += n
        # A record that is restored matches its own row's records and the records that match the row.
        for p, s in sorted(self.lost, key=lambda at: (-self.costs[at[1]], at)):
            peers = self.peers(s, p)
            others = peers[peers != p]
            while self.lost[p, s] and matched[p] >= self.k:
                if bool((self.whole[others[matched[others] <= self.k]] > 0).any()):
                    break
                self.lost[p, s] -= 1
                self.whole[p] += 1
                matched[others] -= 1
        self.lost = {at: n for at, n in self.lost.items() if n}


class _Merge:
    """Rows that lose the same columns and agree on the others become classes of k, where ``*`` is a value."""

    def __init__(self, rows: _Rows, k: int, sets: Sequence[tuple[int, ...]]) -> None:
        self.rows, self.k, self.sets = rows, k, sets

    def solve(self) -> SuppressedCells:
        """Take the cheapest set of columns first, and its groups of at least k records."""
        m, weights = self.rows.m, self.rows.weights
        open_ = weights < self.k
        chosen = np.full(len(weights), -1, dtype=np.int64)
        for s, lost in enumerate(self.sets):
            if not open_.any():
                break
            labels, _ = self.rows.groups(lost)
            held = np.bincount(labels[open_], weights=weights[open_], minlength=int(labels.max()) + 1)
            joins = open_ & (held[labels] >= self.k)
            chosen[joins], open_ = s, open_ & ~joins
        whole = self.sets.index(tuple(range(m)))
        counts = weights.copy()
        if open_.any():
            chosen[open_] = whole
            self._fill(chosen, counts, int(weights[chosen == whole].sum()), whole)
        row = np.flatnonzero(chosen >= 0)
        lost_cells = np.zeros((len(row), m), dtype=bool)
        for i, s in enumerate(chosen[row].tolist()):
            lost_cells[i, list(self.sets[s])] = True
        return SuppressedCells(row, lost_cells, counts[row])

    def _fill(self, chosen: Ints, counts: Ints, held: int, whole: int) -> None:
        """Add records to those that lost all cells until they are k: what large classes can spare, else whole classes.

        Classes of rows that keep all cells come first, the smallest of them, then groups of rows that lost some.
        """
        weights = self.rows.weights
        spare = np.where(chosen < 0, weights - self.k, 0)
        if held + int(spare[spare > 0].sum()) >= self.k:
            for p in np.argsort(-spare, kind="stable").tolist():
                if held >= self.k:
                    return
                chosen[p], counts[p] = whole, min(int(spare[p]), self.k - held)
                held += int(counts[p])
        for rows in self._classes(chosen, whole):
            if held >= self.k:
                return
            chosen[rows], counts[rows] = whole, weights[rows]
            held += int(weights[rows].sum())

    def _classes(self, chosen: Ints, whole: int) -> list[Ints]:
        """Return the rows of each class, by what suppressing all its cells costs: first those that keep all cells."""
        found: list[tuple[int, int, int, Ints]] = []
        for s in np.unique(chosen[chosen != whole]).tolist():
            rows = np.flatnonzero(chosen == s)
            labels = rows if s < 0 else self.rows.groups(self.sets[s])[0][rows]
            for label in np.unique(labels).tolist():
                members = rows[labels == label]
                found.append((int(s >= 0), int(self.rows.weights[members].sum()), int(members[0]), members))
        return [members for *_, members in sorted(found, key=lambda each: each[:3])]


def _exchanged(
    rows: _Rows, k: int, weights: Floats, sets: Sequence[tuple[int, ...]], first: SuppressedCells
) -> SuppressedCells:
    """Return fewer cells, or the first ones where there are none or the table is too large for a search."""
    if not len(first.row) or len(rows.weights) * (len(sets) + 1) > MOST_LABELS:
        return first
    every = [(), *sets]
    number = {chosen: s for s, chosen in enumerate(every)}
    labels = [rows.groups(lost)[0] for lost in every]
    starts = np.cumsum([0, *(int(each.max()) + 1 for each in labels[:-1])])
    costs = np.array([float(weights[list(chosen)].sum()) for chosen in every])
    exchange = Exchange(np.stack(labels) + starts[:, None], costs, rows.weights, k)
    left = rows.weights.copy()
    for row, lost, count in zip(first.row.tolist(), first.lost, first.count.tolist(), strict=True):
        exchange.put(row, number[tuple(np.flatnonzero(lost).tolist())], count)
        left[row] -= count
    for row in np.flatnonzero(left).tolist():
        exchange.put(row, 0, int(left[row]))
    exchange.search()
    found = [(row, s, n) for row, lost in enumerate(exchange.sets) for s, n in sorted(lost.items()) if s]
    row, chosen, count = np.array(found, dtype=np.int64).reshape(-1, 3).T
    members = np.array([[i in lost for i in range(rows.m)] for lost in every])
    fewer = SuppressedCells(row, members[chosen], count)
    # The search counts cells that are missing already, which nobody loses.
    return min(first, fewer, key=lambda one: rows.cost(one, weights))


def without_cells(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the table with the chosen cells missing.

    Limits: of equal records the first ones of the table lose cells.
    """
    names = tuple(parameters["columns"])
    codes, dictionaries = zip(*(encode_values(table[name]) for name in names), strict=True)
    labels, n = dense_labels(codes, length=table.num_rows)
    order = np.argsort(labels, kind="stable")
    weights = np.bincount(labels, minlength=n).astype(np.int64)
    first = np.cumsum(weights) - weights
    coded = CodedTable(names, tuple(code[order[first]] for code in codes), dictionaries, weights, table.num_rows)
    found = suppress_cells(
        coded, int(parameters["below"]), parameters.get("importance"), semantics=parameters.get("matches", "value")
    )
    gone = np.zeros((table.num_rows, len(names)), dtype=bool)
    used = np.zeros(n, dtype=np.int64)
    for row, lost, count in zip(found.row.tolist(), found.lost, found.count.tolist(), strict=True):
        start = first[row] + used[row]
        gone[order[start : start + count]] = lost
        used[row] += count
    for i, name in enumerate(names):
        cells = pc.if_else(pa.array(gone[:, i]), pa.scalar(None, pa.string()), text_of(table, name))
        table = with_column(table, name, cells)
    return table
