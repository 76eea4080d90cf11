"""The state of a lattice with the least loss, or the best state found and a bound.

Question: how far should each column be generalised, so that no class fails after suppressing few records, and little
information is lost?
Method: a greedy ascent takes the step that moves most records out of failing classes per information lost. Branch and
bound follows: each measured state closes states that cannot be the optimum (`advice.lattices.bounds`), until none is
open. A lattice with more states than fit into memory is searched by single and paired moves instead; where the ascent
finds nothing, they begin at the best state of the same columns with fewer steps.
Limits: where the limit of work or the time budget is reached first, a state of less loss may exist; its loss is not
below the bound that is returned. A time budget may give another state on another machine.

References
----------
.. [1] F. Kohlmayer et al., Flash: efficient, stable and optimal k-anonymity, PASSAT 2012.
.. [2] K. El Emam et al., A globally optimal k-anonymity method, JAMIA 16(5), 2009.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from privaudit.advice.effect.information_loss import ON_CLASSES
from privaudit.advice.lattices.bounds import Bounds
from privaudit.advice.lattices.idle_steps import idle_columns
from privaudit.advice.lattices.lattice import Lattice, State
from privaudit.base.arrays import Flags
from privaudit.base.records import dataclass

ROWS = 160_000_000
MAX_MEASURED = 8_000
"""Rows that a search without a time budget reads at most, and states that it measures."""
MAX_STATES = 1_000_000
"""Largest lattice that is searched by branch and bound."""
MAX_MOVES = 1500
"""States that a search by moves measures at most."""
MAX_RANKED = 4096
"""States, about, that ranking the steps measures on the way up: several steps are taken at once where they are many."""

WIDE = 32
"""Columns up to which the bounds are as stated; a state of more columns takes longer, so that fewer are measured."""

Levels = Sequence[Sequence[int]]


def scaled(most: int, n_columns: int) -> int:
    """Return a bound on work that is stated for up to `WIDE` columns, for a table of `n_columns`."""
    return most * WIDE // max(WIDE, n_columns)


def at_once(n_steps: int, n_columns: int) -> int:
    """Return how many of `n_steps` ranked steps are taken before the others are ranked again; 1 for up to 64 steps."""
    return max(1, -(-(n_steps**2) // scaled(MAX_RANKED, n_columns)))


@dataclass(frozen=True, slots=True)
class Found:
    """The best state of a search.

    Attributes
    ----------
    state : tuple of int
    cost : float
        Information lost after suppression.
    bound : float
        No state loses less; equal to `cost` where the state is optimal.
    is_optimal : bool
    n_states, n_measured : int
        States of the lattice, and those that were measured.
    """

    state: State
    cost: float
    bound: float
    is_optimal: bool
    n_states: int
    n_measured: int


class Search:
    """A walk over the lattice that counts its work.

    Parameters
    ----------
    lattice : Lattice
        With its measure of loss and its protection.
    max_suppressed : float
        Share of records that may be suppressed, 0 to 1.
    levels : for each column the steps of its ladder that may be used, ascending
        All where not given.
    keeps_a_column : bool
        Whether at least one column must not be dropped.
    budget : float, optional
        Seconds after which the search ends with the best state so far; a limit of work ends it where not given.
    most_measured, most_rows : int
        States that a search without a budget measures at most, and rows that it reads.
    """

    def __init__(
        self,
        lattice: Lattice,
        *,
        max_suppressed: float,
        levels: Levels | None = None,
        keeps_a_column: bool = False,
        budget: float | None = None,
        most_measured: int = MAX_MEASURED,
        most_rows: int = ROWS,
    ) -> None:
        self.lattice = lattice
        self.levels = [tuple(usable) for usable in levels or [range(len(ladder)) for ladder in lattice.ladders]]
        self.keeps_a_column, self.max_suppressed = keeps_a_column, max_suppressed
        n = lattice.trial.coded.n_rows
        # Somebody must be left, whatever share may be suppressed.
        self.most = min(int(max_suppressed * n), n - 1)
        self.deadline = None if budget is None else time.monotonic() + budget
        self.most_measured, self.most_rows = most_measured, most_rows
        self.costs: dict[State, float | None] = {}
        self._read_before = lattice.rows_read
        self._sure: tuple[State, Flags] | None = None

    @property
    def n_states(self) -> int:
        """All combinations of the steps."""
        return prod(map(len, self.levels))

    @property
    def is_late(self) -> bool:
        """Whether the time budget is used up."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    @property
    def is_exhausted(self) -> bool:
        """Whether the time budget, or without one the limit of work, is used up."""
        if self.deadline is not None:
            return self.is_late
        return self.lattice.rows_read - self._read_before >= self.most_rows or len(self.costs) >= self.most_measured

    def allowed(self) -> list[State]:
        """Return the measured states that suppress few enough records."""
        return [state for state, cost in self.costs.items() if cost is not None]

    def sure_part(self, state: State) -> Flags:
        """Return the classes of `state` that fail a monotone requirement: whatever is inside them fails too."""
        part = self.lattice.protection.monotone_part
        if part is self.lattice.protection:
            return self.lattice.failing(state)
        if self._sure is None or self._sure[0] != state:
            self._sure = (state, self.lattice.failing(state, part))
        return self._sure[1]

    def closes_finer(self, state: State) -> bool:
        """Whether every finer state suppresses too many records (1 and 2 in `advice.lattices.bounds`)."""
        table, out = self.lattice.table(state), self.lattice.failing(state)
        return table.records(self.sure_part(state)) > self.most or (self.most == 0 and bool(table.sizes[out].any()))

    @property
    def is_hopeless(self) -> bool:
        """Whether every state suppresses too many records, as the coarsest do or all would, merged as far as any is."""
        coarsest = self.lattice.coarsest(self.levels)
        if coarsest:
            return all(self.lattice.table(state).records(self.sure_part(state)) > self.most for state in coarsest)
        first = tuple(levels[0] for levels in self.levels)
        return self.lattice.fewest_failing(first, dict(enumerate(self.levels))) > self.most

    def cost(self, state: State) -> float | None:
        """Return the cost after suppression, or None where too many records would have to be suppressed."""
        if state not in self.costs:
            reached = self.lattice.n_failing(state) <= self.most and not self.is_excluded(state)
            self.costs[state] = self.lattice.loss_after_suppression(state) if reached else None
        return self.costs[state]

    def is_excluded(self, state: State) -> bool:
        """Whether a column must be left and none is: then nothing is protected by what was measured."""
        return self.keeps_a_column and all(step.technique == "drop" for step in self.lattice.steps(state))

    def climb(self) -> State | None:
        """Take the step that repairs most records per information lost until the rest may be suppressed.

        With n steps to choose from, the first n^2 / `MAX_RANKED` of them are taken before the others are ranked again.
        """
        lattice = self.lattice
        state = tuple(levels[0] for levels in self.levels)
        while self.cost(state) is None:
            failing, cost = lattice.n_failing(state), lattice.cost(state)
            steps: list[tuple[float, float, State]] = []
            chains = _by_column(list(self._higher(state)), state)
            idle = self._idle(state, chains)
            lattice.make_ahead([chain for i, chain in enumerate(chains) if i not in idle])
            for i, chain in enumerate(chains):
                for target in chain:
                    gain = 0 if i in idle else failing - lattice.n_failing(target)
                    higher = lattice.cost_of_steps(target) if i in idle else lattice.cost(target)
                    steps.append((-gain / (max(0.0, higher - cost) + 1e-6), higher, target))
            if not steps:
                return None
            for _, _, target in heapq.nsmallest(at_once(len(steps), len(state)), steps):
                raised = tuple(map(max, state, target))
                if not self.is_excluded(raised):
                    state = raised
                if self.cost(state) is not None:
                    break
        return state

    def _idle(self, state: State, chains: Sequence[Sequence[State]]) -> set[int]:
        """Return the columns whose steps from `state` leave as many failing records as there are."""
        lattice = self.lattice
        if lattice.loss.measure in ON_CLASSES:  # what a step costs depends on its classes
            return set()
        failing = lattice.n_failing(state)
        levels = {i: [target[i] for target in chain] for i, chain in enumerate(chains) if chain}
        if failing < lattice.trial.coded.n_rows:
            # A step to other groups may break a class that does not fail, and so may one that is not monotone.
            levels = {i: to for i, to in levels.items() if all(lattice.order.merges[i][to, state[i]])}
            if not lattice.protection.is_monotone:
                return set()
        return idle_columns(
            list(levels), lambda some: lattice.fewest_failing(state, {i: levels[i] for i in some}), failing
        )

    def _higher(self, state: State) -> Iterator[State]:
        for i, levels in enumerate(self.levels):
            at = levels.index(state[i])
            for level in levels[at + 1 : at + 4]:
                target = (*state[:i], level, *state[i + 1 :])
                if not self.is_excluded(target):
                    yield target

    def with_fewer_steps(self) -> Search:
        """Return the search of a lattice that branch and bound can search: every second step is omitted in turn."""
        levels = [*self.levels]
        while prod(map(len, levels)) > MAX_STATES:
            i = max(range(len(levels)), key=lambda i: len(levels[i]))
            first, *inner, last = levels[i]
            levels[i] = (first, *inner[1::2], last) if inner else (last,)
        most = len(self.costs) + scaled(MAX_MOVES, len(levels))
        made = Search(
            self.lattice,
            max_suppressed=self.max_suppressed,
            levels=levels,
            keeps_a_column=self.keeps_a_column,
            most_measured=most,
            most_rows=self.most_rows,
        )
        made.costs, made.deadline, made._read_before = self.costs, self.deadline, self._read_before
        return made

    def improve(self, state: State) -> State:
        """Move to the cheapest neighbour until none is cheaper or the limit of work is reached."""
        most = scaled(MAX_MOVES, len(state))
        while not self.is_exhausted and len(self.costs) < most:
            costs = ((self.cost(s), s) for s in self._near(state) if not self.is_exhausted)
            best = min(((cost, s) for cost, s in costs if cost is not None), default=None)
            here = self.cost(state)
            if best is None or here is None or best[0] >= here:
                break
            state = best[1]
        return state

    def _near(self, state: State) -> Iterator[State]:
        """Yield states that differ in one column, and those where one goes up and another down."""
        for i, levels in enumerate(self.levels):
            for level in levels:
                if level != state[i]:
                    yield (*state[:i], level, *state[i + 1 :])
        for i, levels in enumerate(self.levels):
            at = levels.index(state[i])
            if at + 1 >= len(levels):
                continue
            for j, others in enumerate(self.levels):
                for down in others[: others.index(state[j])] if j != i else ():
                    moved = list(state)
                    moved[i], moved[j] = levels[at + 1], down
                    yield tuple(moved)


