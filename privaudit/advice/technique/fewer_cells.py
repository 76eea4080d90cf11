"""Exchange suppressed cells for fewer: local search over classes of k records, where a suppressed cell is a value.

Question: which records could lose other columns, so that fewer cells are lost and every class keeps k records?
Method: a class is a set of lost columns with the values of the others. A move fills one class with the records that
lose more where they are, and with the cheapest others until there are k. Records that this leaves in classes below k
are housed again: the cheapest set of columns first, in classes that are open or that they fill together.
A move is made if all of it saves cells. Where none does, a class is filled at a loss, and what follows is undone
unless it pays in the end (iterated local search).
Limits: a local optimum. The work is bounded by a count, not by time, so that every machine finds the same cells.

References
----------
.. [1] H. Lourenço, O. Martin, T. Stützle, Iterated local search, Handbook of Metaheuristics, 2003.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from privaudit.base.arrays import Floats, Ints

MOST_LABELS = 1 << 18
"""Rows times sets of columns of the largest table that is searched; in larger ones the work ends too early."""
MOST_WORK = 10_000
"""Records that are considered in moves."""
ROUNDING = 1e-9


class Moved(NamedTuple):
    """Records of a row that lose another set of columns."""

    row: int
    old: int
    new: int
    records: int


class Exchange:
    """Which records lose which set of columns, and the moves between them.

    Parameters
    ----------
    labels : int array of shape (sets, rows)
        The class of each row if it loses a set of columns, numbered on from set to set. The first set is empty.
    costs : float array of shape (sets,)
        Ascending.
    weights : int array of shape (rows,)
        Records of each row.
    k : int
    """

    def __init__(self, labels: Ints, costs: Floats, weights: Ints, k: int) -> None:
        self.labels, self.costs, self.k, self.weights = labels, costs, k, weights
        order = np.argsort(labels, axis=None, kind="stable")
        self._order = order % labels.shape[1]
        self._starts = np.searchsorted(labels.ravel()[order], np.arange(int(labels.max()) + 2))
        self._set_of = np.repeat(np.arange(len(labels)), np.diff([0, *(labels.max(axis=1) + 1)]))
        n_rows = np.diff(self._starts)
        possible = np.bincount(labels.ravel(), weights=np.tile(weights, len(labels))) >= k
        self._possible = possible & ((n_rows > 1) | (self._set_of == 0))  # one row alone gains nothing by losing cells
        self._size = np.zeros(len(n_rows), np.int64)
        self._held: defaultdict[int, dict[int, int]] = defaultdict(dict)
        """Records of each row in a class."""
        self.sets: list[dict[int, int]] = [{} for _ in weights]
        """Records of each row that lose a set of columns."""
        self._costliest = np.zeros(len(weights))
        self._work = MOST_WORK

    def put(self, row: int, chosen: int, count: int) -> None:
        """Let so many more records of a row lose a set of columns; fewer where `count` is negative."""
        label = int(self.labels[chosen, row])
        for held, key in ((self.sets[row], chosen), (self._held[label], row)):
            held[key] = held.get(key, 0) + count
            if not held[key]:
                del held[key]
        self._size[label] += count
        self._costliest[row] = self.costs[max(self.sets[row], default=0)]

    def search(self) -> None:
        """Make moves until none saves cells, then try those after a loss."""
        self._descend(np.arange(len(self.weights)))
        draw = np.random.default_rng(0)
        lossy = np.flatnonzero(self._possible)
        while self._work > 0 and len(lossy):
            made = self._filled(int(draw.choice(lossy)))
            self._work -= 1
            if not made:
                continue
            self._make(made)
            made = [*made, *self._descend(np.unique([each.row for each in made]))]
            if self._saved(made) < -ROUNDING:
                self._make([Moved(each.row, each.new, each.old, each.records) for each in reversed(made)])

    def _descend(self, rows: Ints) -> list[Moved]:
        """Make the moves that save cells of these rows, and of those that they change."""
        made: list[Moved] = []
        while len(rows) and self._work > 0:
            changed: set[int] = set()
            for label in self._promising(rows):
                found = self._filled(label)
                if self._saved(found) > ROUNDING:
                    self._make(found)
                    made += found
                    changed.update(each.row for each in found)
                if self._work <= 0:
                    break
            rows = np.array(sorted(changed), dtype=np.int64)
        return made

    def _promising(self, rows: Ints) -> list[int]:
        """Return the classes that some of the rows would lose less in, those that save most first."""
        saved = self._costliest[rows] - self.costs[:, None]
        labels = self.labels[:, rows][saved > ROUNDING]
        found, at = np.unique(labels, return_inverse=True)
        total = np.bincount(at, weights=saved[saved > ROUNDING])
        order = np.argsort(-total, kind="stable")
        return [label for label in found[order].tolist() if self._possible[label]]

    def _saved(self, moves: Iterable[Moved]) -> float:
        return float(sum((self.costs[each.old] - self.costs[each.new]) * each.records for each in moves))

    def _make(self, moves: Iterable[Moved]) -> None:
        for each in moves:
            self.put(each.row, each.old, -each.records)
            self.put(each.row, each.new, each.records)

    def _filled(self, label: int) -> list[Moved]:
        """Return the moves that fill a class, with those of the records that they leave in classes below k."""
        new, size = int(self._set_of[label]), int(self._size[label])
        rows = self._order[self._starts[label] : self._starts[label + 1]]
        self._work -= len(rows)
        taken: defaultdict[int, int] = defaultdict(int)
        moves: list[Moved] = []
        for row in rows[np.argsort(-self._costliest[rows], kind="stable")].tolist():
            if size >= self.k and self._costliest[row] <= self.costs[new]:
                break
            for old in sorted(self.sets[row], reverse=True):
                count = self.sets[row][old] if old > new else min(self.sets[row][old], self.k - size)
                if old == new or count <= 0:
                    continue
                moves.append(Moved(row, old, new, count))
                taken[int(self.labels[old, row])] += count
                size += count
        if size < self.k:
            return []
        broken = [source for source, count in taken.items() if self._size[source] - count < self.k]
        housed = self._housed(self._left(broken, moves), broken, label)
        return [] if housed is None else [*moves, *housed]

    def _left(self, broken: Sequence[int], moves: Sequence[Moved]) -> Ints:
        """Return row, set and count of the records that moves leave in classes below k."""
        gone = {(each.row, each.old): each.records for each in moves}
        held = [(row, int(self._set_of[label])) for label in broken for row in self._held[label]]
        left = [(row, old, self.sets[row][old] - gone.get((row, old), 0)) for row, old in held]
        return np.array([each for each in left if each[2]], dtype=np.int64).reshape(-1, 3)

    def _housed(self, left: Ints, broken: Sequence[int], opened: int) -> list[Moved] | None:
        """Return the moves of these records to the cheapest classes that are open or that they fill, or None."""
        self._work -= len(left)
        labels, sizes = self.labels[:, left[:, 0]], self._size[broken]
        self._size[broken] = 0
        is_open = (labels == opened) | (self._size[labels] >= self.k)
        self._size[broken] = sizes
        housed: list[Moved] = []
        while len(left):
            fits = is_open
            if int(left[:, 2].sum()) >= self.k:
                _, inverse = np.unique(labels, return_inverse=True)
                together = np.bincount(inverse.ravel(), weights=np.tile(left[:, 2], len(labels)))
                fits = is_open | (together[inverse.reshape(labels.shape)] >= self.k)
            if not fits.any():
                return None
            new = int(np.argmax(fits.any(axis=1)))
            stays = ~fits[new]
            housed += [Moved(row, old, new, count) for row, old, count in left[fits[new]].tolist()]
            left, labels, is_open = left[stays], labels[:, stays], is_open[:, stays]
        return housed
