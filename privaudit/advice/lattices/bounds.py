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
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.effect.class_table import ClassTable
from privaudit.advice.effect.information_loss import ON_CLASSES
from privaudit.advice.lattices.lattice import Lattice, State
from privaudit.advice.lattices.projections import projected
from privaudit.base.arrays import Flags, Floats, Ints

ROUNDING = 1e-12
"""Losses that differ by less, as a share, are equal."""
SORTED = 4096
"""States that are put in order together; those of equal loss are not separated."""
LOOKED_AT = 256
"""States that are looked at together for one that is open."""
MOSTLY_OPEN = 0.75
"""Share of open states below which closed states are removed."""
MOST_CELLS = 20_000_000
"""Largest tables of products from which the ambiguity of all states is computed at once."""


class Bounds:
    """The open states of a lattice, each with a lower bound of its loss, from the coarsest to the finest.

    ``bound`` and the other arrays still contain some closed states.

    Parameters
    ----------
    lattice : Lattice
    levels : for each column the steps of its ladder that may be used
    most : int
        Records that may be suppressed.
    least : float, optional
        The loss of a state that was found: those that cannot lose less are closed.
    """

    def __init__(
        self, lattice: Lattice, levels: Sequence[Sequence[int]], most: int, least: float | None = None
    ) -> None:
        self.lattice, self.levels = lattice, levels
        loss = lattice.loss
        self._on_classes = loss.measure in ON_CLASSES
        self._lost = [np.array([loss.without_suppression(step) for step in ladder]) for ladder in lattice.ladders]
        """What each step of each ladder loses where nothing is suppressed."""
        self._combinations = _Combinations(levels)
        n = self._combinations.n
        cost = self._cost_of_all()
        base = self._base_of_ambiguity() if loss.measure == "ambiguity" else np.zeros(n)
        if not self._on_classes:
            base = cost
        added, closed = np.zeros(n), np.zeros(n, dtype=bool)
        if self._on_classes:
            base, added, closed = self._projected(base, most)
        self._least = least
        if least is not None:
            closed |= base + added >= least * (1 - ROUNDING)
        left = np.flatnonzero(~closed)
        self._numbers: Ints = left
        self._cost = cost[left]
        self._keys = self._keys_of_all()[left]
        self._base, self._added = base[left], added[left]
        self.bound = self._base + self._added
        self._is_open = np.ones(len(left), dtype=bool)
        self._n_open = len(left)
        self._next: Ints = np.zeros(0, dtype=np.int64)
        """Positions of the states that are taken next, the coarsest last; some of them may be closed."""

    def __len__(self) -> int:
        return self._n_open

    def take(self) -> State:
        """Close the coarsest open state and return it: where it suppresses too much, all finer states are closed."""
        while not (found := np.flatnonzero(self._is_open[self._next[-LOOKED_AT:]])).size:
            # Closed states stay closed.
            self._next = self._next[:-LOOKED_AT] if len(self._next) > LOOKED_AT else self._coarsest()
        last = max(0, len(self._next) - LOOKED_AT) + int(found[-1])
        at = self._next[last]
        self._next = self._next[:last]
        self._is_open[at] = False
        self._n_open -= 1
        return self._combinations.state(int(self._numbers[at]))

    def _coarsest(self) -> Ints:
        """Return the positions of about `SORTED` open states, which lose most without suppression, by what they lose.

        A search measures far fewer states than it closes, so that few of them need an order.
        """
        at = np.flatnonzero(self._is_open)
        cost = self._cost[at]
        if len(at) > SORTED:
            among = cost >= np.partition(cost, len(at) - SORTED)[len(at) - SORTED]
            at, cost = at[among], cost[among]
        # Stable, so that states of equal cost are taken in the same order on every machine.
        return at[np.argsort(cost, kind="stable")]

    def least(self, otherwise: float) -> float:
        """Return the least bound of an open state."""
        return float(self.bound.min(initial=otherwise, where=self._is_open))

    def _cost_of_all(self) -> Floats:
        """Return the loss of every state by its columns, without suppression."""
        usable = zip(self._lost, self.levels, strict=True)
        shares = self._combinations.by_axis([lost[list(levels)] for lost, levels in usable])
        return self._combinations.flat(self.lattice.loss.combine(shares))

    def _keys_of_all(self) -> Ints:
        """Return the key of every state (`Refinement.keys`)."""
        steps = [part[list(levels)] for part, levels in zip(self.lattice.order.parts, self.levels, strict=True)]
        words = range(steps[0].shape[1])
        added = (sum(self._combinations.by_axis([part[:, word] for part in steps]), np.int64(0)) for word in words)
        return np.stack([self._combinations.flat(np.asarray(each)) for each in added], axis=1)

    def _combined(self, states: Ints, added: Sequence[float]) -> Floats:
        """Return the loss of states by their columns, with what suppression adds to each column."""
        shares = [lost[states[:, i]] + added[i] for i, lost in enumerate(self._lost)]
        return np.broadcast_to(self.lattice.loss.combine(shares), len(states))

    def _remove_closed(self, n_open: int) -> None:
        """Remove closed states when they are many, as each removal copies every open one."""
        self._n_open = n_open
        if self._n_open < MOSTLY_OPEN * len(self._is_open):
            left = self._is_open
            self._next = (np.cumsum(left) - 1)[self._next[left[self._next]]]
            self._cost = self._cost[left]
            self._numbers, self._keys, self.bound = self._numbers[left], self._keys[left], self.bound[left]
            self._base, self._added = self._base[left], self._added[left]
            self._is_open = np.ones(self._n_open, dtype=bool)

    def close_finer(self, state: State) -> None:
        """Close a state and all finer states (1 and 2 above)."""
        if self.lattice.is_compiled:
            from privaudit.risk.codes.merging_loops import close_finer

            closed = close_finer(self._keys, *self.lattice.order.test_of_finer(state), self._is_open)
            self._remove_closed(self._n_open - closed)
        else:
            self._is_open &= ~self.lattice.order.finer(self._keys, state)
            self._remove_closed(int(np.count_nonzero(self._is_open)))

    def close_above(self, least: float) -> None:
        """Close the states whose loss cannot be less than `least`, now and where their bounds are raised later."""
        self._least = least
        self._close_above()

    def _close_above(self) -> None:
        if self._least is not None:
            self._is_open &= self.bound < self._least * (1 - ROUNDING)
            self._remove_closed(int(np.count_nonzero(self._is_open)))

    def raise_others(self, state: State, table: ClassTable, sure: Flags) -> None:
        """Raise the bounds of finer and coarser states by the classes of a state (3, 4 and 5 above).

        Parameters
        ----------
        state : tuple of int
        table : ClassTable
        sure : bool array of shape (J,)
            The classes that fail a monotone requirement.
        """
        if not self._on_classes:
            gone = table.sizes[sure]
            if gone.any():
                self._raise_finer(state, table, sure, gone)
            return
        loss, steps = self.lattice.loss, self.lattice.steps(state)
        finer = self.lattice.order.finer(self._keys, state)
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
        self._close_above()

    def _raise_finer(self, state: State, table: ClassTable, sure: Flags, gone: Ints) -> None:
        """Raise the bound of every finer state to its base and what the suppression of some classes adds."""
        loss, order = self.lattice.loss, self.lattice.order
        steps = zip(self.lattice.steps(state), table.all_codes(sure), strict=True)
        added = [loss.by_suppression(step, codes, gone) for step, codes in steps]
        if loss.is_linear and self.lattice.is_compiled:
            from privaudit.risk.codes.merging_loops import raise_bounds

            least = np.inf if self._least is None else self._least * (1 - ROUNDING)
            rest = self._base, loss.combined(added), self.bound, least, self._is_open
            self._remove_closed(self._n_open - raise_bounds(self._keys, *order.test_of_finer(state), *rest))
            return
        finer = order.finer(self._keys, state)
        if loss.is_linear:
            bound = self._base[finer] + loss.combined(added)
        else:
            bound = self._combined(self._combinations.of(self._numbers[finer]), added)
        self.bound[finer] = np.maximum(self.bound[finer], bound)
        self._close_above()

    def _projected(self, base: Floats, most: int) -> tuple[Floats, Floats, Flags]:
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


