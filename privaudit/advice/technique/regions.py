"""Mondrian: the table is split into regions, each as small as the policy allows.

Question: how much less information is lost where every class has bounds of its own?
Method: a region is split where that saves most loss (`advice.technique.region_cuts`), as long as both halves meet the
policy [1]_. Cuts are chosen among those that leave enough records and distinct sensitive values on both sides; where
the best of them does not meet the rest of the policy, among those that do. So a region is left whole only if no cut
between two values of any column is allowed.
A region is published as a range of values for each column: of numbers from cut to cut, never from the smallest to the
largest value of its records; of categories from the first to the last that its records have. Values are in the order
of the dictionary: numbers by size, others by name.
Limits: greedy. Ranges of different regions overlap, so results cannot be joined or counted by value. Equal rows stay
together. The distance t is measured from the whole table. Cuts are chosen by the values of the table, so where a
hierarchy file has others, the loss that is reported differs from the one that chose.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006; it cuts at medians.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.protection import Attribute, Protection, up_to
from privaudit.advice.technique.recoding import Recoding
from privaudit.advice.technique.region_cuts import (
    MOST_POSITION,
    Allowed,
    Bounds,
    Chosen,
    Cuts,
    Domains,
    Rows,
    Windows,
    best_cuts,
)
from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.compiler import worth_loading
from privaudit.risk.codes.row_keys import dense_labels, sums

MOST_PAIRS = 8
"""Pairs of region and sensitive value, for each record, up to which cuts are sought that separate enough values."""


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
    is_by_k : bool
        Whether no cut was refused that leaves k records on both sides: k alone gives the same regions.
    """

    label: Ints
    low: Ints
    high: Ints
    lost: tuple[float, ...]
    is_by_k: bool

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
    shares: Mapping[str, Floats] | None = None,
    numbers: Collection[str] = (),
    values: Mapping[str, Ints] | None = None,
    importance: Mapping[str, float] | None = None,
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
    values : mapping of column to int64 array, optional
        How many values of the table have each code that occurs, in their order; one each where not given.
    importance : mapping of column to float, optional
        What the loss of a column counts; 1 where not given.
    """
    rows, n = dense_labels(coded.codes, length=coded.n_distinct)  # equal rows stay together, so they are one
    first_of = np.empty(n, dtype=np.int64)
    first_of[rows] = np.arange(len(rows))
    weights, required = sums(rows, coded.weights, n), [protection.merged(rows, n) for protection in protections]
    points = np.stack([_dense(code[first_of]) for code in coded.codes]) if coded.names else np.zeros((0, n), int)
    is_number = np.array([name in numbers for name in coded.names], dtype=bool)
    label, sizes = np.zeros(n, dtype=np.int64), np.array([coded.n_rows])
    if not coded.n_rows or any(bool(each.failing(sizes, label).any()) for each in required):
        return None
    counted = [(values or {}).get(name, np.ones(int(points[i].max()) + 1)) for i, name in enumerate(coded.names)]
    units = [_units(each, (importance or {}).get(name, 1.0)) for name, each in zip(coded.names, counted, strict=True)]
    ranges = Domains(units, coded.n_rows, is_number)
    tree = _Tree(points, weights, ranges, [protection.part(np.arange(n)) for protection in required])
    tree.grow()
    label, first, last = tree.leaves()
    seen = _Runs(label, len(first))
    low, high = seen.extent(points)
    bounds = np.where(is_number, first, low), np.where(is_number, last, high)
    known = [(domains or {}).get(name, int(points[i].max()) + 1) for i, name in enumerate(coded.names)]
    equal = [np.full(int(points[i].max()) + 1, 1 / domain) for i, domain in enumerate(known)]
    parts = [(shares or {}).get(name, each) for name, each in zip(coded.names, equal, strict=True)]
    lost = _lost(sums(label, weights, len(first)).astype(np.float64), known, parts, *bounds)
    return Regions(label[rows], *bounds, lost, tree.is_by_k)


def values_of_codes(steps: Sequence[Recoding], counts: Sequence[Ints]) -> dict[str, Ints]:
    """Return how many values of the table have each code that occurs, by column.

    Parameters
    ----------
    steps : sequence of Recoding
    counts : sequence of int64 arrays
        For each step, the records of each value of its column.
    """
    merged = {step.column: step.values_merged(count) for step, count in zip(steps, counts, strict=True)}
    return {name: n_values[n_values > 0] for name, n_values in merged.items()}


def _units(values: npt.NDArray[Any], importance: float) -> Floats:
    """Return what a record loses by each code in its range: values over those that the column has besides its own."""
    n_values = float(values.sum())
    # A column with one code has no range; that it is there must not change how the others are rounded.
    each = importance / (n_values - 1) if len(values) > 1 and n_values > 1 else 0.0
    return np.asarray(values * each)


def _dense(code: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Number the values that occur from 0 in their order, in few bits."""
    number = np.cumsum(np.bincount(code) > 0) - 1
    return number.astype(np.min_scalar_type(int(number.max(initial=0))))[code]


