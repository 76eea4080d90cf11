"""The generalisation lattice: classes of every combination of recodings, each made from the smallest finer one.

Question: how large are the classes when every column is at some step of its ladder?
Method: a state is one step per column. Its table has one row per class: recoded codes and the number of records. A
coarser state is made from a finer state by merging its classes, so the coarser a search becomes, the less it reads.
The loss by suppression follows from the recoded codes of the classes that are suppressed.
Limits: tables are cached while they are small; work is counted in rows read, so that a search ends at the same state
on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privaudit.advice.information_loss import InformationLoss
from privaudit.advice.protection import Protection
from privaudit.advice.recoding import Lookup, Recoding
from privaudit.advice.trial_table import Effect, TrialTable
from privaudit.risk.coded import KEY_SPACE, dense_labels

State = tuple[int, ...]
Keys = npt.NDArray[np.int64]
Sizes = npt.NDArray[np.int64]
KEPT_ROWS = 20_000_000
KEPT_STEPS = 20_000
"""Limit of columns times cached tables: each of them is compared with the next state."""
FEW_ROWS = 50_000


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of one state: one row per class, with recoded codes and the number of records.

    ``key`` packs the codes of a row into one integer, with the same place for a column in every state; None where
    the columns have too many values for that.
    """

    codes: tuple[npt.NDArray[np.int32], ...]
    sizes: Sizes
    key: Keys | None


