"""Compare a generalised column with an exact one: bands with numbers, prefixes with codes, years with days.

Question: the release contains "20-29", "101**" or "1990"; which exact values does that include?
Method: exact values are generalised in the same way: a number to its band, a code to its first characters, a date to
its year, quarter or month. A plain number in a column of bands (below a top code, for example) is a separate band.
Then equality is exact again.
Limits: overlapping bands and prefixes of several lengths in one column are ambiguous; such columns are not compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.arrow import pa, pc

_N = r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?"
RANGE = rf"^[\[(]?\s*(?P<low>{_N})\s*(?:-|–|—|to|,|;|\.\.|:)\s*(?P<high>{_N})\s*(?P<end>[\])])?$"
FROM = rf"^(?:>=|≥|from|over)?\s*(?P<low>{_N})\s*(?:\+|and over|and above|and more|or more|or older)$"
AT_LEAST = rf"^(?:>=|≥)\s*(?P<low>{_N})$"
BELOW = rf"^(?:<|under|below|less than)\s*(?P<high>{_N})$"
AT_MOST = rf"^(?:<=|≤|up to)\s*(?P<high>{_N})$"
PLAIN = rf"^(?P<low>{_N})$"
STARRED = r"^(?P<kept>[^*]+)\*+$"
PRECISIONS = {
    "years": r"^(?:1[89]|20)[0-9]{2}$",
    "quarters": r"^[0-9]{4}[- ]?q[1-4]$",
    "months": r"^[0-9]{4}[-/](?:0[1-9]|1[0-2])$",
}
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}"
MOSTLY = 0.9


class Bands(NamedTuple):
    """Intervals by ascending lower bound; ``high`` is part of its band unless `open_` is set."""

    low: Floats
    high: Floats
    open_: Flags
    at: Ints


def in_bands(coarse: pa.Array, fine: pa.Array) -> tuple[pa.Array, pa.Array] | None:
    """Replace numbers by their bands; None unless one column contains bands and the other numbers."""
    bands = _bands(coarse)
    numbers = floats(fine, PLAIN, "low")
    if bands is None or np.isfinite(numbers).sum() < MOSTLY * max(1, len(fine) - fine.null_count):
        return None
    known = np.flatnonzero(np.isfinite(numbers))
    place = np.searchsorted(bands.low, numbers[known], side="right") - 1
    inside = place >= 0
    high, open_ = bands.high[place], bands.open_[place]
    inside &= np.where(open_, numbers[known] < high, numbers[known] <= high)
    names: list[str | None] = [None] * len(fine)
    for row, number in zip(known[inside].tolist(), place[inside].tolist(), strict=True):
        names[row] = f"band {number}"
    labels: list[str | None] = coarse.to_pylist()
    for number, row in enumerate(bands.at.tolist()):
        labels[row] = f"band {number}"
    return pa.array(labels, pa.string()), pa.array(names, pa.string())


def by_prefix(coarse: pa.Array, fine: pa.Array) -> tuple[pa.Array, pa.Array] | None:
    """Cut codes to the characters that the other column shows before its stars; None where it has no stars."""
    kept = pc.struct_field(pc.extract_regex(coarse, STARRED), "kept")
    starred = kept.drop_null()
    if len(starred) < MOSTLY * max(1, len(coarse) - coarse.null_count) or not len(starred):
        return None
    length = pc.utf8_length(starred)
    longest = pc.max(length).as_py()
    # Prefixes of several lengths contain each other, and a code would have two of them.
    if pc.min(length).as_py() != longest or pc.any(pc.match_substring(fine, "*")).as_py():
        return None
    return pc.coalesce(kept, coarse), pc.utf8_slice_codeunits(fine, 0, longest)


def by_precision(
    coarse: pa.Array, fine: pa.Array, to_days: Callable[[pa.Array], pa.Array]
) -> tuple[pa.Array, pa.Array, str] | None:
    """Round dates to the year, quarter or month that the other column has; `to_days` brings them to year-month-day."""
    for name, pattern in PRECISIONS.items():
        if not mostly(coarse, pattern):
            continue
        days = to_days(fine)
        if not mostly(days, DAY):
            return None
        if name == "years":
            return coarse, pc.utf8_slice_codeunits(days, 0, 4), name
        if name == "months":
            return pc.replace_substring(coarse, "/", "-"), pc.utf8_slice_codeunits(days, 0, 7), name
        number = pc.cast(pc.utf8_slice_codeunits(days, 5, 7), pa.int32())
        quarter = pc.cast(pc.add(pc.divide(pc.subtract(number, 1), 3), 1), pa.string())
        cut = pc.binary_join_element_wise(pc.utf8_slice_codeunits(days, 0, 4), quarter, "q")
        return pc.replace_substring_regex(coarse, "[- ]", ""), cut, name
    return None


def mostly(values: pa.Array, pattern: str) -> bool:
    """Return whether at least `MOSTLY` of the values have a pattern."""
    hits = pc.sum(pc.match_substring_regex(values, pattern)).as_py() or 0
    return bool(hits and hits >= MOSTLY * (len(values) - values.null_count))


def intervals(values: pa.Array) -> tuple[Floats, Floats, Flags]:
    """Return the bounds of each value, NaN where it is neither interval nor number, and whether it is half-open."""
    low, high = np.full(len(values), np.nan), np.full(len(values), np.nan)
    plain = floats(values, PLAIN, "low")
    for lower, upper in (
        (plain, plain),
        (floats(values, RANGE, "low"), floats(values, RANGE, "high")),
        *((floats(values, pattern, "low"), np.full(len(values), np.inf)) for pattern in (FROM, AT_LEAST)),
        *((np.full(len(values), -np.inf), floats(values, pattern, "high")) for pattern in (BELOW, AT_MOST)),
    ):
        found = ~np.isnan(lower) & ~np.isnan(upper)
        low[found], high[found] = lower[found], upper[found]
    return low, high, ~np.isnan(floats(values, BELOW, "high")) | _half_open(values)


def _bands(values: pa.Array) -> Bands | None:
    """Read the values as disjoint intervals; None where fewer than 90 % are, or where all are single numbers."""
    if not mostly(values, "^[^a-z]?.{0,12}[0-9]"):
        return None
    low, high, open_ = intervals(values)
    known = np.flatnonzero(~np.isnan(low))
    true_bands = (low[known] < high[known]).sum()
    if not true_bands or len(known) < MOSTLY * (len(values) - values.null_count):
        return None
    known = known[np.lexsort((high[known], low[known]))]
    bands = Bands(low[known], high[known], open_[known], known)
    ordered = (bands.low <= bands.high).all() and (bands.high[:-1] <= bands.low[1:]).all()
    return bands if ordered and (np.diff(bands.low) > 0).all() else None


def floats(values: pa.Array, pattern: str, group: str) -> Floats:
    """Return the number that a group of `pattern` contains, NaN for a value that has none."""
    found = pc.struct_field(pc.extract_regex(values, pattern), group)
    text = pc.replace_substring_regex(found, r"^\+", "")
    return pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False).astype(np.float64)


def _half_open(values: pa.Array) -> Flags:
    closed = pc.struct_field(pc.extract_regex(values, RANGE), "end")
    return pc.fill_null(pc.equal(closed, ")"), False).to_numpy(zero_copy_only=False).astype(bool)
