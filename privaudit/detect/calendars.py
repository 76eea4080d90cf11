"""The values of a column read as dates.

Question: which values are dates, of which year, how precise, and in which format?
Method: the parser of the profile; a column of many values is read only if a sample contains dates. Digits alone in
another order than year, month, day are dates if all of so many values are that chance is excluded, or nearly all under
a column name that suggests a date; there, numbers of days as spreadsheets count them are dates as well.
Limits: one format for each column. Where day and month can be exchanged in every value, the day is the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats
from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.detect.column import Column, are_digits, form, once
from privaudit.model.vocabulary import with_trait
from privaudit.model.vocabulary.table import PERIODS
from privaudit.source.profile import parse_dates
from privaudit.source.profile.dates import PIVOT

_DAYS = 365.2425
_SHORTEST_YEAR, _SHORTEST_MONTH = 336, 28  # days: every month counts for its least
_FIRST_YEAR, _LAST_YEAR = 1890, 1999 + PIVOT  # births in registers; the last year that two digits mean
_SURPRISE = -9 * math.log(10)  # random digits that are all dates in some order: fewer than one column in 10**9
_SPREADSHEET = (10_959, 58_804, -25_569)  # the years 1930 to 2060 as spreadsheets count days; that of 1970-01-01
_SPREADSHEET_DAYS = "days since 1899-12-30"
_OF_NAMED = 0.95  # by hand: under a column name that suggests dates, one in twenty may be wrong
LEAST = 0.6
"""Share of the cells from which a column is one of dates."""
Days = npt.NDArray[Any]
_FEWEST_OF_DIGITS, _LONGEST_OF_DIGITS = 6, 8
_MOST_AT_ONCE = 4000  # values that are parsed without trying a sample first


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates of a column: decimal year of each distinct value (NaN if it is not a date), precision and format."""

    years: Floats
    share: float
    precision: str | None
    format: str | None

    @property
    def spread(self) -> float:
        """Years between the earliest and the latest date; 0 without dates."""
        valid = self.years[~np.isnan(self.years)]
        return float(np.ptp(valid)) if len(valid) else 0.0


@once
def calendar_of(column: Column) -> Calendar:
    """Read the dates of a column."""
    days, precision, format_ = np.broadcast_to(np.nan, column.n_distinct), None, None
    if column.data_type in ("boolean", "time") or not column.n_distinct or not column.has_digits_in(0.3):
        return Calendar(days, 0.0, None, None)
    if column.data_type == "decimal":
        days, precision, format_ = _read_fractions(column) or (days, None, None)
    elif _may_be_dates(column):
        days, precision, format_ = parse_dates(column.values, years=column.periods is not None)
        if column.data_type == "integer" and format_ == "yyyymmdd" and np.isnan(days).any():
            days = np.full(column.n_distinct, np.nan)
    if column.data_type != "decimal" and column.longest <= _LONGEST_OF_DIGITS and column.share(~np.isnan(days)) < LEAST:
        days, precision, format_ = _read_digits(column) or (days, precision, format_)
    if column.periods is not None and precision is not None:
        precision, format_ = _precision_of(column.periods[~np.isnan(days)]), PERIODS
    return Calendar(1970 + days / _DAYS, column.share(~np.isnan(days)), precision, format_)


def _precision_of(periods: Days) -> str:
    """Return year, month or day: the longest that no period in days is shorter than."""
    shortest = np.nanmin(periods, initial=_DAYS)
    return "year" if shortest >= _SHORTEST_YEAR else "month" if shortest >= _SHORTEST_MONTH else "day"


def _may_be_dates(column: Column) -> bool:
    """Whether the values are few or, of many values, a fifth of a sample are dates."""
    if column.n_distinct <= _MOST_AT_ONCE:
        return True
    days, _, _ = parse_dates(pa.array(column.sample, type=column.values.type))
    return float((~np.isnan(days)).mean()) > 0.2


