"""Diversity of a sensitive attribute within equivalence classes: l-diversity, t-closeness and related measures.

Question: how much does group membership reveal about a person's sensitive value?
Method: one sparse list of (class, value) pairs with their number of records, made by one sort. Every measure
is an integer sum over that list, divided once at the end, so that no number depends on the order of rows,
classes or values, and the cost is O(d log d) for d distinct rows, however many values the attribute has.
Limits: a missing sensitive cell counts as a value (an attacker can infer that somebody did not answer), except in
the ordered distance, which covers the cells with a position in the order. Infinity is not a number of JSON: a
delta-disclosure without bound is None and marked as such. Each measure is that of the worst class,
not of a typical one. Values with the same or nearly the same meaning count as different.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Flags
from privaudit.base.records import dataclass
from privaudit.model import Diversity, RecursiveL, TCloseness
from privaudit.risk.codes.row_keys import Labels, sums
from privaudit.risk.codes.sorted_keys import first_of_each, sum_by_key

Ints = npt.NDArray[np.integer[Any]]

MOST_L = 20
"""The largest l for which the c of recursive diversity is measured, besides that of the fewest distinct values."""
_PAIRS = 1 << 16
"""Pairs that are measured together: their arrays stay in the caches of a core."""
MAX_ROWS = 3_000_000_000
"""Most records for which the products of two counts still fit in 64 bits."""


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of the attribute in the table: ``total[c]`` records have value c, in their order where they have one.

    Values without a position have the rank -1; `cumulated` and `prefix` are over the ranks.
    """

    total: npt.NDArray[np.int64]
    n: int
    n_held: int
    rarest: int
    ordered: _Ranks | None = None

    @classmethod
    def of(cls, total: npt.NDArray[np.int64], order: Ints | None) -> _Values:
        held = total > 0
        ranks = None if order is None else _Ranks.of(total, order)
        return cls(total, int(total.sum()), int(np.count_nonzero(held)), int(total[held].min()), ranks)


