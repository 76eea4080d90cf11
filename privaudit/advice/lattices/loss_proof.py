"""Proof that no state of a lattice loses less than an amount, and a bound on what additional steps can save.

Question: is there no recoding with a smaller loss than the limit, and how much smaller can it become with more steps?
Method: a state is open if its loss without suppression is below the limit. From an open state that suppresses too many
records, columns are generalised further while all finer states also suppress too many; these are then closed together.
Few states are measured, most of them coarse, with few classes. For additional, finer steps: let f use such steps, and
let g have a coarser step that was allowed before in their place. Every record that g suppresses is suppressed in f,
where suppression adds no less (1 and 4 in `advice.lattices.bounds`). So f loses less than g by what the steps
themselves save at most.
Limits: no proof if the limit of work is reached first; no bound for requirements that are not monotone, or for measures
that are not sums over the columns.
"""

from __future__ import annotations

from math import inf

from privaudit.advice.lattices.bounds import Bounds
from privaudit.advice.lattices.lattice import Lattice, State
from privaudit.advice.lattices.lattice_search import MAX_STATES, Levels, Search


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


def most_saved(lattice: Lattice, before: Levels, freed: Levels) -> float:
    """Return a bound on how much smaller the least loss over `freed` is than that over `before`.

    Parameters
    ----------
    lattice : Lattice
    before, freed : sequences of sequences of int
        The allowed steps of each column; `freed` contains all of `before`.

    Returns
    -------
    float
        At least the least loss over `before` minus the least loss over `freed`; infinity if no bound is known.
    """
    loss = lattice.loss
    if not loss.is_linear or not lattice.protection.is_monotone:
        return inf
    saved = []
    for ladder, merges, old, new in zip(lattice.ladders, lattice.order.merges, before, freed, strict=True):
        lost = [loss.without_suppression(step) for step in ladder]
        # The coarser step that loses least is the nearest one.
        each = [min((lost[b] - lost[a] for b in old if merges[b, a]), default=inf) for a in set(new) - set(old)]
        saved.append(max(each, default=0.0))
    return inf if inf in saved else loss.combined(saved)
