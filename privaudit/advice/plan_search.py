"""A combination of remedies that reaches the policy at low information loss.

Question: how far should each column be generalised, so that few records remain in classes below k and little
information is lost?
Method: each column has a ladder of recodings; a plan is one step per column, then the suppression of the records that
remain below k. A greedy ascent takes the step that moves most records to classes of k or more per information lost;
then single and paired moves on the ladders improve the plan until no move helps or the limit of work is reached. The
result is recoded and counted again before it is reported.
Limits: a local search: a cheaper plan may exist. At most `max_suppressed` of the records are suppressed; where even
the coarsest steps leave more records below k, there is no plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from privaudit.advice.lattice import Lattice, State
from privaudit.advice.recoding import Recoding
from privaudit.advice.trial_table import Effect, TrialTable

ROWS = 40_000_000
MAX_TRIALS = 4000


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
    complete : bool
        Whether the search ended before its limit of work.
    """

    steps: tuple[Recoding, ...]
    after: tuple[Effect, ...]
    final: Effect
    n_suppressed: int
    complete: bool


class _Search:
    """A walk over the lattice that counts its work."""

    def __init__(self, lattice: Lattice, least: State, allowed: float) -> None:
        self.lattice = lattice
        self.least = least
        self.tops = [len(ladder) for ladder in lattice.ladders]
        self.most = int(allowed * lattice.trial.coded.n_rows)
        self.rows = ROWS
        self._costs: dict[State, float | None] = {}

    @property
    def is_exhausted(self) -> bool:
        return self.lattice.rows_read >= self.rows or len(self._costs) >= MAX_TRIALS

    def cost(self, state: State) -> float | None:
        """Return the cost after suppression, or None where too many records would have to be suppressed."""
        if state not in self._costs:
            sizes = self.lattice.sizes(state)
            below = int(sizes[sizes < self.lattice.trial.k].sum())
            reached = below <= self.most and below < self.lattice.trial.coded.n_rows
            self._costs[state] = self.lattice.measure(state, suppress=True).cost if reached else None
        return self._costs[state]

    def climb(self) -> State | None:
        """Take the step that repairs most records per information lost until the rest may be suppressed."""
        state = self.least
        while self.cost(state) is None:
            here = self.lattice.measure(state)
            steps = []
            for target in self._higher(state):
                there = self.lattice.measure(target)
                gain = here.n_below_k - there.n_below_k
                steps.append((-gain / (there.cost - here.cost + 1e-6), there.cost, target))
            if not steps:
                return None
            state = min(steps)[2]
        return state

    def _higher(self, state: State) -> Iterator[State]:
        for i, top in enumerate(self.tops):
            for level in range(state[i] + 1, min(state[i] + 4, top)):
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
        for i, top in enumerate(self.tops):
            for level in range(self.least[i], top):
                if level != state[i]:
                    yield (*state[:i], level, *state[i + 1 :])
        for i, top in enumerate(self.tops):
            if state[i] + 1 >= top:
                continue
            for j in range(len(self.tops)):
                for down in range(self.least[j], state[j]) if j != i else ():
                    moved = list(state)
                    moved[i], moved[j] = state[i] + 1, down
                    yield tuple(moved)


def find_plan(
    trial: TrialTable,
    ladders: Mapping[str, Sequence[Recoding]],
    *,
    max_suppressed: float,
    least: Mapping[str, int] | None = None,
) -> Plan | None:
    """Search a plan that leaves no record below k after suppressing at most a share of the records.

    Parameters
    ----------
    trial : TrialTable
    ladders : mapping of column to recodings
        From unchanged to dropped.
    max_suppressed : float
        Share of records that may be suppressed, in [0, 1).
    least : mapping of column to int, optional
        Lowest step on a column's ladder that the policy allows; 0 where not given.

    Returns
    -------
    Plan or None
        None where no state of the ladders reaches it.
    """
    lattice = Lattice(trial, ladders)
    search = _Search(lattice, tuple((least or {}).get(name, 0) for name in trial.names), max_suppressed)
    climbed = search.climb()
    if climbed is None:
        return None
    found = [
        (search.cost(s) or 0.0, s) for s in (search.improve(start) for start in _starts(search, climbed))
    ]
    return _verified(lattice, _in_order(lattice, min(found)[1]), complete=not search.is_exhausted)


def _starts(search: _Search, climbed: State) -> list[State]:
    """Start from the result of the ascent and, where it is allowed, from near the coarsest state."""
    above = tuple(max(low, top - 2) for low, top in zip(search.least, search.tops, strict=True))
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


def _verified(lattice: Lattice, way: list[State], *, complete: bool) -> Plan:
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
    return Plan(tuple(steps), tuple(after), final, trial.coded.n_rows - final.n_records, complete)
