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

from privaudit.attacks.values.text_distance import Points, code_points, edits, jaro_winkler
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
    known = np.flatnonzero(distinct >= 0)
    at = known[_may_agree(left, right, i[known], j[known], kind)]
    number = {text: place for place, text in enumerate(right)}
    same = np.array([number.get(text, -1) for text in left], dtype=np.int64)[i[at]] == j[at]
    found[at[same]] = N_LEVELS[kind]
    at = at[~same]
    found[at] = _OF_KIND[kind](left, right, i[at], j[at])
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
    """Return how often each character occurs in the first 255, characters being counted in `_CELLS` cells."""
    found = np.zeros((len(texts), _CELLS), dtype=np.uint8)  # of more characters, counts of a byte could overflow
    for start in range(0, len(texts), _BLOCK):
        points, lengths = code_points([text[:255] for text in texts[start : start + _BLOCK]])
        rows, at = np.nonzero(np.arange(points.shape[1]) < lengths[:, None])
        counts = np.bincount(rows * _CELLS + points[rows, at] % _CELLS, minlength=len(lengths) * _CELLS)
        found[start : start + _BLOCK] = counts.reshape(-1, _CELLS)
    return found


def _prefixes(texts: list[str]) -> Points:
    """Return the first four characters of each text as numbers, 0 after its end."""
    points, _ = code_points([text[:4] for text in texts])
    return np.pad(points, ((0, 0), (0, 4 - points.shape[1])))


def _numbers(left: list[str], right: list[str], i: Ints, j: Ints) -> Levels:
    numbers, others = (np.array(list(map(_as_number, texts)), dtype=float) for texts in (left, right))
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(numbers[i] - others[j]) <= 1, 2, 1).astype(np.int8)


def _as_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def _digits(left: list[str], right: list[str], i: Ints, j: Ints) -> Levels:
    apart = edits(left, right, i, j, 2)
    found = np.where(apart == 1, 3, np.where(apart == 2, 2, 1))
    return np.where(_are_swapped(left, right, i, j), 3, found).astype(np.int8)


def _are_swapped(left: list[str], right: list[str], i: Ints, j: Ints) -> Flags:
    """Return whether two dates of eight digits differ by the order of day and month only."""
    days, others = ([text.replace("-", "").replace("/", "") for text in texts] for texts in (left, right))
    numbers: dict[str, int] = {}
    swapped = [numbers.setdefault(day[:4] + day[6:] + day[4:6], len(numbers)) if len(day) == 8 else -1 for day in days]
    same = [numbers.get(day, -2) for day in others]
    flags: Flags = np.array(swapped, dtype=np.int64)[i] == np.array(same, dtype=np.int64)[j]
    return flags


def _texts(left: list[str], right: list[str], i: Ints, j: Ints) -> Levels:
    similarity = jaro_winkler(left, right, i, j)
    return np.where(similarity >= VERY_SIMILAR, 3, np.where(similarity >= SIMILAR, 2, 1)).astype(np.int8)


_OF_KIND: dict[Kind, Callable[[list[str], list[str], Ints, Ints], Levels]] = {
    "number": _numbers,
    "digits": _digits,
    "text": _texts,
}
