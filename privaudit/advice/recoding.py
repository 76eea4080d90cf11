"""Recodings: how the values of one column are merged, as a lookup over its dictionary.

Question: which values become one under bands, prefixes, rounded dates, levels, "other", or a cap?
Method: each recoding is a technique with value-free parameters and an integer array that sends every code of
the column to a new one; nothing else is needed to count classes again. A missing cell stays missing, except
where the column is dropped.
Limits: parameters name widths, digits, precisions, levels and counts, never a value. A cap, or the edge of an
open band, is a round number, so that it speaks of nobody in particular; where no round one lies, none is offered.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.attacks.values import iso_dates

if TYPE_CHECKING:
    import pyarrow as pa

Lookup = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Hierarchy = Mapping[str, Sequence[str]]

NUMBER = r"^[+-]?[0-9]{1,15}(\.[0-9]*)?$"
CODE = r"^[0-9A-Za-z][0-9A-Za-z -]*[0-9A-Za-z]$"
MOSTLY = 0.9
TAIL = 0.1
SMALL = 20
DATE_CUTS = {"month": 7, "quarter": 7, "year": 4, "decade": 3}


@dataclass(frozen=True, slots=True)
class Recoding:
    """One way to make a column coarser.

    Attributes
    ----------
    technique : str
        What is done, in the words of the report's `advice`.
    column : str
    parameters : mapping
        How it is done, without values of the table.
    words : str
        The same in plain words, after the column's name.
    lookup : int32 array, one longer than the dictionary
        New code of each value and, last, of a missing cell; from 0 without gaps.
    """

    technique: str
    column: str
    parameters: Mapping[str, Any]
    words: str
    lookup: Lookup


def keep(column: str, dictionary: pa.Array) -> Recoding:
    """Return the recoding that changes nothing."""
    return Recoding("keep", column, {}, "unchanged", np.arange(len(dictionary) + 1, dtype=np.int32))


def drop(column: str, dictionary: pa.Array) -> Recoding:
    """Return the recoding that leaves the column out: all cells look alike, missing ones too."""
    return Recoding("drop", column, {}, "dropped", np.zeros(len(dictionary) + 1, dtype=np.int32))


def numbers(dictionary: pa.Array) -> npt.NDArray[np.float64] | None:
    """Return the values as numbers, NaN for what is none; None where fewer than nine in ten are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    fits = pc.match_substring_regex(dictionary, NUMBER)
    if not len(dictionary) or pc.sum(fits).as_py() < MOSTLY * len(dictionary):
        return None
    text = pc.if_else(fits, pc.replace_substring_regex(dictionary, r"^\+", ""), pa.scalar(None, pa.string()))
    found: npt.NDArray[np.float64] = pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False)
    return found


def bands(
    column: str,
    values: npt.NDArray[np.float64],
    width: float,
    *,
    under: float | None = None,
    over: float | None = None,
) -> Recoding:
    """Merge numbers into bands ``[i * width, (i + 1) * width)``; what is no number stays as it is.

    Parameters
    ----------
    under, over : float, optional
        Multiples of the width: all bands below `under`, and all from `over` on, become one each.
    """
    shown = _short(width)
    parameters: dict[str, Any] = {"width": shown, "origin": 0}
    words = [f"bands of {shown}"]
    # The small shift keeps 0.3 / 0.1 = 2.9999… in the band that starts at 0.3.
    at = np.floor(values / width + 1e-9)
    if under is not None:
        parameters["under"] = _short(under)
        words.append(f"under {_short(under)} as one")
        at = np.maximum(at, round(under / width) - 1)
    if over is not None:
        parameters["over"] = _short(over)
        words.append(f"{_short(over)} and over as one")
        at = np.minimum(at, round(over / width))
    return Recoding("band", column, parameters, ", ".join(words), _renumber(at))


