"""Limits for top and bottom coding: round numbers with at least k records at or beyond them, and what coding changes.

Question: from which numbers on can the tails of a column be coded, and what does that do to its mean and deviation?
Method: a limit is the outermost number of two digits that at least k records reach. The effect is that of writing the
limit in place of every number beyond it.
Limits: records are counted, not people. Classes of several columns are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from privaudit.base.arrays import Floats, Ints
from privaudit.base.records import dataclass
from privaudit.model import ColumnProfile
from privaudit.source.dataset import Frequencies

Counts = Ints
NUMERIC = ("integer", "decimal")
CODES = 12
"""Different numbers of a column up to which they are codes, whose largest is not a tail (product default)."""


@dataclass(frozen=True, slots=True)
class CodingLimits:
    """The limits of a column, and their effect.

    Attributes
    ----------
    column : str
    bottom, top : float or None
        None where no number is beyond a limit.
    n_bottom, n_top : int
        Records at or beyond each limit; at least k.
    mean : float
        Change of the mean, in standard deviations of the column.
    deviation : float
        Share of the standard deviation that is lost.
    """

    column: str
    bottom: float | None
    top: float | None
    n_bottom: int
    n_top: int
    mean: float
    deviation: float


def coding_limits(
    profiles: Iterable[ColumnProfile], read: Callable[[str], Frequencies], k: int
) -> tuple[CodingLimits, ...]:
    """Return the limits of every numeric column that has a number beyond one.

    Parameters
    ----------
    profiles : iterable of ColumnProfile
    read : function
        The distinct values of a column with their counts.
    k : int
    """
    made = (_limits(each.name, *numbers_of(each, read(each.name)), k) for each in profiles if is_coded(each))
    return tuple(each for each in made if each is not None)


def is_coded(column: ColumnProfile) -> bool:
    """Whether a column holds numbers that may have tails."""
    return column.data_type in NUMERIC and column.n_distinct > CODES


def numbers_of(column: ColumnProfile, cells: Frequencies) -> tuple[Floats, Counts]:
    """Return the distinct numbers of a column and their counts; none where it is not numeric or read in part."""
    from privaudit.advice.technique import Column

    if column.data_type not in NUMERIC or cells.totals is not None:
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    numbers = Column(column.name, cells.values, np.append(cells.counts, 0)).numbers
    known = np.isfinite(numbers)
    return numbers[known], cells.counts[known]


def both_limits(values: Floats, counts: Counts, k: int) -> tuple[float | None, float | None]:
    """Return the limits for bottom and top coding of numbers; None where there is none."""
    if counts.sum() < 2 * k:
        return None, None
    low, high = round_limit(-values, counts, k), round_limit(values, counts, k)
    bottom, top = None if low is None else 0.0 - low, high  # 0, where `-low` is -0
    return (bottom, top) if bottom is None or top is None or bottom < top else (None, None)


def round_limit(values: Floats, counts: Counts, k: int) -> float | None:
    """Return the largest number of two digits that at least `k` records reach; None where it is below all numbers.

    >>> round_limit(np.array([1009.0, 19973.0, 19999.0]), np.array([900, 15, 5]), 15)
    19000.0
    """
    order = np.argsort(-values)
    reached = float(values[order][np.searchsorted(np.cumsum(counts[order]), k)])
    if reached == 0:
        return 0.0
    unit = 10.0 ** (np.floor(np.log10(abs(reached))) - 1)
    limit = float(np.round(np.floor(reached / unit + 1e-9) * unit, 12))
    return limit if limit > values.min() else None


def _limits(name: str, values: Floats, counts: Counts, k: int) -> CodingLimits | None:
    bottom, top = both_limits(values, counts, k)
    bottom = bottom if bottom is not None and bool((values < bottom).any()) else None
    top = top if top is not None and bool((values > top).any()) else None
    if bottom is None and top is None:
        return None
    coded = np.clip(values, bottom, top)
    (mean, deviation), (then, left) = _moments(values, counts), _moments(coded, counts)
    n_bottom = 0 if bottom is None else int(counts[values <= bottom].sum())
    n_top = 0 if top is None else int(counts[values >= top].sum())
    return CodingLimits(name, bottom, top, n_bottom, n_top, (then - mean) / deviation, 1 - left / deviation)


def _moments(values: Floats, counts: Counts) -> tuple[float, float]:
    mean = float(np.average(values, weights=counts))
    return mean, float(np.sqrt(np.average((values - mean) ** 2, weights=counts)))
