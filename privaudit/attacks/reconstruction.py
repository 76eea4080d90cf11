"""Reconstruction: hidden cells of published tables that the other cells and the totals determine.

Question: which suppressed counts can be computed, and how many people are in them?
Method: every published count is a sum of cells of the full cross of the dimensions; the smallest and the largest value
of each suppressed count follow by linear and integer programmes (`privaudit.attacks.cell_ranges`). Where both agree,
the count is determined. Several tables are solved together where their cross is small enough.
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
from itertools import product

import numpy as np

from privaudit.attacks.cell_ranges import MOST_CELLS, Cells, Infeasible
from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.published_tables import (
    Layout,
    Published,
    guess_layout,
    read_layouts,
    read_published,
    values_of,
)
from privaudit.base.extras import can_import
from privaudit.model import Attack, Limit, MeasuredDetail, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import exact
from privaudit.model.wording import Columns, Count, Fact, Threshold, fact

MOST_CROSS = 20_000
"""Cells of the full cross beyond which tables are solved one by one."""


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
    published = [read_published(table, layout) for table, layout in zip(tables, layouts, strict=True)]
    n_hidden = sum(table.n_hidden for table in published)
    if not n_hidden:
        return AttackResults((), (limit("attacks.nothing_hidden"),))
    if not can_import("scipy"):
        return AttackResults((), (limit("attacks.no_solver", incomplete=True),))
    if n_hidden > MOST_CELLS:
        return AttackResults((), (limit("attacks.too_many_hidden", incomplete=True, most=Threshold(value=MOST_CELLS)),))
    inputs.progress("computing hidden cells", None)
    determined: list[int] = []
    for group in _groups(published):
        try:
            low, high = hidden_ranges(group)
        except Infeasible:
            return AttackResults((), (limit("attacks.tables_contradict", incomplete=True),))
        determined += low[low == high].tolist()
    stated = () if inputs.cells.file is not None else tuple(map(_guess, layouts))
    limits: tuple[Limit, ...] = ()
    return AttackResults((_attack(published, n_hidden, determined, stated, inputs.is_headline),), limits)


def _groups(published: Sequence[Published]) -> list[list[Published]]:
    """Return the tables that are solved together: all, or each alone where their cross is too large."""
    sizes = math.prod(max(1, len(values)) for values in values_of(published).values())
    return [list(published)] if sizes <= MOST_CROSS else [[table] for table in published]


def hidden_ranges(tables: Sequence[Published]) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and the largest value of each hidden count of the tables, in their order.

    Raises
    ------
    Infeasible
        If no cross of whole numbers agrees with the tables.
    """
    values = values_of(tables)
    names = list(values)
    place = {key: i for i, key in enumerate(product(*values.values()))}
    index = np.array(list(product(*(range(len(v)) for v in values.values()))), dtype=np.int64)
    n_cross = len(place)
    low, high = np.zeros(n_cross), np.full(n_cross, np.inf)
    sums, totals, bounds = [], [], []
    for table in tables:
        at = {name: i for i, name in enumerate(table.layout.dimensions)}
        for cell in table.cells:
            fits = np.ones(n_cross, dtype=bool)
            for j, name in enumerate(names):
                key = cell.key[at[name]] if name in at else None
                if key is not None:
                    fits &= index[:, j] == values[name].index(key)
            if cell.count is None:
                bounds.append((table.layout, fits))
            else:
                sums.append(fits.astype(float))
                totals.append(float(cell.count))
        _close(table, names, values, index, high)
    width = n_cross + len(bounds)
    matrix = np.zeros((len(sums) + len(bounds), width))
    if sums:
        matrix[: len(sums), :n_cross] = np.array(sums)
    for i, (layout, fits) in enumerate(bounds):
        matrix[len(sums) + i, :n_cross] = fits
        matrix[len(sums) + i, n_cross + i] = -1
        low, high = np.append(low, layout.least), np.append(high, np.inf if layout.most is None else layout.most)
    cells = Cells(low, high, matrix, np.array([*totals, *(0.0 for _ in bounds)]))
    return cells.ranges(range(n_cross, width))


def _close(
    table: Published,
    names: Sequence[str],
    values: dict[str, tuple[str, ...]],
    index: np.ndarray,
    high: np.ndarray,
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
    success = exact(n / n_hidden, n_hidden)
    knowledge = tuple(dict.fromkeys(name for table in published for name in table.layout.dimensions))
    return Attack(
        kind="reconstruction",
        knowledge=knowledge,
        attacker=fact("attacks.reconstruction_attacker"),
        outcome=fact(
            "attacks.reconstruction_outcome",
            cells=Count(n=n, of=n_hidden, unit="cell"),
            people=Count(n=people, unit="person"),
            alone=Count(n=alone, unit="person"),
        ),
        n_targets=n_hidden,
        success=success,
        baseline=0.0,
        advantage=advantage(success, 0.0),
        assumptions=stated,
        is_headline=is_headline,
        detail=MeasuredDetail(
            method="programmes",
            measures={
                "cells_hidden": Count(n=n_hidden, unit="cell"),
                "cells_determined": Count(n=n, of=n_hidden, unit="cell"),
                "people_determined": Count(n=people, unit="person"),
                "people_alone": Count(n=alone, unit="person"),
            },
        ),
    )
