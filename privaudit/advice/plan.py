"""A combination of remedies that reaches the policy at little cost.

Question: which columns should be made how coarse, so that few records remain in classes below k and little is lost?
Method: each column has a ladder of recodings; a plan is one step per column, then the suppression of what is left
below k. Greedy ascent takes the step that repairs most records per information lost; then single and paired moves on
the ladders improve the plan until none helps or the trials are used up. The outcome is recoded for good and counted
again before it is told.
Limits: a local search: another plan may be cheaper. At most `max_suppressed` of the records are left out; where even
the coarsest steps leave more below k, there is no plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from privaudit.advice.bench import Bench, Measured
from privaudit.advice.recoding import Recoding

State = tuple[int, ...]
CELLS = 400_000_000
MIN_TRIALS, MAX_TRIALS = 120, 4000


@dataclass(frozen=True, slots=True)
class Plan:
    """One step per column, in the order of their worth, then suppression.

    Attributes
    ----------
    steps : tuple of Recoding
    after : tuple of Measured
        The table after each step, without suppression.
    final : Measured
        After all steps and the suppression of `n_suppressed` records.
    complete : bool
        Whether the search ended by itself rather than by its number of trials.
    """

    steps: tuple[Recoding, ...]
    after: tuple[Measured, ...]
    final: Measured
    n_suppressed: int
    complete: bool


class _Search:
    """Trials of states, remembered."""

    def __init__(
        self,
        bench: Bench,
        ladders: Mapping[str, Sequence[Recoding]],
        least: Mapping[str, int],
        allowed: float,
    ) -> None:
        self.bench = bench
        self.least: State = tuple(least.get(name, 0) for name in bench.names)
        self.ladders = [ladders[name] for name in bench.names]
        self.most = int(allowed * bench.coded.n_rows)
        self.seen: dict[State, tuple[Measured, Measured]] = {}
        cells = max(1, bench.coded.n_distinct * max(1, len(bench.names)))
        self.trials = min(MAX_TRIALS, max(MIN_TRIALS, CELLS // cells))

    @property
    def spent(self) -> bool:
        return len(self.seen) >= self.trials

    def recodings(self, state: State) -> dict[str, Recoding]:
        return {
            name: ladder[level]
            for name, ladder, level in zip(self.bench.names, self.ladders, state, strict=True)
            if level
        }

    def look(self, state: State) -> tuple[Measured, Measured]:
        """Return the table in `state`, as it is and with small classes suppressed."""
        if state not in self.seen:
            chosen = self.recodings(state)
            self.seen[state] = (
                self.bench.measure(chosen),
                self.bench.measure(chosen, suppress=True),
            )
        return self.seen[state]

    def reaches(self, state: State) -> bool:
        """Say whether what is left below k may be suppressed without emptying the table."""
        open_, closed = self.look(state)
        return open_.n_below_k <= self.most and closed.n_records > 0

    def cost(self, state: State) -> float:
        return self.look(state)[1].cost

    def climb(self) -> State | None:
        """Take the step with most records repaired per information lost until the rest may be suppressed."""
        state = self.least
        while not self.reaches(state):
            here = self.look(state)[0]
            steps = []
            for target in self._higher(state):
                there = self.look(target)[0]
                gain = here.n_below_k - there.n_below_k
                steps.append((-gain / (there.cost - here.cost + 1e-6), there.cost, target))
            if not steps:
                return None
            state = min(steps)[2]
        return state

    def _higher(self, state: State) -> Iterator[State]:
        for i, ladder in enumerate(self.ladders):
            for level in range(state[i] + 1, min(state[i] + 3, len(ladder))):
                yield (*state[:i], level, *state[i + 1 :])

    def improve(self, state: State) -> State:
        """Move to the cheapest neighbour until there is none, or the trials are used up."""
        while not self.spent:
            better = [(self.cost(s), s) for s in self._near(state) if not self.spent and self.reaches(s)]
            best = min(better, default=None)
            if best is None or best[0] >= self.cost(state):
                break
            state = best[1]
        return state

    def _near(self, state: State) -> Iterator[State]:
        """Yield states that differ in one column, and those where one goes up and another down."""
        tops = [len(ladder) for ladder in self.ladders]
        for i, top in enumerate(tops):
            for level in range(self.least[i], top):
                if level != state[i]:
                    yield (*state[:i], level, *state[i + 1 :])
        for i, top in enumerate(tops):
            if state[i] + 1 >= top:
                continue
            for j in range(len(tops)):
                for down in range(self.least[j], state[j]) if j != i else ():
                    moved = list(state)
                    moved[i], moved[j] = state[i] + 1, down
                    yield tuple(moved)


def find_plan(
    bench: Bench,
    ladders: Mapping[str, Sequence[Recoding]],
    *,
    max_suppressed: float,
    least: Mapping[str, int] | None = None,
) -> Plan | None:
    """Search a plan that leaves no record below k after suppressing at most a share of the records.

    Parameters
    ----------
    bench : Bench
    ladders : mapping of column to recodings
        From unchanged to dropped.
    max_suppressed : float
        Share of records that may be left out, in [0, 1).
    least : mapping of column to int, optional
        Lowest step on a column's ladder that the policy allows; 0 where not given.

    Returns
    -------
    Plan or None
        None where no state of the ladders reaches it.
    """
    search = _Search(bench, ladders, least or {}, max_suppressed)
    start = search.climb()
    if start is None:
        return None
    best = min((search.improve(s) for s in _starts(search, start)), key=lambda s: (search.cost(s), s))
    steps = _in_order(bench, list(search.recodings(best).values()))
    return _verified(bench, steps, complete=not search.spent)


def _starts(search: _Search, climbed: State) -> list[State]:
    """Start from the climb, and from above, where no small class is in the way."""
    above = tuple(
        max(least, len(ladder) - 2) for least, ladder in zip(search.least, search.ladders, strict=True)
    )
    return [climbed, above] if search.reaches(above) else [climbed]


def _in_order(bench: Bench, steps: list[Recoding]) -> list[Recoding]:
    """Put first what repairs most records, given what is done already."""
    ordered: list[Recoding] = []
    while steps:
        done = {s.column: s for s in ordered}
        best = min(
            steps, key=lambda s: (bench.measure({**done, s.column: s}).n_below_k, bench.names.index(s.column))
        )
        steps.remove(best)
        ordered.append(best)
    return ordered


def _verified(bench: Bench, steps: list[Recoding], *, complete: bool) -> Plan:
    """Recode the table for good, step by step, and count it again; the lookups must have told the same."""
    after = []
    done: dict[str, Recoding] = {}
    for step in steps:
        done[step.column] = step
        after.append(bench.measure(done))
        recoded = bench.apply(list(done.values()))
        sizes = recoded.weights
        if int(sizes[sizes < bench.k].sum()) != after[-1].n_below_k:
            raise AssertionError("a remedy measured by lookup and on the recoded table must agree")
    final = bench.measure(done, suppress=True)
    n_suppressed = bench.coded.n_rows - final.n_records
    return Plan(tuple(steps), tuple(after), final, n_suppressed, complete)
