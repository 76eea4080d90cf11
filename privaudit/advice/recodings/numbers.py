"""Candidate recodings of numbers: bands, bands with open ends, top and bottom codes.

Question: to which round widths, and up to which round limits, can numbers be generalised?
Method: each candidate is a technique of `privaudit.advice.technique` with one value of its parameters.
Limits: a cap and the edge of an open band are round numbers, so that they do not reveal a person's value; a column
without a suitable round number has no top or bottom code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from privaudit.advice.technique import Column, Recoding, recode
from privaudit.base.arrays import Flags, Floats, Ints

TAIL = 0.1
SMALL = 20
FINEST = 100
"""Bands that a table is split by at most."""


def bands(column: Column, width: float, *, under: float | None = None, over: float | None = None) -> Recoding:
    """Merge numbers into bands; all below `under` become one band, and so do all from `over` on."""
    edges: dict[str, Any] = {"under": under, "over": over}
    return recode("band", column, {"width": width, **{k: v for k, v in edges.items() if v is not None}})


def open_bands(column: Column, width: float, least: int, most: float | None = None) -> Recoding | None:
    """Return bands merged at both ends until each end has `least` records; None where that changes nothing.

    From `most` on, a multiple of `width`, all numbers are one band.
    """
    values, counts = column.numbers, column.counts[:-1]
    known = np.isfinite(values)
    at, inverse = np.unique(np.floor(values[known] / width + 1e-9), return_inverse=True)
    if not len(at):
        return None
    sizes = np.bincount(inverse, weights=counts[known]).astype(np.int64)
    first = int(np.searchsorted(np.cumsum(sizes), least))
    last = len(sizes) - 1 - int(np.searchsorted(np.cumsum(sizes[::-1]), least))
    if not 0 <= last < len(sizes) or first >= len(sizes):
        return None
    under = _round_edge(float(at[first]) + 1, width) if first else None
    over = -_round_edge(-float(at[last]), width) if last < len(sizes) - 1 else None
    if most is not None:
        over = most / width if over is None else min(over, most / width)
    lowest = float(at[0]) if under is None else under - 1
    highest = float(at[-1]) if over is None else over
    if (under is None and over is None) or highest <= lowest:
        return None
    return bands(column, width, under=_edge(under, width), over=_edge(over, width))


def _edge(multiple: float | None, width: float) -> float | None:
    return None if multiple is None else round(multiple * width, 9)


def _round_edge(at: float, width: float) -> float:
    """Return the first multiple of `width` from ``at * width`` upwards that may be published, as a multiple.

    A publishable number is a multiple of the width, of 1, of 10 or of the second digit of its size (see `is_round`), so
    the next multiple of each of these is tried, and not each band on the way.
    """
    edge = at * width
    second = 10.0 ** (math.floor(math.log10(abs(edge))) - 1) if edge else width
    units = (width, 1.0, 10.0, second)
    nearest = [round(math.ceil(edge / unit - 1e-9) * unit / width, 6) for unit in units]
    fits = [m for m in nearest if m >= at and m.is_integer() and is_round(np.array([round(m * width, 9)]))[0]]
    return min(fits, default=math.inf)


def is_round(values: Floats) -> Flags:
    """Return which numbers may be published: two digits and zeros, integers below 1,000, and calendar decades.

    More digits would be part of the cells that begin with them.
    """
    size = np.abs(np.where(np.isfinite(values), values, 0.5))
    last = 10.0 ** (np.floor(np.log10(np.maximum(size, 1e-300))) - 1)
    whole, tens = size == np.floor(size), np.mod(size, 10) == 0
    two = np.abs(size / last - np.round(size / last)) < 1e-6
    found: Flags = two | (whole & (size < 1000)) | (tens & (size >= 1000) & (size < 2100))
    return found & np.isfinite(values)


def band_widths(values: Floats, counts: Ints, *, finest: int = 20) -> tuple[float, ...]:
    """Return the round widths (1, 2, 5 times a power of ten) that give 2 to `finest` bands over most records.

    These are the middle 90 % of the records, so that the widths do not reveal an outlier.
    """
    order = np.argsort(values, kind="stable")
    order = order[~np.isnan(values[order])]
    if len(order) < 3:
        return ()
    at = np.cumsum(counts[order])
    low, high = (values[order][np.searchsorted(at, share * at[-1])] for share in (0.05, 0.95))
    if high <= low:
        return ()
    exponent = math.floor(math.log10((high - low) / finest))
    series = [round(m * 10.0**e, 12) for e in range(exponent, exponent + 5) for m in (1, 2, 5)]
    gap = float(np.diff(values[order]).min())
    return tuple(w for w in series if (high - low) / finest <= w <= (high - low) / 2 and w > gap)


def fine_bands(column: Column, least: int, most: float | None = None) -> Recoding | None:
    """Return bands of the smallest round width that gives at most `FINEST` over most records, with open ends.

    Each end has `least` records, as an open band or as a band, so that no edge is the number of a few people; None
    where no width is suitable. From `most` on all numbers are one band.
    """
    for width in band_widths(column.numbers, column.counts[:-1], finest=FINEST):
        over = None if most is None else most // width * width
        return open_bands(column, width, least, over) or bands(column, width, over=over)
    return None


def cap(column: Column, k: int, *, top: bool) -> Recoding | None:
    """Merge the largest (or smallest) numbers from a round number on; None where no round number is suitable.

    The cap is the outermost multiple of 10, else of 5 (else an integer, where all values are small), that at least `k`
    records have and beyond which there is something to merge, but at most a tenth of the records.
    """
    values, counts = column.numbers, column.counts[:-1]
    finite = np.isfinite(values)
    signed = values if top else -values
    outermost = signed.max(initial=-np.inf, where=finite)
    small = bool((np.abs(values[finite]) <= SMALL).all())
    for step in (10, 5, 1) if small else (10, 5):
        fits = finite & (counts >= k) & (np.mod(values, step) == 0) & (signed < outermost) & is_round(values)
        if not fits.any():
            continue
        edge = float(signed[fits].max())
        if int(counts[finite & (signed >= edge)].sum()) > TAIL * int(counts.sum()):
            continue
        at = edge if top else -edge
        technique = "top_code" if top else "bottom_code"
        return recode(technique, column, {"at": at, "held_by_at_least": k})
    return None
