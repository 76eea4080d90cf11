"""Recodings: how the values of one column are merged, as a lookup over its dictionary.

Question: which values become equal under bands, prefixes, rounded dates, hierarchy levels, merged rare values or a cap?
Method: each recoding is a technique with value-free parameters and an integer array that maps every code of the column
to a new code; nothing else is needed to count classes again. A missing cell stays missing, except where the column is
dropped.
Limits: parameters are widths, lengths, precisions, levels and counts, never a value of the table. A cap and the edge of
an open band are round numbers, so that they do not reveal a person's value; without a suitable round number there is no
such recoding.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.attacks.comparable_values import iso_dates
from privaudit.wording import Columns, Fact, Threshold, Value, fact

if TYPE_CHECKING:
    import pyarrow as pa

Lookup = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Hierarchy = Mapping[str, Sequence[str]]
RecodingKey = tuple[str, str, tuple[tuple[str, Any], ...]]

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
        The name of the technique in the report's `advice`.
    column : str
    parameters : mapping
        How it is done, without values of the table.
    lookup : int32 array, one longer than the dictionary
        New code of each value and, last, of a missing cell; from 0 without gaps.
    details : mapping of str to typed value
        What the sentence ``advice.<technique>`` is filled with, besides the column.
    """

    technique: str
    column: str
    parameters: Mapping[str, Any]
    lookup: Lookup
    details: Mapping[str, Value] = field(default_factory=dict)

    @property
    def description(self) -> Fact:
        """What is done to the column."""
        return fact(f"advice.{self.technique}", column=Columns(names=(self.column,)), **self.details)

    @property
    def key(self) -> RecodingKey:
        """Column, technique and parameters: distinguishes the recodings of a table."""
        return self.column, self.technique, tuple(self.parameters.items())


def keep(column: str, dictionary: pa.Array) -> Recoding:
    """Return the recoding that changes nothing."""
    return Recoding("keep", column, {}, np.arange(len(dictionary) + 1, dtype=np.int32))


def drop(column: str, dictionary: pa.Array) -> Recoding:
    """Return the recoding that drops the column: all cells become equal, missing cells too."""
    return Recoding("drop", column, {}, np.zeros(len(dictionary) + 1, dtype=np.int32))


def numbers(dictionary: pa.Array) -> npt.NDArray[np.float64] | None:
    """Return the values as numbers, NaN for other values; None where fewer than 90 % are numbers."""
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
    """Merge numbers into bands ``[i * width, (i + 1) * width)``; other values stay as they are.

    Parameters
    ----------
    under, over : float, optional
        Multiples of the width: all bands below `under` become one band, and so do all bands from `over` on.
    """
    parameters: dict[str, Any] = {"width": _short(width), "origin": 0}
    details: dict[str, Value] = {"width": Threshold(value=_short(width))}
    # The small shift keeps 0.3 / 0.1 = 2.9999… in the band that starts at 0.3.
    at = np.floor(values / width + 1e-9)
    if under is not None:
        parameters["under"] = _short(under)
        details["under"] = fact("advice.open_below", edge=Threshold(value=_short(under)))
        at = np.maximum(at, round(under / width) - 1)
    if over is not None:
        parameters["over"] = _short(over)
        details["over"] = fact("advice.open_above", edge=Threshold(value=_short(over)))
        at = np.minimum(at, round(over / width))
    return Recoding("band", column, parameters, _renumber(at), details)


def open_bands(
    column: str, values: npt.NDArray[np.float64], counts: Counts, width: float, least: int
) -> Recoding | None:
    """Return bands merged at both ends until each end has `least` records; None where that changes nothing."""
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
    """Return which numbers may be published: two digits and zeros, integers below 1,000, and calendar decades.

    More digits would be part of the cells that begin with them.
    """
    size = np.abs(np.where(np.isfinite(values), values, 0.5))
    last = 10.0 ** (np.floor(np.log10(np.maximum(size, 1e-300))) - 1)
    whole, tens = size == np.floor(size), np.mod(size, 10) == 0
    two = np.abs(size / last - np.round(size / last)) < 1e-6
    found: npt.NDArray[np.bool_] = two | (whole & (size < 1000)) | (tens & (size >= 1000) & (size < 2100))
    return found & np.isfinite(values)


