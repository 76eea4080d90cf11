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
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.published.cell_ranges import (
    MOST_CELLS,
    Cells,
    Infeasible,
    Ints,
    compare_with_draws,
    counted_cross,
)
from privaudit.attacks.published.published_tables import (
    Cell,
    Layout,
    Published,
    guess_layout,
    read_layouts,
    read_published,
    values_of,
)
from privaudit.base.errors import ConfigError
from privaudit.base.extras import can_import
from privaudit.model import Attack, DatasetUnit, MeasuredDetail, limit
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
    stated = () if inputs.cells.file is not None else tuple(map(_guess, layouts))
    return reconstruct(_groups(published), inputs, stated)


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
    published = [table for group in groups for table in group]
    n_hidden = sum(table.n_hidden for table in published)
    if not n_hidden:
        return AttackResults((), (limit("attacks.nothing_hidden", most=Threshold(value=MOST_CELLS)),))
    if not can_import("scipy"):
        return AttackResults((), (limit("attacks.no_solver", incomplete=True),))
    if max(map(_n_cross, groups)) > MOST_CROSS:
        return AttackResults((), (limit("attacks.too_large_cross", incomplete=True, most=Threshold(value=MOST_CROSS)),))
    if n_hidden > MOST_CELLS:
        return AttackResults((), (limit("attacks.too_many_hidden", incomplete=True, most=Threshold(value=MOST_CELLS)),))
    inputs.progress("computing hidden cells", None)
    determined: list[int] = []
    for group in groups:
        try:
            low, high, feasible = hidden_ranges(group)
        except Infeasible:
            return AttackResults((), (limit("attacks.tables_contradict", incomplete=True),))
        determined += low[low == high].tolist()
    attack = _attack(published, n_hidden, determined, stated, inputs.is_headline)
    if inputs.original is None:
        return AttackResults((attack,))
    if not isinstance(published[-1], _Cross):
        return AttackResults((attack,), (limit("attacks.original_not_compared"),))
    return AttackResults((_with_match(attack, groups[0], feasible, inputs.original, inputs.settings.seed),))


def _with_match(attack: Attack, group: Sequence[Published], feasible: Ints, original: Dataset, seed: int) -> Attack:
    """Return the attack with the people whom one table that fits places in their true cell, and the same by chance."""
    values = values_of(group)
    true = counted_cross(original, values)
    match = compare_with_draws(feasible.reshape(true.shape), true, seed)
    assert isinstance(attack.detail, MeasuredDetail), "this attack measures"
    measures = {
        "people_matched": Count(n=match.n_feasible, of=match.n_people, unit="person"),
        "people_matched_by_chance": Count(n=round(match.n_drawn), of=match.n_people, unit="person"),
    }
    return replace(
        attack,
        assumptions=(*attack.assumptions, fact("attacks.feasible_table")),
        detail=replace(attack.detail, measures={**attack.detail.measures, **measures}),
    )


def _groups(published: Sequence[Published]) -> list[list[Published]]:
    """Return the tables that are solved together: all, or each alone where their cross is too large."""
    return [list(published)] if _n_cross(published) <= MOST_CROSS else [[table] for table in published]


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
    names = list(values)
    place = {key: i for i, key in enumerate(product(*values.values()))}
    index = np.array(list(product(*(range(len(v)) for v in values.values()))), dtype=np.int64)
    high = np.full(len(place), np.inf)
    shown: list[tuple[Ints, int]] = []
    hidden: list[tuple[Layout, Ints]] = []
    for table in tables:
        at = {name: i for i, name in enumerate(table.layout.dimensions)}
        for cell in table.cells:
            fits = np.ones(len(place), dtype=bool)
            for j, name in enumerate(names):
                key = cell.key[at[name]] if name in at else None
                if key is not None:
                    fits &= index[:, j] == values[name].index(key)
            if cell.count is None:
                hidden.append((table.layout, np.flatnonzero(fits)))
            else:
                shown.append((np.flatnonzero(fits), cell.count))
        _close(table, names, values, index, high)
    cells = _unknown(shown, hidden, high)
    if not hidden:
        return np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0, dtype=np.int64)
    low, most = cells.ranges(range(len(cells.low) - len(hidden), len(cells.low)))
    return low, most, cells.seen[0][-len(hidden) :]