class _Runs:
    """The rows of several groups, group by group."""

    def __init__(self, group: Ints, n: int) -> None:
        self.order = np.argsort(group.astype(np.min_scalar_type(n)), kind="stable")  # few bits are sorted by radix
        self.ends = np.cumsum(np.bincount(group, minlength=n))

    @property
    def starts(self) -> Ints:
        return np.append(0, self.ends[:-1])

    def extent(self, points: Ints) -> tuple[Ints, Ints]:
        """Return the least and the largest positions of each group in each column, from an array (columns, rows)."""
        ordered, starts = points.take(self.order, axis=1), self.starts
        return np.minimum.reduceat(ordered, starts, axis=1).T, np.maximum.reduceat(ordered, starts, axis=1).T


class _Tree:
    """A Mondrian tree of regions. All regions of a level are cut together, with the same result as one by one.

    Parameters
    ----------
    points : int array of shape (m, d)
        The position of each distinct row in each column.
    weights : int64 array of shape (d,)
    domains : Domains
    required : sequence of Protection
        Over these rows.
    """

    def __init__(self, points: Ints, weights: Ints, domains: Domains, required: Sequence[Protection]) -> None:
        self.points, self.weights, self.domains, self.required = points, weights, domains, required
        self.k = max((each.k for each in required), default=1)
        self.region = np.zeros(points.shape[1], dtype=np.int64)
        """The leaf region of each row."""
        self.first = np.zeros((1, len(points)), dtype=np.int64)
        self.last = points.max(axis=1, initial=0)[None, :].astype(np.int64)
        self.halves: dict[int, tuple[int, int]] = {}
        # Each level reads all rows in the order of each column, and the positions of a row in all columns.
        n_levels = int(weights.sum() // self.k).bit_length()
        self.is_compiled = worth_loading(points.size * len(points) * n_levels)
        self.is_by_k = True
        """Whether k alone decided so far: nothing else refused a cut."""

    def grow(self) -> None:
        """Cut regions until no cut is allowed."""
        if not len(self.points):
            return
        new, rows = np.zeros(1, dtype=np.int64), Rows.whole(self.points, self.weights)
        while len(new):
            new, rows = self._cut(new, rows)

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

    def _cut(self, regions: Ints, rows: Rows) -> tuple[Ints, Rows]:
        """Cut regions; return the halves that may be cut again, and their rows."""
        windows = _separating(self.required, self.points, rows)
        column, value, is_by_k = self._best(regions, rows, windows)
        half = _halves(rows, column, value)
        fails = (column >= 0) & ~self._are_allowed(rows, half)
        self.is_by_k &= is_by_k and not fails.any()
        if fails.any():
            number = np.where(fails, np.cumsum(fails) - 1, -1)
            left = rows.part(number[rows.region], int(fails.sum()))
            windows = Windows.whole((len(self.points), len(left)))
            column[fails], value[fails], _ = self._best(regions[fails], left, windows, _Meeting(self.required, left))
            half = _halves(rows, column, value)
        return self._halve(regions, rows, column, value, half)

    def _best(self, regions: Ints, rows: Rows, windows: Windows, is_allowed: Allowed | None = None) -> Chosen:
        bounds = Bounds(self.first[regions], self.last[regions])
        given = rows, bounds, self.domains, self.k, windows
        return best_cuts(*given, is_allowed=is_allowed, is_compiled=self.is_compiled)

    def _are_allowed(self, rows: Rows, half: Ints) -> Flags:
        """Return for each region whether both its halves meet the policy."""
        n = len(rows)
        allowed = np.ones(n, dtype=bool)
        if all(each.is_k_alone for each in self.required):
            return allowed  # no other cuts were chosen
        members = np.full(len(self.region), 2 * n)
        members[rows.row] = np.where(half < 0, 2 * n, half)
        sizes = np.bincount(members, weights=self.weights, minlength=2 * n + 1).astype(np.int64)
        for each in self.required:
            if not each.is_k_alone and allowed.any():
                among = np.append(np.repeat(allowed, 2), False)
                allowed &= ~each.failing(sizes, members, among)[:-1].reshape(n, 2).any(axis=1)
        return allowed

    def _halve(self, regions: Ints, rows: Rows, column: Ints, value: Ints, half: Ints) -> tuple[Ints, Rows]:
        """Replace regions by their halves; return the halves with at least 2 k records, and their rows."""
        cut = np.flatnonzero(column >= 0)
        n, lower, column = len(self.first), 2 * np.arange(len(cut)), column[cut]
        new = np.full(2 * len(regions) + 1, -1)  # the number of each half among the new regions; the last is of none
        new[2 * cut], new[2 * cut + 1] = lower, lower + 1
        number = new[half]
        is_inside = number >= 0
        self.region[rows.row[is_inside]] = n + number[is_inside]
        self.halves |= {
            region: (n + low, n + low + 1) for region, low in zip(regions[cut].tolist(), lower.tolist(), strict=True)
        }
        first, last = np.repeat(self.first[regions[cut]], 2, axis=0), np.repeat(self.last[regions[cut]], 2, axis=0)
        last[lower, column], first[lower + 1, column] = value[cut], value[cut] + 1
        self.first, self.last = np.concatenate([self.first, first]), np.concatenate([self.last, last])
        records = np.bincount(number[is_inside], weights=rows.weights[is_inside], minlength=2 * len(cut))
        is_large = records >= 2 * self.k
        place = np.append(np.where(is_large, np.cumsum(is_large) - 1, -1), -1)
        return n + np.flatnonzero(is_large), rows.part(place[number], int(is_large.sum()))


def _halves(rows: Rows, column: Ints, value: Ints) -> Ints:
    """Return the half of each row, 2 i and 2 i + 1 of region i; -1 in a region that is not cut."""
    column, value = column[rows.region], value[rows.region]
    is_upper = rows.points[column, np.arange(len(column))] > value
    return np.where(column >= 0, 2 * rows.region + is_upper, -1)


def _separating(required: Sequence[Protection], points: Ints, rows: Rows) -> Windows:
    """Return the cuts that leave enough distinct sensitive values on both sides; more may be required of a cut.

    Attributes with too many values are not read: they rarely decide, and what is chosen is tested anyway.
    """
    found, most = Windows.whole((len(points), len(rows))), MOST_PAIRS * int(rows.weights.sum())
    place = np.full(points.shape[1], -1)
    place[rows.row] = rows.region
    for each in required:
        for attribute, fewest in zip(each.attributes, each.fewest_values, strict=True):
            if fewest > 1 and len(rows) * attribute.n_present <= most:
                values = _values(attribute, place, len(rows), fewest)
                for column, at in enumerate(points):
                    first, end = values.cuts(at)
                    np.maximum(found.first[column], first, out=found.first[column])
                    np.minimum(found.end[column], end, out=found.end[column])
    return found


class _Meeting:
    """Which cuts have two halves that meet the policy: each region is examined by itself."""

    def __init__(self, required: Sequence[Protection], rows: Rows) -> None:
        self.rows = rows
        self.inside = np.split(np.arange(len(rows.row)), rows.starts[1:])
        self.required = [[each.part(rows.row[inside]) for each in required] for inside in self.inside]

    def __call__(self, cuts: Cuts, may: Flags) -> Flags:
        allowed = np.zeros(len(may), dtype=bool)
        group = cuts.column * len(self.inside) + cuts.region
        for each in np.unique(group[may]).tolist():
            column, region = divmod(each, len(self.inside))
            inside, required = self.inside[region], self.required[region]
            places = slice(*np.searchsorted(group, [each, each + 1]).tolist())
            at = np.searchsorted(cuts.value[places], self.rows.points[column, inside])
            weights, last = self.rows.weights[inside], int(at.max())
            fails = _failing_starts(at, weights, required)[:-1] | _failing_starts(last - at, weights, required)[-2::-1]
            allowed[places] = np.append(~fails, False)
        return allowed & may


def _values(attribute: Attribute, place: Ints, n: int, fewest: int) -> _Values:
    """Return the values of an attribute in n regions, from the region of each row."""
    region = place[attribute.row]
    inside = region >= 0
    pair = region[inside] * attribute.n_values + attribute.value[inside]
    return _Values(attribute.row[inside], pair, (n, attribute.n_values), fewest)


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


def _failing_starts(at: Ints, weights: Ints, required: Sequence[Protection]) -> Flags:
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
    records: Floats, domains: Sequence[int], shares: Sequence[Floats], low: Ints, high: Ints
) -> tuple[float, ...]:
    """Return the loss of each column from the records of each region."""
    n = float(records.sum())
    lost = []
    for i, domain in enumerate(domains):
        least = n / domain
        up_to = np.concatenate([[0.0], np.cumsum(shares[i])])
        amount = float(records @ (up_to[high[:, i] + 1] - up_to[low[:, i]]))
        lost.append((amount - least) / (n - least) if n > least else 0.0)
    return tuple(lost)
