"""Bound on the loss that additional, finer steps can save.

Question: how much smaller can the least loss become if more steps of the ladders are allowed?
Method: let f use such steps, and let g have a coarser step that was allowed before in their place. Every record that g
suppresses is suppressed in f, where suppression adds no less (1 and 4 in `advice.lattices.bounds`). So f loses less
than g by what the steps themselves save at most.
Limits: no bound for requirements that are not monotone, or for measures that are not sums over the columns.
"""

from __future__ import annotations

from math import inf

from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Levels


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
