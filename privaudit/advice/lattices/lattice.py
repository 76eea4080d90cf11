"""The generalisation lattice: classes of every combination of recodings, each made from the smallest finer one.

Question: how large are the classes when every column is at some step of its ladder?
Method: a state is one step per column. Its table has one row per class (`advice.effect.class_table`). A coarser
state is made from a finer state by merging its classes, so the coarser a search becomes, the less it reads.
Limits: the largest cached tables are dropped where memory is short; work is counted in rows read, so that a search ends
at the same state on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from privaudit.advice.effect.class_table import ClassTable
from privaudit.advice.effect.information_loss import ON_CLASSES, InformationLoss, rounded
from privaudit.advice.effect.trial_table import Effect, TrialTable
from privaudit.advice.lattices.refinement import Refinement
from privaudit.advice.technique import Lookup, Recoding
from privaudit.advice.technique.protection import Protection
from privaudit.base.arrays import Flags, Ints
from privaudit.base.parallel import each, threads_for
from privaudit.risk.codes.compiler import worth_loading
from privaudit.risk.codes.packing import Packing

State = tuple[int, ...]
Sizes = Ints
KEPT_BYTES = 200_000_000
KEPT_TABLES = 4_000
"""A limit, because each cached table is compared with the next state."""
MOST_AHEAD = 64
"""Tables that `Lattice.make_ahead` may keep, if all are as large as the largest that it keeps."""
MEASURED = 200
"""How many states a search measures, roughly: decides whether loading compiled loops pays."""
SHARE_MEASURED = 20
"""In a lattice of fewer than 4,000 states, a search measures roughly one in so many."""
MOST_COARSEST = 16
"""Coarsest states up to which they are measured: fewer than a search measures on its way up."""
KEPT_SHARE = 0.5
"""Share of the memory that the smallest tables fill after the largest were dropped."""


class _Failing(NamedTuple):
    """Which classes of a state fail, and the rows of sensitive values that were read to know it."""

    classes: Flags
    read: int


class _Made(NamedTuple):
    """A state that was made ahead: its table where it is small, the rows that were read, and what was measured.

    The effect is computed later where the table is kept.
    """

    state: State
    table: ClassTable | None
    work: int
    failing: _Failing
    n_failing: int
    effect: Effect | None


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
    threads : int, optional
        Threads that `make_ahead` uses; those that the size of the table suggests where not given.
    other : Lattice, optional
        One whose rows are the same; the two share the keys of the rows and, where the ladders are the same, the steps.
    """

    def __init__(
        self,
        trial: TrialTable,
        ladders: Mapping[str, Sequence[Recoding]],
        loss: InformationLoss | None = None,
        protection: Protection | None = None,
        threads: int | None = None,
        other: Lattice | None = None,
    ) -> None:
        self.trial = trial
        self.threads = threads_for(trial.coded.n_distinct, threads)
        self.loss = loss or InformationLoss(trial, ladders=ladders)
        self.protection = protection or Protection(trial.k)
        self.ladders = [tuple(ladders[name]) for name in trial.names]
        self.rows_read = 0
        self._seen: dict[tuple[int, int], Lookup] = {}
        self._steps: dict[tuple[int, int, int], Lookup | None] = {}
        if other is not None and other.has_ladders(trial, self.ladders):
            self._steps, self.order = other._steps, other.order
        self._commons: dict[tuple[int, int, tuple[int, ...]], Lookup] = {}
        self._n_failing: dict[State, int] = {}
        self._losses: dict[State, float] = {}
        self._effects: dict[tuple[State, bool], Effect] = {}
        self._later: set[State] = set()
        """States that were made, whose effect without suppression is computed when it is asked for."""
        self._widths = [[int(s.lookup.max(initial=0)) + 1 for s in ladder] for ladder in self.ladders]
        coded, population = trial.coded, self.protection.population
        counts = coded.weights[:, None] if population is None else np.stack([coded.weights, population], axis=1)
        packing = Packing([max(widths) for widths in self._widths])
        shared = None if other is None else other.keys_of(trial, packing)
        keys = packing.pack(coded.codes, coded.n_distinct) if shared is None else shared
        n_measured = min(MEASURED, prod(map(len, self.ladders)) // SHARE_MEASURED)
        self.is_compiled = worth_loading(n_measured * coded.n_distinct * len(self.ladders))
        marks = self.protection.marks(coded.n_distinct)
        held = self.protection.held if marks is None else ()
        self._bottom: ClassTable = ClassTable(packing, keys, counts, held, is_compiled=self.is_compiled, marks=marks)
        self._bottom_bytes = self._bottom.nbytes
        self._empty()

    def keys_of(self, trial: TrialTable, packing: Packing) -> Ints | None:
        """Return the keys of the rows of `trial`, if this lattice has them in the same packing."""
        return self._bottom.keys if trial is self.trial and packing == self._bottom.packing else None

    def has_ladders(self, trial: TrialTable, ladders: Sequence[tuple[Recoding, ...]]) -> bool:
        """Whether this lattice is one over the same ladders of `trial`."""
        given, own = ([[id(step) for step in ladder] for ladder in each] for each in (ladders, self.ladders))
        return trial is self.trial and given == own

    @cached_property
    def order(self) -> Refinement:
        """Which steps of each ladder can be made from which."""
        return Refinement([self._merges(i, len(ladder)) for i, ladder in enumerate(self.ladders)])

    def _merges(self, i: int, n: int) -> Flags:
        made = [[a == b or self._step(i, a, b) is not None for a in range(n)] for b in range(n)]
        return np.array(made, dtype=bool).reshape(n, n)

    def coarsest(self, levels: Sequence[Sequence[int]]) -> list[State]:
        """Return states of which one can be made from each state over `levels`; none where they are too many.

        A class that fails a monotone requirement in all of them contains only classes that fail it.
        """
        last = [
            [a for a in usable if not any(merges[b, a] for b in usable if b != a)]
            for merges, usable in zip(self.order.merges, levels, strict=True)
        ]
        return list(product(*last)) if prod(map(len, last)) <= MOST_COARSEST else []

    def _empty(self) -> None:
        self._tables: dict[State, ClassTable] = {}
        self._failing: dict[State, _Failing] = {}
        self._latest: State | None = None
        self._cached: list[State] = []
        self._keys = self.order.keys(np.zeros((256, len(self.ladders)), dtype=np.int64))
        self._lengths = np.zeros(256, dtype=np.int64)
        self._n_bytes = 0
        self._cache((0,) * len(self.ladders), self._bottom)

    def _cache(self, state: State, table: ClassTable) -> None:
        """Cache the classes of `state`; row i of the keys and lengths belongs to the i-th cached table."""
        place = len(self._cached)
        if place >= len(self._keys):
            self._keys = np.concatenate([self._keys, np.zeros_like(self._keys)])
            self._lengths = np.concatenate([self._lengths, np.zeros_like(self._lengths)])
        self._keys[place] = self.order.key(state)
        self._lengths[place] = len(table)
        self._cached.append(state)
        self._tables[state] = table
        self._n_bytes += table.nbytes

    def steps(self, state: State) -> list[Recoding]:
        """Return the recoding of each column in `state`."""
        return [ladder[level] for ladder, level in zip(self.ladders, state, strict=True)]

    def table(self, state: State) -> ClassTable:
        """Return the classes of `state`."""
        if state not in self._tables:
            parent = self._parent(state)
            fine = self._tables[parent]
            self._keep(state, self._coarser(parent, fine, state), len(fine))
        return self._tables[state]

    def make_ahead(self, chains: Sequence[Sequence[State]]) -> None:
        """Make and measure states that will be asked for, chain by chain side by side.

        Parameters
        ----------
        chains : sequence of sequences of states
            The states of a chain are made one from the other where they can be.
        """
        missing = [[state for state in chain if not self._is_measured(state)] for chain in chains]
        starts = [(chain, self._parent(chain[0])) for chain in missing if chain]
        for chain in each(lambda start: self._chain(*start), starts, self.threads):
            for made in chain:
                self._n_failing[made.state] = made.n_failing
                self._keep(made.state, made.table, made.work)
                if made.table is not None:
                    self._failing[made.state] = made.failing
                    self._later.add(made.state)
                if made.effect is not None:
                    self._effects[made.state, False] = made.effect

    def _chain(self, states: Sequence[State], parent: State) -> list[_Made]:
        """Return what was made of a chain of states; nothing is cached, so threads do not wait for each other."""
        at, fine = parent, self._tables[parent]
        chain = []
        for state in states:
            if not self._is_finer(at, state):
                at = self._parent(state)
                fine = self._tables[at]
            table = self._coarser(at, fine, state)
            failing = self._failing_classes(table, self.protection)
            n_failing = table.records(failing.classes)
            is_kept = MOST_AHEAD * table.nbytes <= KEPT_BYTES
            kept, effect = (table, None) if is_kept else (None, self._unsuppressed(state, table))
            chain.append(_Made(state, kept, len(fine) + failing.read, failing, n_failing, effect))
            at, fine = state, table
        return chain

    def _is_finer(self, a: State, b: State) -> bool:
        return all(merges[y, x] for merges, x, y in zip(self.order.merges, a, b, strict=True))

    def _coarser(self, at: State, fine: ClassTable, state: State) -> ClassTable:
        """Return the classes of `state` from those of a finer state."""
        return fine.merged({i: step for i, a in enumerate(at) if (step := self._step(i, a, state[i])) is not None})

    def _keep(self, state: State, made: ClassTable | None, work: int) -> None:
        """Count the work of making a table, and cache it where it was kept."""
        self.rows_read += work
        if made is None or state in self._tables:
            return
        if self._n_bytes + made.nbytes > KEPT_BYTES + self._bottom_bytes or len(self._cached) >= KEPT_TABLES:
            self._drop_largest()
        self._cache(state, made)

    def free_tables(self) -> None:
        """Drop every cached table; a state that is asked for later is made again."""
        self._empty()

    def _drop_largest(self) -> None:
        """Drop the largest cached tables: a small table is read in no time, but making it reads a large one."""
        tables = sorted(self._tables.items(), key=lambda item: item[1].nbytes)[: KEPT_TABLES // 2]
        self._empty()
        for state, table in tables:
            if self._n_bytes + table.nbytes > KEPT_SHARE * KEPT_BYTES + self._bottom_bytes:
                break
            if table is not self._bottom:
                self._cache(state, table)

    def sizes(self, state: State) -> Sizes:
        """Return the records of each class of `state`, in no particular order."""
        sizes = self.table(state).sizes
        return sizes if self.protection.population is None else sizes[sizes > 0]

    def measure(self, state: State, *, suppress: bool = False) -> Effect:
        """Return risk and cost of `state`; with `suppress`, after suppressing the classes that fail."""
        if (state, suppress) not in self._effects:
            self._effects[state, suppress] = self._measured(state, suppress=suppress)
            if not suppress:
                self._later.discard(state)
        return self._effects[state, suppress]

    def _measured(self, state: State, *, suppress: bool) -> Effect:
        if not suppress and state in self._later:
            return self._unsuppressed(state, self._table_again(state))
        table = self.table(state)
        return self._effect(state, table, self.failing(state)) if suppress else self._unsuppressed(state, table)

    def _table_again(self, state: State) -> ClassTable:
        """Return the classes of a state that were made before; their work is not counted again."""
        if state in self._tables:
            return self._tables[state]
        parent = self._parent(state)
        return self._coarser(parent, self._tables[parent], state)

    def _unsuppressed(self, state: State, table: ClassTable) -> Effect:
        return self._effect(state, table, np.zeros(len(table), dtype=bool))

    def _is_measured(self, state: State) -> bool:
        """Whether the effect of a state without suppression is known, or will be without making its classes again."""
        return (state, False) in self._effects or state in self._later

    def _effect(self, state: State, table: ClassTable, out: Flags, loss: float | None = None) -> Effect:
        """Return risk and cost of `state` without the classes in `out`; `loss` where it is known."""
        loss = self.loss.of(self.steps(state), table, out) if loss is None else loss
        kept = table.sizes > 0
        kept &= ~out
        left = table.sizes if kept.all() else table.sizes[kept]
        below_k = left < self.trial.k
        return Effect(
            k_min=int(left.min()) if len(left) else 0,
            n_unique=int(np.count_nonzero(left == 1)),
            n_below_k=int((left if below_k.all() else left[below_k]).sum()),
            n_records=int(left.sum()),
            n_classes=len(left),
            cost=rounded(loss),
        )

    def cost(self, state: State) -> float:
        """Return the cost of `state` without suppression; the rest of its effect is computed when it is asked for."""
        if self.loss.measure in ON_CLASSES:
            return self.measure(state).cost
        if not self._is_measured(state):
            self.table(state)
            self._later.add(state)
        return self.cost_of_steps(state)

    def cost_of_steps(self, state: State) -> float:
        """Return the cost of `state` without suppression, for measures that do not depend on its classes."""
        return rounded(self.loss.of_steps(self.steps(state)))

    def failing(self, state: State, protection: Protection | None = None) -> Flags:
        """Return which classes of `state` have to be suppressed, in the order of `table`."""
        if protection is not None:
            found = self._failing_classes(self.table(state), protection)
        else:
            if self._latest == state:
                return self._failing[state].classes
            found = self._failing.get(state) or self._failing_classes(self.table(state), self.protection)
            self._failing[state], self._latest = found, state
        # What is known counts as read again, so that a search ends where it would end without it.
        self.rows_read += found.read
        return found.classes

    @staticmethod
    def _failing_classes(table: ClassTable, protection: Protection) -> _Failing:
        large = table.sizes >= protection.k  # the others fail, whatever is in them
        if table.marks is not None:
            n_values = np.bitwise_count(table.marks).astype(np.int64)
            out = protection.failing_by_number(table.sizes, n_values, table.population)
            return _Failing(out, int((large @ n_values).sum()))
        held = table.held(large)
        out = protection.failing_classes(table.sizes, held, table.population)
        return _Failing(out, sum(len(attribute.row) for attribute in held))

    def n_failing(self, state: State) -> int:
        """Return the records in classes of `state` that have to be suppressed."""
        if state not in self._n_failing:
            self._n_failing[state] = self.table(state).records(self.failing(state))
        return self._n_failing[state]

    def loss_after_suppression(self, state: State) -> float:
        """Return the information lost by `state` and by the suppression of the classes that fail."""
        if state not in self._losses:
            table, out = self.table(state), self.failing(state)
            loss = self._losses[state] = self.loss.of(self.steps(state), table, out)
            # The effect is asked for later, when the classes that fail are no longer known.
            self._effects[state, True] = self._effect(state, table, out, loss)
        return self._losses[state]

    def fewest_failing(
        self, state: State, steps: Mapping[int, Sequence[int]], protection: Protection | None = None
    ) -> int:
        """Return a lower bound of the records that fail in every state that differs from `state` by some of `steps`.

        The classes of such a state are parts of the classes over what all these steps merge, and a class that fails
        a monotone requirement contains only classes that fail it.

        Parameters
        ----------
        state : tuple of int
        steps : mapping of column to the steps of its ladder that it may be at instead
        protection : Protection, optional
            That of the lattice where not given; what is not monotone in it is not counted.
        """
        fine = self.table(state)
        table = fine.merged({i: self._common(i, state[i], tuple(levels)) for i, levels in steps.items()})
        out, read = self._failing_classes(table, (protection or self.protection).monotone_part)
        self.rows_read += len(fine) + read
        return table.records(out)

    def _common(self, i: int, level: int, others: tuple[int, ...]) -> Lookup:
        """Return the lookup from a step of a ladder to the finest groups that contain the groups of all these steps."""
        key = (i, level, others)
        if key not in self._commons:
            fine = self._occurring(i, level)
            group = np.arange(self._widths[i][level], dtype=np.int32)
            before = np.zeros(0, dtype=np.int32)
            while not np.array_equal(before, group):
                before = group.copy()
                for other in others:
                    coarse = self._occurring(i, other)
                    least = np.full(self._widths[i][other], len(group), dtype=np.int32)
                    np.minimum.at(least, coarse, group[fine])
                    np.minimum.at(group, fine, least[coarse])
            self._commons[key] = group
        return self._commons[key]

    def _parent(self, state: State) -> State:
        """Return the cached state with fewest classes from which `state` can be made, the latest of several.

        A search moves from a state to its neighbours, so that fewer columns differ from the latest.
        """
        n = len(self._cached)
        if n == 1:
            return self._cached[0]
        if self.is_compiled:
            from privaudit.risk.codes.merging_loops import smallest_finer

            test = self.order.test_of_finer(state)
            return self._cached[int(smallest_finer(self._keys[:n], *test, self._lengths))]
        at = np.flatnonzero(self.order.finer(self._keys[:n], state))[::-1]
        return self._cached[int(at[self._lengths[at].argmin()])]

    def _step(self, i: int, a: int, b: int) -> Lookup | None:
        """Return the lookup from step `a` of a ladder to the coarser `b`; None where `b` cannot be made from `a`."""
        if a >= b:
            return None
        if (i, a, b) not in self._steps:
            fine, coarse = self._occurring(i, a), self._occurring(i, b)
            step = np.zeros(self._widths[i][a], dtype=np.int32)
            step[fine] = coarse
            nested = bool((step[fine] == coarse).all()) and self._widens(i, a, b)
            self._steps[i, a, b] = step if nested else None
        return self._steps[i, a, b]

    def _occurring(self, i: int, level: int) -> Lookup:
        """Return the new code of each value that occurs in a column, at a step of its ladder."""
        if (i, level) not in self._seen:
            self._seen[i, level] = self.ladders[i][level].lookup[self.trial.occurs[self.trial.names[i]]]
        return self._seen[i, level]

    def _widens(self, i: int, a: int, b: int) -> bool:
        """Whether no value stands for less of the domain in step `b` than in step `a`; bounds rely on it.

        Every step can be made from the first, which changes nothing: a hierarchy with more values than the table has
        leaves that are a smaller share of its domain than a value is of the table's.
        """
        fine, coarse = self.ladders[i][a].shares, self.ladders[i][b].shares
        return a == 0 or fine is None or coarse is None or bool((fine <= coarse + 1e-12).all())
