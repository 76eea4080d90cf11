"""Whether every state of a lattice certainly loses so much information.

Question: does no recoding lose less than a number, whichever one loses least?
Method: states that lose less without suppression are open. From an open state that suppresses too many records, columns
are generalised further as long as all finer states suppress too many, too; they are closed together. So few states are
measured, and mostly coarse ones, which have few classes.
Limits: nothing is known where the limit of work is reached first.
"""

from __future__ import annotations

from privaudit.advice.lattices.bounds import Bounds
from privaudit.advice.lattices.lattice import State
from privaudit.advice.lattices.lattice_search import MAX_STATES, Search


def all_lose(search: Search, least: float) -> bool:
    """Whether it is certain that every state which suppresses few enough records loses `least` or more.

    Parameters
    ----------
    search : Search
        Its limit of work is that of the proof.
    least : float
        By the measure of the lattice.
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
    """Return a coarser state that still closes all finer ones, and that no further step of one column leaves so."""
    columns = list(enumerate(search.levels))
    is_raised = True
    while is_raised:
        is_raised = False
        for i, levels in columns:
            merges = search.lattice.order.merges[i]
            for level in levels[levels.index(state[i]) + 1 :][:1]:
                higher = (*state[:i], level, *state[i + 1 :])
                if merges[level, state[i]] and search.closes_finer(higher):
                    state, is_raised = higher, True
    return state
