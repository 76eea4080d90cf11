"""The values of a column read as dates.

Question: which values are dates, of which year, how precise, and in which format?
Method: the parser of the profile; a column of many values is read only if a sample contains dates.
Limits: one format for each column.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from privaudit.detect.column import Column, once
from privaudit.source.profile import parse_dates

_DAYS = 365.2425
_MOST_AT_ONCE = 4000  # values that are parsed without trying a sample first


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates of a column: decimal year of each distinct value (NaN if it is not a date), precision and format."""

    years: npt.NDArray[np.float64]
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
    if not _may_be_dates(column):
        return Calendar(np.broadcast_to(np.nan, column.n_distinct), 0.0, None, None)
    days, precision, format_ = parse_dates(column.values)
    if column.data_type == "integer" and format_ == "yyyymmdd" and np.isnan(days).any():
        days = np.full(column.n_distinct, np.nan)
    return Calendar(1970 + days / _DAYS, column.share(~np.isnan(days)), precision, format_)


def _may_be_dates(column: Column) -> bool:
    """Whether the data type allows dates and, of many values, a fifth of a sample are dates."""
    if column.data_type in ("decimal", "boolean", "time") or column.n_distinct == 0 or not column.has_digits_in(0.3):
        return False
    if column.n_distinct <= _MOST_AT_ONCE:
        return True
    days, _, _ = parse_dates(pa.array(column.sample, type=column.values.type))
    return float((~np.isnan(days)).mean()) > 0.2