@dataclass(frozen=True, slots=True)
class _Ranks:
    """The positions of the values that occur.

    Attributes
    ----------
    rank : int array of shape (n_values + 1,)
        -1 for a value without a position.
    total : int64 array of shape (m,)
        Records of each rank.
    cumulated : int64 array of shape (m,)
        Records of this rank and those before it.
    prefix : int64 array of shape (m,)
        Sum of `cumulated` over the ranks before.
    is_rising : bool
        Whether ranks rise with the codes and no two values share one.
    """

    rank: npt.NDArray[np.int64]
    total: npt.NDArray[np.int64]
    cumulated: npt.NDArray[np.int64]
    prefix: npt.NDArray[np.int64]
    is_rising: bool

    @classmethod
    def of(cls, total: npt.NDArray[np.int64], order: Ints) -> _Ranks | None:
        """Return the ranks of the values; None where no value that occurs has a position."""
        if len(order) != len(total) - 1:
            raise ValueError("order must have one position for each value")
        place = np.append(np.asarray(order, np.int64), -1)
        held = (total > 0) & (place >= 0)
        if not held.any():
            return None
        ranks, dense = np.unique(place[held], return_inverse=True)
        rank = np.full(len(place), -1)
        rank[held] = dense
        totals = sums(dense, total[held], len(ranks))
        cumulated = np.cumsum(totals)
        prefix = np.append(0, np.cumsum(cumulated[:-1]))
        is_rising = len(ranks) == len(dense) and bool((np.diff(dense) > 0).all())
        return cls(rank, totals, cumulated, prefix, is_rising)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Sparse contingency table, sorted: ``count[i]`` records of class ``label[i]`` have value ``code[i]``."""

    label: npt.NDArray[np.int64]
    code: npt.NDArray[np.int64]
    count: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]  # first pair of each class
    size: npt.NDArray[np.int64]  # records of each class

    @classmethod
    def of(cls, key: Labels, count: Labels, n_codes: int) -> _Pairs:
        """Return the pairs with these keys, ``label * n_codes + code``, in ascending order."""
        label = key // n_codes
        start = np.flatnonzero(first_of_each(label))
        return cls(label, key - label * n_codes, count, start, np.add.reduceat(count, start))

    @property
    def distinct(self) -> npt.NDArray[np.int64]:
        return np.diff(np.append(self.start, len(self.label)))

    @property
    def size_of_each(self) -> npt.NDArray[np.int64]:
        """Records of the class of each pair."""
        return np.repeat(self.size, self.distinct)

    def per_class(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.add.reduceat(values, self.start)


def _parts(key: Labels, count: Labels, n_codes: int) -> Iterator[_Pairs]:
    """Yield the pairs of some classes after those of others, few enough for the caches of a core."""
    begin, width = 0, _PAIRS
    while begin < len(key):
        end = min(len(key), begin + width)
        if end < len(key):  # the last class may go on after the end
            whole = int(np.searchsorted(key[begin:end], key[end] // n_codes * n_codes))
            if not whole:
                # One class has more pairs than fit: it is measured whole, because every measure needs its whole
                # class.
                width *= 2
                continue
            end = begin + whole
        yield _Pairs.of(key[begin:end], count[begin:end], n_codes)
        begin, width = end, _PAIRS


def diversity(
    labels: Ints,
    weights: Ints,
    sensitive_codes: Ints,
    n_values: int,
    *,
    order: Ints | None = None,
    totals: Ints | None = None,
    least: int | None = None,
) -> Diversity:
    """Measure how diverse one sensitive attribute is within the classes.

    Parameters
    ----------
    labels : int array of shape (d,)
        The class of each distinct row, 0 to J-1.
    weights : int array of shape (d,)
        Records of each distinct row, each at least 1.
    sensitive_codes : int array of shape (d,)
        The value of the sensitive attribute, 0 to `n_values` - 1; `n_values` or a negative code is missing.
    n_values : int
        Length of the attribute's dictionary; values that do not occur have no effect.
    order : int array of shape (n_values,), optional
        The position of each code in the order of values (ties and gaps allowed), negative for a code without a
        position. Without it the ordered distance is None.
    totals : int array of shape (n_values + 1,), optional
        Records of each value in the table, and those without a value, where the classes are only some of it.
    least : int, optional
        The l of recursive diversity; the fewest distinct values of a class where not given.

    Returns
    -------
    Diversity
        Its docstring has the formula and source of every measure.

    Raises
    ------
    ValueError
        If there are no records or the arrays do not fit together.
    """
    if not len(labels) or not len(labels) == len(sensitive_codes) == len(weights):
        raise ValueError("labels, weights and codes must have the same length, 1 or more")
    if int(weights.sum()) > MAX_ROWS:
        raise ValueError("too many records for exact products of counts")
    n_codes = n_values + 1
    key = np.asarray(labels, np.int64) * n_codes
    key += np.where(sensitive_codes < 0, n_values, sensitive_codes)
    key, count = sum_by_key(key, np.asarray(weights, np.int64), n_codes * (int(labels.max()) + 1))
    fewest, held = n_codes, np.zeros(n_codes, dtype=np.int64)
    for part in _parts(key, count, n_codes):
        fewest = min(fewest, int(part.distinct.min()))
        np.add.at(held, part.code, part.count)
    values = _Values.of(held if totals is None else np.asarray(totals, np.int64), order)
    return of_all_parts([_diversity(part, values, least or fewest) for part in _parts(key, count, n_codes)])


def _diversity(pairs: _Pairs, values: _Values, least: int) -> Diversity:
    """Return the diversity of some classes."""
    distinct = pairs.distinct
    alone = distinct == 1
    is_unbounded = int(distinct.min()) < values.n_held  # some class lacks a value of the table: ln 0
    expected = pairs.size_of_each * values.total[pairs.code]
    observed = pairs.count * values.n
    # Integers until the last division, which `MAX_ROWS` allows: a difference of two shares would lose digits.
    surplus = observed - expected  # (q - p) * size * n of each pair, exact
    delta = float(np.abs(np.log(observed / expected)).max())
    beta = max(float((surplus / expected).max()), 0.0)
    return Diversity(
        l_distinct=int(distinct.min()),
        l_entropy=_entropy_l(pairs, alone),
        l_recursive=_recursive(pairs, least),
        t_closeness=TCloseness(
            equal=float((pairs.per_class(np.maximum(surplus, 0)) / (pairs.size * values.n)).max()),
            ordered=None if values.ordered is None else _ordered(pairs, values.ordered),
        ),
        n_ordered=None if values.ordered is None else int(values.ordered.total.sum()),
        alpha=float((pairs.count / pairs.size_of_each).max()),
        beta_basic=beta,
        beta_enhanced=min(beta, float(-np.log(values.rarest / values.n))),
        delta_disclosure=None if is_unbounded else delta,
        delta_disclosure_unbounded=is_unbounded,
        delta_disclosure_present=delta,
        homogeneous_classes=int(alone.sum()),
        homogeneous_records=int(pairs.size[alone].sum()),
        n_values=values.n_held,
    )


def of_all_parts(parts: Sequence[Diversity]) -> Diversity:
    """Return the diversity of a table from that of its parts, each of which has whole classes.

    Every measure is that of the worst class, and classes are counted. The measures must know the values of the table
    and, for recursive diversity, the fewest distinct values of a class of the table or every l up to it.
    """

    def every(name: str) -> list[Any]:
        return [getattr(part, name) for part in parts]

    least, is_unbounded = min(every("l_distinct")), any(every("delta_disclosure_unbounded"))
    worst = {name: max(every(name)) for name in ("alpha", "beta_basic", "beta_enhanced", "delta_disclosure_present")}
    counted = {name: sum(every(name)) for name in ("homogeneous_classes", "homogeneous_records")}
    ordered = [distance.ordered for distance in every("t_closeness") if distance.ordered is not None]
    return replace(
        parts[0],
        **worst,
        **counted,
        l_distinct=least,
        l_entropy=min(every("l_entropy")),
        l_recursive=_recursive_of_all(every("l_recursive"), least),
        t_closeness=TCloseness(
            equal=max(distance.equal for distance in every("t_closeness")), ordered=max(ordered, default=None)
        ),
        delta_disclosure=None if is_unbounded else worst["delta_disclosure_present"],
        delta_disclosure_unbounded=is_unbounded,
    )


def _recursive_of_all(parts: Sequence[RecursiveL], least: int) -> RecursiveL:
    if least == 1:
        return RecursiveL(c=None, l=1)
    by_l = tuple(max(of_l) for of_l in zip(*(part.by_l for part in parts), strict=False))[: least - 1]
    c = by_l[least - 2] if least <= MOST_L else max(part.c for part in parts if part.c is not None)
    return RecursiveL(c=c, l=least, by_l=by_l)


def _descending(pairs: _Pairs) -> npt.NDArray[np.int64]:
    """Return the counts, descending within each class, so that the names of the values have no effect."""
    most = int(pairs.count.max())
    # One sort of integers does both: by class, and within it by descending count.
    return most - np.sort(pairs.label * (most + 1) + (most - pairs.count), kind="stable") % (most + 1)


def _entropy_l(pairs: _Pairs, alone: Flags) -> float:
    # A class of one value has the entropy 0 and e^0 = 1; the sum below would give it up to rounding only.
    if alone.any():
        return 1.0
    count = _descending(pairs).astype(np.float64)
    # ln n - sum(c ln c) / n equals -sum(p ln p) with p = c / n, without a division for each pair.
    entropy = np.log(pairs.size) - pairs.per_class(count * np.log(count)) / pairs.size
    return float(np.exp(entropy.min()))


def _recursive(pairs: _Pairs, least: int) -> RecursiveL:
    if least == 1:
        return RecursiveL(c=None, l=1)
    count = _descending(pairs)
    place = np.arange(len(count)) - np.repeat(pairs.start, pairs.distinct)

    def worst(values: int) -> float:
        return float((count[pairs.start] / pairs.per_class(np.where(place >= values - 1, count, 0))).max())

    by_l = tuple(map(worst, range(2, min(least, MOST_L) + 1)))
    return RecursiveL(c=worst(least), l=least, by_l=by_l)


def _ordered(pairs: _Pairs, ranks: _Ranks) -> float:
    """Return the earth mover's distance over ranks; between two values of a class its cumulated share is constant.

    The distance to the table's cumulated share over such a stretch follows from one search and two prefix
    sums.
    """
    placed = _placed(pairs, ranks)
    m, n = len(ranks.total), int(ranks.cumulated[-1])
    if placed is None or m == 1:
        return 0.0
    table, prefix = ranks.cumulated, ranks.prefix
    running = np.cumsum(placed.count)
    before = np.repeat(running[placed.start] - placed.count[placed.start], placed.distinct)
    share = (running - before) / placed.size_of_each  # Q from this value up to the next one of the class
    begin = placed.code
    end = np.append(begin[1:], 0)
    # After the last value of a class its cumulated share is 1 to the end of the order.
    end[np.append(placed.start[1:], len(begin)) - 1] = m - 1
    # Up to here the table's cumulated share is below that of the class, from here on above it: the absolute value
    # splits.
    cross = np.clip(np.searchsorted(table, share * n, side="left"), begin, np.maximum(begin, end))
    below = share * (cross - begin) - (prefix[cross] - prefix[begin]) / n
    above = (prefix[np.maximum(end, cross)] - prefix[cross]) / n - share * (np.maximum(end, cross) - cross)
    lead = prefix[begin[placed.start]] / n  # ranks before the first value of a class: Q is 0
    return float((placed.per_class(below + above) + lead).max()) / (m - 1)


def _placed(pairs: _Pairs, ranks: _Ranks) -> _Pairs | None:
    """Return the pairs with ranks in place of codes, without values that have none; None where none is left.

    Nothing is sorted where ranks rise with the codes.
    """
    rank = ranks.rank[pairs.code]
    usable = rank >= 0
    if ranks.is_rising and usable.all():
        return replace(pairs, code=rank)
    if not usable.any():
        return None
    key = pairs.label[usable] * len(ranks.total) + rank[usable]
    key, count = sum_by_key(key, pairs.count[usable], (int(pairs.label[-1]) + 1) * len(ranks.total))
    return _Pairs.of(key, count, len(ranks.total))
