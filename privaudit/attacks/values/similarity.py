"""How similar are two values of one column: equal, nearly equal, or different?

Question: which of a few levels of agreement does a pair of values have?
Method: the values of the column decide how they are compared. Numbers of up to three digits: equal, one apart. Longer
digits and dates: equal, one digit or one transposition (or day and month) apart, two apart. Texts: equal, Jaro-Winkler
of at least 0.88, of at least 0.75. Each distinct pair of values is compared once.
Limits: a missing value agrees and disagrees with nothing.

References
----------
.. [1] W. Winkler, String comparator metrics and enhanced decision rules in the Fellegi-Sunter model, 1990.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Flags, Ints

Levels = npt.NDArray[np.int8]
Kind = Literal["number", "digits", "text"]

MISSING = 0
"""The level of a pair with a missing value; the others are 1, different, to the highest, equal."""
VERY_SIMILAR, SIMILAR = 0.88, 0.75
N_LEVELS: dict[Kind, int] = {"number": 3, "digits": 4, "text": 4}
"""Levels of agreement besides missing."""
_MOSTLY = 0.9
_CELLS = 64
_BLOCK = 65_536


def kind_of(texts: list[str]) -> Kind:
    """Return how the values of a column are compared."""
    digits = [text.replace("-", "").replace("/", "") for text in texts]
    n_digits = sum(text.isascii() and text.isdecimal() for text in digits)
    if not texts or n_digits < _MOSTLY * len(texts):
        return "text"
    short = sum(len(text) <= 3 for text in digits)
    return "number" if short >= _MOSTLY * len(texts) else "digits"


def compare(left: list[str], right: list[str], a: Ints, b: Ints, kind: Kind) -> Levels:
    """Return the level of agreement of pairs.

    Parameters
    ----------
    left, right : list of str
        The distinct values of both sides.
    a, b : int64 arrays of one length
        The values of each pair, by number; -1 is missing.
    """
    # Distinct pairs are few where rows are many, and comparing texts is what takes the time.
    key = np.where((a < 0) | (b < 0), -1, a * max(1, len(right)) + b)
    distinct, index = np.unique(key, return_inverse=True)
    i, j = np.divmod(distinct, max(1, len(right)))
    found = np.where(distinct < 0, MISSING, 1).astype(np.int8)
    for at in np.flatnonzero((distinct >= 0) & _may_agree(left, right, i, j, kind)).tolist():
        one, other = left[i[at]], right[j[at]]
        found[at] = N_LEVELS[kind] if one == other else _OF_KIND[kind](one, other)
    return found[index]


def _may_agree(left: list[str], right: list[str], i: Ints, j: Ints, kind: Kind) -> Flags:
    """Return whether two values may be more than different, by the characters that they have in common.

    c common characters of n and m bound the Jaro similarity by ``(c/n + c/m + 1) / 3`` and the edits by
    ``max(n, m) - c``.
    """
    everything = np.ones(len(i), dtype=bool)
    if kind == "number" or not left or not right:
        return everything
    bags, other_bags = _bags(left), _bags(right)
    n, m = bags.sum(axis=1)[i].astype(float), other_bags.sum(axis=1)[j].astype(float)
    common = np.zeros(len(i))
    for start in range(0, len(i), _BLOCK):
        part = slice(start, start + _BLOCK)
        common[part] = np.minimum(bags[i[part]], other_bags[j[part]]).sum(axis=1)
    if kind == "digits":
        return np.maximum(n, m) - common <= 2
    jaro = (common / np.maximum(n, 1) + common / np.maximum(m, 1) + 1) / 3
    starts, other_starts = _prefixes(left)[i], _prefixes(right)[j]
    prefix = np.cumprod(starts == other_starts, axis=1).sum(axis=1)
    return jaro + prefix * 0.1 * (1 - jaro) >= SIMILAR


def _bags(texts: list[str]) -> npt.NDArray[np.uint8]:
    """Return how often each character occurs, characters being counted in `_CELLS` cells."""
    found = np.zeros((len(texts), _CELLS), dtype=np.uint8)
    for at, text in enumerate(texts):
        # Counts are bytes, which more characters could overflow.
        for character in text[:255]:
            found[at, ord(character) % _CELLS] += 1
    return found


def _prefixes(texts: list[str]) -> Ints:
    """Return the first four characters of each text as numbers, 0 after its end."""
    return np.array([[*map(ord, text[:4]), *(0,) * (4 - len(text[:4]))] for text in texts], dtype=np.int64)


def _number(one: str, other: str) -> int:
    try:
        return 2 if abs(float(one) - float(other)) <= 1 else 1
    except ValueError:
        return 1


def _digits(one: str, other: str) -> int:
    if is_swapped(one, other):
        return 3
    return {1: 3, 2: 2}.get(edits(one, other, 2), 1)


def is_swapped(one: str, other: str) -> bool:
    """Return whether two dates of eight digits differ by the order of day and month only."""
    first, second = (text.replace("-", "").replace("/", "") for text in (one, other))
    if not len(first) == len(second) == 8:
        return False
    return first[:4] == second[:4] and first[4:6] == second[6:] and first[6:] == second[4:6]


def _text(one: str, other: str) -> int:
    similarity = jaro_winkler(one, other)
    return 3 if similarity >= VERY_SIMILAR else 2 if similarity >= SIMILAR else 1


_OF_KIND: dict[Kind, Callable[[str, str], int]] = {"number": _number, "digits": _digits, "text": _text}


def edits(one: str, other: str, most: int) -> int:
    """Return the insertions, deletions, replacements and transpositions between two texts; `most` + 1 where more.

    >>> edits("19151111", "19151011", 2), edits("1234", "1243", 2), edits("12", "98765", 2)
    (1, 1, 3)
    """
    # Each edit changes the length by one at most.
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, x in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, y in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == other[j - 2] and one[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        # The least of a row never falls from one row to the next.
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def jaro_winkler(one: str, other: str) -> float:
    """Return the Jaro-Winkler similarity of two texts, in [0, 1].

    >>> round(jaro_winkler("martha", "marhta"), 4), round(jaro_winkler("dixon", "dicksonx"), 4)
    (0.9611, 0.8133)
    """
    if one == other:
        return 1.0
    similarity = _jaro(one, other)
    prefix = 0
    for x, y in zip(one[:4], other[:4], strict=False):
        if x != y:
            break
        prefix += 1
    return similarity + prefix * 0.1 * (1 - similarity)


def _jaro(one: str, other: str) -> float:
    n, m = len(one), len(other)
    reach = max(0, max(n, m) // 2 - 1)
    taken = [False] * m
    matched = []
    for i, x in enumerate(one):
        for j in range(max(0, i - reach), min(m, i + reach + 1)):
            if not taken[j] and other[j] == x:
                taken[j] = True
                matched.append(x)
                break
    common = len(matched)
    if not common:
        return 0.0
    apart = sum(x != y for x, y in zip(matched, (y for y, used in zip(other, taken, strict=True) if used), strict=True))
    return (common / n + common / m + (common - apart / 2) / common) / 3
