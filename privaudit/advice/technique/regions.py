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

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.protection import Protection, up_to
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import CodedTable

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


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
    points = np.stack([_dense(code) for code in codes], axis=1) if coded.names else np.zeros((coded.n_distinct, 0), int)
    widths = np.maximum(1, points.max(axis=0, initial=0))
    is_number = np.array([name in numbers for name in coded.names], dtype=bool)
    whole = np.arange(coded.n_distinct)
    if not coded.n_rows or _fails(protections, np.zeros(len(whole), dtype=np.int64), coded.weights):
        return None
    label = np.zeros(coded.n_distinct, dtype=np.int64)
    low: list[Ints] = []
    high: list[Ints] = []
    least = 2 * max((each.k for each in protections), default=1)
    # Each has the requirements of the rows that it was cut from: most regions are too small to need their own.
    open_ = [(whole, whole, protections, np.zeros(points.shape[1], dtype=np.int64), points.max(axis=0, initial=0))]
    while open_:
        rows, inside, required, first, last = open_.pop()
        found = None
        if coded.weights[rows].sum() >= least:
            required = [each.part(inside) for each in required]
            found = _split(points[rows], widths, coded.weights[rows], required)
        if found is not None:
            i, cut = found
            upper = points[rows, i] > cut
            below, above = last.copy(), first.copy()
            below[i], above[i] = cut, cut + 1
            for half, start, end in ((~upper, first, below), (upper, above, last)):
                inside = np.flatnonzero(half)
                open_.append((rows[inside], inside, required, start, end))
            continue
        label[rows] = len(low)
        low.append(np.where(is_number, first, points[rows].min(axis=0)))
        high.append(np.where(is_number, last, points[rows].max(axis=0)))
    bounds = np.stack(low), np.stack(high)
    known = [(domains or {}).get(name, int(points[:, i].max()) + 1) for i, name in enumerate(coded.names)]
    equal = [np.full(int(points[:, i].max()) + 1, 1 / domain) for i, domain in enumerate(known)]
    parts = [(shares or {}).get(name, each) for name, each in zip(coded.names, equal, strict=True)]
    return Regions(label, *bounds, _lost(coded, known, parts, label, *bounds))


def _dense(code: npt.NDArray[np.integer]) -> Ints:
    """Number the values that occur from 0 in their order."""
    return np.asarray(np.unique(code, return_inverse=True)[1], dtype=np.int64)


def _split(points: Ints, widths: Ints, weights: Ints, required: Sequence[Protection]) -> tuple[int, int] | None:
    """Return the column and the last position of its lower part, or None where no cut is allowed."""
    spread = (points.max(axis=0) - points.min(axis=0)) / widths
    wide = [i for i in np.argsort(-spread, kind="stable").tolist() if spread[i] > 0]
    for i in wide:
        cut = _median(points[:, i], weights)
        if not _fails(required, (points[:, i] > cut).astype(np.int64), weights):
            return i, cut
    for i in wide:
        nearest = _nearest_to_median(points[:, i], weights, required)
        if nearest is not None:
            return i, nearest
    return None


def _median(column: Ints, weights: Ints) -> int:
    """Return the cut nearest to the median that leaves values on both sides."""
    below = np.cumsum(np.bincount(column, weights=weights))
    cut, last = int(np.searchsorted(below, below[-1] / 2)), len(below) - 1
    return cut if cut < last else int(column[column < last].max())


def _nearest_to_median(column: Ints, weights: Ints, required: Sequence[Protection]) -> int | None:
    """Return the allowed cut that leaves the most equal numbers of records on both sides."""
    counted = np.bincount(column) > 0
    values = np.flatnonzero(counted)
    at = (np.cumsum(counted) - 1)[column]
    below = np.cumsum(np.bincount(at, weights=weights))
    last = len(values) - 1
    least = max((each.k for each in required), default=1)
    if not ((below >= least) & (below[-1] - below >= least)).any():
        return None  # whatever is in the halves, one of them is too small
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


def _fails(required: Sequence[Protection], labels: Ints, weights: Ints) -> bool:
    """Whether a class of the rows fails, by their labels."""
    sizes = np.bincount(labels, weights=weights).astype(np.int64)
    if any((sizes < each.k).any() for each in required):
        return True
    return any(bool(each.failing(sizes, labels).any()) for each in required)


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
