"""Probabilistic record linkage: how likely is it that two rows belong to one person?

Question: with what probability does a pair of rows match, given the agreement of its columns?
Method: Fellegi and Sunter. A pair weighs ``w = sum over columns of log2(m / u)``: m is the probability of the level of
agreement in pairs that match, u in pairs that do not; the posterior odds are the prior odds times 2^w, where a row of
two tables has one match at most against all rivals and no match (`_among_rivals`). u is counted over all pairs of rows,
and where a column has many values, similar ones in random pairs. m and the prior come from expectation maximisation
over the candidate pairs, all other pairs counting as different. Agreement on a rare value weighs more, by the frequency
of the value.
Limits: columns are taken as independent given the truth. Only candidate pairs are compared: rows that agree in a rare
value of a column, or in two columns (`candidates`); of too many, those that agree in the rarest values, of more columns
where those of two are frequent.

References
----------
.. [1] I. Fellegi, A. Sunter, A theory for record linkage, JASA 64, 1969.
.. [2] W. Winkler, Frequency-based matching in the Fellegi-Sunter model of record linkage, 2000.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from privaudit.attacks.links.reach import subsets
from privaudit.attacks.links.record_matches import Classes, match_records
from privaudit.attacks.values.similarity import MISSING, N_LEVELS, Kind, Levels, compare, kind_of
from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass

RANDOM_PAIRS = 20_000
STEPS = 60
PAIRS_PER_ROW = 5
"""Candidate pairs for each row that a column, or two columns, may give: the rarest values are taken first."""
MOST_CANDIDATES = 3_000_000
MOST_LISTED = 12_000_000
"""Candidate pairs that are in memory at once, before those that are listed repeatedly are counted once."""
MOST_ROWS = 12_000_000
"""Rows of both tables, one for each set of columns in which they agree, that are in memory at once."""
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
    is_whole : bool
        Whether all pairs that agree in two columns are candidates.
    """

    left: Ints
    right: Ints
    weight: Floats
    posterior: Floats
    is_whole: bool

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


class Agreement(NamedTuple):
    """The pairs of rows that agree in some columns.

    ``left`` are the rows that have a rare value; ``first`` and ``times`` are where the rows of the other table with the
    same value begin in ``right`` and their number, and ``pairs`` is how many pairs of rows have it. Unless the
    agreement ``is_whole``, values with more pairs are omitted.
    """

    left: Ints
    first: Ints
    times: Ints
    pairs: Ints
    right: Ints
    is_whole: bool

    @classmethod
    def of(cls, classes: Classes, budget: int) -> Agreement:
        """Return the pairs of rows of one class, those of the classes with fewest pairs as far as the budget goes."""
        left, right = classes.release, classes.auxiliary
        times = np.bincount(right[right >= 0], minlength=classes.n)
        pairs = np.bincount(left[left >= 0], minlength=classes.n) * times
        is_rare = _rare(pairs, budget)
        rows = np.flatnonzero((left >= 0) & np.append(is_rare & (pairs > 0), False)[left])
        order = np.argsort(right, kind="stable")[(right < 0).sum() :]
        first = np.cumsum(times) - times
        of_row = left[rows]
        return cls(rows, first[of_row], times[of_row], pairs[of_row], order, bool(is_rare.all()))

    def keys(self, n_right: int, most: int | None = None) -> Ints:
        """Return the pairs as ``left * n_right + right``; with `most`, none of a value with more pairs."""
        chosen = np.arange(len(self.left)) if most is None else np.flatnonzero(self.pairs <= most)
        times = self.times[chosen]
        offset = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        matched = self.right[np.repeat(self.first[chosen], times) + offset]
        return np.repeat(self.left[chosen], times) * n_right + matched


def _rare(pairs: Ints, budget: int) -> Flags:
    """Return the values with fewest pairs, as many as have `budget` pairs together; equally frequent ones together."""
    _, index = np.unique(pairs, return_inverse=True)
    total = np.cumsum(np.bincount(index, weights=pairs))
    return (total <= budget)[index]


class Candidates(NamedTuple):
    """Pairs of rows that are compared; unless ``is_whole``, frequent values in which others agree were omitted."""

    left: Ints
    right: Ints
    is_whole: bool


def candidates(fields: Sequence[Field], *, within: bool = False) -> Candidates:
    """Return the pairs of rows that agree in a rare value, or in two columns.

    With `within`, both sides are one table, and each pair of different rows is returned once.
    """
    n_left, n_right = (len(rows) for rows in fields[0].rows)
    agreeing = _agreeing([field.joint() for field in fields], PAIRS_PER_ROW * (n_left + n_right))
    key, is_whole = _rarest(list(agreeing.values()), n_right)
    left, right = np.divmod(key, n_right)
    if within:
        keep = left < right
        left, right = left[keep], right[keep]
    return Candidates(left, right, is_whole and all(one.is_whole for of, one in agreeing.items() if len(of) == 2))


def _agreeing(joint: Sequence[tuple[Ints, Ints]], budget: int) -> dict[tuple[int, ...], Agreement]:
    """Return the pairs that agree in each set of columns.

    The pairs of a set are among those of its subsets: sets of which a subset is whole are omitted. In a large table
    values of two columns are frequent, and only those of more columns are rare: these are added as memory allows.
    """
    found: dict[tuple[int, ...], Agreement] = {}
    for chosen in subsets(len(joint)):
        if len(chosen) > 2 and sum(len(one.left) + len(one.right) for one in found.values()) > MOST_ROWS:
            break
        if not any(one.is_whole and set(of) <= set(chosen) for of, one in found.items()):
            sides = ([joint[column][side].astype(np.int32) for column in chosen] for side in (0, 1))
            found[chosen] = Agreement.of(match_records(*sides), budget)
    return found


def _rarest(agreeing: Sequence[Agreement], n_right: int) -> tuple[Ints, bool]:
    """Return the pairs that agree in a value with few pairs, as many as may be compared, and whether these are all.

    At least the rarest values are taken. A cut by the number of the row would leave whole rows without a candidate.
    """
    pairs, times = np.concatenate([[one.pairs, one.times] for one in agreeing], axis=1)
    frequent = distinct(pairs)
    if not len(frequent):
        return np.zeros(0, dtype=np.int64), True
    n_listed = np.cumsum(np.bincount(np.searchsorted(frequent, pairs), weights=times))

    def listed(most: int) -> Ints:
        return distinct(np.concatenate([one.keys(n_right, int(frequent[most])) for one in agreeing]))

    # Pairs that agree in several sets are listed several times, so that more of them are listed than compared.
    low, high = (max(1, int(np.searchsorted(n_listed, n, side="right"))) for n in (MOST_CANDIDATES, MOST_LISTED))
    at = low - 1 + bisect_right(range(low, high), MOST_CANDIDATES, key=lambda most: len(listed(most)))
    return listed(at), at == len(frequent) - 1


def score(fields: Sequence[Field], *, seed: int = 0, within: bool = False) -> Scored:
    """Return the candidate pairs of two tables with the probability that each matches."""
    left, right, is_whole = candidates(fields, within=within)
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
        return Scored(left, right, weight, _posterior(weight, prior), is_whole)
    return Scored(left, right, weight, _among_rivals(weight, prior, (left, right), (n_left, n_right)), is_whole)


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
