"""Near keys: small sets of columns that separate nearly all records, found by sampling.

Question: a table has so many quasi-identifiers that only small sets were counted; which few of them together
are nearly a key?
Method: pairs of records are drawn, and a small set of columns that separates all of them is built greedily
(set cover) [1]_. A set that leaves more than the share e of all pairs together passes s drawn pairs with
probability at most ``(1 - e) ** s``; over all 2^m sets of m columns that is at most d for ``s = (m ln 2 + ln
1/d) / e``. The sets found are then counted exactly.
Limits: greedy sets are small, not smallest, and other sets are not described. Pairs that no column separates are
ignored.

References
----------
.. [1] R. Motwani, Y. Xu, Efficient Algorithms for Masking and Finding Quasi-Identifiers, VLDB Workshop on Secure
   Data Management, 2007.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.model import Combination, Limit, limit
from privaudit.model.wording import Columns, Listing, Number, Threshold
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import CodedTable, class_labels
from privaudit.risk.search.combinations import combination_of
from privaudit.risk.search.people_combinations import people_combination

SHARE_TOGETHER = 1e-4
FAILURE = 1e-6
MOST_PAIRS = 2_000_000
KEYS = 3

Rows = Ints


def pairs_needed(n_columns: int, *, share: float = SHARE_TOGETHER, failure: float = FAILURE) -> int:
    """Return how many pairs to draw: ``(m ln 2 + ln 1/d) / e``."""
    return math.ceil((n_columns * math.log(2) + math.log(1 / failure)) / share)


def near_keys(
    coded: CodedTable, *, thresholds: Sequence[int], seed: int = 0
) -> tuple[tuple[Combination, ...], Limit | None]:
    """Find up to `KEYS` small sets of columns that separate all drawn pairs, and count them exactly.

    Parameters
    ----------
    coded : CodedTable
        Two columns and two distinct rows, or more.
    thresholds : sequence of int
        Values of k for `n_below`.
    seed : int
        Seed of the draws.

    Returns
    -------
    combinations : tuple of Combination
    limit : Limit or None
        The bound that the sample gives; None where no set was found.
    """
    if len(coded.names) < 2 or coded.n_distinct < 2:
        return (), None
    wanted = pairs_needed(len(coded.names))
    n_pairs = min(wanted, MOST_PAIRS)
    left, right = _draw(coded, n_pairs, seed)
    keys: list[tuple[int, ...]] = []
    banned: set[int] = set()
    for _ in range(KEYS):
        key = _greedy(coded, left, right, banned)
        if not key or key in keys:
            break
        keys.append(key)
        banned.add(key[0])
    found = tuple(_counted(coded, sorted(key), thresholds) for key in keys)
    share = SHARE_TOGETHER * wanted / n_pairs
    return found, _bound(found, n_pairs, share) if found else None


def _bound(found: Sequence[Combination], n_pairs: int, share: float) -> Limit:
    return limit(
        "risk.near_keys",
        sets=Listing(tuple(Columns(c.columns) for c in found)),
        pairs=Number(n_pairs),
        share=Threshold(share),
        failure=Threshold(FAILURE),
    )


def _draw(coded: CodedTable, n_pairs: int, seed: int) -> tuple[Rows, Rows]:
    """Draw pairs of records, as numbers of their distinct rows; pairs of equal rows are omitted."""
    rng = np.random.default_rng(seed)
    ends = np.cumsum(coded.weights)
    left = np.searchsorted(ends, rng.integers(0, coded.n_rows, n_pairs), side="right")
    right = np.searchsorted(ends, rng.integers(0, coded.n_rows, n_pairs), side="right")
    differ = left != right
    return left[differ], right[differ]


def _greedy(coded: CodedTable, left: Rows, right: Rows, banned: set[int]) -> tuple[int, ...]:
    """Add the column that separates most of the remaining pairs, until none remains; best column first."""
    chosen: list[int] = []
    while len(left):
        open_columns = [c for c in range(len(coded.names)) if c not in banned and c not in chosen]
        apart = [int((coded.codes[c][left] != coded.codes[c][right]).sum()) for c in open_columns]
        if not apart or max(apart) == 0:
            return () if banned else tuple(chosen)
        best = open_columns[int(np.argmax(apart))]
        together = coded.codes[best][left] == coded.codes[best][right]
        left, right = left[together], right[together]
        chosen.append(best)
    return tuple(chosen)


def _counted(coded: CodedTable, columns: Sequence[int], thresholds: Sequence[int]) -> Combination:
    names = tuple(coded.names[c] for c in columns)
    if coded.people is not None:
        return people_combination(coded, names, thresholds)
    sizes = ClassSizes.of(class_labels(coded, names)[1], n_rows=coded.n_rows)
    return combination_of(names, sizes, thresholds)
