"""How far apart are the texts of many pairs: edits, and Jaro-Winkler similarity.

Question: how many edits divide the two texts of each pair, and how similar are they?
Method: texts are rows of code points. All pairs take each step of the definition together, one pair of positions after
the other, so that a step is an operation on arrays. Edits beyond the greatest number of interest are not counted: only
the diagonals near the main one can have fewer.
Limits: exact. Empty texts are similar to nothing.

References
----------
.. [1] W. Winkler, String comparator metrics and enhanced decision rules in the Fellegi-Sunter model, 1990.
.. [2] F. Damerau, A technique for computer detection and correction of spelling errors, CACM 7, 1964 (no text is edited
   twice in one place).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Flags, Floats, Ints

Points = npt.NDArray[np.uint32]
"""The code points of texts, one text in each row, and 0 after its end."""
_CELLS = 1 << 20
"""Code points of the pairs that are compared together."""


def code_points(texts: Sequence[str]) -> tuple[Points, Ints]:
    """Return the code points of texts and their lengths."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    width = max(1, int(lengths.max(initial=0)))
    return np.array(texts, dtype=f"U{width}").reshape(len(texts), 1).view(np.uint32), lengths


def edits(left: Sequence[str], right: Sequence[str], i: Ints, j: Ints, most: int) -> Ints:
    """Return the insertions, deletions, replacements and transpositions in each pair; `most` + 1 where more.

    >>> texts = ["19151111", "19151011", "1243", "1234"]
    >>> edits(texts, texts, np.array([0, 3, 0]), np.array([1, 2, 2]), 2).tolist()
    [1, 1, 3]
    """
    return _by_length(partial(_edits, most=most), left, right, i, j).astype(np.int64)


def jaro_winkler(left: Sequence[str], right: Sequence[str], i: Ints, j: Ints) -> Floats:
    """Return the Jaro-Winkler similarity of each pair, in [0, 1].

    >>> at = np.array([0])
    >>> jaro_winkler(["martha"], ["marhta"], at, at).round(4), jaro_winkler(["dixon"], ["dicksonx"], at, at).round(4)
    (array([0.9611]), array([0.8133]))
    """
    return _by_length(_jaro_winkler, left, right, i, j)


def _by_length(
    compare: Callable[[Points, Ints, Points, Ints], npt.NDArray[np.int8] | Floats],
    left: Sequence[str],
    right: Sequence[str],
    i: Ints,
    j: Ints,
) -> Floats:
    """Return what `compare` returns of each pair; the shorter pairs first, so that few code points are empty."""
    found = np.zeros(len(i))
    lengths, others = (np.fromiter(map(len, texts), np.int64, len(texts)) for texts in (left, right))
    longest = np.maximum(lengths[i], others[j])
    for at in _parts(np.argsort(longest, kind="stable"), longest):
        sides = ([texts[each] for each in of[at].tolist()] for texts, of in ((left, i), (right, j)))
        (one, n), (other, m) = map(code_points, sides)
        found[at] = compare(one, n, other, m)
    return found


def _parts(order: Ints, longest: Ints) -> Iterator[Ints]:
    """Yield pairs in `order`, as many as have `_CELLS` code points together."""
    start = 0
    while start < len(order):
        # The longest pair of a part is its last one: a first guess by its first pair is shortened by its last one.
        guess = order[start : start + max(1, _CELLS // max(1, int(longest[order[start]])))]
        part = guess[: max(1, _CELLS // max(1, int(longest[guess[-1]])))]
        yield part
        start += len(part)


def _edits(one: Points, n: Ints, other: Points, m: Ints, *, most: int) -> npt.NDArray[np.int8]:
    """Return the distances; ``rows[i][k]`` is that of the first i code points of one and i + k of the other."""
    height = one.shape[1]
    other = np.pad(other, ((0, 0), (0, max(0, height + most - other.shape[1]))))
    far = np.full(len(one), most + 1, dtype=np.int8)
    band = range(-most, most + 1)
    rows = [{k: np.full(len(one), k, dtype=np.int8) if k >= 0 else far for k in band}]
    found = far.copy()
    _keep(found, rows[0], n == 0, m - n)
    for i in range(1, height + 1):
        row: dict[int, npt.NDArray[np.int8]] = {}
        for k in band:
            j = i + k
            if j <= 0:
                row[k] = np.full(len(one), i, dtype=np.int8) if j == 0 and i <= most else far
                continue
            differs = one[:, i - 1] != other[:, j - 1]
            cost = np.minimum(rows[-1].get(k + 1, far), row.get(k - 1, far)) + np.int8(1)
            cost = np.minimum(cost, rows[-1][k] + differs)
            if i > 1 and j > 1:
                crossed = (one[:, i - 1] == other[:, j - 2]) & (one[:, i - 2] == other[:, j - 1])
                cost = np.where(crossed, np.minimum(cost, rows[-2][k] + np.int8(1)), cost)
            row[k] = np.minimum(cost, far)
        rows = [rows[-1], row]
        _keep(found, row, n == i, m - n)
    return found


def _keep(found: npt.NDArray[np.int8], row: dict[int, npt.NDArray[np.int8]], ends: Flags, apart: Ints) -> None:
    """Write the distances of the texts that end here."""
    for k, distances in row.items():
        at = ends & (apart == k)
        found[at] = distances[at]


def _jaro_winkler(one: Points, n: Ints, other: Points, m: Ints) -> Floats:
    similarity = _jaro(one, n, other, m)
    width = min(4, one.shape[1], other.shape[1])
    inside = np.arange(width) < np.minimum(n, m)[:, None]
    prefix = np.cumprod((one[:, :width] == other[:, :width]) & inside, axis=1).sum(axis=1)
    return similarity + prefix * 0.1 * (1 - similarity)


def _jaro(one: Points, n: Ints, other: Points, m: Ints) -> Floats:
    """Return ``(c/n + c/m + (c - t/2)/c) / 3`` of c common code points, of which t are in another order."""
    reach = np.maximum(0, np.maximum(n, m) // 2 - 1)[:, None]
    most, places, rows = int(reach.max(initial=0)), np.arange(other.shape[1]), np.arange(len(one))
    matched, free = np.zeros(one.shape, dtype=bool), places < m[:, None]
    for i in range(min(one.shape[1], len(places) + most)):
        near = slice(max(0, i - most), i + most + 1)
        hits = free[:, near] & (other[:, near] == one[:, i, None]) & (abs(places[near] - i) <= reach)
        first = hits.argmax(axis=1)
        hit = (i < n) & hits[rows, first]
        matched[:, i] = hit
        free[rows[hit], near.start + first[hit]] = False
    taken = ~free & (places < m[:, None])
    common = matched.sum(axis=1)
    apart = (_in_order(one, matched) != _in_order(other, taken)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (common / n + common / m + (common - apart / 2) / common) / 3
    return np.where(common > 0, found, 0.0)


def _in_order(points: Points, chosen: Flags) -> Points:
    """Return the chosen code points of each text without the others between them, 0 after the last one."""
    kept = np.zeros((len(points), max(1, int(chosen.sum(axis=1).max(initial=0)))), dtype=points.dtype)
    rows, _ = np.nonzero(chosen)
    kept[rows, (np.cumsum(chosen, axis=1) - 1)[chosen]] = points[chosen]
    return kept
