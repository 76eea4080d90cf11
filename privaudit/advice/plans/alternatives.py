"""Other methods for the same quasi-identifiers: local recoding, Mondrian, and suppression of cells alone.

Question: how much information would another method keep, and what would it suppress?
Method: each method is applied to the coded table and meets the requirements of the plan. All are compared by one
measure: the mean share of the domain that a cell may mean, 1 for a suppressed cell.
Mondrian splits groups of values that can be read: bands of numbers with open ends, rounded dates, and categories, the
rare ones as "other".
Limits: suppression of cells meets k alone, and is omitted where a plan requires more. Local recoding begins with the
recoding of the plan; the search for each further part measures few states, so a better one may exist.
What the remedied table reaches is measured by its scan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from math import inf
from typing import Any, Literal, NamedTuple

import numpy as np

from privaudit.advice.effect.information_loss import InformationLoss, rounded
from privaudit.advice.lattices.lattice import Lattice, State
from privaudit.advice.lattices.lattice_search import WIDE, scaled
from privaudit.advice.lattices.local_recoding import recode_locally
from privaudit.advice.recodings.categories import rare_values
from privaudit.advice.recodings.numbers import fine_bands
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.cell_suppression import SuppressedCells, n_column_sets, suppress_cells
from privaudit.advice.technique.ranges import is_ordered
from privaudit.advice.technique.regions import Regions, split_regions, values_of_codes
from privaudit.base.arrays import Codes, Floats, Ints
from privaudit.base.records import dataclass
from privaudit.model import Alternative, MissingSemantics
from privaudit.model.wording import Count, Fact, Term, Threshold, fact
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.missing import match_sizes
from privaudit.risk.codes.row_keys import dense_labels, sums

LOST = 1 - 1e-9
"""Loss from which nothing is left of a column."""
ROUNDING = 1e-8
"""Larger than the rounding error of a loss."""


class Work(NamedTuple):
    """What methods other than one recoding of each column may cost.

    ``split``, ``covered`` and ``local`` are the distinct rows of the largest tables that are split into regions, of
    which cells are suppressed, and that are recoded part by part; ``states`` are measured for one part at most.
    """

    split: int
    covered: int
    local: int
    states: int


ASKED = Work(split=1_000_000, covered=100_000, local=1_000_000, states=300)
"""The bound where a plan was asked for."""
SCANNED = Work(split=50_000, covered=20_000, local=20_000, states=50)
"""The bound of a scan, of which plans are a part only."""


@dataclass(frozen=True)
class Alternatives:
    """What the methods are applied to.

    Attributes
    ----------
    lattice : Lattice
        That the plan was searched on, with its requirements.
    levels : mapping of column to int
        Steps of the ladders that may be used.
    max_suppressed : float
    required : mapping
        What the plan requires of classes, as parameters of a step.
    importance : mapping of column to weight
    known : dict
        What methods found that do not begin with a recoding of each column, by what it depends on. Plans share it.
    """

    lattice: Lattice
    levels: Mapping[str, Sequence[int]]
    max_suppressed: float
    required: Mapping[str, Any]
    importance: Mapping[str, float] = field(default_factory=dict)
    work: Work = ASKED
    missing: MissingSemantics = "category"
    known: dict[tuple[object, ...], Any] = field(default_factory=dict)

    def compared(self, steps: Sequence[Recoding], most: float = inf) -> tuple[Alternative, ...]:
        """Return what the plan with these steps reaches, and what the other methods reach.

        Methods are omitted where bounds prove that they lose more than `most`.
        """
        state = self._state(steps)
        local = self._local(state, most)
        others = () if self._loss.combine(self._dropped) > most + ROUNDING else self._others
        return (self._full_domain(state), *(() if local is None else (local,)), *others)

    def least(self, steps: Sequence[Recoding], most: float) -> float:
        """Return the least loss of the methods, or infinity where all lose more than `most`."""
        whole = self._full_domain(self._state(steps)).loss
        is_more = self.others_exceed(most) and whole >= self.ruling_out_loss(most)
        return inf if is_more else min(each.loss for each in self.compared(steps))

    @property
    def least_whole(self) -> float:
        """The least loss of a method that does not begin with a recoding of each column and drops none."""
        return inf if any(self._dropped) else min((each.loss for each in self._others if not each.drops), default=inf)

    def others_exceed(self, most: float) -> bool:
        """Whether the methods that do not begin with a recoding of each column lose more than `most`."""
        return all(each.loss > most for each in self._others)

    def ruling_out_loss(self, most: float) -> float:
        """Return the loss of a full-domain recoding from which neither it nor local recoding can lose `most` or less.

        Local recoding starts from the full-domain recoding and can only gain on the records that it suppresses.
        Infinity where t-closeness is required: other records may then be suppressed.
        """
        return inf if self.lattice.protection.t is not None else most + self.max_suppressed + ROUNDING

    @cached_property
    def _dropped(self) -> list[float]:
        """What `_others` lose of each column at least: all where its first usable recoding drops it."""
        return [float(step.technique == "drop") for step in self._base()]

    @cached_property
    def _others(self) -> tuple[Alternative, ...]:
        """What the methods reach that do not begin with a recoding of each column."""
        return tuple(found for found in (self._mondrian(), self._cells(self._matches)) if found is not None)

    def under_wildcard(self) -> tuple[Alternative, ...]:
        """Return suppression of cells where a suppressed cell matches every value, if that is not what is counted.

        Nothing where the table then has classes of k also as a reader of the file counts.
        """
        found = self._cells("wildcard") if self._matches == "value" else None
        is_apart = found is not None and found.k_by_value is not None and found.k_by_value < self.lattice.trial.k
        return (found,) if found is not None and is_apart else ()

    def not_tried(self, tried: Iterable[Alternative]) -> tuple[Fact, ...]:
        """Return the methods that are not offered, each with the reason."""
        left = {"local", "mondrian", "cells"} - {each.method for each in tried}
        return tuple(self._why_not(method) for method in ("local", "mondrian", "cells") if method in left)

    def _most(self, method: str) -> int:
        """Return the distinct rows of the largest table that a method is tried on."""
        most = {"local": self.work.local, "mondrian": self.work.split, "cells": self.work.covered}[method]
        n_columns = len(self.lattice.trial.names)
        if method == "cells":  # each row is compared over every set of columns that it may lose
            return most * n_column_sets(WIDE) // n_column_sets(max(WIDE, n_columns))
        most = scaled(most, n_columns)
        # Local recoding searches the steps of all columns again for each part of the table.
        return scaled(most, n_columns) if method == "local" else most

    def _is_too_large(self, method: str) -> bool:
        return self.lattice.trial.coded.n_distinct > self._most(method)

    def _why_not(self, method: str) -> Fact:
        rows, name, most = self.lattice.trial.coded.n_distinct, Term(f"method.{method}"), self._most(method)
        if rows > most:
            found = Count(rows, unit="record")
            return fact("advice.not_tried_rows", method=name, rows=found, most=Threshold(most))
        if method == "cells" and set(self.required) != {"below"}:
            return fact("advice.not_tried_limits", method=name)
        is_content = method == "cells" and any(levels[0] for levels in self.levels.values())
        return fact("advice.not_tried_content" if is_content else "advice.not_tried_fails", method=name)

    @property
    def _matches(self) -> Literal["value", "wildcard"]:
        """How suppressed cells are counted, as missing cells are."""
        return "wildcard" if self.missing == "wildcard" else "value"

    @cached_property
    def _loss(self) -> InformationLoss:
        """The measure by which all methods are compared."""
        searched = self.lattice.loss
        if searched.measure == "loss" and searched.suppression == 1:
            return searched
        return InformationLoss(self.lattice.trial, "loss", self.importance, ladders=self._ladders)

    @property
    def _ladders(self) -> dict[str, tuple[Recoding, ...]]:
        return dict(zip(self.lattice.trial.names, self.lattice.ladders, strict=True))

    @property
    def _usable(self) -> list[tuple[int, ...]]:
        """The steps of each ladder that may be used."""
        return [tuple(self.levels.get(name, range(len(ladder)))) for name, ladder in self._ladders.items()]

    @property
    def _importance(self) -> dict[str, float]:
        """What was stated about the columns that are recoded."""
        return {name: weight for name, weight in self.importance.items() if name in self.lattice.trial.names}

    def _step(self, technique: str, **parameters: Any) -> dict[str, Any]:
        return {"technique": technique, "columns": list(self.lattice.trial.names), "parameters": parameters}

    def _state(self, steps: Sequence[Recoding]) -> State:
        chosen = {step.key for step in steps}
        return tuple(next((i for i, s in enumerate(ladder) if s.key in chosen), 0) for ladder in self.lattice.ladders)

    def _full_domain(self, state: State) -> Alternative:
        lattice = self.lattice
        loss = self._loss
        after = lattice.measure(state, suppress=True)
        return Alternative(
            method="full-domain",
            loss=rounded(loss.of(lattice.steps(state), lattice.table(state), lattice.failing(state))),
            k_min=after.k_min,
            n_classes=after.n_classes,
            n_suppressed=lattice.trial.coded.n_rows - after.n_records,
            n_cells=0,
            step={},
        )

    def _local(self, first: State, most: float = inf) -> Alternative | None:
        trial, ladders = self.lattice.trial, self._ladders
        if self._is_too_large("local"):
            return None
        found = recode_locally(
            trial,
            ladders,
            self._loss,
            self.lattice.protection,
            max_suppressed=self.max_suppressed,
            levels=self._usable,
            most_measured=self.work.states,
            first=first,
            coarsest=self.lattice.coarsest(self._usable),
            most=most + ROUNDING,
        )
        if found is None or found.n_suppressed == trial.coded.n_rows:
            return None
        parts = [self._part(state) for state in found.states]
        # The first part has the recoding of the plan, so the plan has a step that drops what every part drops.
        left = [name for name in trial.names if not all(_is_dropped(part, name) for part in parts)] or [*trial.names]
        kept = found.part >= 0
        columns: list[Codes] = []
        for i, name in enumerate(trial.names):
            level = np.array([state[i] for state in found.states], dtype=np.int32)[found.part[kept]]
            lookups = np.stack([step.lookup for step in ladders[name]])
            columns += [level, lookups[level, trial.coded.codes[i][kept]].astype(np.int32)]
        labels, n_classes = dense_labels(columns)
        sizes = sums(labels, trial.coded.weights[kept], n_classes)
        step = self._step("recode_locally", **self.required)
        stated = [{name: how for name, how in part.items() if name in left} for part in parts]
        return Alternative(
            method="local",
            loss=rounded(float(self._loss.combine(found.lost))),
            k_min=int(sizes.min()),
            n_classes=len(sizes),
            n_suppressed=found.n_suppressed,
            n_cells=0,
            step={**step, "columns": left, "parameters": {"parts": stated, **step["parameters"]}},
            drops=max(found.lost) >= LOST,
        )

    def _part(self, state: State) -> dict[str, Any]:
        steps = (step for step in self.lattice.steps(state) if step.technique != "keep")
        return {step.column: {"technique": step.technique, **step.parameters} for step in steps}

    def _mondrian(self) -> Alternative | None:
        trial = self.lattice.trial
        base = self._base()
        left = tuple(step.column for step in base if step.technique != "drop")
        if not left or self._is_too_large("mondrian"):
            return None
        found = self._regions(base)
        if found is None:
            return None
        recoded = (step for step in base if step.technique not in ("keep", "drop"))
        stated = [{step.column: {"technique": step.technique, **step.parameters}} for step in recoded]
        weights_of = {name: weight for name, weight in self._importance.items() if name in left}
        more = {"importance": weights_of, "base": stated}
        step = self._step("mondrian", **self.required, **{key: value for key, value in more.items() if value})
        sizes = found.sizes(trial.coded.weights)
        return Alternative(
            method="mondrian",
            loss=rounded(float(self._loss.combine(found.lost))),
            k_min=int(sizes.min()),
            n_classes=len(sizes),
            n_suppressed=0,
            n_cells=0,
            step={**step, "columns": list(left)},
            drops=max(found.lost) >= LOST,
        )

    def _regions(self, base: Sequence[Recoding]) -> Regions | None:
        """Return the regions of the groups that recodings make; equal groups have the same, whatever made them."""
        protection, counts = self.lattice.protection, self.lattice.trial.counts
        held = [step.lookup[counts[step.column] > 0] for step in base]
        shares = {
            step.column: self._loss.granularity(step)[np.unique(new)] for step, new in zip(base, held, strict=True)
        }
        numbers = [step.column for step in base if is_ordered(step)]
        groups = (*(new.tobytes() for new in held), *(each.tobytes() for each in shares.values()), *numbers)
        key = (None if protection.is_k_alone else protection, *groups)
        if key not in self.known:
            made = self.known[key] = self._split(base, shares, numbers)
            if made is not None and made.is_by_k:
                self.known[None, *groups] = made
        found: Regions | None = self.known[key]
        return found

    def _split(self, base: Sequence[Recoding], shares: Mapping[str, Floats], numbers: Sequence[str]) -> Regions | None:
        trial = self.lattice.trial
        codes = tuple(step.lookup[code] for step, code in zip(base, trial.coded.codes, strict=True))
        return split_regions(
            replace(trial.coded, codes=codes, dictionaries=tuple(step.labels() for step in base)),
            [self.lattice.protection],
            domains={name: trial.domain(name) for name in trial.names},
            shares=shares,
            numbers=numbers,
            values=values_of_codes(base, [trial.counts[step.column] for step in base]),
            importance=self._importance,
        )

    def _base(self) -> list[Recoding]:
        """Return the groups of each column that regions are made of; a column that must be dropped has one."""
        made = []
        for name, ladder in self._ladders.items():
            first = ladder[self.levels.get(name, (0,))[0]]
            # Bands with an open end meet what a top code meets, and a run of them has a name.
            made.append(self._readable(name, ladder) if first.technique in ("keep", "top_code") else first)
        return made

    def _readable(self, name: str, ladder: Sequence[Recoding]) -> Recoding:
        """Return the finest groups of a column whose names may be written: no extreme, no rare value."""
        trial = self.lattice.trial
        column = trial.column(name)
        techniques = {step.technique for step in ladder}
        if "band" in techniques:
            over = next((step.parameters["at"] for step in ladder if step.technique == "top_code"), None)
            return fine_bands(column, trial.k, over) or ladder[1]
        if "round_date" in techniques:
            return ladder[1]
        has_file = any(s.technique == "hierarchy_level" and "public" not in s.parameters for s in ladder)
        return ladder[0] if has_file else rare_values(column, trial.k) or ladder[0]

    def _cells(self, matches_as: Literal["value", "wildcard"]) -> Alternative | None:
        coded, k = self.lattice.trial.coded, self.lattice.trial.k
        if set(self.required) != {"below"} or coded.n_rows < k:
            return None
        weights_of = self._importance
        if self._is_too_large("cells") or any(levels[0] for levels in self.levels.values()):
            return None
        key = ("cells", matches_as, k, *coded.names)
        if key not in self.known:
            self.known[key] = suppress_cells(coded, k, weights_of, semantics=matches_as)
        found: SuppressedCells = self.known[key]
        if found.n_cells == coded.n_rows * len(coded.names):
            return None  # a table without a value protects everyone and helps nobody
        rows, sizes = _after(coded, found)
        by_value = int(sizes.min())
        k_min = by_value if matches_as == "value" else _least_matches(coded, rows, sizes)
        stated = {"importance": weights_of} if weights_of else {}
        return Alternative(
            method="cells",
            loss=rounded(float(self._loss.combine((found.by_column() / coded.n_rows).tolist()))),
            k_min=k_min,
            n_classes=len(sizes),
            n_suppressed=0,
            n_cells=found.n_cells,
            step=self._step(
                "suppress_cells", below=k, **stated, **({"matches": matches_as} if matches_as == "wildcard" else {})
            ),
            matches=matches_as,
            k_by_value=by_value if matches_as == "wildcard" else None,
        )


def _is_dropped(part: Mapping[str, Any], column: str) -> bool:
    return column in part and part[column]["technique"] == "drop"


def _after(coded: CodedTable, found: SuppressedCells) -> tuple[Ints, Ints]:
    """Return the distinct rows after cells were suppressed, of shape (rows, columns), and the records of each."""
    weights = coded.weights.copy()
    np.subtract.at(weights, found.row, found.count)
    codes = np.stack(coded.codes, axis=1).astype(np.int64)
    missing = np.array([len(words) for words in coded.dictionaries])
    lost = np.where(found.lost, missing, codes[found.row])
    counts = np.concatenate([weights, found.count])
    rows, label = np.unique(np.concatenate([codes, lost])[counts > 0], axis=0, return_inverse=True)
    return rows, np.bincount(label.ravel(), weights=counts[counts > 0]).astype(np.int64)


def _least_matches(coded: CodedTable, rows: Ints, sizes: Ints) -> int:
    """Return the fewest records that a record matches where a missing cell matches every value."""
    absent = [len(words) for words in coded.dictionaries]
    columns = [column.astype(np.int32) for column in rows.T]
    return int(match_sizes(columns, absent, sizes, "wildcard").min())
