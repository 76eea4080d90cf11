"""The order of the distinct values of a column, by what they mean and not by how they are written.

Question: which of two values is the smaller one, and are they equal although they are written differently?
Method: every plausible reading of the column (decimal comma or thousands, day or month first, hours or minutes) gives
each value a key. Readings that leave a value out are dropped. The order is known where all remaining readings agree on
it; where they differ, the column has no known order. Of dates, each order of day and month, and each usual first year
of two-digit years, is one reading of the whole column. The year first means the month next, unless that does not fit.
Zones are applied, and fractions of a second count. Hours and minutes with or without seconds, half days (AM, PM), days
before a clock, ISO 8601 durations and numbers with units become seconds. Two numbers with a colon are hours and
minutes, or minutes and seconds: both are readings of the column.
Limits: text that is neither a number, a date, a time nor a duration has no order. Nor do values with different
currencies, or codes with leading zeros. One value that fits no reading removes the order of the column. Dates to the
day are not comparable with months, nor times with a zone with times without one. Years and months have no fixed length
and are not read. Clocks with and without AM or PM are not comparable.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.model import DataType
from privaudit.source.profile.dates import FORMATS, days_by_format
from privaudit.source.profile.number_notation import number_readings
from privaudit.source.profile.numbers import CODE, all_match
from privaudit.source.profile.ranks import Ranks, Unordered, dense_ranks

Floats = npt.NDArray[np.float64]

FEW = 100
"""Values that show for most columns of text that they have no order."""


@dataclass(frozen=True, slots=True)
class ValueOrder:
    """The ranks of the values, or the reason why there are none.

    Attributes
    ----------
    ranks : int64 array of shape (d,), or None
        0 for the smallest value; equal values have equal ranks, without gaps.
    reason : str or None
        Why there is no order; None where there is one.
    """

    ranks: Ranks | None
    reason: Unordered | None = None


def order_values(values: pa.Array, data_type: DataType, *, is_canonical: bool = False) -> ValueOrder:
    """Return the order of distinct values.

    Parameters
    ----------
    values : pyarrow string array of length d
        Distinct values of one column, without missing values and suppression markers.
    data_type : str
        The data type of the column, as profiled.
    is_canonical : bool
        Whether the source had typed numbers: then a point is the decimal point.

    Returns
    -------
    ValueOrder
    """
    if not len(values):
        return ValueOrder(None, "no_value")
    if data_type in ("integer", "decimal"):
        return agreed(number_readings(values, is_canonical=is_canonical))
    if data_type in ("date", "timestamp"):
        return agreed(date_readings(values))
    if data_type == "time":
        return agreed(duration_readings(values))
    # A few values decide first: parsing every value of a long column of names would find no order either.
    if data_type != "text" or _of_text(values[:FEW]).reason == "text" or has_codes(values):
        return ValueOrder(None, "text")
    return _of_text(values)


def _of_text(values: pa.Array) -> ValueOrder:
    """Return the order of text that may be numbers or durations."""
    for readings in (number_readings, duration_readings):
        found = agreed(readings(values))
        if found.reason != "unread":
            return found
    return ValueOrder(None, "text")


def agreed(readings: Iterable[Ranks] | Unordered) -> ValueOrder:
    """Return the ranks on which all readings agree, or why there are none."""
    if isinstance(readings, str):
        return ValueOrder(None, readings)
    first: Ranks | None = None
    for ranks in readings:
        if first is None:
            first = ranks
        # 1/2/2024 and 2/1/2024 have two orders: a distance over the wrong one would look exact, so there is none.
        elif not np.array_equal(first, ranks):
            return ValueOrder(None, "ambiguous")
    return ValueOrder(None, "unread") if first is None else ValueOrder(first)


def has_codes(values: pa.Array) -> bool:
    """Whether some value has a leading zero or is a number to dial, so that digits are not an amount."""
    return bool(pc.any(pc.match_substring_regex(values, CODE)).as_py())


DAY_FIRST = frozenset({"dd/mm/yyyy", "dd-mm-yyyy"})
MONTH_FIRST = frozenset({"mm/dd/yyyy", "mm-dd-yyyy"})
YEAR_MONTH = frozenset({"yyyy-mm-dd", "yyyy/mm/dd"})
YEAR_DAY = frozenset({"yyyy-dd-mm", "yyyy/dd/mm"})
PIVOTS = (69, 50, 30)
"""First two-digit year of the 20th century: in POSIX, in SQL, in spreadsheets."""

_ZONE = r":[0-9]{2}(?:[.,][0-9]+)?\s*(?:[AaPp]\.?[Mm]\.?)?\s*(?P<zone>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)"
_FRACTION = r":[0-9]{2}:[0-9]{2}[.,](?P<fraction>[0-9]+)"


def date_readings(values: pa.Array) -> Iterator[Ranks] | Unordered:
    """Yield the ranks of distinct values under every reading as dates that fits all of them.

    Parameters
    ----------
    values : pyarrow string array of length d, none missing

    Returns
    -------
    iterator of int64 arrays of shape (d,), or the reason why the values are not comparable
    """
    offset = _zone_seconds(values)
    if offset is None:
        return "mixed_zones"
    days = _days_of_readings(values)
    if isinstance(days, str):
        return days
    fraction = _fractions(values)
    return (dense_ranks(np.round(reading * 86_400.0) - offset, fraction) for reading in days)


def _days_of_readings(values: pa.Array) -> list[Floats] | Unordered:
    """Return the days of every value under every reading that fits all of them."""
    has_short_years = not pc.all(pc.match_substring_regex(values, "[0-9]{4}")).as_py()
    pivots = PIVOTS if has_short_years else PIVOTS[:1]
    is_mixed = False
    for excluded in (YEAR_DAY, YEAR_MONTH):
        readings = []
        for other, pivot in itertools.product((MONTH_FIRST, DAY_FIRST), pivots):
            formats = [f for f in FORMATS if f.name not in excluded and f.name not in other]
            days, is_to_the_day = days_by_format(values, formats, pivot=pivot)
            if np.isnan(days).any():
                continue
            is_mixed |= not (is_to_the_day.all() or not is_to_the_day.any())
            readings.append(days)
        if is_mixed:
            return "mixed_precision"
        if readings:
            return readings
    return "unread"


def _fractions(values: pa.Array) -> Floats:
    """Return the fraction of a second of every value."""
    return _as_fraction(_text(pc.extract_regex(values, _FRACTION), "fraction"))


def _as_fraction(digits: pa.Array) -> Floats:
    """Return the digits after a decimal separator as a fraction of 1."""
    text = pc.binary_join_element_wise("0.", digits, "0", "")
    found: Floats = pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False)
    return found


def _zone_seconds(values: pa.Array) -> Floats | None:
    """Return the seconds that the zone of every value is ahead of UTC; None where only some have a zone."""
    zones = _text(pc.extract_regex(values, _ZONE), "zone").dictionary_encode()
    distinct = zones.dictionary.to_pylist()
    if "" in distinct and len(distinct) > 1:
        return None
    seconds = np.array([_offset(zone) for zone in distinct], dtype=np.float64)
    of_each: Floats = seconds[zones.indices.to_numpy(zero_copy_only=False)]
    return of_each


def _offset(zone: str) -> float:
    if not zone.startswith(("+", "-")):
        return 0.0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return (1 if zone[0] == "+" else -1) * (3600 * int(digits[:2]) + 60 * int(digits[2:]))


_N = r"[0-9]+(?:[.,][0-9]+)?"
_CLOCK = (
    r"^(?P<minus>-)?(?:(?P<days>[0-9]+)\s*(?i:days?|d)[ ,]*)?(?P<first>[0-9]{1,6}):(?P<second>[0-5][0-9])"
    r"(?::(?P<third>[0-5][0-9])(?:[.,](?P<fraction>[0-9]+))?)?\s*(?P<half>[AaPp]\.?[Mm]\.?)?$"
)
_ISO = (
    rf"^(?P<minus>-)?P(?:(?P<weeks>{_N})W)?(?:(?P<days>{_N})D)?"
    rf"(?:T(?:(?P<hours>{_N})H)?(?:(?P<minutes>{_N})M)?(?:(?P<seconds>{_N})S)?)?$"
)
_UNITS = (
    rf"(?i)^(?P<minus>-)?(?:(?P<weeks>{_N})\s*(?:weeks?|w))?\s*(?:(?P<days>{_N})\s*(?:days?|d))?\s*"
    rf"(?:(?P<hours>{_N})\s*(?:hours?|hrs?|h))?\s*(?:(?P<minutes>{_N})\s*(?:minutes?|mins?))?\s*"
    rf"(?:(?P<seconds>{_N})\s*(?:seconds?|secs?|s))?$"
)
_LENGTHS = {"weeks": 604_800, "days": 86_400, "hours": 3600, "minutes": 60, "seconds": 1}


def duration_readings(values: pa.Array) -> Iterator[Ranks] | Unordered:
    """Yield the ranks of distinct values under every reading as times or durations that fits all of them.

    Parameters
    ----------
    values : pyarrow string array of length d, none missing

    Returns
    -------
    iterator of int64 arrays of shape (d,), or the reason why the values are not comparable
    """
    text = pc.utf8_trim_whitespace(values)
    if not all_match(text, "[0-9]"):
        return "unread"
    if all_match(text, _CLOCK):
        return _clock_readings(pc.extract_regex(text, _CLOCK))
    for pattern in (_ISO, _UNITS):
        if all_match(text, pattern):
            return iter((_lengths(pc.extract_regex(text, pattern)),))
    return "unread"


def _clock_readings(clocks: pa.StructArray) -> Iterator[Ranks] | Unordered:
    half = _text(clocks, "half")
    is_half = pc.greater(pc.binary_length(half), 0).to_numpy(zero_copy_only=False)
    if is_half.any() and not is_half.all():
        return "mixed_clocks"
    first, second, third = (_number(clocks, name) for name in ("first", "second", "third"))
    if is_half.any():
        if (first < 1).any() or (first > 12).any():
            return "unread"
        is_after_noon = pc.match_substring_regex(half, "^[Pp]").to_numpy(zero_copy_only=False)
        first = first % 12 + 12 * is_after_noon
    has_third = np.isfinite(third)
    days = np.nan_to_num(_number(clocks, "days"))
    fraction = _as_fraction(_text(clocks, "fraction"))
    sign = np.where(_has(clocks, "minus"), -1.0, 1.0)
    hours = 86_400 * days + 3600 * first + 60 * second + np.nan_to_num(third)
    is_either = ~has_third & (days == 0) & ~is_half
    minutes = np.where(is_either, 60 * first + second, hours)
    readings = [hours] if is_either.all() or not is_either.any() else [hours, minutes]
    return (dense_ranks(sign * reading, sign * fraction) for reading in readings)


def _lengths(found: pa.StructArray) -> Ranks:
    total = sum(np.nan_to_num(_number(found, name)) * seconds for name, seconds in _LENGTHS.items())
    return dense_ranks(np.where(_has(found, "minus"), -1.0, 1.0) * total)


def _text(parts: pa.StructArray, name: str) -> pa.Array:
    return pc.fill_null(pc.struct_field(parts, name), "")


def _has(parts: pa.StructArray, name: str) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = pc.greater(pc.binary_length(_text(parts, name)), 0).to_numpy(zero_copy_only=False)
    return found


def _number(parts: pa.StructArray, name: str) -> Floats:
    """Return a part as numbers, NaN where it is absent."""
    text = pc.replace_substring(_text(parts, name), ",", ".")
    text = pc.if_else(pc.equal(pc.binary_length(text), 0), pa.scalar(None, text.type), text)
    found: Floats = pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False).astype(np.float64)
    return found
