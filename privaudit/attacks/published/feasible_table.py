"""One table that agrees with all published counts, compared with the true one and with a guess.

Question: how many people does one table that agrees with everything published place in their true cell?
Method: ``sum min(x, t)`` over the cells of the cross, x the feasible table and t the original. The baseline is the mean
of the same number for tables that are drawn from the one-way margins as if the dimensions were independent.
Limits: one feasible table proves nothing: only cells with a single possible value are disclosed for certain. The solver
decides which of the feasible tables is compared. Needs the original; no cell of either table is shown.

References
----------
.. [1] S. Ruggles, D. Van Riper, The role of chance in the Census Bureau database reconstruction experiment,
   Popul. Res. Policy Rev. 41, 2022.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.base.records import dataclass

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset

Ints = npt.NDArray[np.int64]
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
