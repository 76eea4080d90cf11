"""Reconstruction: hidden cells of published tables that the other cells and the totals determine.

Question: which suppressed counts can be computed, and how many people are in them?
Method: every published count is a sum of cells of the full cross of the dimensions; the smallest and the largest value
of each suppressed count follow by linear and integer programmes (`attacks.published.cell_ranges`). Where both agree,
the count is determined. Several tables are solved together where their cross is small enough. Where they hide nothing,
the cells of their cross are computed, which none of them shows. Given the original, one table that agrees with them is
compared with it.
Limits: that a count is determined is certain; the reader needs no other knowledge. A single table that agrees with all
that is published proves nothing. Cells that are not listed count as 0 where the table lists all others.

References
----------
.. [1] A. Hundepool et al., Statistical Disclosure Control, Wiley 2012, ch. 4 (suppression and its audit).
.. [2] J. Abowd et al., The 2010 census confidentiality protections failed, arXiv 2312.11283.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.published.cell_ranges import MOST_CELLS, Cells, Infeasible, compare_with_draws, counted_cross
from privaudit.attacks.published.published_tables import (
    Cell,
    Layout,
    Published,
    guess_layout,
    read_layouts,
    read_published,
    values_of,
)
from privaudit.base.arrays import Floats, Ints
from privaudit.base.errors import ConfigError
from privaudit.base.extras import can_import
from privaudit.model import Attack, DatasetUnit, Limit, MeasuredDetail, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import exact
from privaudit.model.wording import Columns, Count, Fact, Threshold, fact

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset

MOST_CROSS = 20_000
"""Cells of the full cross beyond which tables are solved one by one, and a table alone is not solved."""


class _Cross(Published):
    """The cells of all dimensions together, which no table shows."""


def simulate_reconstruction(inputs: AttackInputs) -> AttackResults:
    """Compute the hidden cells of the published tables.

    Raises
    ------
    ConfigError
        If it is not clear what the tables show, hide and add up.
    """
    assert inputs.cells is not None, "the registry runs this attack only on published tables"
    tables = [inputs.release, *inputs.published]
    if inputs.cells.file is not None:
        layouts = read_layouts(inputs.cells.file, len(tables))
    else:
        layouts = tuple(guess_layout(table) for table in tables)
        _check_guess(layouts, inputs.unit)
    published = [read_published(table, layout) for table, layout in zip(tables, layouts, strict=True)]
    # All tables are solved together, or each alone where their cross is too large.
    groups = [published] if _n_cross(published) <= MOST_CROSS else [[table] for table in published]
    # How tables were read, where it was guessed: names of columns, and no mark or label, which are cells.
    stated = [
        fact("attacks.cells_guessed", dimensions=Columns(layout.dimensions), count=Columns((layout.count,)))
        for layout in layouts
        if inputs.cells.file is None
    ]
    return reconstruct(groups, inputs, tuple(stated))


def _check_guess(layouts: Sequence[Layout], unit: DatasetUnit | None) -> None:
    """Check that tables whose layout was guessed are published counts: a table of people has a column of numbers, too.

    Raises
    ------
    ConfigError
        If the rows of the first table are something else, or a table shows neither a suppressed count nor a total.
    """
    kind = "unknown" if unit is None else unit.kind
    shown = all(layout.hidden is not None or layout.total is not None for layout in layouts)
    if kind != "aggregate" and (kind != "unknown" or not shown):
        raise ConfigError(
            "Whether the table holds published counts is not clear.",
            hint="state its dimensions and its count with --cells FILE",
        )


def reconstruct(
    groups: Sequence[Sequence[Published]], inputs: AttackInputs, stated: tuple[Fact, ...] = ()
) -> AttackResults:
    """Compute the hidden cells of published tables; those of a group are solved together."""
    groups = [_with_cross(group) for group in groups]
    reason = _why_not_solved(groups)
    if reason is not None:
        return AttackResults((), (reason,))
    inputs.progress("computing hidden cells", None)
    determined: list[int] = []
    for group in groups:
        try:
            low, high, feasible = hidden_ranges(group)
        except Infeasible:
            return AttackResults((), (limit("attacks.tables_contradict", incomplete=True),))
        determined += low[low == high].tolist()
    published = [table for group in groups for table in group]
    attack = _attack(published, determined, stated, inputs.is_headline)
    if inputs.original is None:
        return AttackResults((attack,))
    if not isinstance(published[-1], _Cross):
        return AttackResults((attack,), (limit("attacks.original_not_compared"),))
    return AttackResults((_with_match(attack, groups[0], feasible, inputs.original, inputs.settings.seed),))


def _why_not_solved(groups: Sequence[Sequence[Published]]) -> Limit | None:
    """Return why no hidden cell is computed; None where they can be."""
    n_hidden = sum(table.n_hidden for group in groups for table in group)
    if not n_hidden:
        return limit("attacks.nothing_hidden", most=Threshold(MOST_CELLS))
    if not can_import("scipy"):
        return limit("attacks.no_solver", incomplete=True)
    if max(map(_n_cross, groups)) > MOST_CROSS:
        return limit("attacks.too_large_cross", incomplete=True, most=Threshold(MOST_CROSS))
    if n_hidden > MOST_CELLS:
        return limit("attacks.too_many_hidden", incomplete=True, most=Threshold(MOST_CELLS))
    return None


def _with_match(attack: Attack, group: Sequence[Published], feasible: Ints, original: Dataset, seed: int) -> Attack:
    """Return the attack with the people whom one table that fits places in their true cell, and the same by chance."""
    values = values_of(group)
    true = counted_cross(original, values)
    match = compare_with_draws(feasible.reshape(true.shape), true, seed)
    assert isinstance(attack.detail, MeasuredDetail), "this attack measures"
    measures = {
        "people_matched": Count(match.n_feasible, of=match.n_people, unit="person"),
        "people_matched_by_chance": Count(round(match.n_drawn), of=match.n_people, unit="person"),
    }
    return replace(
        attack,
        assumptions=(*attack.assumptions, fact("attacks.feasible_table")),
        detail=replace(attack.detail, measures={**attack.detail.measures, **measures}),
    )


def _with_cross(published: Sequence[Published]) -> list[Published]:
    """Return tables that hide nothing with the cross of all their dimensions, hidden, if none of them shows it."""
    values = values_of(published)
    shown = any(set(table.layout.dimensions) == set(values) for table in published)
    if shown or any(table.n_hidden for table in published) or _n_cross(published) > MOST_CELLS:
        return list(published)
    layout = Layout(dimensions=tuple(values), count="", least=0)
    return [*published, _Cross(layout, tuple(Cell(key, None) for key in product(*values.values())))]


def _n_cross(published: Sequence[Published]) -> int:
    """Return the number of cells of the full cross of the dimensions."""
    return math.prod(max(1, len(values)) for values in values_of(published).values())


def hidden_ranges(tables: Sequence[Published]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the smallest and the largest value of each hidden count of the tables, in their order, and one solution.

    Raises
    ------
    Infeasible
        If no cross of whole numbers agrees with the tables.
    """
    values = values_of(tables)
    cross = _NumberedCross(values)
    known = np.full(cross.numbers.size, np.nan)
    shown: list[tuple[Ints, int]] = []
    hidden: list[tuple[Layout, Ints]] = []
    for table in tables:
        added = [cross.added_up(table.layout, cell) for cell in table.cells]
        for cell, cells in zip(table.cells, added, strict=True):
            if cell.count is None:
                hidden.append((table.layout, cells))
            else:
                shown.append((cells, cell.count))
        if set(table.layout.dimensions) == set(values):  # cells that a table of all dimensions does not list are empty
            listed = [cells[0] for cell, cells in zip(table.cells, added, strict=True) if None not in cell.key]
            known[np.setdiff1d(cross.numbers, listed)] = 0
    unknown = _unknown(shown, hidden, known)
    if not hidden:
        return np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0, dtype=np.int64)
    low, most = unknown.ranges(range(len(unknown.low) - len(hidden), len(unknown.low)))
    return low, most, unknown.seen[0][-len(hidden) :]


