"""Times of day and durations, ordered by their length in seconds.

Question: is "9:05" before "10:00", and "PT90M" longer than "1 day"?
Method: hours and minutes with or without seconds, half days (AM, PM), days before a clock, ISO 8601 durations and
numbers with units become seconds. Two numbers with a colon are hours and minutes, or minutes and seconds: both are
readings of the column.
Limits: years and months have no fixed length and are not read. Clocks with and without AM or PM are not comparable.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.base.arrays import Flags, Floats
from privaudit.base.arrow import pa, pc
from privaudit.source.profile.numbers import all_match, as_fraction, part_text
from privaudit.source.profile.ranks import Ranks, Unordered, dense_ranks

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
    half = part_text(clocks, "half")
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
    fraction = as_fraction(part_text(clocks, "fraction"))
    sign = np.where(_is_negative(clocks), -1.0, 1.0)
    hours = 86_400 * days + 3600 * first + 60 * second + np.nan_to_num(third)
    is_either = ~has_third & (days == 0) & ~is_half
    minutes = np.where(is_either, 60 * first + second, hours)
    readings = [hours] if is_either.all() or not is_either.any() else [hours, minutes]
    return (dense_ranks(sign * reading, sign * fraction) for reading in readings)


def _lengths(found: pa.StructArray) -> Ranks:
    total = sum(np.nan_to_num(_number(found, name)) * seconds for name, seconds in _LENGTHS.items())
    return dense_ranks(np.where(_is_negative(found), -1.0, 1.0) * total)


def _is_negative(parts: pa.StructArray) -> Flags:
    return pc.greater(pc.binary_length(part_text(parts, "minus")), 0).to_numpy(zero_copy_only=False)


def _number(parts: pa.StructArray, name: str) -> Floats:
    """Return a part as numbers, NaN where it is absent."""
    text = pc.replace_substring(part_text(parts, name), ",", ".")
    text = pc.if_else(pc.equal(pc.binary_length(text), 0), pa.scalar(None, text.type), text)
    return pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False).astype(np.float64)
