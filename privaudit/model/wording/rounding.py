"""Counts as the public edition shows them: rounded, with small counts and small remainders in one range each.

Question: into which ranges are counts rounded, so that no count below 11 follows from what is shown?
Method: the counts from 0 to the total are divided into ranges: 0 to 10, the same at the other end, and between them
ranges around the multiples of 20; a range that would hold fewer than 11 counts is joined to its neighbour. Every
count of a range is replaced by the same representative, so that differences and sums of shown counts are uncertain
by at least 11.
Limits: a count out of fewer than 33 is not shown, because three ranges of 11 counts do not fit.
"""

from __future__ import annotations

from privaudit.base.records import dataclass

SMALL_CELL = 11
"""The smallest count that the public edition distinguishes from 0 (CMS cell size suppression policy)."""

BASE = 20
LEAST_TOTAL = 3 * SMALL_CELL


@dataclass(frozen=True, slots=True)
class Rounded:
    """The range that a count is in, and the count that represents the range."""

    low: int
    high: int | None
    representative: int

    @property
    def is_small(self) -> bool:
        """Whether the range is that of the counts below 11."""
        return self.low == 0


def rounded(n: int, total: int | None = None) -> Rounded | None:
    """Return the range of `n` among the counts from 0 to `total`; None where nothing may be shown.

    Parameters
    ----------
    n : int
    total : int, optional
        What it is a count of; without a total, the ranges have no upper end.

    >>> rounded(3, 500), rounded(412, 500).representative, rounded(498, 500).low, rounded(3, 20)
    (Rounded(low=0, high=10, representative=5), 420, 490, None)
    """
    if total is not None and total < LEAST_TOTAL:
        return None
    if n < SMALL_CELL:
        return Rounded(0, SMALL_CELL - 1, SMALL_CELL // 2)
    if total is not None and total - n < SMALL_CELL:
        return Rounded(total - SMALL_CELL + 1, total, total - SMALL_CELL // 2)
    centre = BASE * ((n + BASE // 2) // BASE)
    if total is None:
        return Rounded(max(SMALL_CELL, centre - BASE // 2), centre + BASE // 2 - 1, centre)
    last = total - SMALL_CELL
    # The last range ends where the remainders below 11 begin; a narrow one belongs to the range before it.
    if last - (centre - BASE // 2) + 1 < SMALL_CELL and centre > BASE:
        centre -= BASE
    high = centre + BASE // 2 - 1
    if last - high < SMALL_CELL:
        high = last
    return Rounded(max(SMALL_CELL, centre - BASE // 2), high, centre)
