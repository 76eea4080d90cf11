"""Mondrian: the table is split at medians into regions, each as small as the policy allows.

Question: how much less information is lost where every class has bounds of its own?
Method: a region is split at the median of the column whose values are spread widest over its domain, as long as both
halves meet the policy; where they do not, the next column is tried [1]_. Where no median is allowed, the cut nearest to
one is taken, so a region is left whole only if no cut between two values of any column is allowed.
A region is published as a range of values for each column: of numbers from cut to cut, never from the smallest to the
largest value of its records; of categories from the first to the last that its records have. Values are in the order
of the dictionary: numbers by size, others by name.
Limits: greedy. Ranges of different regions overlap, so results cannot be joined or counted by value. Equal rows stay
together. The distance t is measured from the whole table.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.protection import Protection, up_to
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.sorted_keys import sum_by_key

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
MOST_PAIRS = 1_000_000
"""Pairs of region and sensitive value up to which it is computed in advance which cuts separate enough values."""
MOST_POSITION = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Regions:
    """The classes of a table that was split.

    Attributes
    ----------
    label : int64 array of shape (d,)
        The region of each distinct row of the coded table.
    low, high : int64 arrays of shape (J, m)
        The first and last position of the values of each region, in the order of each column.
    lost : tuple of float
        Loss of each column: share of the domain that a record may mean, as the measure ``loss`` counts it.
    """

    label: Ints
    low: Ints
    high: Ints
    lost: tuple[float, ...]

    def sizes(self, weights: Ints) -> Ints:
        """Return the records of each class: regions with the same ranges are one class."""
        _, same = np.unique(np.concatenate([self.low, self.high], axis=1), axis=0, return_inverse=True)
        return np.bincount(same.ravel()[self.label], weights=weights).astype(np.int64)

    @property
    def cost(self) -> float:
        """Mean loss of the columns."""
        return float(np.mean(self.lost)) if self.lost else 0.0


def split_regions(
    coded: CodedTable,
    protections: Sequence[Protection],
    *,
    domains: Mapping[str, int] | None = None,
    shares: Mapping[str, npt.NDArray[np.float64]] | None = None,
    numbers: Collection[str] = (),
) -> Regions | None:
    """Return the regions of a table, or None where the whole table does not meet the policy.

    Parameters
    ----------
    coded : CodedTable
        The quasi-identifiers.
    protections : sequence of Protection
        What every region has to meet.
    domains : mapping of column to int, optional
        Values of the domain of each column; those of the table where not given.
    shares : mapping of column to float64 array, optional
        The share of the domain of each code that occurs, in their order; equal shares where not given.
    numbers : collection of str, optional
        Columns whose ranges end at cuts.
    """
    codes = coded.codes
    points = np.stack([_dense(code) for code in codes]) if coded.names else np.zeros((0, coded.n_distinct), int)
    widths = np.maximum(1, points.max(axis=1, initial=0))
    is_number = np.array([name in numbers for name in coded.names], dtype=bool)
    whole = np.arange(coded.n_distinct)
    label, sizes = np.zeros(len(whole), dtype=np.int64), np.array([coded.n_rows])
    if not coded.n_rows or any(bool(each.failing(sizes, label).any()) for each in protections):
        return None
    tree = _Tree(points, widths, coded.weights, [protection.part(whole) for protection in protections])
    tree.grow()
    label, first, last = tree.leaves()
    seen = _Runs(label, len(first))
    low, high = seen.extent(points)
    bounds = np.where(is_number, first, low), np.where(is_number, last, high)
    known = [(domains or {}).get(name, int(points[i].max()) + 1) for i, name in enumerate(coded.names)]
    equal = [np.full(int(points[i].max()) + 1, 1 / domain) for i, domain in enumerate(known)]
    parts = [(shares or {}).get(name, each) for name, each in zip(coded.names, equal, strict=True)]
    return Regions(label, *bounds, _lost(coded, known, parts, label, *bounds))


def _dense(code: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Number the values that occur from 0 in their order, in few bits."""
    number = np.cumsum(np.bincount(code) > 0) - 1
    found: npt.NDArray[np.integer] = number.astype(np.min_scalar_type(int(number.max(initial=0))))[code]
    return found


