"""Columns without names: what a column holds, by the distribution of its values.

Question: how many columns get their right name from someone who knows a table of the same kind?
Method: two columns are as far apart as their distributions: of numbers the largest difference of the distribution
functions (Kolmogorov-Smirnov), of other values half the sum of the differences of their shares; to that the same of
the shares in descending order is added, which codes do not change. The assignment with the least sum is claimed.
Control: the same attack after the cells of each row are put in random order. Guessing: one column of each.
Limits: the right name is known where release and original have the same rows in the same order, and the column is a
recoding, one to one, of one column of the original. It is knowledge about the population: no check judges it.

References
----------
.. [1] J. Kang, J. Naughton, On schema matching with opaque column names and data values, SIGMOD 2003.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.base.arrays import Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.extras import can_import
from privaudit.model import Attack, MeasuredDetail, limit
from privaudit.model.advantage import against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Number, fact
from privaudit.risk.codes.random_rows import random_rows

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset

Texts = npt.NDArray[np.str_]

MOST_ROWS = 20_000
LEAST_COLUMNS = 2


def simulate_column_names(inputs: AttackInputs) -> AttackResults:
    """Name the columns of the release whose names the original lacks."""
    release, original, others = inputs.release, inputs.original, inputs.outsiders
    assert original is not None and others is not None
    unnamed = [name for name in release.columns if name not in original.columns]
    known = [name for name in original.columns if name not in release.columns and name in others.columns]
    if not LEAST_COLUMNS <= len(unnamed) <= len(known) or release.n_rows != original.n_rows or not others.n_rows:
        return AttackResults()
    both = pa.table([*release.coded(unnamed).columns, *original.coded(known).columns], names=[*unnamed, *known])
    rows = random_rows(both, np.random.default_rng(inputs.settings.seed))[:MOST_ROWS]
    released = {name: _texts(release, name)[rows] for name in unnamed}
    originals = {name: _texts(original, name)[rows] for name in known}
    truth = recoded(released, originals)
    if len(truth) < LEAST_COLUMNS:
        return AttackResults()
    if not can_import("scipy"):
        return AttackResults((), (limit("attacks.no_solver", incomplete=True),))
    inputs.progress("naming columns", None)
    held = {name: _texts(others, name) for name in known}
    mixed = dict(zip(unnamed, _mixed(list(released.values()), inputs.settings.seed), strict=True))
    claimed = (assign_columns(tables, held) for tables in (released, mixed))
    right, by_chance = (sum(each[name] == true for name, true in truth.items()) for each in claimed)
    return AttackResults((_attack(right, by_chance, len(truth), len(known)),))


def _texts(table: Dataset, name: str) -> Texts:
    """Return the cells of a column; an empty text where there is none."""
    return np.array([cell or "" for cell in table.rows([name])[name].to_pylist()], dtype=np.str_)


def recoded(released: Mapping[str, Texts], originals: Mapping[str, Texts]) -> dict[str, str]:
    """Return the column of the original that each released one recodes, one to one, where exactly one does.

    Parameters
    ----------
    released, originals : mapping of str to array of shape (n,)
        The cells of the same rows, in the same order.
    """
    ours, theirs = ({name: _codes(cells) for name, cells in side.items()} for side in (released, originals))
    found: dict[str, list[str]] = {}
    for name, (codes, n) in ours.items():
        for other, (values, n_values) in theirs.items():
            if 1 < n == n_values == len(distinct(codes * n_values + values)):
                found.setdefault(name, []).append(other)
    partners = [other for others in found.values() for other in others]
    return {name: others[0] for name, others in found.items() if len(others) == 1 == partners.count(others[0])}


def _codes(cells: Texts) -> tuple[Ints, int]:
    values, codes = np.unique(cells, return_inverse=True)
    return codes.astype(np.int64), len(values)


def _mixed(columns: Sequence[Texts], seed: int) -> list[Texts]:
    """Return the columns with the cells of each row in random order."""
    return list(np.random.default_rng(seed).permuted(np.column_stack(columns), axis=1).T)


def assign_columns(released: Mapping[str, Texts], held: Mapping[str, Texts]) -> dict[str, str]:
    """Return the held column that each released column is taken for: the assignment with the least distances."""
    from scipy.optimize import linear_sum_assignment

    ours, theirs = list(released), list(held)
    described = [[_Distribution(side[name]) for name in side] for side in (released, held)]
    distances = np.array([[one.distance(other) for other in described[1]] for one in described[0]])
    rows, columns = linear_sum_assignment(distances)
    return {ours[i]: theirs[j] for i, j in zip(rows, columns, strict=True)}


class _Distribution:
    """The values of a column with their shares; its sorted numbers, where all cells are numbers."""

    def __init__(self, cells: Texts) -> None:
        self.values, counts = np.unique(cells, return_counts=True)
        self.shares: Floats = counts / len(cells)
        try:
            self.numbers: Floats | None = np.sort(cells.astype(np.float64))
        except ValueError:
            self.numbers = None

    def distance(self, other: _Distribution) -> float:
        """Return the distance of two columns, from 0 to 2."""
        if self.numbers is not None and other.numbers is not None:
            of_values = _kolmogorov_smirnov(self.numbers, other.numbers)
        else:
            union = np.union1d(self.values, other.values)
            of_values = _half_sum(*(one._over(union) for one in (self, other)))
        length = max(len(self.shares), len(other.shares))
        return of_values + _half_sum(*(one._descending(length) for one in (self, other)))

    def _over(self, union: Texts) -> Floats:
        shares = np.zeros(len(union))
        shares[np.searchsorted(union, self.values)] = self.shares
        return shares

    def _descending(self, length: int) -> Floats:
        shares = np.zeros(length)
        shares[: len(self.shares)] = np.sort(self.shares)[::-1]
        return shares


def _half_sum(ours: Floats, theirs: Floats) -> float:
    return float(np.abs(ours - theirs).sum() / 2)


def _kolmogorov_smirnov(ours: Floats, theirs: Floats) -> float:
    at = np.concatenate([ours, theirs])
    below = (np.searchsorted(numbers, at, side="right") / len(numbers) for numbers in (ours, theirs))
    return float(np.abs(np.subtract(*below)).max())


def _attack(right: int, by_chance: int, n: int, n_known: int) -> Attack:
    success, control = wilson(right, n), wilson(by_chance, n)
    columns = Number(n)
    return Attack(
        kind="column_names",
        knowledge=(),
        attacker=fact("attacks.column_names_attacker", columns=columns),
        outcome=fact("attacks.column_names_outcome", named=Number(right), columns=columns, mixed=Number(by_chance)),
        baseline=1 / n_known,
        **against_control(success, control),
        assumptions=(fact("attacks.rows_in_order"), fact("attacks.mixed_cells_are_control")),
        detail=MeasuredDetail(method="distributions"),
    )
