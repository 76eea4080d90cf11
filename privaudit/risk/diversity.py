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

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.model import Diversity, RecursiveL, TCloseness
from privaudit.risk.sorted_keys import sum_by_key

Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]

MOST_L = 20
"""The largest l for which the c of recursive diversity is measured, besides that of the fewest distinct values."""
MAX_ROWS = 3_000_000_000
"""Most records for which the products of two counts still fit in 64 bits."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Sparse contingency table, sorted: ``count[i]`` records of class ``label[i]`` have value ``code[i]``."""

    label: npt.NDArray[np.int64]
    code: npt.NDArray[np.int64]
    count: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]  # first pair of each class
    size: npt.NDArray[np.int64]  # records of each class
    total: npt.NDArray[np.int64]  # records of each value in the table

    @property
    def n(self) -> int:
        return int(self.total.sum())

    @property
    def distinct(self) -> npt.NDArray[np.int64]:
        return np.diff(np.append(self.start, len(self.label)))

    def per_class(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.add.reduceat(values, self.start)


def diversity(
    labels: Ints,
    class_sizes: Ints,
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
    class_sizes : int array of shape (J,)
        Records of each class, each at least 1.
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
    codes = np.where(np.asarray(sensitive_codes) < 0, n_values, sensitive_codes).astype(np.int64)
    pairs = _pair(np.asarray(labels, np.int64), codes, np.asarray(weights, np.int64), n_values + 1, totals)
    if not np.array_equal(pairs.size, class_sizes):
        raise ValueError("class_sizes must be the records of each label")
    distinct = pairs.distinct
    alone = distinct == 1
    n_held = int(np.count_nonzero(pairs.total))
    is_unbounded = int(distinct.min()) < n_held  # some class lacks a value of the table: ln 0
    delta = _delta(pairs)
    beta, enhanced = _beta(pairs)
    t_ordered, n_ordered = (None, None) if order is None else _ordered(pairs, np.asarray(order), n_values)
    return Diversity(
        l_distinct=int(distinct.min()),
        l_entropy=_entropy_l(pairs, alone),
        l_recursive=_recursive(pairs, least or int(distinct.min())),
        t_closeness=TCloseness(equal=_equal(pairs), ordered=t_ordered),
        n_ordered=n_ordered,
        alpha=float((pairs.count / pairs.size[pairs.label]).max()),
        beta_basic=beta,
        beta_enhanced=enhanced,
        delta_disclosure=None if is_unbounded else delta,
        delta_disclosure_unbounded=is_unbounded,
        delta_disclosure_present=delta,
        homogeneous_classes=int(alone.sum()),
        homogeneous_records=int(pairs.size[alone].sum()),
        n_values=n_held,
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


def _pair(
    labels: npt.NDArray[np.int64],
    codes: npt.NDArray[np.int64],
    weights: npt.NDArray[np.int64],
    n_codes: int,
    totals: Ints | None = None,
) -> _Pairs:
    if not len(labels) or not len(labels) == len(codes) == len(weights):
        raise ValueError("labels, weights and codes must have the same length, 1 or more")
    if int(weights.sum()) > MAX_ROWS:
        raise ValueError("too many records for exact products of counts")
    key = labels * n_codes + codes
    distinct, count = sum_by_key(key, weights, n_codes * (int(labels.max()) + 1))
    label, code = np.divmod(distinct, n_codes)
    start = np.flatnonzero(np.append(True, label[1:] != label[:-1]))
    total = np.zeros(n_codes, np.int64) if totals is None else np.asarray(totals, np.int64)
    if totals is None:
        np.add.at(total, code, count)
    return _Pairs(label, code, count, start, np.add.reduceat(count, start), total)


def _descending(pairs: _Pairs) -> npt.NDArray[np.int64]:
    """Return the counts, descending within each class, so that the names of the values have no effect."""
    most = int(pairs.count.max())
    return most - np.sort(pairs.label * (most + 1) + (most - pairs.count), kind="stable") % (most + 1)


def _entropy_l(pairs: _Pairs, alone: npt.NDArray[np.bool_]) -> float:
    if alone.any():
        return 1.0
    count = _descending(pairs).astype(np.float64)
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


def _surplus(pairs: _Pairs) -> npt.NDArray[np.int64]:
    """``(q - p) * size * n`` of each pair, exact."""
    return pairs.count * pairs.n - pairs.size[pairs.label] * pairs.total[pairs.code]


def _equal(pairs: _Pairs) -> float:
    gained = pairs.per_class(np.maximum(_surplus(pairs), 0))
    return float((gained / (pairs.size * pairs.n)).max())


def _beta(pairs: _Pairs) -> tuple[float, float]:
    expected = pairs.size[pairs.label] * pairs.total[pairs.code]
    basic = max(float((_surplus(pairs) / expected).max()), 0.0)
    held = pairs.total[pairs.total > 0]
    return basic, min(basic, float(-np.log(held.min() / pairs.n)))


def _delta(pairs: _Pairs) -> float:
    """Return max of |ln(q / p)| over classes and the values that occur in them."""
    expected = pairs.size[pairs.label] * pairs.total[pairs.code]
    return float(np.abs(np.log(pairs.count * pairs.n / expected)).max())


def _ordered(pairs: _Pairs, order: Ints, n_values: int) -> tuple[float | None, int | None]:
    """Return the earth mover's distance over ranks; between two values of a class its cumulated share is constant.

    The distance to the table's cumulated share over such a stretch follows from one search and two prefix
    sums.
    """
    if len(order) != n_values:
        raise ValueError("order must have one position for each value")
    place = np.append(np.asarray(order, np.int64), -1)
    held = (pairs.total > 0) & (place >= 0)
    if not held.any():
        return None, None
    ranks, dense = np.unique(place[held], return_inverse=True)
    rank = np.full(len(place), -1)
    rank[held] = dense
    if not (rank[pairs.code] >= 0).any():  # none of these classes has a value with a position
        return 0.0, int(pairs.total[held].sum())
    kept = _ranked(pairs, rank, rising=len(ranks) == held.sum() and bool((np.diff(dense) > 0).all()))
    if len(ranks) == 1:
        return 0.0, kept.n
    return _ordered_distance(kept) / (len(ranks) - 1), kept.n


def _ranked(pairs: _Pairs, rank: npt.NDArray[np.int64], *, rising: bool) -> _Pairs:
    """Return the pairs with ranks in place of codes; nothing is sorted where ranks rise with the codes."""
    new = rank[pairs.code]
    if rising and (new >= 0).all():
        return replace(pairs, code=new, total=pairs.total[rank >= 0])
    usable = new >= 0
    totals = np.bincount(rank[rank >= 0], weights=pairs.total[rank >= 0]).astype(np.int64)  # exact: below 2^53
    return _pair(pairs.label[usable], new[usable], pairs.count[usable], len(totals), totals)


def _ordered_distance(pairs: _Pairs) -> float:
    m, n = len(pairs.total), pairs.n
    table = np.cumsum(pairs.total)  # cumulated counts P_i * n at ranks 0..m-1
    prefix = np.append(0, np.cumsum(table[:-1]))  # sums of `table` over ranks below i
    size = pairs.size[np.cumsum(np.append(False, pairs.label[1:] != pairs.label[:-1]))]
    running = np.cumsum(pairs.count)
    before = np.repeat(running[pairs.start] - pairs.count[pairs.start], pairs.distinct)
    share = (running - before) / size  # Q from this value up to the next one of the class
    begin = pairs.code
    end = np.append(begin[1:], 0)
    end[np.append(pairs.start[1:], len(begin)) - 1] = m - 1
    cross = np.clip(np.searchsorted(table, share * n, side="left"), begin, np.maximum(begin, end))
    below = share * (cross - begin) - (prefix[cross] - prefix[begin]) / n
    above = (prefix[np.maximum(end, cross)] - prefix[cross]) / n - share * (np.maximum(end, cross) - cross)
    lead = prefix[begin[pairs.start]] / n  # ranks before the first value of a class: Q is 0
    return float((pairs.per_class(below + above) + lead).max())