class _Runs:
    """The rows of several groups, group by group."""

    def __init__(self, group: Ints, n: int) -> None:
        self.order = np.argsort(group.astype(np.min_scalar_type(n)), kind="stable")  # few bits are sorted by radix
        self.ends = np.cumsum(np.bincount(group, minlength=n))

    @property
    def starts(self) -> Ints:
        return np.append(0, self.ends[:-1])

    def of(self, i: int) -> Ints:
        """Return the rows of one group, ascending."""
        return self.order[self.starts[i] : self.ends[i]]

    def extent(self, points: Ints) -> tuple[Ints, Ints]:
        """Return the least and the largest positions of each group in each column, from an array (columns, rows)."""
        ordered, starts = points.take(self.order, axis=1), self.starts
        return np.minimum.reduceat(ordered, starts, axis=1).T, np.maximum.reduceat(ordered, starts, axis=1).T


class _Tree:
    """A Mondrian tree of regions. All regions of a level are cut together, with the same result as one by one.

    Parameters
    ----------
    points : int64 array of shape (m, d)
        The position of each distinct row in each column.
    widths : int64 array of shape (m,)
    weights : int64 array of shape (d,)
    required : sequence of Protection
        Over these rows.
    """

    def __init__(self, points: Ints, widths: Ints, weights: Ints, required: Sequence[Protection]) -> None:
        self.points, self.widths, self.weights, self.required = points, widths, weights, required
        self.k = max((each.k for each in required), default=1)
        self.region = np.zeros(points.shape[1], dtype=np.int64)
        """The leaf region of each row."""
        self.first = np.zeros((1, len(points)), dtype=np.int64)
        self.last = points.max(axis=1, initial=0)[None, :].astype(np.int64)
        self.halves: dict[int, tuple[int, int]] = {}

    def grow(self) -> None:
        """Cut regions until no cut is allowed."""
        new = np.zeros(1, dtype=np.int64)
        while len(new):
            new = self._cut_near_medians(self._cut_at_medians(new))

    def leaves(self) -> tuple[Ints, Ints, Ints]:
        """Return the leaf of each row, and the first and last position of each leaf, the upper halves first."""
        left, order = [0], []
        while left:
            region = left.pop()
            if region in self.halves:
                left += self.halves[region]
            else:
                order.append(region)
        number = np.empty(len(self.first), dtype=np.int64)
        number[order] = np.arange(len(order))
        return number[self.region], self.first[order], self.last[order]

    def _cut_at_medians(self, new: Ints) -> list[tuple[int, Ints]]:
        """Cut regions and their halves at medians; return those that no median may cut, each with its columns."""
        stuck: list[tuple[int, Ints]] = []
        regions, columns, tried = self._ranked(new)
        while len(regions):
            is_left = columns[np.arange(len(regions)), tried] >= 0
            stuck += zip(regions[~is_left].tolist(), columns[~is_left], strict=True)
            regions, columns, tried = regions[is_left], columns[is_left], tried[is_left]
            column = columns[np.arange(len(regions)), tried]
            cut, is_allowed = self._medians(regions, column)
            halves = self._ranked(self._halve(regions[is_allowed], column[is_allowed], cut[is_allowed]))
            left = regions[~is_allowed], columns[~is_allowed], tried[~is_allowed] + 1
            regions, columns, tried = (np.concatenate(pair) for pair in zip(left, halves, strict=True))
        return stuck

    def _ranked(self, new: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the regions with at least 2 k records, the columns to try in each, and the place of the first (0).

        Columns are ordered by spread, the widest first; -1 follows the last column with several values.
        """
        rows, at = self._rows(new)
        is_large = np.bincount(at, weights=self.weights[rows], minlength=len(new)) >= 2 * self.k
        new, rows, at = new[is_large], rows[is_large[at]], (np.cumsum(is_large) - 1)[at[is_large[at]]]
        columns = np.full((len(new), len(self.points) + 1), -1, dtype=np.int64)
        if len(new):
            low, high = _Runs(at, len(new)).extent(self.points.take(rows, axis=1))
            spread = (high - low) / self.widths
            ranked = np.argsort(-spread, axis=1, kind="stable")
            columns[:, :-1] = np.where(np.take_along_axis(spread, ranked, axis=1) > 0, ranked, -1)
        return new, columns, np.zeros(len(new), dtype=np.int64)

    def _rows(self, regions: Ints) -> tuple[Ints, Ints]:
        """Return the rows of some regions, ascending, and the place of the region of each among them."""
        place = np.full(len(self.first), -1, dtype=np.int64)
        place[regions] = np.arange(len(regions))
        at = place[self.region]
        rows = np.flatnonzero(at >= 0)
        return rows, at[rows]

    def _medians(self, regions: Ints, column: Ints) -> tuple[Ints, Mask]:
        """Return the cut of each region nearest to the median of a column, and whether it is allowed."""
        rows, at = self._rows(regions)
        values = self.points[column[at], rows]
        found = _Counted(at, values, self.weights[rows], len(regions))
        is_below = 2 * found.up_to < found.totals[found.group]
        n_below = np.bincount(found.group[is_below], minlength=len(regions))
        # A cut leaves values on both sides.
        cut = found.value[np.minimum(found.starts + n_below, found.ends - 2)]
        return cut, self._are_allowed(rows, 2 * at + (values > cut[at]), len(regions))

    def _are_allowed(self, rows: Ints, half: Ints, n: int) -> Mask:
        """Return for each of n regions whether both its halves, 2 i and 2 i + 1, meet the policy."""
        sizes = np.bincount(half, weights=self.weights[rows], minlength=2 * n + 1).astype(np.int64)
        allowed: Mask = np.all((sizes[:-1] >= self.k).reshape(n, 2), axis=1)
        for each in self.required:
            if not each.is_k_alone and allowed.any():
                among = np.append(np.repeat(allowed, 2), False)
                of_row = np.full(len(self.region), 2 * n)
                of_row[rows] = half
                allowed &= ~each.failing(sizes, of_row, among)[:-1].reshape(n, 2).any(axis=1)
        return allowed

    def _halve(self, regions: Ints, column: Ints, cut: Ints) -> Ints:
        """Cut regions after a position of a column; return their halves."""
        n = len(self.first)
        rows, at = self._rows(regions)
        lower = n + 2 * np.arange(len(regions))
        self.region[rows] = lower[at] + (self.points[column[at], rows] > cut[at])
        self.halves |= zip(regions.tolist(), zip(lower.tolist(), (lower + 1).tolist(), strict=True), strict=True)
        first, last = np.repeat(self.first[regions], 2, axis=0), np.repeat(self.last[regions], 2, axis=0)
        last[np.arange(len(regions)) * 2, column] = cut
        first[np.arange(len(regions)) * 2 + 1, column] = cut + 1
        self.first, self.last = np.concatenate([self.first, first]), np.concatenate([self.last, last])
        return np.arange(n, len(self.first))

    def _cut_near_medians(self, stuck: Sequence[tuple[int, Ints]]) -> Ints:
        """Cut regions that no median may cut at the nearest allowed cut of the first column that has one."""
        regions = np.array([region for region, _ in stuck], dtype=np.int64)
        rows, at = self._rows(regions)
        runs = _Runs(at, len(regions))
        may = self._may_be_cut(rows, at, len(regions))
        found = []
        for i in np.flatnonzero(may.any(axis=1)).tolist():
            inside = rows[runs.of(i)]
            required = [each.part(inside) for each in self.required]
            for column in stuck[i][1].tolist():
                cut = None
                if column >= 0 and may[i, column]:
                    cut = _nearest_to_median(self.points[column, inside], self.weights[inside], required)
                if cut is not None:
                    found.append((stuck[i][0], column, cut))
                    break
        chosen = np.array(found, dtype=np.int64).reshape(-1, 3)
        return self._halve(chosen[:, 0], chosen[:, 1], chosen[:, 2])

    def _may_be_cut(self, rows: Ints, at: Ints, n: int) -> Mask:
        """Return for each of n regions and each column whether a cut leaves enough records and values on both sides.

        More may be required; where this is not met, no cut is allowed.
        """
        may = np.zeros((n, len(self.points)), dtype=bool)
        values = list(self._values(rows, at, n))
        for i in range(may.shape[1]):
            found = _Counted(at, self.points[i, rows], self.weights[rows], n)
            are_enough = (found.up_to >= self.k) & (found.totals[found.group] - found.up_to >= self.k)
            for each in values if are_enough.any() else ():
                first, end = each.cuts(self.points[i])
                are_enough &= (found.value >= first[found.group]) & (found.value < end[found.group])
            may[found.group[are_enough], i] = True
        return may

    def _values(self, rows: Ints, at: Ints, n: int) -> Iterator[_Values]:
        """Yield the sensitive values in n regions, of each attribute of which more than one is required."""
        place = np.full(len(self.region), -1, dtype=np.int64)
        place[rows] = at
        for each in self.required:
            for attribute, fewest in zip(each.attributes, each.fewest_values, strict=True):
                if fewest > 1 and n * attribute.n_values <= MOST_PAIRS:
                    group = place[attribute.row]
                    inside = group >= 0
                    pair = group[inside] * attribute.n_values + attribute.value[inside]
                    yield _Values(attribute.row[inside], pair, (n, attribute.n_values), fewest)


class _Values(NamedTuple):
    """The rows with a sensitive value, the number of each pair of group and value, and how many of both there are."""

    row: Ints
    pair: Ints
    shape: tuple[int, int]
    fewest: int

    def cuts(self, points: Ints) -> tuple[Ints, Ints]:
        """Return the first cut of each group, and the first after it, that leaves too few distinct values on a side.

        The values below a cut are those whose least position is not above it, and so on.
        """
        at = points[self.row].astype(np.int64)
        least, most = np.full(self.shape, MOST_POSITION).ravel(), np.full(self.shape, -1).ravel()
        np.minimum.at(least, self.pair, at)
        np.maximum.at(most, self.pair, at)
        first = np.partition(least.reshape(self.shape), self.fewest - 1, axis=1)[:, self.fewest - 1]
        end = -np.partition(-most.reshape(self.shape), self.fewest - 1, axis=1)[:, self.fewest - 1]
        return first, end


class _Counted:
    """The records of each value in each of n groups, in ascending order, added up within each group.

    Attributes
    ----------
    group, value, up_to : int64 arrays of equal length
        ``up_to`` are the records with this or a smaller value.
    starts, ends, totals : int64 arrays of shape (n,)
        Where each group starts and ends, and its records.
    """

    def __init__(self, group: Ints, values: Ints, weights: Ints, n: int) -> None:
        width = int(values.max(initial=0)) + 1
        keys, counts = sum_by_key(group * width + values, weights, n * width)
        self.group = keys // width
        self.value = keys - self.group * width
        self.ends = np.cumsum(np.bincount(self.group, minlength=n))
        self.starts = np.append(0, self.ends[:-1])
        added = np.append(0, np.cumsum(counts))
        self.totals = added[self.ends] - added[self.starts]
        self.up_to = added[1:] - added[self.starts][self.group]


def _nearest_to_median(column: Ints, weights: Ints, required: Sequence[Protection]) -> int | None:
    """Return the allowed cut that leaves the most equal numbers of records on both sides."""
    counted = np.bincount(column) > 0
    values = np.flatnonzero(counted)
    at = (np.cumsum(counted) - 1)[column]
    below = np.cumsum(np.bincount(at, weights=weights))
    last = len(values) - 1
    allowed = ~_failing_starts(at, weights, required)[:-1] & ~_failing_starts(last - at, weights, required)[-2::-1]
    cuts = np.flatnonzero(allowed)
    return int(values[cuts[np.argmin(np.abs(2 * below[cuts] - below[-1]))]]) if len(cuts) else None


def _failing_starts(at: Ints, weights: Ints, required: Sequence[Protection]) -> Mask:
    """Return for each position whether the rows up to it are a class that fails."""
    sizes = np.cumsum(np.bincount(at, weights=weights)).astype(np.int64)
    out = np.zeros(len(sizes), dtype=bool)
    for each in required:
        out |= sizes < each.k
        if not out.all():
            people = None if each.population is None else np.cumsum(np.bincount(at, weights=each.population))
            out |= each.failing_classes(sizes, [up_to(held, at) for held in each.held], people)
    return out


def _lost(
    coded: CodedTable,
    domains: Sequence[int],
    shares: Sequence[npt.NDArray[np.float64]],
    label: Ints,
    low: Ints,
    high: Ints,
) -> tuple[float, ...]:
    n, records = coded.n_rows, np.bincount(label, weights=coded.weights)
    lost = []
    for i, domain in enumerate(domains):
        least = n / domain
        up_to = np.concatenate([[0.0], np.cumsum(shares[i])])
        amount = float(records @ (up_to[high[:, i] + 1] - up_to[low[:, i]]))
        lost.append((amount - least) / (n - least) if n > least else 0.0)
    return tuple(lost)