class Lattice:
    """The states over the ladders of a trial table.

    Parameters
    ----------
    trial : TrialTable
    ladders : mapping of column to recodings
        The first of each changes nothing.
    loss : InformationLoss, optional
        The default measure where not given.
    protection : Protection, optional
        Which classes have to be suppressed; those smaller than k where not given.
    """

    def __init__(
        self,
        trial: TrialTable,
        ladders: Mapping[str, Sequence[Recoding]],
        loss: InformationLoss | None = None,
        protection: Protection | None = None,
    ) -> None:
        self.trial = trial
        self.loss = loss or InformationLoss(trial)
        self.protection = protection or Protection(trial.k)
        self.ladders = [tuple(ladders[name]) for name in trial.names]
        self.rows_read = 0
        self._widths = [[int(s.lookup.max(initial=0)) + 1 for s in ladder] for ladder in self.ladders]
        self._places = _places([max(widths) for widths in self._widths])
        self._steps: dict[tuple[int, int, int], Lookup | None] = {}
        self._bottom = (0,) * len(self.ladders)
        coded = trial.coded
        bottom = Classes(coded.codes, coded.weights, self._pack(coded.codes, coded.n_distinct))
        self._tables: dict[State, Classes] = {}
        self._levels: npt.NDArray[np.int32] = np.zeros((0, len(self.ladders)), dtype=np.int32)
        self._n_cached = 0
        self._cache(self._bottom, bottom)

    def classes(self, state: State) -> Classes:
        """Return the classes of `state`."""
        if state not in self._tables:
            table = self._merge(self._parent(state), state)
            steps = len(self._tables) * len(self.ladders)
            if self._n_cached + len(table.sizes) > KEPT_ROWS or steps > KEPT_STEPS:
                bottom = self._tables[self._bottom]
                self._tables, self._n_cached = {}, 0
                self._cache(self._bottom, bottom)
            self._cache(state, table)
            self._n_cached += len(table.sizes)
        return self._tables[state]

    def _cache(self, state: State, table: Classes) -> None:
        """Cache the classes of `state`; row i of the levels belongs to the i-th cached table."""
        place = len(self._tables)
        if place >= len(self._levels):
            grown = np.zeros((max(64, 2 * place), len(self.ladders)), dtype=np.int32)
            grown[:place] = self._levels[:place]
            self._levels = grown
        self._levels[place] = state
        self._tables[state] = table

    def sizes(self, state: State) -> Sizes:
        """Return the records of each class of `state`, in no particular order."""
        if state in self._tables:
            return self._tables[state].sizes
        parent = self._parent(state)
        if len(self._tables[parent].sizes) <= FEW_ROWS:
            return self.classes(state).sizes
        weights = self._tables[parent].sizes
        self.rows_read += len(weights)
        single = len(weights) == self.trial.coded.n_rows
        return _count(self._keys(parent, state), None if single else weights)

    def measure(self, state: State, *, suppress: bool = False) -> Effect:
        """Return risk and cost of `state`; with `suppress`, after suppressing the classes that fail."""
        k = self.trial.k
        sizes = self.classes(state).sizes if suppress else self.sizes(state)
        out = self.failing(state) if suppress else np.zeros(len(sizes), dtype=bool)
        left = sizes[~out]
        steps = [ladder[level] for ladder, level in zip(self.ladders, state, strict=True)]
        codes = self.classes(state).codes if out.any() else ()
        if not out.any():
            codes = tuple(np.zeros(0, dtype=np.int32) for _ in steps)
        return Effect(
            k_min=int(left.min()) if len(left) else 0,
            n_unique=int((left == 1).sum()),
            n_below_k=int(left[left < k].sum()),
            n_records=int(left.sum()),
            n_classes=len(left),
            cost=self.loss.of(steps, codes, sizes, out),
        )

    def failing(self, state: State) -> npt.NDArray[np.bool_]:
        """Return which classes of `state` have to be suppressed, in the order of `classes`."""
        sizes = self.classes(state).sizes
        members = self.members(state) if self.protection.needs_members else None
        return self.protection.failing(sizes, members)

    def n_failing(self, state: State) -> int:
        """Return the records in classes of `state` that have to be suppressed."""
        if not self.protection.needs_members:
            sizes = self.sizes(state)
            return int(sizes[sizes < self.trial.k].sum())
        return int(self.classes(state).sizes[self.failing(state)].sum())

    def members(self, state: State) -> npt.NDArray[np.int64]:
        """Return the class of each row of the trial table, in the order of `classes`."""
        coded = self.trial.coded
        self.rows_read += coded.n_distinct * (1 + len(self.protection.attributes))
        if state == self._bottom:
            return np.arange(coded.n_distinct)
        steps = [ladder[level].lookup for ladder, level in zip(self.ladders, state, strict=True)]
        codes = [step[code] for step, code in zip(steps, coded.codes, strict=True)]
        key = self._pack(codes, coded.n_distinct)
        table = self.classes(state)
        if key is None or table.key is None:
            widths = [self._widths[i][level] for i, level in enumerate(state)]
            return dense_labels(codes, widths, length=coded.n_distinct)[0]
        return np.searchsorted(table.key, key)

    def _parent(self, state: State) -> State:
        """Return the cached state with fewest classes from which `state` can be made."""
        kept = list(self._tables)
        below = np.flatnonzero((self._levels[: len(kept)] <= np.array(state, dtype=np.int32)).all(axis=1))
        finer = (kept[i] for i in below.tolist() if self._refines(kept[i], state))
        return min(finer, key=lambda s: (len(self._tables[s].sizes), s))

    def _refines(self, fine: State, coarse: State) -> bool:
        return all(
            a == b or (a < b and self._step(i, a, b) is not None)
            for i, (a, b) in enumerate(zip(fine, coarse, strict=True))
        )

    def refines(self, i: int, a: int, b: int) -> bool:
        """Whether step `b` of a column's ladder merges values that step `a` has merged already."""
        return a == b or self._step(i, a, b) is not None

    def _step(self, i: int, a: int, b: int) -> Lookup | None:
        """Return the lookup from step `a` of a ladder to the coarser `b`, or None where they are not nested."""
        if (i, a, b) not in self._steps:
            fine, coarse = self.ladders[i][a].lookup, self.ladders[i][b].lookup
            step = np.zeros(self._widths[i][a], dtype=np.int32)
            held = self.trial.counts[self.trial.names[i]] > 0
            step[fine[held]] = coarse[held]
            self._steps[i, a, b] = step if bool((step[fine] == coarse)[held].all()) else None
        return self._steps[i, a, b]

    def _codes(self, parent: State, state: State) -> list[npt.NDArray[np.int32]]:
        """Return the codes of a parent's rows in a coarser state."""
        codes = list(self._tables[parent].codes)
        for i, (a, b) in enumerate(zip(parent, state, strict=True)):
            step = self._step(i, a, b) if a != b else None
            if step is not None:
                codes[i] = step[codes[i]]
        return codes

    def _keys(self, parent: State, state: State) -> Keys:
        """Return the packed codes of a parent's rows in a coarser state."""
        table = self._tables[parent]
        if table.key is None or self._places is None:
            widths = [self._widths[i][level] for i, level in enumerate(state)]
            return dense_labels(self._codes(parent, state), widths, length=len(table.sizes))[0]
        key = table.key
        for i, (a, b) in enumerate(zip(parent, state, strict=True)):
            step = self._step(i, a, b) if a != b else None
            if step is not None:
                moved = (step - np.arange(len(step))) * self._places[i]
                key = key + moved[table.codes[i]]
        return key

    def _merge(self, parent: State, state: State) -> Classes:
        """Return the classes of `state`, ascending by key."""
        weights = self._tables[parent].sizes
        codes, key = self._codes(parent, state), self._keys(parent, state)
        self.rows_read += len(weights)
        if not len(weights):
            return Classes(tuple(codes), weights, key)
        order = np.argsort(key)
        ranked = key[order]
        start = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
        first = order[start]
        packed = ranked[start] if self._places is not None else None
        return Classes(tuple(code[first] for code in codes), np.add.reduceat(weights[order], start), packed)

    def _pack(self, codes: Sequence[npt.NDArray[np.int32]], length: int) -> Keys | None:
        if self._places is None:
            return None
        key = np.zeros(length, dtype=np.int64)
        for code, place in zip(codes, self._places, strict=True):
            key += code * np.int64(place)
        return key


def _places(widths: Sequence[int]) -> list[int] | None:
    """Return the value of each column's place in a packed key, or None where the keys would not fit."""
    places, space = [], 1
    for width in widths:
        places.append(space)
        space *= width
    return places if space < KEY_SPACE else None


def _count(key: Keys, weights: Sizes | None) -> Sizes:
    """Return the sum of weights of equal keys; without weights every row is one record."""
    order = None if weights is None else np.argsort(key)
    ranked = np.sort(key) if order is None else key[order]
    start = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    if weights is None or order is None:
        return np.diff(np.append(start, len(key)))
    return np.add.reduceat(weights[order], start)


def measure(
    trial: TrialTable,
    recodings: Mapping[str, Recoding],
    *,
    suppress: bool = False,
    loss: InformationLoss | None = None,
    protection: Protection | None = None,
) -> Effect:
    """Return risk and cost after recodings; with `suppress`, after suppressing the classes that fail."""
    ladders = {n: (same, recodings[n]) if n in recodings else (same,) for n, same in trial.untouched.items()}
    lattice = Lattice(trial, ladders, loss, protection)
    return lattice.measure(tuple(int(n in recodings) for n in trial.names), suppress=suppress)
