"""Dates and times as people write them.

Question: which cells are dates, to which precision, and which day is each?
Method: every known way of writing is one RE2 pattern over the distinct values; its parts become days by integer
arithmetic. Where day and month could be exchanged, the order under which more values are dates is taken.
``rules/reference/months.txt`` lists the names of months in lower case; they are known with and without accents.
Limits: where both orders fit every value, day before month is assumed. Two-digit years 69 to 99 are of the 20th century
(POSIX). Time zones are ignored: the date is the one written. Abbreviations of months only where they are common; months
in other languages are not recognised.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

import numpy as np

from privaudit.base import resources
from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.object_cache import cached_by_object
from privaudit.base.records import dataclass
from privaudit.source.profile.alphabet import has_digits, lengths_of_digits
from privaudit.source.profile.matches import matches, shortest_form

_CLOCK = (
    r"(?:(?:[T ]|,\s?|\s-\s|\s\p{L}{1,3}\s)\s*(?P<H>\d{1,2})[:.h](?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<ap>[AaPp]\.?[Mm]\.?)?\s*(?:\p{L}{1,3}\.?|[+-]\d{2}(?::?\d{2})?(?: ?\([A-Z]{2,5}\))?)?)?\s*$"
)
"""A time of day, perhaps after a short word ("o 9:30", "um 9.30 Uhr") and before another, such as a time zone."""
ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS, _WEEKDAYS = "|".join(ENGLISH), "mon|tue|wed|thu|fri|sat|sun"
_NAME = rf"(?P<b>(?i:{_MONTHS}))[a-zA-Z]*\.?"
CANDIDATE = (
    r"^\s*(?:\d{1,4}(?:st|nd|rd|th|er|º|ª)?[-/. ]+[\d\p{L}]|\d{4} ?[年년]|\d{1,2}[A-Za-z]{3}\d\d"
    rf"|\d{{8}}|\d{{14}}|(?i:{_MONTHS}|{_WEEKDAYS})[A-Za-z]{{0,6}}[-. ,]+\d)"
)

_FEWEST_DIGITS = 8  # of a date in digits alone
_ISO_LENGTHS = {10, 16, 19}
"""Bytes of a date, and of one with a time to the minute or second."""
_FIRST_YEAR, _BUDDHIST = 1000, 2420


@dataclass(frozen=True, slots=True)
class _Format:
    name: str
    pattern: str
    has_day: bool = True


FORMATS = (
    _Format("yyyy-mm-dd", r"^\s*(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})" + _CLOCK),
    _Format("yyyy/mm/dd", r"^\s*(?P<y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})" + _CLOCK),
    _Format("yyyy/dd/mm", r"^\s*(?P<y>\d{4})/(?P<d>\d{1,2})/(?P<m>\d{1,2})" + _CLOCK),
    _Format("yyyy-dd-mm", r"^\s*(?P<y>\d{4})-(?P<d>\d{1,2})-(?P<m>\d{1,2})" + _CLOCK),
    _Format("yyyy.mm.dd", r"^\s*(?P<y>\d{4})\. ?(?P<m>\d{1,2})\. ?(?P<d>\d{1,2})\.?" + _CLOCK),
    _Format("dd/mm/yyyy", r"^\s*(?P<d>\d{1,2})/(?P<m>\d{1,2})/(?P<y>\d{4}|\d{2})" + _CLOCK),
    _Format("mm/dd/yyyy", r"^\s*(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4}|\d{2})" + _CLOCK),
    _Format("dd-mm-yyyy", r"^\s*(?P<d>\d{1,2})-(?P<m>\d{1,2})-(?P<y>\d{4}|\d{2})" + _CLOCK),
    _Format("mm-dd-yyyy", r"^\s*(?P<m>\d{1,2})-(?P<d>\d{1,2})-(?P<y>\d{4}|\d{2})" + _CLOCK),
    _Format("dd.mm.yyyy", r"^\s*(?P<d>\d{1,2})\. ?(?P<m>\d{1,2})\. ?(?P<y>\d{4}|\d{2})\.?" + _CLOCK),
    _Format(
        "yyyymmdd",
        r"^\s*(?P<y>1[89]\d{2}|20\d{2})(?P<m>[01]\d)(?P<d>[0-3]\d)(?:(?P<H>[0-2]\d)(?P<M>[0-5]\d)(?P<S>[0-5]\d))?\s*$",
    ),
    _Format(
        "dd month yyyy",
        rf"^\s*(?:(?i:{_WEEKDAYS})[a-z]*,? )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[-/. ]+"
        + _NAME
        + r"[-/., ]+(?P<y>\d{4}|\d{2})"
        + _CLOCK,
    ),
    _Format("ddmonyyyy", r"^\s*(?P<d>\d{1,2})(?P<b>(?i:" + _MONTHS + r"))(?P<y>\d{4}|\d{2})" + _CLOCK),
    _Format("month dd, yyyy", r"^\s*" + _NAME + r"[-. ]+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>\d{4})" + _CLOCK),
    _Format("yyyy年m月d日", r"^\s*(?P<y>\d{4}) ?[年년][. ]*(?P<m>\d{1,2}) ?[月월] ?(?P<d>\d{1,2}) ?[日일号號]?\s*$"),
    _Format(
        "dd month yyyy",
        r"^\s*(?P<d>\d{1,2})(?:er|º|ª|\.)?[-/ ]*(?:de |d')?(?P<b>[\p{L}\p{M}]+)\.?[-/, ]+(?:de |del )?(?P<y>\d{4})"
        r"(?: ?г\.?| р\.?)?" + _CLOCK,
    ),
    _Format("yyyy-mm", r"^\s*(?P<y>1[89]\d{2}|20\d{2})[-/](?P<m>0[1-9]|1[0-2])\s*$", has_day=False),
    _Format("mm/yyyy", r"^\s*(?P<m>0?[1-9]|1[0-2])[-/](?P<y>1[89]\d{2}|20\d{2})\s*$", has_day=False),
    _Format("month yyyy", r"^\s*" + _NAME + r"[-/., ]+(?P<y>1[89]\d{2}|20\d{2})\s*$", has_day=False),
)
_YEAR = _Format("yyyy", r"^\s*(?P<y>1[89]\d{2}|20\d{2})(?:\.0)?\s*$", has_day=False)


@cache
def any_format() -> str:
    """Return an RE2 expression that matches every text `parse_dates` may read as a date, and a few more."""
    return "|".join(re.sub(r"\(\?P<\w+>", "(?:", f"(?:{format_.pattern})") for format_ in FORMATS)


def may_be_dates(values: pa.Array) -> bool:
    """Return whether any of the values may be a date or a time: digits alone are none where they are few."""
    of_digits = lengths_of_digits(values)
    return has_digits(values) if of_digits is None else of_digits[1] >= _FEWEST_DIGITS


def parse_dates(values: pa.Array, *, years: bool = False) -> tuple[Floats, str | None, str | None]:
    """Return every text as days since 1970-01-01, NaN where it is not a date.

    Parameters
    ----------
    values : pyarrow string or large_string array of length d
    years : bool
        Whether four digits from 1800 to 2099 alone are a date.

    Returns
    -------
    days : float64 array of length d
        Whole days, and the time of day as a fraction.
    precision : year, month, day, minute, second or None
        The finest part in use: seconds that are all zero are not counted.
    format : str or None
        The way most values are written, for example ``dd/mm/yyyy``; None where no value is a date.
    """
    if years:
        return _read(values, (*FORMATS, _YEAR), f"{CANDIDATE}|{_YEAR.pattern}")
    return _read_without_years(values)


@cached_by_object
def _read_without_years(values: pa.Array) -> tuple[Floats, str | None, str | None]:
    """Return what `parse_dates` does, kept while the array is in memory: profile and detection read the same one."""
    found = _read(values, FORMATS, CANDIDATE) if may_be_dates(values) else (np.full(len(values), np.nan), None, None)
    found[0].setflags(write=False)
    return found


def _read(values: pa.Array, formats: Sequence[_Format], candidate: str) -> tuple[Floats, str | None, str | None]:
    days = np.full(len(values), np.nan)
    candidates = matches(values, candidate)
    places = np.flatnonzero(candidates)
    found = _tried(values.filter(pa.array(candidates)), formats) if len(places) else []
    if not found:
        return days, None, None
    finest = 0
    for _, part in found:
        new = part.valid & np.isnan(days[places])
        days[places[new]] = part.days[new]
        finest = max(finest, _finest(part, new))
    return days, PRECISION[finest], found[0][0]


PRECISION = ("year", "month", "day", "minute", "second")
PIVOT = 69
"""Two-digit years from here on are of the 20th century (POSIX)."""


def days_by_format(values: pa.Array, formats: Sequence[_Format], *, pivot: int = PIVOT) -> tuple[Floats, Flags]:
    """Return every text as days since 1970-01-01 by the first of `formats` that fits it.

    Parameters
    ----------
    values : pyarrow string array of length d, none missing
    formats : sequence of the entries of `FORMATS`
    pivot : int
        First two-digit year of the 20th century.

    Returns
    -------
    days : float64 array of length d
        NaN where no format fits; the time of day is a fraction.
    is_to_the_day : bool array of length d
        Whether the format states a day of the month.
    """
    days = np.full(len(values), np.nan)
    is_to_the_day = np.ones(len(values), dtype=bool)
    for format_ in formats:
        rest = np.isnan(days)
        if not rest.any():
            break
        matched = pc.extract_regex(values, format_.pattern)
        if matched.null_count == len(values):
            continue
        part = _parts(matched, format_.has_day, pivot)
        new = rest & part.valid
        days[new] = part.days[new]
        is_to_the_day[new] = format_.has_day
    return days, is_to_the_day


@dataclass(frozen=True, slots=True)
class _Parts:
    """What one format makes of the values: year, month, day, hour, minute, second, each int64 of length d."""

    valid: Flags
    days: Floats
    month: Ints
    day: Ints
    clock: Ints  # seconds of the day
    has_day: bool


def _tried(values: pa.Array, formats: Sequence[_Format]) -> list[tuple[str, _Parts]]:
    """Parse with every format that matches anything, the one that fits most values first."""
    iso = _iso_parts(values)
    if iso is not None:
        return [(FORMATS[0].name, iso)]
    kept: list[tuple[str, _Parts]] = []
    for format_ in formats:
        if kept and kept[-1][1].valid.all():
            break  # every value is parsed
        matched = pc.extract_regex(values, shortest_form(format_.pattern, values))
        if matched.null_count < len(values):
            kept.append((format_.name, _parts(matched, format_.has_day)))
    kept.sort(key=lambda item: -int(item[1].valid.sum()))  # stable: ties keep the order of FORMATS
    return [item for item in kept if item[1].valid.any()]


def _iso_parts(values: pa.Array) -> _Parts | None:
    """Return what the first format makes of ISO 8601 dates, which Arrow reads much faster; None for other values."""
    if not set(pc.unique(pc.binary_length(values)).to_pylist()) <= _ISO_LENGTHS:
        return None
    try:
        stamps = values.cast(pa.timestamp("s")).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    months, dates = stamps.astype("datetime64[M]"), stamps.astype("datetime64[D]")
    if not len(dates) or not _FIRST_YEAR <= 1970 + int(months.min().astype(np.int64)) // 12 < _BUDDHIST:
        return None
    clock = (stamps - dates).astype(np.int64)
    days = dates.astype(np.int64) + clock / 86400.0
    month, day = months.astype(np.int64) % 12 + 1, (dates - months).astype(np.int64) + 1
    return _Parts(np.ones(len(days), dtype=bool), days, month, day, clock, True)


def _parts(matched: pa.StructArray, has_day: bool, pivot: int = PIVOT) -> _Parts:
    names = {field.name for field in matched.type}
    hit = pc.is_valid(matched).to_numpy(zero_copy_only=False)

    def part(name: str, default: int) -> Ints:
        if name not in names:
            return np.full(len(hit), default, dtype=np.int64)
        return _ints(pc.struct_field(matched, name), default)

    year = part("y", 1970)
    year = np.where((year < 100), np.where(year >= pivot, 1900, 2000) + year, year)
    if hit.any() and year[hit].min() >= _BUDDHIST and year[hit].max() <= 2590:
        year = year - 543  # years of the Buddhist era, as Thailand counts them
    month = _month_numbers(pc.struct_field(matched, "b")) if "b" in names else part("m", 1)
    day, hour, minute, second = part("d", 1), part("H", 0), part("M", 0), part("S", 0)
    if "ap" in names:
        hour = _twelve_hours(hour, pc.struct_field(matched, "ap"))
    valid = hit & (month >= 1) & (month <= 12) & (day >= 1) & (hour <= 23) & (minute <= 59) & (second <= 60)
    # 30 February fits the pattern and is not a date; a column with such values may be written in another notation.
    valid &= (year >= _FIRST_YEAR) & (day <= _month_days(year, np.clip(month, 1, 12)))
    clock = hour * 3600 + minute * 60 + second
    days = _civil(year, np.clip(month, 1, 12), day).astype(np.float64) + clock / 86400.0
    return _Parts(valid, np.where(valid, days, np.nan), month, day, clock, has_day)


def _ints(text: pa.Array, default: int) -> Ints:
    digits = pc.if_else(pc.equal(pc.binary_length(text), 0), pa.scalar(None, text.type), text)
    return pc.fill_null(pc.cast(digits, pa.int64()), default).to_numpy(zero_copy_only=False)


def _month_numbers(names: pa.Array) -> Ints:
    known = numbers_of_months()
    index = pc.index_in(pc.utf8_lower(names), value_set=pa.array(list(known), names.type))
    # A name that is not known gets month 0, which no date has, and so is not valid.
    month = np.array([*known.values(), 0], dtype=np.int64)
    return month[pc.fill_null(index, len(known)).to_numpy(zero_copy_only=False)]


def _twelve_hours(hour: Ints, mark: pa.Array) -> Ints:
    after = pc.fill_null(pc.match_substring_regex(mark, "^[Pp]"), False).to_numpy(zero_copy_only=False)
    before = pc.fill_null(pc.match_substring_regex(mark, "^[Aa]"), False).to_numpy(zero_copy_only=False)
    return np.where(after & (hour < 12), hour + 12, np.where(before & (hour == 12), 0, hour))


def _civil(year: Ints, month: Ints, day: Ints) -> Ints:
    """Return days since 1970-01-01 in the proleptic Gregorian calendar."""
    months = (year - 1970) * 12 + (month - 1)
    first: Ints = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    return first + day - 1


def _month_days(year: Ints, month: Ints) -> Ints:
    return _civil(year + month // 12, month % 12 + 1, np.ones_like(month)) - _civil(year, month, np.ones_like(month))


def _finest(part: _Parts, new: Flags) -> int:
    """Return the index in `PRECISION` of the finest part that is not the same beginning everywhere."""
    if not new.any():
        return 0
    clock, day, month, n = part.clock[new], part.day[new], part.month[new], int(new.sum())
    if (clock % 60).any():
        return 4
    if clock.any():
        return 3
    # Twelve dates that are all the first of a month are months: of fewer it could be chance.
    if part.has_day and not (n >= 12 and (day == 1).all()):
        return 2
    return 0 if (month == 1).all() and (n >= 12 or not part.has_day) else 1


@cache
def numbers_of_months() -> dict[str, int]:
    """Return the number of each month by its names, in lower case, as written and without accents."""
    found = {name: number for number, name in enumerate(ENGLISH, start=1)}
    for line in resources.lines("rules", "reference", "months.txt"):
        for number, name in enumerate(line.split(), start=1):
            plain = "".join(c for c in unicodedata.normalize("NFKD", name) if unicodedata.combining(c) < 200)
            for spelling in (name, unicodedata.normalize("NFC", plain)):
                found.setdefault(spelling, number)
    return found