def _by_column(targets: Sequence[State], state: State) -> list[list[State]]:
    """Return the states that differ from `state` in one column, column by column."""
    return [[target for target in targets if target[i] != level] for i, level in enumerate(state)]


def _branch_and_bound(search: Search, best: State | None) -> tuple[State | None, float | None, float]:
    """Return the best state, its cost, and a bound that no state is below."""
    lattice, least = search.lattice, None if best is None else search.cost(best)
    bounds = Bounds(lattice, search.levels, search.most, least)
    while not search.is_exhausted:
        if not len(bounds):
            return best, least, np.inf if least is None else least
        state = bounds.take()
        cost = search.cost(state)
        if search.closes_finer(state):
            bounds.close_finer(state)
            continue
        if cost is not None and (least is None or cost < least):
            least, best = cost, state
            bounds.close_above(least)
        bounds.raise_others(state, lattice.table(state), search.sure_part(state))
    return best, least, bounds.least(np.inf if least is None else least)


def least_loss(search: Search) -> Found | None:
    """Return the state of least loss, or None where no state was found."""
    if search.is_hopeless:
        return None
    best = search.climb()
    if search.n_states <= MAX_STATES:
        best, cost, bound = _branch_and_bound(search, best)
    else:
        if best is None:
            best, _, _ = _branch_and_bound(search.with_fewer_steps(), None)
        best = None if best is None else search.improve(best)
        cost, bound = (None if best is None else search.cost(best)), 0.0
    if best is None or cost is None:
        return None
    return Found(best, cost, bound, bound >= cost, search.n_states, len(search.costs))
