"""The best cut of each of many regions, for Mondrian.

Question: between which two values of which column is a region cut best?
Method: a record loses the share of the domain that the ranges of its class cover, summed over the columns. Of each
column the allowed cut after which the two halves lose least is taken. Of the columns, the one is cut that saves most
for what the cut spends: n records can be divided into at most ``floor(n / k)`` classes, which is worth
``n log floor(n / k)``, and a cut spends the difference between that of the region and those of its halves. C4.5
compares tests in the same way, by their gain ratio [1]_: otherwise cuts in the middle, which save most alone, use up
the records for which several cuts of small parts would save more. A region that can be cut only once loses least.
Rows are kept in the order of each column, so that all cuts of all regions are compared in one pass. Where loops are
compiled (`risk.kernel.region_loops`), they compare the same cuts of large tables without arrays of all of them.
Limits: greedy. Of equal cuts the first is taken.

References
----------
.. [1] J. R. Quinlan, C4.5: programs for machine learning, 1993, section 2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Flags, Floats, Ints

LOSS_BITS = 60
"""Losses are whole numbers of so many bits, so that equal ones are equal in whatever order they are added up."""


MOST_CELLS = 1 << 18
"""Cells of the table, for each column, up to which the cuts of several columns are compared together."""
MOST_POSITION = np.iinfo(np.int64).max
MOST_NARROW = 1 << 30
"""Largest number that is accumulated in 32 bits, with room for one more position."""


class Cuts(NamedTuple):
    """Cuts of regions between two values of a column, by column, region and value.

    Attributes
    ----------
    column, region, value, n_low, n_high : int64 arrays of equal length
        A cut is after a value; so many records of the region are on each side.
    """

    column: Ints
    region: Ints
    value: Ints
    n_low: Ints
    n_high: Ints

    def of(self, chosen: Flags) -> Cuts:
        """Return some of the cuts."""
        return Cuts(*(each[chosen] for each in self))


Allowed = Callable[[Cuts, Flags], Flags]
"""Which cuts are allowed, of those marked."""


class Windows(NamedTuple):
    """Which cuts are not refused: those after a value from `first` to before `end`, arrays of shape (m, n)."""

    first: Ints
    end: Ints

    @classmethod
    def whole(cls, shape: tuple[int, int]) -> Windows:
        """Return windows that refuse no cut."""
        return cls(np.zeros(shape, dtype=np.int64), np.full(shape, MOST_POSITION))

    def contain(self, cuts: Cuts) -> Flags:
        """Return which cuts are not refused."""
        place = cuts.column, cuts.region
        return np.asarray((self.first[place] <= cuts.value) & (cuts.value < self.end[place]))


class Chosen(NamedTuple):
    """The column of the best cut of each region, -1 where none is allowed, and the value after which it is.

    ``is_by_k`` states that every cut was allowed that leaves k records on both sides.
    """

    column: Ints
    value: Ints
    is_by_k: bool


class Bounds(NamedTuple):
    """The first and last position of each region in each column, as cuts made them, arrays of shape (n, m)."""

    first: Ints
    last: Ints


class Domains:
    """What ranges of positions cost.

    Parameters
    ----------
    units : sequence of float64 arrays
        For each column, what a record loses by each position in the range of its class.
    n_records : int
    is_number : bool array of shape (m,)
        Columns whose ranges end at cuts. The ranges of the others end at values that records of the region have.

    Attributes
    ----------
    up_to, starts : int64 arrays
        What a record loses up to each position of each column, and where the positions of a column start.
    """

    def __init__(self, units: Sequence[Floats], n_records: int, is_number: Flags) -> None:
        scale = (1 << LOSS_BITS) / max(1.0, n_records * sum(float(unit.sum()) for unit in units))
        # One 0 before the units of each column: the sum up to a position is one place after it.
        whole = [np.append(0, np.cumsum(np.floor(unit * scale).astype(np.int64))) for unit in units]
        self.starts = np.cumsum([0, *map(len, whole)])
        self.up_to = np.concatenate([*whole, np.zeros(0, np.int64)])
        self.is_number, self.listed = is_number, np.flatnonzero(~is_number)

    def of(self, column: Ints, low: Ints, high: Ints) -> Ints:
        """Return what a record loses by each range of a column."""
        start = self.starts[column]
        return self.up_to[start + 1 + high] - self.up_to[start + low]


class Rows:
    """The rows of n regions, region by region, and their order in each column.

    Parameters
    ----------
    row : int64 array of shape (r,)
        Which rows of the table these are. The arrays below are of these rows alone, so that what is read of a region is
        in one place of the memory.
    points : int array of shape (m, r)
        The position of each row in each column.
    weights : int64 array of shape (r,)
        The records of each row.
    order : int32 array of shape (m, r)
        For each column, the rows by region and by position.
    n_rows : int64 array of shape (n,)
        The rows of each region.
    """

    def __init__(self, row: Ints, points: Ints, weights: Ints, order: Codes, n_rows: Ints) -> None:
        self.row, self.points, self.weights, self.order = row, points, weights, order
        self.region = np.repeat(np.arange(len(n_rows)), n_rows)
        self.starts = np.cumsum(n_rows) - n_rows

    @classmethod
    def whole(cls, points: Ints, weights: Ints) -> Rows:
        """Return all rows as one region."""
        order = np.argsort(points, axis=1, kind="stable").astype(np.int32)
        return cls(np.arange(len(weights)), points, weights, order, np.array([len(weights)]))

    def __len__(self) -> int:
        return len(self.starts)

    def part(self, number: Ints, n: int) -> Rows:
        """Return these rows in n other regions: ``number[i]`` is that of row i, negative where it is in none."""
        number = number.astype(np.min_scalar_type(-n - 1))  # few bits are sorted by radix
        kept = _by_region(np.arange(len(number), dtype=np.int32)[None], number)[0]
        place = np.empty(len(number), dtype=np.int32)
        place[kept] = np.arange(len(kept), dtype=np.int32)
        order = place.take(_by_region(self.order, number))
        n_rows = np.bincount(number.take(kept), minlength=n)
        return Rows(self.row.take(kept), self.points.take(kept, axis=1), self.weights.take(kept), order, n_rows)

    def cuts(self, columns: Ints) -> tuple[Cuts, Ints]:
        """Return a cut after each value of each region, also after the last one, and the rows with each value."""
        order, n, n_rows = self.order[columns], len(self), len(self.row)
        value = np.concatenate([self.points[column].take(order[i]) for i, column in enumerate(columns)])
        up_to = np.append(0, np.cumsum(self.weights.take(order)))
        starts = (np.arange(len(columns))[:, None] * n_rows + self.starts).ravel()
        is_first = np.append(True, value[1:] != value[:-1])
        is_first[starts] = True
        first = np.flatnonzero(is_first)
        group = np.repeat(np.arange(len(starts)), np.add.reduceat(is_first, starts, dtype=np.int64))
        low, high = up_to[starts], up_to[np.append(starts[1:], len(value))]
        ends = np.append(first[1:], len(value))
        n_low, n_high = up_to[ends] - low[group], high[group] - up_to[ends]
        return Cuts(columns[group // n], group % n, value[first].astype(np.int64), n_low, n_high), ends - first


def _by_region(order: Codes, number: npt.NDArray[np.integer]) -> Codes:
    """Return the rows of each line by their new region, in their order within each, without those that are in none."""
    new = number.take(order)
    inside = np.flatnonzero(new >= 0)
    order, new = order.take(inside), new.take(inside).reshape(len(order), -1)
    ranked = np.argsort(new, axis=1, kind="stable")
    ranked += np.arange(len(ranked))[:, None] * ranked.shape[1]
    return order.take(ranked)


def best_cuts(
    rows: Rows,
    bounds: Bounds,
    domains: Domains,
    k: int,
    windows: Windows,
    *,
    is_allowed: Allowed | None = None,
    is_compiled: bool = False,
) -> Chosen:
    """Return the best cut of each region that leaves k records on both sides and is allowed.

    Parameters
    ----------
    rows : Rows
    bounds : Bounds
    domains : Domains
    k : int
    windows : Windows
    is_allowed : function, optional
        What else is required of cuts.
    is_compiled : bool
        Whether compiled loops compare the cuts, where `windows` are all that is required.
    """
    compare = _compared_by_loops if is_compiled and is_allowed is None else _compared
    saved, value, n_low, is_by_k = compare(rows, bounds, domains, k, windows, is_allowed)
    ratio = np.full(saved.shape, -1.0)
    found = saved >= 0
    n_high = np.add.reduceat(rows.weights, rows.starts) - n_low
    ratio[found] = saved[found] / _spent(n_low[found], n_high[found], k)
    column = ratio.argmax(axis=0)
    regions = np.arange(len(rows))
    return Chosen(np.where(ratio[column, regions] >= 0, column, -1), value[column, regions], is_by_k)


class _Compared(NamedTuple):
    """The cut of each column and region that saves most, and whether every cut that leaves k records was allowed.

    What is saved is -1 where no cut is allowed; the arrays have the shape (m, n).
    """

    saved: Ints
    value: Ints
    n_low: Ints
    is_by_k: bool

    @classmethod
    def nothing(cls, shape: tuple[int, int]) -> _Compared:
        return cls(np.full(shape, -1), np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64), True)


def _compared_by_loops(
    rows: Rows, bounds: Bounds, domains: Domains, k: int, windows: Windows, _: Allowed | None
) -> _Compared:
    from privaudit.risk.kernel.region_loops import most_saved

    ends = np.append(rows.starts, len(rows.row))
    made = _Compared.nothing((len(rows.points), len(rows)))
    points = np.ascontiguousarray(rows.points.T)  # what is read of a row is in one place of the memory
    memory = (np.empty(n, dtype=np.int64) for n in (len(rows.points), len(rows.points), int(np.diff(ends).max())))
    given = points, rows.weights, rows.order, ends, domains.up_to, domains.starts, domains.is_number
    n_refused = most_saved(*given, *bounds, *windows, k, *memory, *made[:3])
    return made._replace(is_by_k=n_refused == 0)


def _compared(
    rows: Rows, bounds: Bounds, domains: Domains, k: int, windows: Windows, is_allowed: Allowed | None
) -> _Compared:
    made, is_by_k = _Compared.nothing((len(rows.points), len(rows))), True
    at_once = max(1, MOST_CELLS // max(1, rows.points.size))
    for columns in np.split(np.arange(len(rows.points)), range(at_once, len(rows.points), at_once)):
        cuts, n_rows = rows.cuts(columns)
        leaves_k = (cuts.n_low >= k) & (cuts.n_high >= k)
        may = leaves_k & windows.contain(cuts)
        is_by_k &= np.array_equal(may, leaves_k)
        may = is_allowed(cuts, may) if is_allowed is not None and may.any() else may
        if may.any():
            is_cut = np.zeros((len(columns), len(rows)), dtype=bool)
            is_cut[cuts.column[may] - columns[0], cuts.region[may]] = True
            used = is_cut[cuts.column - columns[0], cuts.region]
            cuts, may, n_rows = cuts.of(used), may[used], n_rows[used]
            saved = _saved(rows, cuts, n_rows, rows.order[columns][is_cut[:, rows.region]], bounds, domains)
            best = _first_largest(_starts(cuts), np.where(may, saved, -1))
            place = cuts.column[best], cuts.region[best]
            made.saved[place], made.value[place], made.n_low[place] = saved[best], cuts.value[best], cuts.n_low[best]
    return made._replace(is_by_k=is_by_k)


def _saved(rows: Rows, cuts: Cuts, n_rows: Ints, inside: Codes, bounds: Bounds, domains: Domains) -> Ints:
    """Return how much less is lost after each cut.

    Parameters
    ----------
    rows : Rows
    cuts : Cuts
    n_rows : int64 array, as long as the cuts
        The rows with the value before a cut.
    inside : int32 array
        The rows, in the order of the cuts.
    bounds : Bounds
    domains : Domains
    """
    starts = _starts(cuts)
    n_cuts = np.diff(starts, append=len(n_rows))
    points = rows.points[domains.listed].take(inside, axis=1)
    below, above = _losses(points, np.cumsum(n_rows) - n_rows, np.repeat(np.arange(len(starts)), n_cuts), domains)
    whole = np.repeat(below[starts + n_cuts - 1], n_cuts)
    is_number = domains.is_number[cuts.column]
    column, region, value = cuts.column[is_number], cuts.region[is_number], cuts.value[is_number]
    first, last = bounds.first[region, column], bounds.last[region, column]
    whole[is_number] += domains.of(column, first, last)
    below[is_number] += domains.of(column, first, value)
    above[is_number] += domains.of(column, value + 1, last)
    return (cuts.n_low + cuts.n_high) * whole - cuts.n_low * below - cuts.n_high * above


def _losses(points: Ints, starts: Ints, group: Ints, domains: Domains) -> tuple[Ints, Ints]:
    """Return what a record loses below and above each cut by the columns that are not numbers.

    Parameters
    ----------
    points : int array of shape (columns, rows)
    starts, group : int64 arrays, as long as the cuts
        Where the rows of the value before a cut start, and which cuts are of one column and region.
    """
    if not len(points):
        return np.zeros(len(starts), dtype=np.int64), np.zeros(len(starts), dtype=np.int64)
    # What is accumulated begins anew with each group, because the positions of different groups are moved apart.
    apart = group * (int(points.max()) + 1)
    apart = apart.astype(np.int32 if apart[-1] < MOST_NARROW else np.int64)
    least = np.minimum.reduceat(points, starts, axis=1).astype(apart.dtype)
    most = np.maximum.reduceat(points, starts, axis=1).astype(apart.dtype)
    low = np.minimum.accumulate(least - apart, axis=1) + apart, np.maximum.accumulate(most + apart, axis=1) - apart
    least, most = (least + apart)[:, ::-1], (most - apart)[:, ::-1]
    high = np.minimum.accumulate(least, axis=1)[:, ::-1] - apart, np.maximum.accumulate(most, axis=1)[:, ::-1] + apart
    listed = domains.listed[:, None]
    below, above = (domains.of(listed, *bounds).sum(axis=0) for bounds in (low, high))
    # Above a cut are the values from the next one on; after the last value of a region there is none.
    return below, np.append(above[1:], 0)


def _starts(cuts: Cuts) -> Ints:
    """Return where the cuts of each column and region start."""
    is_same = (cuts.region[1:] == cuts.region[:-1]) & (cuts.column[1:] == cuts.column[:-1])
    return np.flatnonzero(np.append(True, ~is_same))


def _first_largest(starts: Ints, number: Ints) -> Ints:
    """Return the place of the first largest number of each group."""
    sizes = np.diff(starts, append=len(number))
    places = np.flatnonzero(number == np.repeat(np.maximum.reduceat(number, starts), sizes))
    return places[np.searchsorted(places, starts)]


def _spent(low: Ints, high: Ints, k: int) -> Floats:
    """Return what cuts spend of the classes that the records of their regions can be divided into."""
    classes = (low + high) // k
    return np.asarray(low * np.log(classes / (low // k)) + high * np.log(classes / (high // k)))
