"""Mondrian: the table is split at medians into regions, each as small as the policy allows.

Question: how much less information is lost where every class has bounds of its own?
Method: a region is split at the median of the column whose values are spread widest over its domain, as long as both
halves meet the policy; where they do not, the next column is tried [1]_. A region is published as a range of values for
each column. Values are in the order of the dictionary: numbers by size, others by name, or by their hierarchy.
Limits: greedy. Ranges of different regions overlap, so results cannot be joined or counted by value. Equal rows stay
together. The distance t is measured from the whole table.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.protection import Protection
from privaudit.risk.codes.coded import CodedTable

Ints = npt.NDArray[np.int64]


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

    @property
    def cost(self) -> float:
        """Mean loss of the columns."""
        return float(np.mean(self.lost)) if self.lost else 0.0


def split_regions(
    coded: CodedTable,
    protections: Sequence[Protection],
    *,
    domains: Mapping[str, int] | None = None,
    order: Sequence[Ints] | None = None,
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
    order : for each column the position of each code, optional
        The order of the dictionary where not given.
    """
    codes = coded.codes if order is None else [at[code] for at, code in zip(order, coded.codes, strict=True)]
    points = np.stack([_dense(code) for code in codes], axis=1) if coded.names else np.zeros((coded.n_distinct, 0), int)
    widths = np.maximum(1, points.max(axis=0, initial=0))
    whole = np.arange(coded.n_distinct)
    if not coded.n_rows or _fails(protections, whole, coded.weights, np.zeros(len(whole), dtype=np.int64)):
        return None
    label = np.zeros(coded.n_distinct, dtype=np.int64)
    low: list[Ints] = []
    high: list[Ints] = []
    open_ = [whole]
    while open_:
        rows = open_.pop()
        halves = _split(points[rows], widths, rows, coded.weights, protections)
        if halves is not None:
            open_ += [rows[~halves], rows[halves]]
            continue
        label[rows] = len(low)
        low.append(points[rows].min(axis=0))
        high.append(points[rows].max(axis=0))
    bounds = np.stack(low), np.stack(high)
    known = [(domains or {}).get(name, int(points[:, i].max()) + 1) for i, name in enumerate(coded.names)]
    return Regions(label, *bounds, _lost(coded, known, label, *bounds))


def _dense(code: npt.NDArray[np.integer]) -> Ints:
    """Number the values that occur from 0 in their order."""
    return np.asarray(np.unique(code, return_inverse=True)[1], dtype=np.int64)


def _split(
    points: Ints, widths: Ints, rows: Ints, weights: Ints, protections: Sequence[Protection]
) -> npt.NDArray[np.bool_] | None:
    """Return which rows are in the upper half, or None where no split is allowed."""
    spread = (points.max(axis=0) - points.min(axis=0)) / widths
    for i in np.argsort(-spread, kind="stable").tolist():
        if spread[i] <= 0:
            return None
        values, at = np.unique(points[:, i], return_inverse=True)
        below = np.cumsum(np.bincount(at, weights=weights[rows]))
        # The cut nearest to the median that leaves values on both sides.
        cut = min(int(np.searchsorted(below, below[-1] / 2)), len(values) - 2)
        upper = at > cut
        if not _fails(protections, rows, weights, upper.astype(np.int64)):
            return np.asarray(upper)
    return None


def _fails(protections: Sequence[Protection], rows: Ints, weights: Ints, labels: Ints) -> bool:
    """Whether a class of `rows` fails, by their labels."""
    sizes = np.bincount(labels, weights=weights[rows]).astype(np.int64)
    if any((sizes < protection.k).any() for protection in protections):
        return True
    return any(bool(protection.part(rows).failing(sizes, labels).any()) for protection in protections)


def _lost(coded: CodedTable, domains: Sequence[int], label: Ints, low: Ints, high: Ints) -> tuple[float, ...]:
    n, records = coded.n_rows, np.bincount(label, weights=coded.weights)
    lost = []
    for i, domain in enumerate(domains):
        least = n / domain
        amount = float(records @ ((high[:, i] - low[:, i] + 1) / domain))
        lost.append((amount - least) / (n - least) if n > least else 0.0)
    return tuple(lost)