def _read_digits(column: Column) -> tuple[Days, str, str] | None:
    """Return days since 1970, precision and format of dates that are written in digits alone; None for other values."""
    if column.at_least(form("time", "day_of_year"), 1.0):  # "2009-074", which ISO 8601 calls an ordinal date
        digits = pc.replace_substring_regex(column.values, "[^0-9]", "")
        numbers, longest, named = np.asarray(digits.cast(pa.int64())), 7, False
    else:
        named, longest = _is_named(column), column.longest
        if column.shortest < 5 or not (named or _are_dates_in_sample(column)) or not column.integral.any():
            return None
        numbers = np.where(column.integral, column.numbers, 0).astype(np.int64)
    readings = [(format_, days) for format_, *parts in _orders(numbers, longest) for days in [_days(*parts)]]
    if named and longest == 5:
        readings.append((_SPREADSHEET_DAYS, _of_spreadsheet(numbers)))
    format_, days = max(readings, key=lambda one: column.share(~np.isnan(one[1])), default=("", np.array([])))
    if not readings or not (named and column.share(~np.isnan(days)) >= _OF_NAMED):
        by_chance = _BY_CHANCE.get(format_, 1.0)
        if not readings or np.isnan(days).any() or column.n_distinct * math.log(by_chance) > _SURPRISE:
            return None
    return days, "day", format_


def _is_named(column: Column) -> bool:
    """Whether the column name suggests dates."""
    return any(hint.entity in with_trait("calendar_date") for hint in column.header.hints)


def _read_fractions(column: Column) -> tuple[Days, str, str] | None:
    """Return the days of decimals that spreadsheets write for a date with its time; None for other decimals."""
    if not _is_named(column) or column.integral.all():
        return None
    days = _of_spreadsheet(column.numbers)
    return (days, "minute", _SPREADSHEET_DAYS) if column.share(~np.isnan(days)) >= _OF_NAMED else None


def _of_spreadsheet(numbers: Days) -> Days:
    """Return days since 1970 of numbers of days as spreadsheets count them, NaN for other numbers."""
    low, high, first = _SPREADSHEET
    with np.errstate(invalid="ignore"):
        return np.where((numbers >= low) & (numbers <= high), numbers + first, np.nan)


def is_beyond_chance(column: Column, calendar: Calendar) -> bool:
    """Return whether so many digits are all dates that chance is excluded."""
    by_chance = _BY_CHANCE.get(str(calendar.format), 1.0)
    return not np.isnan(calendar.years).any() and column.n_distinct * math.log(by_chance) <= _SURPRISE


def _are_dates_in_sample(column: Column) -> bool:
    """Whether all values of a sample are digits that are dates in one order."""
    if not _FEWEST_OF_DIGITS <= column.longest <= _LONGEST_OF_DIGITS or not are_digits(column.sample):
        return False
    orders = _orders(np.array(list(map(int, column.sample))), column.longest)
    return any(not np.isnan(_days(*parts)).any() for _, *parts in orders)


_BY_CHANCE = {"ddmmyyyy": 6e-4, "mmddyyyy": 6e-4, "yyyyddd": 6e-3, "yymmdd": 0.037, "ddmmyy": 0.037, "mmddyy": 0.037}
"""Share of the random numbers of this length that are dates in the format: 31 x 12 of 10,000 days and months."""


def _orders(numbers: Days, longest: int) -> Iterator[tuple[str, Days, Days, Days]]:
    """Yield the formats of digits of this length with the years, months and days of `numbers` in each."""
    first, second, last = numbers // 10**4, numbers // 100 % 100, numbers % 100
    if longest == 8 or (longest == 7 and (numbers % 10**4).min() >= _FIRST_YEAR):
        year, one, other = numbers % 10**4, numbers // 10**6, numbers // 10**4 % 100
        yield "ddmmyyyy", year, other, one
        yield "mmddyyyy", year, one, other
    elif longest == 7:
        yield "yyyyddd", numbers // 1000, np.ones_like(numbers), numbers % 1000
    elif longest == 6:
        yield "yymmdd", _century(first), second, last
        yield "ddmmyy", _century(last), second, first
        yield "mmddyy", _century(last), first, second


def _century(years: Days) -> Days:
    """Return years of two digits with their century."""
    return np.where(years < PIVOT, 2000, 1900) + years


def _days(years: Days, months: Days, days: Days) -> Days:
    """Return days since 1970-01-01, NaN for days that do not exist; a single month counts the days of the year."""
    of_year = bool((months == 1).all()) and bool(days.max() > 31)
    first = ((years - 1970) * 12 + months - 1).astype("datetime64[M]").astype("datetime64[D]")
    dates = first + (days - 1)
    unit = "datetime64[Y]" if of_year else "datetime64[M]"
    valid = (dates.astype(unit) == first.astype(unit)) & (months >= 1) & (months <= 12) & (days >= 1)
    valid &= (years >= _FIRST_YEAR) & (years <= _LAST_YEAR)
    return np.where(valid, dates.astype(np.int64), np.nan)