def band_widths(values: npt.NDArray[np.float64], counts: Counts) -> tuple[float, ...]:
    """Return the round widths (1, 2, 5 times a power of ten) that give 2 to 20 bands over most records.

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
    exponent = math.floor(math.log10((high - low) / 20))
    series = [round(m * 10.0**e, 12) for e in range(exponent, exponent + 4) for m in (1, 2, 5)]
    gap = float(np.diff(values[order]).min())
    return tuple(w for w in series if (high - low) / 20 <= w <= (high - low) / 2 and w > gap)


def cap(
    column: str, values: npt.NDArray[np.float64], counts: Counts, k: int, *, top: bool
) -> Recoding | None:
    """Merge the largest (or smallest) numbers from a round number on; None where no round number is suitable.

    The cap is the outermost multiple of 10, else of 5 (else an integer, where all values are small), that at least `k`
    records have and beyond which there is something to merge, but at most a tenth of the records.
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
        merged = np.minimum(signed, edge)
        technique = "top_code" if top else "bottom_code"
        parameters = {"at": at, "held_by_at_least": k}
        return Recoding(technique, column, parameters, _renumber(merged), {"at": Threshold(value=at)})
    return None


def prefixes(column: str, dictionary: pa.Array) -> list[Recoding]:
    """Cut codes of the same length to their first characters, from one fewer down to one."""
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
            _by_text(pc.utf8_slice_codeunits(dictionary, 0, kept)),
            {"kept": Threshold(value=kept), "length": Threshold(value=longest)},
        )
        for kept in steps
    ]


def rounded_dates(column: str, dictionary: pa.Array) -> list[Recoding]:
    """Round dates to month, quarter, year and decade; to year and decade only where day and month are ambiguous."""
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
        details = {"precision": Threshold(value=precision)}
        made.append(Recoding("round_date", column, {"precision": precision}, _by_text(whole), details))
    return made


def levels(column: str, dictionary: pa.Array, hierarchy: Hierarchy) -> tuple[list[Recoding], int]:
    """Replace values by their names at each level of a hierarchy.

    Parameters
    ----------
    hierarchy : mapping of value to its names at levels 1, 2, ...

    Returns
    -------
    recodings : list of Recoding, level 1 first
    n_unknown : int
        Values that the hierarchy does not contain; they stay as they are.
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
                _by_text(pa.array(names, pa.string())),
                {"level": Threshold(value=level), "depth": Threshold(value=depth)},
            )
        )
    return made, unknown


def rare_values(column: str, counts: Counts, below: int) -> Recoding | None:
    """Merge the values with fewer than `below` records into one; None where there are not two such values."""
    rare = counts < below
    if rare.sum() < 2:
        return None
    merged = np.where(rare, -1.0, np.arange(len(counts), dtype=np.float64))
    return Recoding("merge_rare", column, {"below": below}, _renumber(merged), {"below": Threshold(value=below)})


def _short(number: float) -> int | float:
    return int(number) if float(number).is_integer() else number


def _name(names: Sequence[str], level: int) -> str:
    return names[min(level, len(names)) - 1]


def _by_text(texts: pa.Array) -> Lookup:
    codes = texts.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    return _closed(codes.astype(np.int32))


def _renumber(keys: npt.NDArray[np.float64]) -> Lookup:
    """Give equal keys the same code; each key that is not a number keeps a code to itself."""
    lost = np.isnan(keys)
    _, codes = np.unique(np.where(lost, 0.0, keys), return_inverse=True)
    codes = codes.astype(np.int64)
    codes[lost] = codes.max(initial=0) + 1 + np.arange(lost.sum())
    _, dense = np.unique(codes, return_inverse=True)
    return _closed(dense.astype(np.int32))


def _closed(codes: Lookup) -> Lookup:
    """Append the code of missing cells, one above the others."""
    return np.append(codes, np.int32(codes.max(initial=-1) + 1)).astype(np.int32)
