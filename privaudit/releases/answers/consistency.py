"""Make the tables of counts of a release agree: margins that add up, and no negative count.

Question: which counts without negative numbers, whose common margins agree, are close to the noisy ones?
Method: post-processing of noisy counts alone, so it costs nothing. For every set of columns that several tables share,
the estimates of its margin are averaged with weights by their variance, and each table's cells are moved by equal parts
to the average (Qardaji, Yang, Li 2014). Negative counts become 0, and the other cells of the table are reduced to keep
its sum. Both steps are repeated until they change little.
Limits: a table takes part in a margin only if the columns that are summed have a cell for every row, and if both tables
read the same row set. The intervals are those of the noisy counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from privaudit.model.answers import Answer
from privaudit.releases.answers.plan_file import TABLES
from privaudit.releases.domains.columns import Column
from privaudit.releases.privacy.post_processing import projected

_ROUNDS = 200
_ENOUGH = 1e-6
_MOST_CELLS = 1_000_000


class _Table(NamedTuple):
    """The counts of one answer, as an array with one axis for each column."""

    place: int
    columns: tuple[str, ...]
    counts: Any
    variance: float


def consistent(answers: Sequence[Answer], domains: Mapping[str, Column]) -> tuple[Answer, ...]:
    """Return the answers with consistent counts in addition to the noisy ones."""
    tables = [
        _Table(i, answer.columns, _counts(answer, domains), (answer.sd or 1.0) ** 2)
        for i, answer in enumerate(answers)
        if answer.kind in TABLES and len(answer.cells) <= _MOST_CELLS
    ]
    by_rows: dict[str, list[_Table]] = {}
    for table in tables:
        by_rows.setdefault(answers[table.place].rows, []).append(table)
    found = list(answers)
    for group in by_rows.values():
        _agree(group, domains)
        for table in group:
            found[table.place] = _with_counts(answers[table.place], table.counts)
    return tuple(found)


def _counts(answer: Answer, domains: Mapping[str, Column]) -> Any:
    shape = tuple(domains[name].size for name in answer.columns)
    return np.array([cell.value for cell in answer.cells], dtype=np.float64).reshape(shape)


def _with_counts(answer: Answer, counts: Any) -> Answer:
    values = np.round(counts.ravel(), 3).tolist()
    cells = tuple(replace(cell, consistent=value) for cell, value in zip(answer.cells, values, strict=True))
    return replace(answer, cells=cells)


def _agree(tables: Sequence[_Table], domains: Mapping[str, Column]) -> None:
    shared = _shared(tables, domains)
    for _ in range(_ROUNDS):
        before = [table.counts.copy() for table in tables]
        for columns, members in shared:
            _move_to_average(columns, members)
        for table in tables:
            table.counts[...] = without_negative(table.counts)
        # The two steps disturb each other: they are repeated until neither moves a count.
        if max(float(np.abs(t.counts - b).max()) for t, b in zip(tables, before, strict=True)) < _ENOUGH:
            return


def _shared(tables: Sequence[_Table], domains: Mapping[str, Column]) -> list[tuple[tuple[str, ...], list[_Table]]]:
    """Return the sets of columns whose margin several tables have, small sets first, with these tables."""
    sets = {tuple(sorted(set(one.columns) & set(other.columns))) for one, other in itertools.combinations(tables, 2)}
    found = []
    for columns in sorted(sets, key=lambda each: (len(each), each)):
        members = [table for table in tables if _has_margin(table, columns, domains)]
        if len(members) > 1:
            found.append((columns, members))
    return found


def _has_margin(table: _Table, columns: Sequence[str], domains: Mapping[str, Column]) -> bool:
    rest = [name for name in table.columns if name not in columns]
    # Values without a code are in no cell: a sum over such a column is not the margin.
    return set(columns) <= set(table.columns) and all(domains[name].missing for name in rest)


def _move_to_average(columns: Sequence[str], tables: Sequence[_Table]) -> None:
    margins, weights = [], []
    for table in tables:
        margin, n_summed = _margin(table, columns)
        margins.append(margin)
        # Inverse variances: the sum of n noisy cells has n times the variance of one, so that coarse tables weigh
        # more.
        weights.append(1 / (table.variance * n_summed))
    average = np.average(np.stack(margins), axis=0, weights=weights)
    for table, margin in zip(tables, margins, strict=True):
        n_summed = table.counts.size // max(1, margin.size)
        table.counts[...] += _spread((average - margin) / n_summed, table, columns)


def _margin(table: _Table, columns: Sequence[str]) -> tuple[Any, int]:
    """Return the margin of a table over `columns`, in their order, and how many cells each sum has."""
    rest = tuple(i for i, name in enumerate(table.columns) if name not in columns)
    kept = [name for name in table.columns if name in columns]
    summed = table.counts.sum(axis=rest)
    return summed.transpose([kept.index(name) for name in columns]), table.counts.size // max(1, summed.size)


def _spread(margin: Any, table: _Table, columns: Sequence[str]) -> Any:
    """Return a margin in the axes of a table, so that it is added to every cell that it sums."""
    kept = [name for name in table.columns if name in columns]
    ordered = margin.transpose([list(columns).index(name) for name in kept])
    shape = [table.counts.shape[i] if name in columns else 1 for i, name in enumerate(table.columns)]
    return ordered.reshape(shape)


def without_negative(counts: Any) -> Any:
    """Return the closest counts that are not negative and have the same sum, or all 0 where the sum is negative."""
    return counts if counts.min() >= 0 else projected(counts, max(0.0, counts.sum()))
