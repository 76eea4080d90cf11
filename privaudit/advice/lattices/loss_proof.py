"""Proof that every state of a lattice loses at least a given amount of information.

Question: is there no recoding with a smaller loss than the limit?
Method: a state is open if its loss without suppression is below the limit. From an open state that suppresses too many
records, columns are generalised further while all finer states also suppress too many; these are then closed together.
Few states are measured, most of them coarse, with few classes.
Limits: no proof if the limit of work is reached first.
"""

from __future__ import annotations

from privaudit.advice.lattices.bounds import Bounds
from privaudit.advice.lattices.lattice import State
from privaudit.advice.lattices.lattice_search import MAX_STATES, Search


def all_lose(search: Search, least: float) -> bool:
    """Whether it is proved that every state which suppresses few enough records loses `least` or more.

    Parameters
    ----------
    search : Search
        Its limit of work is that of the proof.
    least : float
        Information loss by the measure of the lattice.
    """
    if search.n_states > MAX_STATES:
        return False
    bounds = Bounds(search.lattice, search.levels, search.most, least)
    while len(bounds) and not search.is_exhausted:
        state = bounds.take()
        cost = search.cost(state)
        if cost is not None and cost < least:
            return False
        if search.closes_finer(state):
            bounds.close_finer(_raised(search, state))
        else:
            bounds.raise_others(state, search.lattice.table(state), search.sure_part(state))
    return not len(bounds)


def _raised(search: Search, state: State) -> State:
    """Return a coarser state whose finer states all suppress too many records.

    No state that is one step coarser has this property.
    """
    is_raised = True
    while is_raised:
        is_raised = False
        for i in range(len(state)):
            higher = _next_step(search, state, i)
            if higher is not None and search.closes_finer(higher):
                state, is_raised = higher, True
    return state


def _next_step(search: Search, state: State, i: int) -> State | None:
    """Return the state that generalises column `i` by one usable step; None if there is none."""
    levels = search.levels[i]
    at = levels.index(state[i]) + 1
    if at == len(levels) or not search.lattice.order.merges[i][levels[at], state[i]]:
        return None
    return (*state[:i], levels[at], *state[i + 1 :])