class _Combinations:
    """Every combination of one step of each column, numbered, the last column fastest.

    Parameters
    ----------
    levels : for each column the steps of its ladder that may be used
    """

    def __init__(self, levels: Sequence[Sequence[int]]) -> None:
        self._levels = [np.asarray(usable, dtype=np.int64) for usable in levels]
        self.n = prod(map(len, levels))
        # A column of one step needs no axis, and an array has at most 64.
        self._shape = [len(usable) for usable in levels if len(usable) > 1]

    def of(self, numbers: Ints) -> Ints:
        """Return the steps of some combinations: int64 array of shape (combinations, columns)."""
        states = np.empty((len(numbers), len(self._levels)), dtype=np.int64)
        for i in range(len(self._levels) - 1, -1, -1):
            usable = self._levels[i]
            before = numbers // len(usable)
            states[:, i] = usable[numbers - before * len(usable)]
            numbers = before
        return states

    def state(self, number: int) -> State:
        """Return the steps of one combination."""
        made = []
        for usable in reversed(self._levels):
            number, at = divmod(number, len(usable))
            made.append(int(usable[at]))
        return tuple(reversed(made))

    def by_axis(self, columns: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        """Return a number of each usable step of each column as arrays that are combined element by element."""
        made, axis = [], 0
        for each in columns:
            shape = [1] * len(self._shape)
            if len(each) > 1:
                shape[axis] = len(each)
                axis += 1
            made.append(each.reshape(shape))
        return made

    def flat(self, combined: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what was combined of such arrays by the number of the combination."""
        return np.broadcast_to(combined, self._shape).ravel()
