"""Probabilistic record linkage: how likely is it that two rows belong to one person?

Question: with what probability does a pair of rows match, given the agreement of its columns?
Method: Fellegi and Sunter. A pair weighs ``w = sum over columns of log2(m / u)``: m is the probability of the level of
agreement in pairs that match, u in pairs that do not; the posterior odds are the prior odds times 2^w, where a row of
two tables has one match at most against all rivals and no match (`_among_rivals`). u is counted over all pairs of rows,
and where a column has many values, similar ones in random pairs. m and the prior come from expectation maximisation
over the candidate pairs, all other pairs counting as different. Agreement on a rare value weighs more, by the frequency
of the value.
Limits: columns are taken as independent given the truth. Only candidate pairs are compared: rows that agree in a rare
value of a column, or in two columns (`candidates`).

References
----------
.. [1] I. Fellegi, A. Sunter, A theory for record linkage, JASA 64, 1969.
.. [2] W. Winkler, Frequency-based matching in the Fellegi-Sunter model of record linkage, 2000.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

import numpy as np

from privaudit.attacks.values.similarity import MISSING, N_LEVELS, Kind, Levels, compare, kind_of
from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass

RANDOM_PAIRS = 20_000
STEPS = 60
PAIRS_PER_ROW = 5
"""Candidate pairs for each row that a column, or two columns, may give: the rarest values are taken first."""
MOST_CANDIDATES = 3_000_000
_SMOOTH = 0.5
_START = {3: (0.05, 0.1, 0.85), 4: (0.05, 0.05, 0.1, 0.8)}


@dataclass(frozen=True)
class Field:
    """One compared column: the distinct values, and the number of the value of each row, -1 where it is missing."""

    texts: tuple[list[str], list[str]]
    rows: tuple[Ints, Ints]

    @cached_property
    def kind(self) -> Kind:
        """How the values are compared."""
        return kind_of([*self.texts[0], *self.texts[1]])

    @property
    def n_levels(self) -> int:
        """The level of equal values; smaller ones differ more."""
        return N_LEVELS[self.kind]

    def levels(self, left: Ints, right: Ints) -> Levels:
        """Return the level of agreement of pairs of rows."""
        return compare(*self.texts, self.rows[0][left], self.rows[1][right], self.kind)

    def by_value(self) -> Iterator[Ints]:
        """Yield the rows of each side that have a value, in ascending order of their values."""
        for texts, rows in zip(self.texts, self.rows, strict=True):
            rank = np.full(len(texts) + 1, -1)  # the last one is that of missing values
            rank[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
            yield np.argsort(rank[rows], kind="stable")[(rank[rows] < 0).sum() :]

    def joint(self) -> tuple[Ints, Ints]:
        """Return the values of both sides under common numbers."""
        number = {text: i for i, text in enumerate(dict.fromkeys([*self.texts[0], *self.texts[1]]))}
        found = []
        for texts, rows in zip(self.texts, self.rows, strict=True):
            lookup = np.array([*(number[text] for text in texts), -1], dtype=np.int64)
            found.append(lookup[rows])
        return found[0], found[1]


@dataclass(frozen=True, slots=True)
class Scored:
    """Candidate pairs with the probability that they match.

    Attributes
    ----------
    left, right : int64 arrays
        The rows of each pair.
    weight : float64 array
        Log2 of the likelihood ratio.
    posterior : float64 array
    """

    left: Ints
    right: Ints
    weight: Floats
    posterior: Floats

    def one_to_one(self, least: float = 0.5) -> Ints:
        """Return the pairs of at least this probability, each row in one pair at most, the heaviest first."""
        order = np.lexsort((self.right, self.left, -self.weight))
        order = order[self.posterior[order] >= least]
        used: tuple[set[int], set[int]] = (set(), set())
        kept = []
        for at, i, j in zip(order.tolist(), self.left[order].tolist(), self.right[order].tolist(), strict=True):
            if i not in used[0] and j not in used[1]:
                used[0].add(i)
                used[1].add(j)
                kept.append(at)
        return np.array(kept, dtype=np.int64)


def candidates(fields: Sequence[Field], *, within: bool = False) -> tuple[Ints, Ints]:
    """Return the pairs of rows that agree in a rare value, or in two columns.

    With `within`, both sides are one table, and each pair of different rows is returned once.
    """
    agreeing = list(_agreeing([field.joint() for field in fields]))
    n_left, n_right = (len(rows) for rows in fields[0].rows)
    budget = PAIRS_PER_ROW * (n_left + n_right)
    key = _pairs(agreeing, n_right, budget)
    if len(key) > MOST_CANDIDATES:
        key = _rarest(agreeing, n_right, budget)
    left, right = np.divmod(key, n_right)
    if within:
        keep = left < right
        left, right = left[keep], right[keep]
    return left, right


def _agreeing(joint: Sequence[tuple[Ints, Ints]]) -> Iterator[tuple[Ints, Ints]]:
    """Yield the values of both sides of each column, and of each two columns together; -1 where one is missing."""
    yield from joint
    for (a, b), (c, d) in combinations(joint, 2):
        width = int(max(c.max(initial=0), d.max(initial=0))) + 1
        yield np.where((a < 0) | (c < 0), -1, a * width + c), np.where((b < 0) | (d < 0), -1, b * width + d)


def _rarest(agreeing: Sequence[tuple[Ints, Ints]], n_right: int, budget: int) -> Ints:
    """Return the pairs that agree in a value with few pairs, as many as may be compared; at least the rarest values.

    A cut by the number of the row would leave whole rows without a candidate.
    """
    frequent = distinct(np.concatenate([_pairs_of_values(*sides) for sides in agreeing]))
    frequent = frequent[(frequent > 0) & (frequent <= budget)]
    low, high = 0, len(frequent) - 1
    while low < high:
        middle = (low + high + 1) // 2
        fits = len(_pairs(agreeing, n_right, budget, int(frequent[middle]))) <= MOST_CANDIDATES
        low, high = (middle, high) if fits else (low, middle - 1)
    return _pairs(agreeing, n_right, budget, int(frequent[low]))


def _pairs_of_values(left: Ints, right: Ints) -> Ints:
    """Return how many pairs of rows agree in each value."""
    sides = [np.unique(side[side >= 0], return_counts=True) for side in (left, right)]
    (values, counts), (others, n) = sides
    _, i, j = np.intersect1d(values, others, assume_unique=True, return_indices=True)
    return np.asarray(counts[i] * n[j], dtype=np.int64)


def _pairs(agreeing: Sequence[tuple[Ints, Ints]], n_right: int, budget: int, most: int | None = None) -> Ints:
    return distinct(np.concatenate([equal_pairs(left, right, n_right, budget, most) for left, right in agreeing]))


def equal_pairs(left: Ints, right: Ints, n_right: int, budget: int, most: int | None = None) -> Ints:
    """Return the pairs of equal values as ``left * n_right + right``, the rarest values as far as the budget goes.

    With `most`, no value with more pairs is one of them.
    """
    values, b = np.unique(right, return_inverse=True)
    counts_right = np.bincount(b, minlength=len(values))
    order = np.argsort(b, kind="stable")
    start = np.cumsum(counts_right) - counts_right
    place = np.minimum(np.searchsorted(values, left), max(0, len(values) - 1))
    known = (left >= 0) & (values[place] == left) if len(values) else np.zeros(len(left), dtype=bool)
    counts_left = np.bincount(place[known], minlength=len(values))
    if len(values):
        pairs = counts_left * counts_right
        known &= (_rare(pairs, budget) & (pairs <= (budget if most is None else most)))[place]
    rows = np.flatnonzero(known)
    times = counts_right[place[rows]]
    repeated = np.repeat(rows, times)
    offset = np.arange(len(repeated)) - np.repeat(np.cumsum(times) - times, times)
    matched = order[np.repeat(start[place[rows]], times) + offset]
    return repeated * n_right + matched


def _rare(pairs: Ints, budget: int) -> Flags:
    """Return the values with fewest pairs, as many as have `budget` pairs together; equally frequent ones together."""
    _, index = np.unique(pairs, return_inverse=True)
    total = np.cumsum(np.bincount(index, weights=pairs))
    return (total <= budget)[index]


def score(fields: Sequence[Field], *, seed: int = 0, within: bool = False) -> Scored:
    """Return the candidate pairs of two tables with the probability that each matches."""
    left, right = candidates(fields, within=within)
    levels = [field.levels(left, right) for field in fields]
    n_left, n_right = (len(rows) for rows in fields[0].rows)
    n_pairs = n_left * (n_left - 1) / 2 if within else n_left * n_right
    random = np.random.default_rng(seed)
    drawn = random.random(RANDOM_PAIRS), random.random(RANDOM_PAIRS)
    u = [_shares(field, drawn) for field in fields]
    rarity = [_rarity(field, levels_, left) for field, levels_ in zip(fields, levels, strict=True)]
    m, prior = _fit(levels, u, n_pairs, min(n_left, n_right))
    weight = _weights(levels, m, u) + sum(rarity, np.zeros(len(left)))
    if within:
        return Scored(left, right, weight, _posterior(weight, prior))
    return Scored(left, right, weight, _among_rivals(weight, prior, (left, right), (n_left, n_right)))


def _shares(field: Field, drawn: tuple[Floats, Floats]) -> Floats:
    """Return the share of each level among all pairs of rows without a missing value, smoothed.

    Counted over the pairs of values where there are at most `RANDOM_PAIRS` of them. Of more, the share of equal values
    is counted, and the others are divided as in pairs of rows that are `drawn` by position, from 0 to 1, in the order
    of the values.
    """
    n_values = len(field.texts[0]) * len(field.texts[1])
    if n_values <= RANDOM_PAIRS:
        values = np.divmod(np.arange(n_values), max(1, len(field.texts[1])))
        held = zip(field.rows, field.texts, values, strict=True)
        rows = [np.bincount(of[of >= 0], minlength=len(texts))[value] for of, texts, value in held]
        levels = compare(*field.texts, *values, field.kind)
        counts = np.bincount(levels, weights=rows[0] * rows[1], minlength=field.n_levels + 1)[1:]
    else:
        sides = zip(field.by_value(), drawn, strict=True)
        levels = field.levels(*(rows[(at * len(rows)).astype(int)] for rows, at in sides))
        others, equal = np.bincount(levels, minlength=field.n_levels + 1)[1:-1] + _SMOOTH, _share_of_equal(field)
        counts = np.append(others / others.sum() * (1 - equal), equal)
    found = RANDOM_PAIRS * counts / (counts.sum() or 1.0) + _SMOOTH
    return found / found.sum()


def _share_of_equal(field: Field) -> float:
    """Return the share of equal values among all pairs of rows without a missing value."""
    sides = [side[side >= 0] for side in field.joint()]
    width = max(int(side.max(initial=-1)) for side in sides) + 1
    left, right = (np.bincount(side, minlength=width).astype(float) for side in sides)
    return float(left @ right) / max(1.0, float(left.sum() * right.sum()))


def _rarity(field: Field, levels: Levels, left: Ints) -> Floats:
    """Return how much more than average the agreement on a value weighs: log2 of the mean frequency over its own."""
    a, b = field.joint()
    n = int(max(a.max(initial=0), b.max(initial=0))) + 1
    counts = np.bincount(np.concatenate([a[a >= 0], b[b >= 0]]), minlength=n).astype(float)
    share = counts / max(1.0, counts.sum())
    mean = float((share**2).sum())  # the probability that two random rows agree
    extra = np.log2(mean / np.maximum(share, 1e-12))
    return np.where(levels == field.n_levels, extra[a[left]], 0.0)


def _weights(levels: Sequence[Levels], m: Sequence[Floats], u: Sequence[Floats]) -> Floats:
    """Return the sum over columns of log2(m / u); a missing value weighs nothing."""
    total = np.zeros(len(levels[0]))
    for level, matching, other in zip(levels, m, u, strict=True):
        total += np.append(0.0, np.log2(matching / other))[level]
    return total


def _posterior(weight: Floats, prior: float) -> Floats:
    odds = weight + np.log2(prior / (1 - prior))
    return 1 / (1 + np.exp2(-np.clip(odds, -200, 200)))


def _among_rivals(weight: Floats, prior: float, pair: tuple[Ints, Ints], n: tuple[int, int]) -> Floats:
    """Return the posteriors where a row has one match at most: ``o_ij / (1 + sum of o over the rivals)``.

    Of the r rows of the other table each is the match with the prior p, and none is with 1 - rp, so the odds against no
    match are ``o = 2^w p / (1 - rp)``. Of the posteriors that rivals of the left and of the right row allow, the
    smaller one.
    """
    found = []
    for side, rivals in zip(pair, reversed(n), strict=True):
        # Where all rows seem to have a match, the next one may be without, by the rule of succession.
        none = max(1 - rivals * prior, 1 / (rivals + 1))
        odds = np.exp2(np.clip(weight + np.log2(prior / none), -200, 200))
        found.append(odds / (1 + np.bincount(side, weights=odds)[side]))
    return np.minimum(*found)


def _fit(levels: Sequence[Levels], u: Sequence[Floats], n_pairs: float, most: int) -> tuple[list[Floats], float]:
    """Return m for each column, and the share of all pairs that match, by expectation maximisation."""
    packed = np.zeros(len(levels[0]), dtype=np.int64)
    for level in levels:
        packed = packed * 5 + level
    _, first, counts = np.unique(packed, return_index=True, return_counts=True)
    patterns = [level[first] for level in levels]
    m = [np.array(_START[len(one)]) for one in u]
    prior = min(0.5, 0.5 * most / n_pairs)
    for _ in range(STEPS):
        expected = _posterior(_weights(patterns, m, u), prior) * counts
        prior = float(np.clip(expected.sum() / n_pairs, 0.1 / n_pairs, 0.5))
        m = [_expected_shares(pattern, expected, len(one)) for pattern, one in zip(patterns, u, strict=True)]
    return m, prior


def _expected_shares(pattern: Levels, expected: Floats, n: int) -> Floats:
    counts = np.bincount(pattern, weights=expected, minlength=n + 1)[MISSING + 1 :] + _SMOOTH
    return counts / counts.sum()
