"""Lower bounds of the loss of every state of a lattice, and which states are closed.

Question: which states cannot be the optimum, although nobody measured them?
Method: the loss of a state is what its recodings cost, *base*, plus what the suppression of failing classes adds,
*added*. Let f be finer than g, so that each class of g is a union of classes of f, and let S(g) be the records of g in
classes that fail the monotone requirements (k, people, k-map, distinct l).

1. S(g) is a subset of S(f): a class of f inside a failing class of g has at most as many records and distinct
   values, so it fails too. Where S(g) exceeds the limit, every finer state is closed.
2. Without suppression, entropy l, recursive l and t are met by a union of classes that meet them: entropy is concave,
   the distance to a fixed distribution is convex, and recursive diversity of unions is proved in [1]_. So where nothing
   may be suppressed and a class of g fails, some class of every finer state fails: all of them are closed.
3. base(f) <= base(g). Shares of the domain, steps, entropies and squared sizes of a union are at least those of its
   parts, and there are no more classes.
4. added(f) >= what S(g) adds in g. A suppressed cell adds 1 - share, 1 - step, log2(n / n_v) or, for a class of c
   records, c (n - c): each is at least as large for the parts of a class. |S| H(S), which suppressed cells add to the
   entropy, grows with every record in S and with every value that is split. Ambiguity: 1 - product of shares.
5. Class size: classes of f that are kept and inside a kept class of c records of g have k records each, so there are at
   most c // k of them, and none is inside a class of S(g).
6. Measures on classes: projections of the table on halves of its columns bound all states before any is measured
   (`advice.lattices.projections`).

Limits: where all columns have their loss without suppression, base is known for all states; otherwise it is raised by
the states that were measured. KL divergence is not among the measures, as 3 does not hold for it.

References
----------
.. [1] A. Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, ACM TKDD 1(1), 2007.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from privaudit.advice.effect.class_table import ClassTable
from privaudit.advice.effect.information_loss import ON_CLASSES
from privaudit.advice.lattices.lattice import Lattice, State
from privaudit.advice.lattices.projections import projected
from privaudit.advice.technique.protection import Mask

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ROUNDING = 1e-12
"""Losses that differ by less, as a share, are equal."""
MOSTLY_OPEN = 0.75
"""Share of open states below which closed states are removed."""
MOST_CELLS = 20_000_000
"""Largest tables of products from which the ambiguity of all states is computed at once."""


class Bounds:
    """The open states of a lattice, in ascending order of what recodings cost, each with a lower bound of its loss.

    ``states``, ``bound`` and the other arrays still contain some closed states.

    Parameters
    ----------
    lattice : Lattice
    levels : for each column the steps of its ladder that may be used
    most : int
        Records that may be suppressed.
    """

    def __init__(self, lattice: Lattice, levels: Sequence[Sequence[int]], most: int) -> None:
        self.lattice, self.levels = lattice, levels
        loss = lattice.loss
        self._on_classes = loss.measure in ON_CLASSES
        self._lost = [
            np.array([loss.without_suppression(step) for step in ladder]) for ladder in lattice.ladders
        ]
        """What each step of each ladder loses where nothing is suppressed."""
        states = _all_states(levels)
        cost = self._combined(states)
        base = self._base_of_ambiguity() if loss.measure == "ambiguity" else np.zeros(len(states))
        if not self._on_classes:
            base = cost
        added, closed = np.zeros(len(states)), np.zeros(len(states), dtype=bool)
        if self._on_classes:
            base, added, closed = self._projected(base, most)
        # Stable, so that states of equal cost are taken in the same order on every machine.
        order = np.argsort(cost, kind="stable")
        self.states: Ints = states[order]
        self._keys = lattice.order.keys(self.states)
        self._base, self._added = base[order], added[order]
        self.bound = self._base + self._added
        self._is_open = np.ones(len(states), dtype=bool)
        self._n_open = len(states)
        self._close(closed[order])

    def __len__(self) -> int:
        return self._n_open

    def take(self) -> State:
        """Close the coarsest open state and return it: where it suppresses too much, all finer states are closed."""
        at = len(self._is_open) - 1 - int(self._is_open[::-1].argmax())
        self._is_open[at] = False
        self._n_open -= 1
        return tuple(self.states[at].tolist())

    def least(self, otherwise: float) -> float:
        """Return the least bound of an open state."""
        return float(self.bound.min(initial=otherwise, where=self._is_open))

    def _combined(self, states: Ints, added: Sequence[float] | None = None) -> Floats:
        """Return the loss of states by their columns, with what suppression adds to each column."""
        more = added or [0.0] * states.shape[1]
        shares = [lost[states[:, i]] + more[i] for i, lost in enumerate(self._lost)]
        return np.broadcast_to(self.lattice.loss.combine(shares), len(states))

    def _close(self, closed: Mask) -> None:
        """Close some states; closed states are removed when they are many, as each removal copies every open one."""
        self._is_open &= ~closed
        self._n_open = int(np.count_nonzero(self._is_open))
        if self._n_open < MOSTLY_OPEN * len(self._is_open):
            left = self._is_open
            self.states, self._keys, self.bound = self.states[left], self._keys[left], self.bound[left]
            self._base, self._added = self._base[left], self._added[left]
            self._is_open = np.ones(self._n_open, dtype=bool)

    def close_finer(self, state: State) -> None:
        """Close a state and all finer states (1 and 2 above)."""
        self._close(self.lattice.order.finer(self._keys, state))

    def close_above(self, least: float) -> None:
        """Close the states whose loss cannot be less than `least`."""
        self._close(self.bound >= least * (1 - ROUNDING))

    def raise_others(self, state: State, table: ClassTable, sure: Mask) -> None:
        """Raise the bounds of finer and coarser states by the classes of a state (3, 4 and 5 above).

        Parameters
        ----------
        state : tuple of int
        table : ClassTable
        sure : bool array of shape (J,)
            The classes that fail a monotone requirement.
        """
        loss, steps = self.lattice.loss, self.lattice.steps(state)
        finer = self.lattice.order.finer(self._keys, state)
        if not self._on_classes:
            gone = table.sizes[sure]
            if gone.any() and finer.any():
                added = [loss.by_suppression(step, table.codes(i, sure), gone) for i, step in enumerate(steps)]
                if loss.is_linear:
                    self._raise(finer, self._base[finer] + loss.combined(added))
                else:
                    self._raise(finer, self._combined(self.states[finer], added))
            return
        if loss.measure != "ambiguity":
            coarser = self.lattice.order.coarser(self._keys, state)
            base = loss.base_of_classes(steps, table, np.zeros(len(table), dtype=bool))
            self._base[coarser] = np.maximum(self._base[coarser], base)
        if loss.measure == "class-size":
            most = int((table.sizes[~sure] // max(1, self.lattice.protection.k)).sum()) + 1
            self._base[finer] = np.maximum(self._base[finer], 1 / most)
        else:
            added_by_classes = loss.added_to_classes(steps, table, sure)
            self._added[finer] = np.maximum(self._added[finer], added_by_classes)
        self.bound = np.maximum(self.bound, self._base + self._added)

    def _raise(self, of: Mask, bound: Floats) -> None:
        self.bound[of] = np.maximum(self.bound[of], bound)

    def _projected(self, base: Floats, most: int) -> tuple[Floats, Floats, Mask]:
        """Return bounds of measures on classes, and the states that suppress too many records (6 above)."""
        loss, n = self.lattice.loss, float(max(1, self.lattice.trial.coded.n_rows))
        by = projected(self.lattice, self.levels)
        added = np.zeros(len(base))
        if loss.measure == "class-size":
            base = 1 / (by.kept + 1)
        elif loss.measure == "discernibility":
            base, added = by.squares / n**2, (by.suppressed * n - by.suppressed_squares) / n**2
        else:
            added = by.suppressed * (1 - self._widest()) / n
        return base, loss.suppression * added, by.suppressed > most

    def _widest(self) -> Floats:
        """Return for every state the largest share of the domain's combinations that a class may mean."""
        loss, made = self.lattice.loss, np.ones(1)
        for ladder, allowed in zip(self.lattice.ladders, self.levels, strict=True):
            widest = np.array([loss.granularity(ladder[level]).max() for level in allowed])
            made = np.outer(made, widest).ravel()
        return made

    def _base_of_ambiguity(self) -> Floats:
        """Return the ambiguity of every state without suppression, where the table is small enough.

        The mean over the rows of a product over the columns is a matrix product: states of the first half of the
        columns by rows, and rows by states of the second half.
        """
        coded, loss, shape = self.lattice.trial.coded, self.lattice.loss, [len(allowed) for allowed in self.levels]
        at = min(range(len(shape) + 1), key=lambda i: prod(shape[:i]) + prod(shape[i:]))
        if coded.n_distinct * (prod(shape[:at]) + prod(shape[at:])) > MOST_CELLS:
            return np.zeros(prod(shape))
        shares = [
            [loss.granularity(ladder[level])[ladder[level].lookup[code]] for level in allowed]
            for ladder, allowed, code in zip(self.lattice.ladders, self.levels, coded.codes, strict=True)
        ]
        left, right = (self._products(half, coded.n_distinct) for half in (shares[:at], shares[at:]))
        return ((left * coded.weights) @ right.T / max(1, coded.n_rows)).ravel()

    @staticmethod
    def _products(shares: Sequence[Sequence[Floats]], n: int) -> Floats:
        """Return the products of one share of each column, for every combination of steps, by row."""
        made = np.ones((1, n))
        for steps in shares:
            made = (made[:, None, :] * np.stack(steps)[None, :, :]).reshape(-1, n)
        return made


def _all_states(levels: Sequence[Sequence[int]]) -> Ints:
    """Return every combination of one step of each column, the last column fastest.

    A grid would have an axis for each column, and an array has at most 64.

    Returns
    -------
    int64 array of shape (states, columns)
    """
    n = prod(map(len, levels))
    states = np.empty((n, len(levels)), dtype=np.int64)
    repeats = n
    for i, usable in enumerate(levels):
        repeats //= len(usable)
        states[:, i] = np.tile(np.repeat(np.asarray(usable, dtype=np.int64), repeats), n // (repeats * len(usable)))
    return states
