"""The risk-utility picture of a lattice: which recodings lose more, but leave less risk than the optimum.

Question: among the recodings that meet the policy, which are worth choosing?
Method: a recoding is on the frontier where none of at most its loss leaves less risk. Loss is the measure of the
search; risk is the mean re-identification risk of the records kept, classes over records. The states that the search
measured are compared. A thorough survey also measures all others from coarse to fine, except those finer than a state
that suppresses too many records; where they are too many, a sample of them and the neighbours of the frontier.
Limits: the survey ends after a limit of work, or at the end of the time budget; it states whether it is whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from privaudit.advice.effect.trial_table import Effect
from privaudit.advice.lattices.lattice import State
from privaudit.advice.lattices.lattice_search import Found, Search
from privaudit.base.records import dataclass

MOST_POINTS = 12
MOST_STATES = 2_500
"""States that a survey measures at most; a lattice with fewer is measured whole."""
MOST_ROWS = 60_000_000
"""Rows that a survey reads at most."""
MOST_DRAWN = 250


@dataclass(frozen=True, slots=True)
class Point:
    """One state of the lattice that meets the requirements, after suppression.

    ``k_min`` and ``n_members`` count the people in a class where a data subject column was named, otherwise records.
    """

    state: State
    after: Effect
    k_min: int
    n_members: int

    @property
    def risk(self) -> float:
        """Mean risk of the members of the classes that are kept."""
        return self.after.n_classes / self.n_members

    @property
    def loss(self) -> float:
        """Share of information lost."""
        return self.after.cost


@dataclass(frozen=True, slots=True)
class Picture:
    """The frontier, by ascending loss, and some of the states below it."""

    frontier: tuple[Point, ...]
    drawn: tuple[Point, ...]
    is_whole: bool


def picture(search: Search, found: Found, *, thorough: bool) -> Picture:
    """Return the risk-utility picture of the states that a search measured.

    Parameters
    ----------
    search : Search
    found : Found
        Its state is the first point.
    thorough : bool
        Whether further states are measured.
    """
    is_whole = thorough and _survey(search)
    points = {state: _measured(search, state) for state in search.allowed()}
    if thorough and not is_whole:
        _refine(search, points, found.state)
    frontier = frontier_of(points.values(), found.state)
    drawn = sorted(points.values(), key=lambda point: (point.loss, point.risk, point.state))
    return Picture(_spread(frontier, MOST_POINTS), _spread(drawn, MOST_DRAWN), is_whole)


def one_point(search: Search, found: Found) -> Picture:
    """Return the picture of the state that a search found alone, for a plan that nobody reads."""
    return Picture((_measured(search, found.state),), (), is_whole=False)


def frontier_of(points: Iterable[Point], first: State) -> list[Point]:
    """Return the points whose risk is below that of all points of less loss; `first` is the first of them."""
    kept: list[Point] = []
    for point in sorted(points, key=lambda p: (p.state != first, p.loss, p.risk, p.state)):
        if not kept or point.risk < kept[-1].risk:
            kept.append(point)
    return kept


def _measured(search: Search, state: State) -> Point:
    lattice = search.lattice
    after, table = lattice.measure(state, suppress=True), lattice.table(state)
    if lattice.protection.people is None:
        return Point(state, after, after.k_min, after.n_records)
    kept = ~lattice.failing(state)
    held = table.held(kept)[len(lattice.protection.attributes)]
    people = np.bincount(held.row, minlength=len(table))[kept]
    return Point(state, after, int(people[people > 0].min()), int(people.sum()))


def _spread(points: Sequence[Point], most: int) -> tuple[Point, ...]:
    """Return at most so many points, evenly spaced, the first and the last among them."""
    at = np.unique(np.linspace(0, len(points) - 1, min(most, len(points))).round().astype(int))
    return tuple(points[i] for i in at)


class _Work:
    """Whether a survey may measure another state."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.states, self.rows = len(search.costs) + MOST_STATES, search.lattice.rows_read + MOST_ROWS

    @property
    def is_done(self) -> bool:
        return (
            len(self.search.costs) >= self.states or self.search.lattice.rows_read >= self.rows or self.search.is_late
        )


def _survey(search: Search) -> bool:
    """Measure states from coarse to fine; return whether all that can meet the requirements were measured."""
    work, order = _Work(search), search.lattice.order
    if search.n_states > MOST_STATES:
        levels = _sample(search)
    else:
        levels = np.array(list(product(*search.levels)), dtype=np.int64).reshape(search.n_states, -1)
        levels = levels[np.argsort(-levels.sum(axis=1), kind="stable")]
    left = np.ones(len(levels), dtype=bool)
    keys = order.keys(levels)
    for i in range(len(levels)):
        if not left[i]:
            continue
        if work.is_done:
            return False
        state = tuple(levels[i].tolist())
        search.cost(state)
        if search.closes_finer(state):
            left &= ~order.finer(keys, state)
    return search.n_states <= MOST_STATES


def _sample(search: Search) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return states spread over the lattice, the coarsest first."""
    random = np.random.default_rng(0)
    columns = [random.choice(np.array(levels), MOST_STATES // 2) for levels in search.levels]
    levels = np.unique(np.stack(columns, axis=1), axis=0).astype(np.int64)
    return levels[np.argsort(-levels.sum(axis=1), kind="stable")]


def _refine(search: Search, points: dict[State, Point], first: State) -> None:
    """Measure the neighbours of the frontier until none is new, or the limit of work is reached."""
    work, seen = _Work(search), set(search.costs)
    while True:
        near = {s for point in frontier_of(points.values(), first) for s in _neighbours(search, point.state)} - seen
        if not near:
            return
        for state in sorted(near):
            if work.is_done:
                return
            seen.add(state)
            if search.cost(state) is not None:
                points[state] = _measured(search, state)


def _neighbours(search: Search, state: State) -> Iterator[State]:
    for i, levels in enumerate(search.levels):
        at = levels.index(state[i])
        for level in levels[max(0, at - 1) : at + 2]:
            if level != state[i]:
                yield (*state[:i], level, *state[i + 1 :])
