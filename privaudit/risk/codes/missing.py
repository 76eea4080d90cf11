"""How many records match a record when cells are missing?

Question: if a missing cell can be any value, how many records does a record match?
Method: three semantics. *Category*: missing is a value like any other. *Wildcard*: a missing cell matches
anything, in either record. *One-sided*: the missing cells of a record match anything, those of the other record only
missing cells (sdcMicro's alpha = 1 and 0 [1]_). Distinct rows are grouped by which cells are missing; two
groups are joined on the columns that have to agree. Where there are too many groups for that, incomplete rows
are compared with all rows directly.
Limits: wildcard matching forms no partition: A may match B and B match C while A does not match C. Class
counts are therefore those of `category`; k, uniques and shares are counted over records. Adding a column
never raises a record's number of matches, so minimal sets keep their meaning.

References
----------
.. [1] M. Templ, A. Kowarik, B. Meindl, Statistical Disclosure Control for Micro-Data Using the R Package
   sdcMicro, Journal of Statistical Software 67(4), 2015.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Flags, Ints
from privaudit.base.records import dataclass
from privaudit.model import MissingSemantics
from privaudit.risk.codes.class_sizes import Exposure
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.row_keys import dense_labels, sums

# Measured times, by which the faster of two exact ways is chosen; they never change a result.
JOIN_SECONDS = 6e-5
PAIR_SECONDS = 1.5e-9
MOST_SECONDS = 300.0
# Booleans of a block: a few dozen megabytes with its temporary arrays, however many rows are compared.
BLOCK_CELLS = 1 << 24


class TooManyPairs(Exception):
    """Matching these rows would take longer than `MOST_SECONDS`; callers report a limit."""


@dataclass(frozen=True, slots=True)
class Matches(Exposure):
    """How many records match each record, itself included.

    Attributes
    ----------
    size : tuple of int
        The numbers of matches f that occur, ascending.
    records : tuple of int
        Records with each number of matches; they sum to n.
    """

    size: tuple[int, ...]
    records: tuple[int, ...]

    @classmethod
    def of(cls, matches: Ints, weights: Ints) -> Matches:
        """Build the histogram from the matches and the records of each distinct row."""
        size, where = np.unique(matches, return_inverse=True)
        return cls(tuple(size.tolist()), tuple(sums(where, weights, len(size)).tolist()))


def matches(coded: CodedTable, semantics: MissingSemantics) -> Ints:
    """Return how many records match each distinct row of `coded`, itself included; int64 of shape (d,)."""
    absent = [len(dictionary) for dictionary in coded.dictionaries]
    return match_sizes(coded.codes, absent, coded.weights, semantics)


def match_sizes(codes: Sequence[Codes], absent: Sequence[int], weights: Ints, semantics: MissingSemantics) -> Ints:
    """Count matches among distinct rows.

    Parameters
    ----------
    codes : sequence of int32 arrays of shape (d,)
        Distinct rows, one array per column.
    absent : sequence of int
        The code of a missing cell in each column.
    weights : int64 array of shape (d,)
        Records of each row.
    semantics : {"category", "wildcard", "one-sided"}

    Returns
    -------
    int64 array of shape (d,)

    Raises
    ------
    TooManyPairs
        Where neither joining nor comparing is affordable.
    """
    gone = [code == missing for code, missing in zip(codes, absent, strict=True)]
    if semantics == "category" or not any(column.any() for column in gone):
        return weights.copy()
    table = _Rows(codes, gone, weights, two_sided=semantics == "wildcard")
    if min(table.seconds_joining, table.seconds_comparing) > MOST_SECONDS:
        raise TooManyPairs
    return table.join() if table.seconds_joining <= table.seconds_comparing else table.compare()


class _Rows:
    """Distinct rows, grouped by which of their cells are missing."""

    def __init__(self, codes: Sequence[Codes], gone: Sequence[Flags], weights: Ints, *, two_sided: bool) -> None:
        self.codes = codes
        self.gone = gone
        self.weights = weights
        self.two_sided = two_sided
        self.spaces = [int(code.max()) + 1 for code in codes]
        self.labels, n_groups = dense_labels([g.astype(np.int32) for g in gone])
        order = np.argsort(self.labels, kind="stable")
        bounds = np.searchsorted(self.labels[order], np.arange(n_groups + 1))
        self.groups = [order[a:b] for a, b in pairwise(bounds.tolist())]
        self.lacking = [frozenset(c for c, g in enumerate(gone) if g[rows[0]]) for rows in self.groups]

    @property
    def seconds_joining(self) -> float:
        """Estimated seconds to join every two groups."""
        return len(self.groups) ** 2 * JOIN_SECONDS + len(self.groups) * len(self.weights) * 4e-8

    @property
    def seconds_comparing(self) -> float:
        """Estimated seconds to compare incomplete rows with all rows."""
        incomplete = sum(len(rows) for rows, out in zip(self.groups, self.lacking, strict=True) if out)
        return incomplete * len(self.weights) * len(self.codes) * PAIR_SECONDS

    def join(self) -> Ints:
        """Return the matches of each row: for every two groups, the records that agree on the columns of both."""
        found = np.zeros(len(self.weights), dtype=np.int64)
        packed = self._packed()
        for rows, mine in zip(self.groups, self.lacking, strict=True):
            for other, theirs in zip(self.groups, self.lacking, strict=True):
                # One-sided, a missing cell of the other row matches a missing cell alone: its missing columns must be
                # among mine.
                if self.two_sided or theirs <= mine:
                    left, right = self._keys(rows, other, mine | theirs, packed)
                    found[rows] += _total(left, right, self.weights[other])
        return found

    def _packed(self) -> tuple[Ints, list[Ints]] | None:
        """Pack all codes of a row into one integer, if 62 bits hold them; with the part of each column in it."""
        parts, space = [], 1
        for code, cardinality in zip(self.codes, self.spaces, strict=True):
            if space * cardinality >= 1 << 62:
                return None
            parts.append(code.astype(np.int64) * space)
            space *= cardinality
        return np.sum(parts, axis=0), parts

    def _keys(
        self, rows: Ints, other: Ints, free: frozenset[int], packed: tuple[Ints, list[Ints]] | None
    ) -> tuple[Ints, Ints]:
        """Number the rows of two groups so that equal numbers mean agreement on all columns that are not free."""
        if packed is None:
            both = np.concatenate([rows, other])
            labels, _ = dense_labels(
                [code[both] for c, code in enumerate(self.codes) if c not in free], length=len(both)
            )
            return labels[: len(rows)], labels[len(rows) :]
        key, parts = packed
        left, right = key[rows], key[other]
        for c in free:
            # Without its part, the digit of a free column is 0 on both sides, and so agrees.
            left -= parts[c][rows]
            right -= parts[c][other]
        return left, right

    def compare(self) -> Ints:
        """Compare every incomplete row with every row, in blocks; complete rows among themselves are classes."""
        incomplete = np.logical_or.reduce(list(self.gone))
        # Distinct complete rows match no other complete row, only the records that they stand for.
        found = np.where(incomplete, 0, self.weights)
        lacking = np.flatnonzero(incomplete)
        step = max(1, BLOCK_CELLS // len(self.weights))
        for start in range(0, len(lacking), step):
            rows = lacking[start : start + step]
            alike = self._alike(rows)
            found[rows] = alike @ self.weights
            if self.two_sided:
                # Pairs of two incomplete rows are counted from both sides already; a complete row meets an incomplete
                # one here alone.
                found += np.where(incomplete, 0, self.weights[rows] @ alike)
        return found

    def _alike(self, rows: Ints) -> Flags:
        """Return which rows (second axis) each of `rows` (first axis) matches."""
        alike = np.ones((len(rows), len(self.weights)), dtype=bool)
        for code, gone in zip(self.codes, self.gone, strict=True):
            agree = (code[rows, None] == code[None, :]) | gone[rows, None]
            if self.two_sided:
                agree |= gone[None, :]
            alike &= agree
        return alike


def _total(left: Ints, right: Ints, weights: Ints) -> Ints:
    """Return, for each number on the left, the sum of the weights of equal numbers on the right."""
    # The shorter side is sorted, and the longer one is searched in it.
    if len(left) < len(right):
        distinct, where = np.unique(left, return_inverse=True)
        at, hit = _places(distinct, right)
        return sums(at[hit], weights[hit], len(distinct))[where]
    distinct, where = np.unique(right, return_inverse=True)
    totals = sums(where, weights, len(distinct))
    at, hit = _places(distinct, left)
    return np.where(hit, totals[at], 0)


def _places(distinct: Ints, values: Ints) -> tuple[npt.NDArray[np.intp], Flags]:
    """Return the position of each value in the ascending `distinct`, and whether it occurs there."""
    at = np.minimum(np.searchsorted(distinct, values), len(distinct) - 1)
    return at, distinct[at] == values