def open_bands(
    column: str, values: npt.NDArray[np.float64], counts: Counts, width: float, least: int
) -> Recoding | None:
    """Return bands whose outer ones are merged until each end holds `least` records; None if they do."""
    known = np.isfinite(values)
    at, held = np.floor(values[known] / width + 1e-9).astype(np.int64), counts[known]
    if not len(at):
        return None
    bottom = int(at.min())
    sizes = np.bincount(at - bottom, weights=held).astype(np.int64)
    first = int(np.searchsorted(np.cumsum(sizes), least))
    last = len(sizes) - 1 - int(np.searchsorted(np.cumsum(sizes[::-1]), least))
    edges = np.round((bottom + np.arange(len(sizes) + 1)) * width, 9)
    plain = np.flatnonzero(is_round(edges))
    first = int(next(iter(plain[plain > first]), len(sizes)) - 1) if first else 0
    last = int(next(iter(plain[plain <= last][::-1]), 0)) if last < len(sizes) - 1 else last
    if last <= first or (first == 0 and last == len(sizes) - 1):
        return None
    under = round((bottom + first + 1) * width, 9) if first else None
    over = round((bottom + last) * width, 9) if last < len(sizes) - 1 else None
    return bands(column, values, width, under=under, over=over)


def is_round(values: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Tell which numbers may be shown: two digits and zeros, whole ones below 1,000, and the decades of the calendar.

    More digits of a number would be a piece of the cells that begin with them.
    """
    size = np.abs(np.where(np.isfinite(values), values, 0.5))
    last = 10.0 ** (np.floor(np.log10(np.maximum(size, 1e-300))) - 1)
    whole, tens = size == np.floor(size), np.mod(size, 10) == 0
    two = np.abs(size / last - np.round(size / last)) < 1e-6
    found: npt.NDArray[np.bool_] = two | (whole & (size < 1000)) | (tens & (size >= 1000) & (size < 2100))
    return found & np.isfinite(values)


def band_widths(values: npt.NDArray[np.float64], counts: Counts) -> tuple[float, ...]:
    """Return the round widths (1, 2, 5 times a power of ten) that cut the bulk of the records into 2 to 20
    bands.

    The bulk is the middle 90 % of the records, so that an outlier does not show in the widths.
    """
    order = np.argsort(values, kind="stable")
    order = order[~np.isnan(values[order])]
    if len(order) < 3:
        return ()
    at = np.cumsum(counts[order])
    low, high = (values[order][np.searchsorted(at, share * at[-1])] for share in (0.05, 0.95))
    if high <= low:
        return ()
    exponent = math.floor(math.log10((high - low) / 20))
    series = [round(m * 10.0**e, 12) for e in range(exponent, exponent + 4) for m in (1, 2, 5)]
    gap = float(np.diff(values[order]).min())
    return tuple(w for w in series if (high - low) / 20 <= w <= (high - low) / 2 and w > gap)


def cap(
    column: str, values: npt.NDArray[np.float64], counts: Counts, k: int, *, top: bool
) -> Recoding | None:
    """Merge the largest (or smallest) numbers from a round number on; None where no round number will do.

    The cap is the outermost multiple of 10, else of 5 (else a whole number, where all are small), that at
    least `k` records hold and beyond which there is something to merge, but no more than a tenth of the
    records.
    """
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
        words = f"{at:g} and {'over' if top else 'under'} as one value"
        merged = np.minimum(signed, edge)
        technique = "top_code" if top else "bottom_code"
        return Recoding(technique, column, {"at": at, "held_by_at_least": k}, words, _renumber(merged))
    return None


def prefixes(column: str, dictionary: pa.Array) -> list[Recoding]:
    """Cut codes of one length to their first characters, from one fewer down to one."""
    import pyarrow.compute as pc

    length = pc.utf8_length(dictionary).to_numpy(zero_copy_only=False)
    shaped = pc.match_substring_regex(dictionary, CODE).to_numpy(zero_copy_only=False)
    if not len(length) or not shaped.all() or length.min() < 2 or length.max() > 12:
        return []
    longest = int(length.max())
    steps = range(longest - 1, 0, -1)
    return [
        Recoding(
            "prefix",
            column,
            {"characters_kept": kept},
            f"first {kept} of {longest} characters",
            _by_text(pc.utf8_slice_codeunits(dictionary, 0, kept)),
        )
        for kept in steps
    ]


def rounded_dates(column: str, dictionary: pa.Array) -> list[Recoding]:
    """Round dates to month, quarter, year and decade; where day and month may be swapped, not below year."""
    import pyarrow as pa
    import pyarrow.compute as pc

    days, sure = iso_dates(dictionary)
    found = pc.is_valid(days)
    if not len(dictionary) or pc.sum(found).as_py() < MOSTLY * len(dictionary):
        return []
    made = []
    for precision, cut in DATE_CUTS.items():
        if not sure and cut > 4:
            continue
        text = pc.utf8_slice_codeunits(days, 0, cut)
        if precision == "quarter":
            month = pc.cast(pc.utf8_slice_codeunits(days, 5, 7), pa.int32())
            number = pc.cast(pc.divide(pc.subtract(month, 1), 3), pa.string())
            text = pc.binary_join_element_wise(pc.utf8_slice_codeunits(days, 0, 4), number, "-q")
        whole = pc.if_else(found, text, pc.binary_join_element_wise("?", dictionary, ""))
        words = f"rounded to the {precision}"
        made.append(Recoding("round_date", column, {"precision": precision}, words, _by_text(whole)))
    return made


def levels(column: str, dictionary: pa.Array, hierarchy: Hierarchy) -> tuple[list[Recoding], int]:
    """Replace values by what a hierarchy calls them at each level.

    Parameters
    ----------
    hierarchy : mapping of value to its names at levels 1, 2, ...

    Returns
    -------
    recodings : list of Recoding, level 1 first
    n_unknown : int
        Values that the hierarchy lacks; they stay as they are.
    """
    import pyarrow as pa

    values = dictionary.to_pylist()
    depth = max((len(names) for names in hierarchy.values()), default=0)
    unknown = sum(value not in hierarchy for value in values)
    made = []
    for level in range(1, depth + 1):
        names = [f"+{_name(hierarchy[v], level)}" if v in hierarchy else f"={v}" for v in values]
        made.append(
            Recoding(
                "hierarchy_level",
                column,
                {"level": level, "of": depth},
                f"level {level} of {depth} of its hierarchy",
                _by_text(pa.array(names, pa.string())),
            )
        )
    return made, unknown


def rare_values(column: str, counts: Counts, below: int) -> Recoding | None:
    """Merge the values that fewer than `below` records hold into one; None where there are not two."""
    rare = counts < below
    if rare.sum() < 2:
        return None
    merged = np.where(rare, -1.0, np.arange(len(counts), dtype=np.float64))
    words = f'values held by fewer than {below:,} records merged into "other"'
    return Recoding("merge_rare", column, {"below": below}, words, _renumber(merged))


def _short(number: float) -> int | float:
    return int(number) if float(number).is_integer() else number


def _name(names: Sequence[str], level: int) -> str:
    return names[min(level, len(names)) - 1]


def _by_text(texts: pa.Array) -> Lookup:
    codes = texts.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    return _closed(codes.astype(np.int32))


def _renumber(keys: npt.NDArray[np.float64]) -> Lookup:
    """Number equal keys alike; a key that is no number stays a value of its own."""
    lost = np.isnan(keys)
    _, codes = np.unique(np.where(lost, 0.0, keys), return_inverse=True)
    codes = codes.astype(np.int64)
    codes[lost] = codes.max(initial=0) + 1 + np.arange(lost.sum())
    _, dense = np.unique(codes, return_inverse=True)
    return _closed(dense.astype(np.int32))


def _closed(codes: Lookup) -> Lookup:
    """Append the code of missing cells, one past the others."""
    return np.append(codes, np.int32(codes.max(initial=-1) + 1)).astype(np.int32)
