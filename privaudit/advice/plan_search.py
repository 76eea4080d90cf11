"""A combination of recodings that meets the policy at low information loss.

Question: how far should each column be generalised, so that few records have to be suppressed and little information is
lost?
Method: each column has a ladder of recodings; a plan is one step per column, then the suppression of the classes that
still fail. A greedy ascent takes the step that moves most records out of failing classes per information lost; then
single and paired moves on the ladders improve it. Where the lattice is small enough, branch and bound follows: the loss
without suppression is a lower bound, a state that suppresses too many records rules out all finer states, and what
suppression adds in a state is added to the bound of all finer states. It ends with the optimum.
Limits: where the lattice is too large, the policy limits t, or the limit of work is reached, a cheaper plan may exist;
the result states it. At most `max_suppressed` of the records are suppressed.

References
----------
.. [1] F. Kohlmayer et al., Flash: efficient, stable and optimal k-anonymity, PASSAT 2012.
.. [2] K. El Emam et al., A globally optimal k-anonymity method, JAMIA 16(5), 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from privaudit.advice.information_loss import ON_CLASSES, InformationLoss
from privaudit.advice.lattice import Lattice, State
from privaudit.advice.protection import Protection
from privaudit.advice.recoding import Recoding
from privaudit.advice.trial_table import Effect, TrialTable

ROWS = 40_000_000
MAX_TRIALS = 1500
MAX_STATES = 20_000
"""Largest lattice that is searched by branch and bound."""
MAX_EXACT_TRIALS = 3000
_EQUAL = 1e-9

Levels = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Plan:
    """One step per column, the most effective first, then suppression.

    Attributes
    ----------
    steps : tuple of Recoding
    after : tuple of Effect
        The table after each step, without suppression.
    final : Effect
        After all steps and the suppression of `n_suppressed` records.
    n_small : int
        Records among them that are suppressed because their class is smaller than k.
    is_optimal : bool
        Whether no plan on these ladders loses less information.
    """

    steps: tuple[Recoding, ...]
    after: tuple[Effect, ...]
    final: Effect
    n_suppressed: int
    n_small: int
    is_optimal: bool


class _Search:
    """A walk over the lattice that counts its work."""

    def __init__(self, lattice: Lattice, levels: Levels, allowed: float, *, keeps_a_column: bool) -> None:
        self.lattice = lattice
        self.levels = levels
        self.keeps_a_column = keeps_a_column
        self.most = int(allowed * lattice.trial.coded.n_rows)
        self.rows, self.trials = ROWS, MAX_TRIALS
        self._costs: dict[State, float | None] = {}

    @property
    def is_exhausted(self) -> bool:
        return self.lattice.rows_read >= self.rows or len(self._costs) >= self.trials

    @property
    def start(self) -> State:
        return tuple(levels[0] for levels in self.levels)

    def cost(self, state: State) -> float | None:
        """Return the cost after suppression, or None where too many records would have to be suppressed."""
        if state not in self._costs:
            failing = self.lattice.n_failing(state)
            reached = failing <= self.most and failing < self.lattice.trial.coded.n_rows
            reached = reached and not (self.keeps_a_column and self.drops_all(state))
            self._costs[state] = self.lattice.measure(state, suppress=True).cost if reached else None
        return self._costs[state]

    def drops_all(self, state: State) -> bool:
        """Whether no column is left: then nothing is measured, and nothing is protected by what was measured."""
        steps = (ladder[level] for ladder, level in zip(self.lattice.ladders, state, strict=True))
        return all(step.technique == "drop" for step in steps)

    def is_impossible(self) -> bool:
        """Whether the coarsest state of all suppresses too many records, so that every state does."""
        coarsest = tuple(levels[-1] for levels in self.levels)
        if not self.lattice.protection.is_monotone or self.drops_all(coarsest):
            return False
        merges_all = all(
            self.lattice.refines(i, level, coarsest[i])
            for i, levels in enumerate(self.levels)
            for level in levels
        )
        return merges_all and self.cost(coarsest) is None

    def climb(self) -> State | None:
        """Take the step that repairs most records per information lost until the rest may be suppressed."""
        state = self.start
        while self.cost(state) is None:
            failing, cost = self.lattice.n_failing(state), self.lattice.measure(state).cost
            steps: list[tuple[float, float, State]] = []
            for target in self._higher(state):
                if self.keeps_a_column and self.drops_all(target):
                    continue
                gain = failing - self.lattice.n_failing(target)
                higher = self.lattice.measure(target).cost
                steps.append((-gain / (max(0.0, higher - cost) + 1e-6), higher, target))
            if not steps:
                return None
            state = min(steps)[2]
        return state

    def _higher(self, state: State) -> Iterator[State]:
        for i, levels in enumerate(self.levels):
            at = levels.index(state[i])
            for level in levels[at + 1 : at + 4]:
                yield (*state[:i], level, *state[i + 1 :])

    def improve(self, state: State) -> State:
        """Move to the cheapest neighbour until none is cheaper or the limit of work is reached."""
        while not self.is_exhausted:
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


class _Bounds:
    """Lower bounds of the loss of every state of a lattice, and which states are closed."""

    def __init__(self, search: _Search) -> None:
        self.search = search
        self.lattice = search.lattice
        loss = self.lattice.loss
        self.shape = tuple(len(levels) for levels in search.levels)
        self.closed = np.zeros(self.shape, dtype=bool)
        self.shares = [
            np.array([loss.without_suppression(ladder[level]) for level in levels])
            for ladder, levels in zip(self.lattice.ladders, search.levels, strict=True)
        ]
        has_bound = loss.measure not in ON_CLASSES
        self.bound = self._combine(self.shares) if has_bound else np.zeros(self.shape)
        self.has_offsets = has_bound and loss.grows_with_suppression and self.lattice.protection.is_monotone

    def state(self, place: tuple[int, ...]) -> State:
        return tuple(levels[at] for levels, at in zip(self.search.levels, place, strict=True))

    def _combine(self, shares: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
        return np.broadcast_to(self.lattice.loss.combine(np.ix_(*shares)), tuple(map(len, shares))).copy()

    def finer(self, place: tuple[int, ...]) -> tuple[npt.NDArray[np.int64], ...]:
        """Return the places of each column from which the place can be made."""
        state = self.state(place)
        return tuple(
            np.array([j for j, level in enumerate(levels) if self.lattice.refines(i, level, state[i])])
            for i, levels in enumerate(self.search.levels)
        )

    def raise_finer(self, place: tuple[int, ...]) -> None:
        """Add what suppression costs in a state to the bounds of all finer states, which suppress no fewer records."""
        below = self.finer(place)
        state = self.state(place)
        classes, out = self.lattice.classes(state), self.lattice.failing(state)
        gone = classes.sizes[out]
        shares = []
        for i, level in enumerate(state):
            whole = self.lattice.loss.of_column(self.lattice.ladders[i][level], classes.codes[i][out], gone)
            shares.append(np.minimum(1.0, self.shares[i][below[i]] + whole - self.shares[i][place[i]]))
        at = np.ix_(*below)
        self.bound[at] = np.maximum(self.bound[at], self._combine(shares))


def _optimum(search: _Search, best: State) -> tuple[State, bool]:
    """Return the state of least loss by branch and bound, and whether that is certain."""
    bounds = _Bounds(search)
    least = search.cost(best)
    search.trials += MAX_EXACT_TRIALS
    search.rows *= 4
    monotone = search.lattice.protection.is_monotone
    while not search.is_exhausted and least is not None:
        bounds.closed |= bounds.bound > least - _EQUAL
        if bounds.closed.all():
            return best, True
        # The coarsest of the candidates: where it suppresses too much, all finer states do.
        flat = int(np.where(bounds.closed, -1.0, bounds.bound).argmax())
        place = tuple(int(i) for i in np.unravel_index(flat, bounds.shape))
        cost = search.cost(bounds.state(place))
        bounds.closed[place] = True
        if cost is None:
            if monotone and not search.drops_all(bounds.state(place)):
                bounds.closed[np.ix_(*bounds.finer(place))] = True
            continue
        if cost < least:
            least, best = cost, bounds.state(place)
        if bounds.has_offsets:
            bounds.raise_finer(place)
    return best, False


def find_plan(
    trial: TrialTable,
    ladders: Mapping[str, Sequence[Recoding]],
    *,
    max_suppressed: float,
    levels: Mapping[str, Sequence[int]] | None = None,
    loss: InformationLoss | None = None,
    protection: Protection | None = None,
    keeps_a_column: bool = False,
) -> Plan | None:
    """Search a plan that leaves no class that fails after suppressing at most a share of the records.

    Parameters
    ----------
    trial : TrialTable
    ladders : mapping of column to recodings
        From unchanged to dropped.
    max_suppressed : float
        Share of records that may be suppressed, in [0, 1).
    levels : mapping of column to int, optional
        Steps of a column's ladder that may be used, ascending; all where not given.
    loss : InformationLoss, optional
    protection : Protection, optional
    keeps_a_column : bool
        Whether at least one column must not be dropped.

    Returns
    -------
    Plan or None
        None where no state of the ladders reaches it.
    """
    lattice = Lattice(trial, ladders, loss, protection)
    usable = [tuple((levels or {}).get(n, range(len(ladders[n])))) for n in trial.names]
    search = _Search(lattice, usable, max_suppressed, keeps_a_column=keeps_a_column)
    climbed = None if search.is_impossible() else search.climb()
    if climbed is None:
        return None
    found = [
        (search.cost(s) or 0.0, s) for s in (search.improve(start) for start in _starts(search, climbed))
    ]
    best, is_optimal = min(found)[1], False
    if prod(map(len, usable)) <= MAX_STATES:
        best, is_optimal = _optimum(search, best)
    return _verified(lattice, _in_order(lattice, best), is_optimal=is_optimal)


def _starts(search: _Search, climbed: State) -> list[State]:
    """Start from the result of the ascent and, where it is allowed, from near the coarsest state."""
    above = tuple(levels[max(0, len(levels) - 2)] for levels in search.levels)
    return [climbed] if search.cost(above) is None else [climbed, above]


def _in_order(lattice: Lattice, goal: State) -> list[State]:
    """Return the states on the way to `goal`, the step that repairs most records first."""
    at = [0] * len(goal)
    left = [i for i, level in enumerate(goal) if level]
    way: list[State] = []
    while left:
        options = [(i, (*at[:i], goal[i], *at[i + 1 :])) for i in left]
        i, state = min(options, key=lambda o: (lattice.measure(o[1]).n_below_k, o[0]))
        at[i] = goal[i]
        left.remove(i)
        way.append(state)
    return way


def _verified(lattice: Lattice, way: list[State], *, is_optimal: bool) -> Plan:
    """Recode the table step by step and count it again; the counts must equal those of the lookups."""
    import pyarrow as pa

    trial, table = lattice.trial, lattice.trial.coded
    steps, after, done = [], [], (0,) * len(trial.names)
    for state in way:
        i = next(i for i, level in enumerate(state) if level != done[i])
        step = lattice.ladders[i][state[i]]
        names = pa.array([str(n) for n in range(int(step.lookup.max(initial=0)) + 1)], pa.string())
        table = table.recode(step.column, step.lookup, names)
        measured = lattice.measure(state)
        if (table.n_distinct, int(table.weights.min())) != (measured.n_classes, measured.k_min):
            raise AssertionError("a remedy measured by lookup and on the recoded table must be equal")
        steps.append(step)
        after.append(measured)
        done = state
    final = lattice.measure(done, suppress=True)
    sizes = lattice.sizes(done)
    n_small = int(sizes[sizes < trial.k].sum())
    n_suppressed = trial.coded.n_rows - final.n_records
    return Plan(tuple(steps), tuple(after), final, n_suppressed, n_small, is_optimal)
