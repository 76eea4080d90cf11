"""The range of every hidden cell of published tables, from the sums that are shown.

Question: which values can a hidden cell have, given all published cells and totals?
Method: the cells are whole numbers x within their bounds with A x = b, one equation for each published sum. The
smallest and the largest value of a cell come from linear programmes; where these leave room, from integer programmes. A
feasible table that is known already saves the programmes whose answer it shows. A feasible table is compared with the
original by ``sum min(x, t)`` over the cells of the cross, x the feasible table and t the original; the baseline is the
mean of the same number for tables that are drawn from the one-way margins as if the dimensions were independent.
Limits: exact. At most `MOST_CELLS` hidden cells. One feasible table proves nothing: only cells with a single possible
value are disclosed for certain. The solver decides which of the feasible tables is compared. Needs the original; no
cell of either table is shown.

References
----------
.. [1] A. Hundepool et al., Statistical Disclosure Control, Wiley 2012, ch. 4.
.. [2] S. Ruggles, D. Van Riper, The role of chance in the Census Bureau database reconstruction experiment,
   Popul. Res. Policy Rev. 41, 2022.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from privaudit.base.arrays import Floats, Ints
from privaudit.base.records import dataclass

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset


MOST_CELLS = 2_000
_NEARLY = 1e-6


class Infeasible(Exception):
    """No table agrees with everything that is published."""


@dataclass(slots=True)
class Cells:
    """Unknown cells with their bounds, and the equations that they meet.

    Attributes
    ----------
    low, high : float64 arrays of shape (c,)
        ``high`` may be infinite.
    sums : float64 array of shape (e, c)
        One row for each equation.
    totals : float64 array of shape (e,)
    """

    low: Floats
    high: Floats
    sums: Floats
    totals: Floats
    seen: list[Ints] = field(default_factory=list)

    def ranges(self, of: Sequence[int] | None = None) -> tuple[Ints, Floats]:
        """Return the smallest and the largest value of each cell, or of those numbered in `of`.

        Raises
        ------
        Infeasible
            If no table fits.
        """
        # One whole table first: it shows that some table fits, and bounds every cell from one side.
        self._solve(np.zeros(len(self.low)), whole=True)
        cells = range(len(self.low)) if of is None else of
        return (
            np.array([self._extreme(i, 1) for i in cells], dtype=np.int64),
            np.array([self._extreme(i, -1) for i in cells], dtype=np.float64),
        )

    def _extreme(self, i: int, sign: int) -> float:
        """Return the smallest value of cell `i`, or with `sign` -1 the largest."""
        # A table that was found for another cell often has the extreme of this one already.
        known = min(int(sign * table[i]) for table in self.seen)
        edge = sign * (self.low if sign > 0 else self.high)[i]
        if known == edge:
            return sign * known
        objective = np.zeros(len(self.low))
        objective[i] = sign
        # The linear programme is far cheaper than the integer one, and mostly meets the same bound.
        bound = self._solve(objective, whole=False)
        if bound == -math.inf:
            return math.inf
        if math.ceil(bound - _NEARLY) == known:
            return sign * known
        return sign * round(self._solve(objective, whole=True))

    def _solve(self, objective: Floats, *, whole: bool) -> float:
        """Return the least value of the objective; a whole solution is kept."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        constraints = [LinearConstraint(self.sums, self.totals, self.totals)] if len(self.totals) else []
        found = milp(
            objective,
            integrality=np.full(len(objective), int(whole)),
            bounds=Bounds(self.low, self.high),
            constraints=constraints,
        )
        if found.status == 3:  # unbounded
            return -math.inf
        if found.x is None:
            raise Infeasible
        if whole or np.abs(found.x - np.round(found.x)).max(initial=0.0) < _NEARLY:
            self.seen.append(np.round(found.x).astype(np.int64))
        return float(found.fun)


N_DRAWS = 100


@dataclass(frozen=True, slots=True)
class Match:
    """People in their true cell: by the feasible table, and by tables drawn from the one-way margins, on average."""

    n_people: int
    n_feasible: int
    n_drawn: float


def compare_with_draws(feasible: Ints, true: Ints, seed: int) -> Match:
    """Compare a feasible table with the true one.

    Parameters
    ----------
    feasible, true : int64 arrays of one shape, an axis for each dimension
    seed : int
    """
    n = int(feasible.sum())
    margins = [
        feasible.sum(axis=tuple(j for j in range(feasible.ndim) if j != i)) / max(1, n) for i in range(feasible.ndim)
    ]
    # Whoever knows the one-way margins alone draws from their product.
    independent = reduce(np.multiply.outer, margins).ravel()
    drawn = np.random.default_rng(seed).multinomial(n, independent / max(1e-300, independent.sum()), size=N_DRAWS)
    matched = np.minimum(drawn, true.ravel()).sum(axis=1)
    return Match(int(true.sum()), int(np.minimum(feasible, true).sum()), float(matched.mean()))


def counted_cross(original: Dataset, values: Mapping[str, tuple[str, ...]]) -> Ints:
    """Return how many rows of a table are in each cell of the cross of its columns; other values are in none.

    Raises
    ------
    ColumnNotFound
        If the table lacks a dimension.
    """
    for name in values:
        original.internal(name)
    places = [{value: i for i, value in enumerate(each)} for each in values.values()]
    rows = original.rows(list(values))
    keys = Counter(zip(*(rows.column(i).to_pylist() for i in range(len(values))), strict=True))
    counts = np.zeros([len(each) for each in values.values()], dtype=np.int64)
    for key, n in keys.items():
        at = [place.get(value, -1) for place, value in zip(places, key, strict=True)]
        # A value that was not published has no cell, so nobody can be placed in it.
        if min(at) >= 0:
            counts[tuple(at)] += n
    return counts