def _unknown(shown: Sequence[tuple[Ints, int]], hidden: Sequence[tuple[Layout, Ints]], high: np.ndarray) -> Cells:
    """Return the equations of the cells of the cross that no published count states alone, then of the hidden counts.

    Parameters
    ----------
    shown : sequence of (cells, count)
        The cells of the cross that each published count adds up.
    hidden : sequence of (layout, cells)
        The cells of the cross that each hidden count adds up.
    high : float64 array, one for each cell of the cross
        0 for a cell that is not listed.
    """
    known = np.where(high == 0, 0.0, np.nan)
    for fits, count in shown:
        if len(fits) == 1:
            known[fits[0]] = count
    is_open = np.isnan(known)
    column = np.cumsum(is_open) - 1
    n_open = int(is_open.sum())
    rows, totals = [], []
    for i, (fits, count) in enumerate([*shown, *((cells, 0) for _, cells in hidden)]):
        row = np.zeros(n_open + len(hidden))
        row[column[fits[is_open[fits]]]] = 1
        if i >= len(shown):
            row[n_open + i - len(shown)] = -1
        total = count - float(known[fits[~is_open[fits]]].sum())
        if row.any():
            rows.append(row)
            totals.append(total)
        elif total:
            raise Infeasible
    layouts = [layout for layout, _ in hidden]
    low = np.append(np.zeros(n_open), [layout.least for layout in layouts])
    most = [np.inf if layout.most is None else layout.most for layout in layouts]
    matrix = np.array(rows) if rows else np.zeros((0, len(low)))
    return Cells(low, np.append(np.full(n_open, np.inf), most), matrix, np.array(totals))


def _close(
    table: Published, names: Sequence[str], values: dict[str, tuple[str, ...]], index: np.ndarray, high: np.ndarray
) -> None:
    """Set the cells to 0 that a table with all dimensions does not list."""
    if set(table.layout.dimensions) != set(names):
        return
    order = [table.layout.dimensions.index(name) for name in names]
    listed = {tuple(cell.key[i] for i in order) for cell in table.cells}
    for row, at in enumerate(index.tolist()):
        if tuple(values[name][i] for name, i in zip(names, at, strict=True)) not in listed:
            high[row] = 0


def _guess(layout: Layout) -> Fact:
    """Return how a table was read, where it was guessed: names of columns, and no mark or label, which are cells."""
    return fact(
        "attacks.cells_guessed", dimensions=Columns(names=layout.dimensions), count=Columns(names=(layout.count,))
    )


def _attack(
    published: Sequence[Published],
    n_hidden: int,
    determined: Sequence[int],
    stated: tuple[Fact, ...],
    is_headline: bool,
) -> Attack:
    n = len(determined)
    people, alone = sum(determined), sum(count == 1 for count in determined)
    of_cross = isinstance(published[-1], _Cross)
    n_targets = _n_people(published) if of_cross else n_hidden
    success = exact((people if of_cross else n) / max(1, n_targets), n_targets)
    knowledge = tuple(dict.fromkeys(name for table in published for name in table.layout.dimensions))
    return Attack(
        kind="reconstruction",
        knowledge=knowledge,
        attacker=fact("attacks.cross_attacker" if of_cross else "attacks.reconstruction_attacker"),
        outcome=fact(
            "attacks.reconstruction_outcome_cross" if of_cross else "attacks.reconstruction_outcome",
            cells=Count(n=n, of=n_hidden, unit="cell"),
            people=Count(n=people, unit="person"),
            alone=Count(n=alone, unit="person"),
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
                "cells_hidden": Count(n=n_hidden, unit="cell"),
                "cells_determined": Count(n=n, of=n_hidden, unit="cell"),
                "people_determined": Count(n=people, unit="person"),
                "people_alone": Count(n=alone, unit="person"),
            },
        ),
    )


def _n_people(published: Sequence[Published]) -> int:
    """Return the people whom the tables count: the sum of the cells of the first one without the totals."""
    return sum(cell.count or 0 for cell in published[0].cells if None not in cell.key)
