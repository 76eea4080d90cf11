"""Local recoding: the records that one recoding of the whole table suppresses are recoded again, further.

Question: how much less information is lost where different records may have different recodings?
Method: the state of least loss is searched with any number of records suppressed, then again on the suppressed records,
until no state keeps a record. Records whose classes fail in every coarsest state are not searched again: their classes
in a part are no larger. Classes of two parts that look alike only become larger together, and every requirement
holds for a union of classes for which it holds (`advice.lattices.bounds`), so the whole meets what its parts meet.
Limits: each part is optimal for itself, not for the whole. The distance t is measured from the whole table. Values of
several levels of one hierarchy occur in one column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from math import inf

import numpy as np

from privaudit.advice.effect.information_loss import InformationLoss
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice import Lattice, State
from privaudit.advice.lattices.lattice_search import MAX_MEASURED, Levels, Search, least_loss
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.protection import Protection
from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import CodedTable

MAX_PARTS = 50


@dataclass(frozen=True, slots=True)
class LocalRecoding:
    """Which state each distinct row of the trial table is recoded to.

    Attributes
    ----------
    states : tuple of states
        In the order in which they were found.
    part : int64 array of shape (d,)
        The position among `states` of each distinct row; -1 where the row is suppressed.
    n_suppressed : int
        Records that are suppressed.
    lost : tuple of float
        Loss of each column: share of the domain that a record may mean, as the measure ``loss`` counts it.
    """

    states: tuple[State, ...]
    part: Ints
    n_suppressed: int
    lost: tuple[float, ...]

    @property
    def cost(self) -> float:
        """Mean loss of the columns."""
        return float(np.mean(self.lost)) if self.lost else 0.0


def recode_locally(
    trial: TrialTable,
    ladders: Mapping[str, Sequence[Recoding]],
    loss: InformationLoss,
    protection: Protection,
    *,
    max_suppressed: float,
    levels: Levels | None = None,
    most_measured: int = MAX_MEASURED,
    first: State | None = None,
    coarsest: Sequence[State] = (),
    most: float = inf,
) -> LocalRecoding | None:
    """Return a recoding for each part of the table, or None where too many records would be suppressed.

    None also where bounds prove that more than `most` would be lost: a record in no part is suppressed, or loses at
    least what the usable step of the smallest share loses of each of its values.

    Parameters
    ----------
    trial : TrialTable
    ladders : mapping of column to recodings
    loss : InformationLoss
        By which the state of each part is chosen.
    protection : Protection
    max_suppressed : float
        Share of the records that may be suppressed in the end.
    levels : for each column the steps of its ladder that may be used, optional
    most_measured : int
        States that the search for each part measures at most.
    first : state, optional
        The recoding of the first part, such as the best for the whole table: both parts then lose no more than it.
    coarsest : sequence of states, optional
        States of which one can be made from each state (`Lattice.coarsest`): what fails in all of them is suppressed.
    most : float, optional
        Loss, by `loss`, above which a recoding is not wanted.
    """
    shared = {name: [_with_shares(loss, step) for step in ladder] for name, ladder in ladders.items()}
    usable = [range(len(ladder)) for ladder in ladders.values()] if levels is None else levels
    whole = _Table(trial, shared, loss, protection, usable)
    part = np.full(trial.coded.n_distinct, -1, dtype=np.int64)
    states: list[State] = []
    rows = np.arange(len(part))
    while len(rows) and len(states) < MAX_PARTS:
        rest = whole.part(rows)
        # The first part starts from the optimum of the whole table; only what that suppresses is searched again.
        is_given = first is not None and not states
        state = first if is_given else rest.least(most_measured)
        if state is None:
            break
        # Classes that fail go into the next part, where only rows that are left count.
        out = rest.failing(state, rest.protection)
        # A row that meets the requirements keeps its recoding: later parts cannot make it fail.
        part[rows[~out]] = len(states)
        states.append(state)
        rows = rows[out]
        if len(rows) and coarsest:
            rows = rows[~whole.part(rows).sure_to_fail(coarsest)]
        if most < inf and loss.combine(whole.lost(states, part, rows)) > most:
            return None
    gone = int(trial.coded.weights[part < 0].sum())
    if gone > int(max_suppressed * trial.coded.n_rows):
        return None
    return LocalRecoding(tuple(states), part, gone, whole.lost(states, part))


def _with_shares(loss: InformationLoss, step: Recoding) -> Recoding:
    """Return a recoding with the shares of the whole table, which a part of it would count differently."""
    return replace(step, shares=loss.granularity(step)[step.lookup])


@dataclass(frozen=True, slots=True)
class _Table:
    """The whole table or a part of it, with the steps of its columns, which of them may be used, and what is required.

    ``loss`` is the measure of the whole table.
    """

    trial: TrialTable
    ladders: Mapping[str, Sequence[Recoding]]
    loss: InformationLoss
    protection: Protection
    levels: Levels

    def part(self, rows: Ints) -> _Table:
        """Return some distinct rows of the table; a value means as much of the domain as in the whole table."""
        coded, weights = self.trial.coded, self.trial.coded.weights[rows]
        codes = tuple(code[rows] for code in coded.codes)
        taken = CodedTable(coded.names, codes, coded.dictionaries, weights, int(weights.sum()))
        domains = {name: self.trial.domain(name) for name in coded.names}
        return replace(self, trial=TrialTable(taken, self.trial.k, domains), protection=self.protection.part(rows))

    def failing(self, state: State, protection: Protection) -> Flags:
        """Return the distinct rows whose class fails in a state."""
        steps = {name: self.ladders[name][level] for name, level in zip(self.trial.names, state, strict=True)}
        labels, sizes = self.trial.labels(steps)
        return protection.failing(sizes, labels)[labels]

    def sure_to_fail(self, coarsest: Sequence[State]) -> Flags:
        """Return which rows fail a monotone requirement in every coarsest state, so that no later part keeps them.

        A class with one of these rows fails too, so that the classes of the other rows are the same without them.
        """
        required, out = self.protection.monotone_part, np.ones(self.trial.coded.n_distinct, dtype=bool)
        for state in coarsest:
            out &= self.failing(state, required)
            if not out.any():
                break
        return out

    def least(self, most_measured: int) -> State | None:
        """Return the state of least loss, whatever it suppresses."""
        trial, ladders, of = self.trial, self.ladders, self.loss
        loss = InformationLoss(trial, of.measure, of.importance, suppression=of.suppression, ladders=ladders)
        lattice = Lattice(trial, ladders, loss, self.protection)
        found = least_loss(Search(lattice, max_suppressed=1.0, levels=self.levels, most_measured=most_measured))
        return None if found is None else found.state

    def lost(self, states: Sequence[State], part: Ints, left: Ints | None = None) -> tuple[float, ...]:
        """Return the loss of each column, from the share of the domain that each record may mean.

        Records in no part are suppressed; those of the distinct rows that are `left` get the smallest share that any
        usable step leaves.
        """
        n, weights = self.trial.coded.n_rows, self.trial.coded.weights
        lost = []
        parts = [np.flatnonzero(part == at) for at in range(len(states))]
        for i, (name, codes) in enumerate(zip(self.trial.names, self.trial.coded.codes, strict=True)):
            shares = [_shares(step) for step in self.ladders[name]]
            share = np.ones(len(part))
            if left is not None:
                share[left] = reduce(np.minimum, [shares[level] for level in self.levels[i]])[codes[left]]
            for rows, state in zip(parts, states, strict=True):
                share[rows] = shares[state[i]][codes[rows]]
            least = n / self.trial.domain(name)
            lost.append((float(weights @ share) - least) / (n - least) if n > least else 0.0)
        return tuple(lost)


def _shares(step: Recoding) -> Floats:
    assert step.shares is not None, "made with the shares of the whole table"
    return step.shares
