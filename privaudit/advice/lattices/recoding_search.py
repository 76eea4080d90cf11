"""A combination of recodings that meets the policy at low information loss.

Question: which step of each column's ladder, in which order, followed by which suppression?
Method: the state of least loss is searched (`advice.lattices.lattice_search`), or another point of the risk-utility
picture is taken (`advice.lattices.frontier`), its steps are put in order, and the table is recoded and counted step by
step.
Limits: those of the search; the result states whether it is optimal, and otherwise a bound. The picture is drawn when
it is first read, so that a plan that nobody reads does not measure further states for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

from privaudit.advice.effect.information_loss import DIGITS, rounded
from privaudit.advice.effect.trial_table import Effect
from privaudit.advice.lattices.frontier import Picture, one_point, picture
from privaudit.advice.lattices.idle_steps import idle_columns
from privaudit.advice.lattices.lattice import Lattice, State
from privaudit.advice.lattices.lattice_search import Found, Search, at_once, least_loss
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.protection import Protection
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.model import FrontierPoint, LatticeSearch, MeasuredStates


@dataclass(frozen=True, slots=True)
class Recodings:
    """One step per column, the most effective first, then suppression.

    Attributes
    ----------
    steps : tuple of Recoding
    after : tuple of Effect
        The table after each step, without suppression.
    final : Effect
        After all steps and the suppression of `n_suppressed` records.
    searched : Searched
        Whether the recodings are optimal, and the other points of the risk-utility picture.
    """

    steps: tuple[Recoding, ...]
    after: tuple[Effect, ...]
    final: Effect
    n_suppressed: int
    searched: Searched

    @property
    def search(self) -> LatticeSearch:
        """The search as a report states it; the first reading draws the risk-utility picture."""
        return self.searched.stated


class Searched:
    """A search that found a state, and its risk-utility picture, which is drawn when it is first read.

    Parameters
    ----------
    search : Search
    found : Found
        The state of least loss.
    choose : int, optional
        The point of the picture that is taken.
    is_described : bool
        Whether the picture has other points than the one that is taken.
    """

    def __init__(self, search: Search, found: Found, *, choose: int | None, is_described: bool) -> None:
        self.found = found
        self._search, self._choose, self._is_described = search, choose, is_described

    @property
    def state(self) -> State:
        """The state that is taken: the first point of the picture is the state of least loss."""
        return self.found.state if self._takes_first else self._picture.frontier[self._chosen - 1].state

    @property
    def _takes_first(self) -> bool:
        return (self._choose or 1) == 1

    @property
    def _chosen(self) -> int:
        return min(self._choose or 1, len(self._picture.frontier))

    @cached_property
    def _picture(self) -> Picture:
        if self._takes_first and not self._is_described:
            return one_point(self._search, self.found)
        return picture(self._search, self.found, thorough=self._choose is not None)

    @cached_property
    def stated(self) -> LatticeSearch:
        """The search as a report states it."""
        found, drawn, lattice = self.found, self._picture, self._search.lattice
        points = tuple(
            FrontierPoint(
                number=number,
                steps=tuple(step_parameters(step) for step in lattice.steps(point.state) if step.technique != "keep"),
                k_min=point.k_min,
                n_classes=point.after.n_classes,
                n_suppressed=lattice.trial.coded.n_rows - point.after.n_records,
                risk=round(point.risk, DIGITS),
                loss=point.loss,
            )
            for number, point in enumerate(drawn.frontier, 1)
        )
        states = MeasuredStates(
            risk=tuple(round(point.risk, 4) for point in drawn.drawn),
            loss=tuple(round(point.loss, 4) for point in drawn.drawn),
        )
        return LatticeSearch(
            is_optimal=found.is_optimal,
            bound=rounded(found.bound),
            n_states=found.n_states,
            n_measured=found.n_measured,
            max_suppressed=self._search.max_suppressed,
            chosen=self._chosen,
            frontier=points,
            is_whole=drawn.is_whole,
            states=states,
        )


def find_recodings(search: Search, *, choose: int | None = None, is_described: bool = True) -> Recodings | None:
    """Search recodings that leave no class that fails after suppressing at most a share of the records.

    Parameters
    ----------
    search : Search
        Over ladders from unchanged to dropped.
    choose : int, optional
        The point of the risk-utility picture that is taken, the last one where there are fewer. The picture is
        then drawn from further states than those that the search for the first point, of least loss, measures.
    is_described : bool, default True
        Whether somebody reads the other points of the picture, where the first is taken.

    Returns
    -------
    Recodings or None
        None where no state of the ladders reaches it.
    """
    found = least_loss(search)
    if found is None:
        return None
    searched = Searched(search, found, choose=choose, is_described=is_described)
    return _verified(search.lattice, _in_order(search.lattice, searched.state), searched)


def step_parameters(step: Recoding) -> dict[str, Any]:
    """Return a step as it is written in the report."""
    return {"technique": step.technique, "column": step.column, "parameters": dict(step.parameters)}


def _in_order(lattice: Lattice, goal: State) -> list[State]:
    """Return the states on the way to `goal`, the step that repairs most records first.

    Where there are many steps, several are taken before the others are ranked again (`at_once`).
    """
    at = [0] * len(goal)
    left = [i for i, level in enumerate(goal) if level]
    way: list[State] = []
    while left:
        options = [(i, (*at[:i], goal[i], *at[i + 1 :])) for i in left]
        now = lattice.measure(tuple(at)).n_below_k
        idle = idle_columns(left, partial(_fewest_below_k, lattice, tuple(at), goal), now)
        lattice.make_ahead([[state] for i, state in options if i not in idle])
        below = {i: now if i in idle else lattice.measure(state).n_below_k for i, state in options}
        for i in sorted(left, key=lambda i: (below[i], i))[: at_once(len(options), len(goal))]:
            at[i] = goal[i]
            left.remove(i)
            way.append(tuple(at))
    return way


def _fewest_below_k(lattice: Lattice, state: State, goal: State, columns: Sequence[int]) -> int:
    return lattice.fewest_failing(state, {i: (goal[i],) for i in columns}, Protection(lattice.trial.k))


def _verified(lattice: Lattice, way: list[State], searched: Searched) -> Recodings:
    """Recode the table step by step and count it again; the counts must equal those of the lookups."""

    trial, table = lattice.trial, lattice.trial.coded
    steps, after, done = [], [], (0,) * len(trial.names)
    for state in way:
        i = next(i for i, level in enumerate(state) if level != done[i])
        step = lattice.ladders[i][state[i]]
        names = pa.array([str(n) for n in range(int(step.lookup.max(initial=0)) + 1)], pa.string())
        table = table.recode(step.column, step.lookup, names)
        measured = lattice.measure(state)
        present = table.weights[table.weights > 0]
        # Lookups are fast and the recoded table is what is written: a promise is given only where both agree.
        if (len(present), int(present.min())) != (measured.n_classes, measured.k_min):
            raise AssertionError("a remedy measured by lookup and on the recoded table must be equal")
        steps.append(step)
        after.append(measured)
        done = state
    final = lattice.measure(done, suppress=True)
    n_suppressed = trial.coded.n_rows - final.n_records
    return Recodings(steps=tuple(steps), after=tuple(after), final=final, n_suppressed=n_suppressed, searched=searched)
