"""The data type of a column.

Question: integer, decimal, boolean, date, timestamp, time, text, binary, nested or empty?
Method: RE2 over the distinct values, weighted by the number of their rows; suppressed cells do not count. The data
type that the source declares decides only what the text does not show: bytes, nesting, and whole numbers that were
stored as floats.
Limits: up to 1 % of the cells, 10 % of dates, may have another form. Digits with a leading zero make a column text:
02139 is a postal code, not a number. So do telephone numbers with a plus.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.model import DataType
from privaudit.source.profile.alphabet import has_digits, lengths_of_digits
from privaudit.source.profile.dates import CANDIDATE, any_format, may_be_dates, parse_dates
from privaudit.source.profile.matches import matches
from privaudit.source.profile.numbers import CODE, GROUPED, NUMBER, PIECE, WHOLE, most_match, parse_numbers

__all__ = ["Inferred", "infer_data_type", "parse_dates", "parse_numbers"]

MOST_DATES = 0.9  # the form of a date is so specific that a tenth of misprints does not contradict it
PAIRS = ({"0", "1"}, {"yes", "no"}, {"true", "false"}, {"y", "n"}, {"t", "f"})
ALONE = {"yes", "no", "true", "false"}
TIME = r"^\s*(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?\s*(?:[AaPp]\.?[Mm]\.?)?\s*$"
EIGHT_DIGITS = r"^\s*(?:\d{8}|\d{14})\s*$"
CLOCK = r"\d{1,2}:\d{2}"


@dataclass(frozen=True, slots=True)
class Inferred:
    """A data type; for dates also their precision."""

    data_type: DataType
    date_precision: str | None = None


def infer_data_type(values: pa.Array, counts: Ints, suppressed: Flags, *, declared: str | None = None) -> Inferred:
    """Return the data type of a column.

    Parameters
    ----------
    values : pyarrow string array of length d
        The distinct values.
    counts : int64 array of length d
    suppressed : bool array of length d
        Which values are marks of suppression.
    declared : str, optional
        The data type that the source declares.
    """
    if len(values) == 0:
        return Inferred("empty")
    if declared in ("binary", "nested"):
        return Inferred(cast(DataType, declared))
    keep = ~suppressed
    if not keep.any():
        return Inferred("text")
    if not keep.all():
        values, counts = values.filter(pa.array(keep)), counts[keep]
    if _is_boolean(values):
        return Inferred("boolean")
    if not has_digits(values):
        return Inferred("text")
    return _number(values, counts, declared) or _date(values, counts) or Inferred("text")


def _is_boolean(values: pa.Array) -> bool:
    if len(values) > 4:
        return False
    seen = {value.strip().lower() for value in values.to_pylist()}
    return any(seen == pair or (seen < pair and seen <= ALONE) for pair in PAIRS)


def _number(values: pa.Array, counts: Ints, declared: str | None) -> Inferred | None:
    of_digits = lengths_of_digits(values)
    are_whole = (of_digits is not None and of_digits[0] > 0) or most_match(values, counts, WHOLE)
    if not (are_whole or most_match(values, counts, NUMBER)) or _any(values, CODE):
        return None
    if declared == "decimal":
        return Inferred("decimal")
    if are_whole or most_match(values, counts, f"{WHOLE}|{GROUPED}"):
        if not may_be_dates(values) or not most_match(values, counts, EIGHT_DIGITS, 1.0):
            return Inferred("integer")
        days, precision, format_ = parse_dates(values)
        if format_ == "yyyymmdd" and not np.isnan(days).any():
            return Inferred("date", precision)
        return Inferred("integer")
    return Inferred("decimal")


def _date(values: pa.Array, counts: Ints) -> Inferred | None:
    if not may_be_dates(values):
        return None
    if most_match(values, counts, TIME):
        return Inferred("time")
    if not most_match(values, counts, CANDIDATE, MOST_DATES):
        return None
    # Parsing tries every notation on every value; one pattern shows sooner whether any fits.
    if len(values) > PIECE and not most_match(values, counts, any_format(), MOST_DATES):
        return None
    days, precision, _format = parse_dates(values)
    if int(counts[~np.isnan(days)].sum()) < MOST_DATES * int(counts.sum()):
        return None
    return Inferred("timestamp" if _any(values, CLOCK) else "date", precision)


def _any(values: pa.Array, pattern: str) -> bool:
    return bool(matches(values, pattern).any())