class _NumberedCross:
    """The cells of all dimensions together, numbered in an array with an axis for each dimension."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._places = {name: {value: i for i, value in enumerate(each)} for name, each in values.items()}
        shape = [len(each) for each in values.values()]
        self.numbers = np.arange(math.prod(shape)).reshape(shape)

    def added_up(self, layout: Layout, cell: Cell) -> Ints:
        """Return the cells that a published cell adds up: all values of each dimension that its key does not state."""
        key = dict(zip(layout.dimensions, cell.key, strict=True))
        stated = {name: places[value] for name, places in self._places.items() if (value := key.get(name)) is not None}
        return self.numbers[tuple(stated.get(name, slice(None)) for name in self._places)].ravel()


def _unknown(shown: Sequence[tuple[Ints, int]], hidden: Sequence[tuple[Layout, Ints]], known: Floats) -> Cells:
    """Return the equations of the cells of the cross that no published count states alone, then of the hidden counts.

    Parameters
    ----------
    shown : sequence of (cells, count)
        The cells of the cross that each published count adds up.
    hidden : sequence of (layout, cells)
        The cells of the cross that each hidden count adds up.
    known : float64 array, one for each cell of the cross
        0 for a cell that is not listed, NaN for the others; gets the counts that are published.
    """
    for cells, count in shown:
        if len(cells) == 1:
            known[cells[0]] = count
    is_open = np.isnan(known)
    if any(known[cells].sum() != count for cells, count in shown if not is_open[cells].any()):
        raise Infeasible
    equations = [(cells, count) for cells, count in shown if is_open[cells].any()]
    equations += [(cells, 0) for _, cells in hidden]
    n_open, n_hidden = int(is_open.sum()), len(hidden)
    sums = np.zeros((len(equations), n_open + n_hidden))
    # Each hidden count is an unknown: the cells that it adds up, less itself, are 0.
    sums[len(equations) - n_hidden :, n_open:] = -np.eye(n_hidden)
    column = np.cumsum(is_open) - 1
    for row, (cells, _) in zip(sums, equations, strict=True):
        row[column[cells[is_open[cells]]]] = 1
    totals = np.array([count - np.nansum(known[cells]) for cells, count in equations])
    low = np.append(np.zeros(n_open), [layout.least for layout, _ in hidden])
    most = [np.inf if layout.most is None else layout.most for layout, _ in hidden]
    return Cells(low, np.append(np.full(n_open, np.inf), most), sums, totals)


def _attack(
    published: Sequence[Published], determined: Sequence[int], stated: tuple[Fact, ...], is_headline: bool
) -> Attack:
    n, n_hidden = len(determined), sum(table.n_hidden for table in published)
    people, alone = sum(determined), sum(count == 1 for count in determined)
    of_cross = isinstance(published[-1], _Cross)
    # The people whom the tables count: the sum of the cells of the first one without the totals.
    n_people = sum(cell.count or 0 for cell in published[0].cells if None not in cell.key)
    n_targets = n_people if of_cross else n_hidden
    success = exact((people if of_cross else n) / max(1, n_targets), n_targets)
    knowledge = tuple(dict.fromkeys(name for table in published for name in table.layout.dimensions))
    return Attack(
        kind="reconstruction",
        knowledge=knowledge,
        attacker=fact("attacks.cross_attacker" if of_cross else "attacks.reconstruction_attacker"),
        outcome=fact(
            "attacks.reconstruction_outcome_cross" if of_cross else "attacks.reconstruction_outcome",
            cells=Count(n, of=n_hidden, unit="cell"),
            people=Count(people, unit="person"),
            alone=Count(alone, unit="person"),
        ),
        n_targets=n_targets,
        success=success,
        baseline=0.0,
        advantage=advantage(success, 0.0),
        assumptions=stated,
        is_headline=is_headline,
        detail=MeasuredDetail(
            method="cross" if of_cross else "programmes",
            measures={
                "cells_hidden": Count(n_hidden, unit="cell"),
                "cells_determined": Count(n, of=n_hidden, unit="cell"),
                "people_determined": Count(people, unit="person"),
                "people_alone": Count(alone, unit="person"),
            },
        ),
    )
