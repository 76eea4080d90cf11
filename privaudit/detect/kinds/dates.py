"""Dates and their roles: a birth is not an event.

Question: does a column of dates tell when people were born, or when something happened?
Method: dates are read by the profile's parser. A column reads as births, without any name, if it has no time of
day, spreads over decades, lies almost wholly in the past 120 years, and its latest date is not the present of the
table's other dates. Years alone, months and weekdays are dates of events.
Limits: the first customers of a century-old firm look like births; a name settles it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, decades, percent
from privaudit.model import Clue
from privaudit.profile import parse_dates

Mask = npt.NDArray[np.bool_]
_DAYS = 365.2425


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates of a column: years of each distinct value (NaN where none), precision and way of writing."""

    years: npt.NDArray[np.float64]
    share: float
    precision: str | None
    format: str | None
    midnight: bool

    @property
    def spread(self) -> float:
        """Years between the earliest and the latest date; 0 without dates."""
        valid = self.years[~np.isnan(self.years)]
        return float(np.ptp(valid)) if len(valid) else 0.0


def read(column: Column) -> Calendar:
    """Read the dates of a column."""
    if column.data_type in ("decimal", "boolean", "time") or column.n_distinct == 0 or column.digits < 0.3:
        return Calendar(np.broadcast_to(np.nan, column.n_distinct), 0.0, None, None, True)
    if column.n_distinct > 4000 and not _worth_parsing(column):
        return Calendar(np.broadcast_to(np.nan, column.n_distinct), 0.0, None, None, True)
    days, precision, format_ = parse_dates(column.values)
    if column.data_type == "integer" and format_ == "yyyymmdd" and np.isnan(days).any():
        days = np.full(column.n_distinct, np.nan)
    valid = ~np.isnan(days)
    with np.errstate(invalid="ignore"):
        midnight = bool((np.abs(days[valid] - np.round(days[valid])) < 1e-9).all()) if valid.any() else True
    return Calendar(1970 + days / _DAYS, column.share(valid), precision, format_, midnight)


def _worth_parsing(column: Column) -> bool:
    """Return whether a sample of the values holds dates at all."""
    import pyarrow as pa

    days, _, _ = parse_dates(pa.array(column.sample, type=column.values.type))
    return float((~np.isnan(days)).mean()) > 0.2


def run(column: Column, calendar: Calendar, found: Findings, latest: float) -> None:
    """Add the readings of a column of dates. `latest` is the latest year among the table's dates."""
    _names_of_days(column, found)
    _epoch(column, found)
    if calendar.share < 0.6:
        return
    valid = ~np.isnan(calendar.years)
    n_cells = column.cells(valid)
    written = Clue(
        kind="type", because=f"{percent(calendar.share)} of the cells are dates written {calendar.format}"
    )
    found.add(
        Candidate(
            entity="DATE_EVENT",
            detail=calendar.format,
            n_cells=n_cells,
            strength=0.63,
            clues=(written,),
        )
    )
    why_not = _no_birth(column, calendar, latest)
    if why_not is not None:
        found.reject("DATE_OF_BIRTH", why_not)
        return
    span = np.nanmax(calendar.years) - np.nanmin(calendar.years)
    spread = Clue(
        kind="shape", because=f"they have no time of day and spread over {decades(span)}, as births do"
    )
    found.add(
        Candidate(
            entity="DATE_OF_BIRTH",
            detail=calendar.format,
            n_cells=n_cells,
            strength=0.78 if span >= 30 else 0.66,
            clues=(written, spread),
            generic=True,
        )
    )


def _epoch(column: Column, found: Findings) -> None:
    """Seconds or milliseconds since 1970, from 2000 to 2040."""
    if column.data_type != "integer" or column.n_distinct < 5:
        return
    numbers = column.numbers[np.isfinite(column.numbers)]
    for unit, factor in (("seconds", 1.0), ("milliseconds", 1e3)):
        if not len(numbers) or numbers.min() < 946_684_800 * factor or numbers.max() > 2_208_988_800 * factor:
            continue
        years = float(np.ptp(numbers)) / factor / 31_556_952
        if years < 15 or numbers.max() < 1_893_456_000 * factor:  # numbers spread past 2030 count no seconds
            clue = Clue(kind="shape", because=f"{unit} since 1970")
            found.add(
                Candidate(
                    entity="DATE_EVENT",
                    detail=f"epoch {unit}",
                    n_cells=column.n_present,
                    strength=0.64,
                    clues=(clue,),
                )
            )


def _no_birth(column: Column, calendar: Calendar, latest: float) -> str | None:
    years = calendar.years[~np.isnan(calendar.years)]
    weights = column.counts[~np.isnan(calendar.years)]
    if calendar.precision in ("minute", "second") or not calendar.midnight:
        return "the dates have a time of day"
    if calendar.precision in ("month", "year"):
        return "the dates name no day"
    if len(years) < 5 or column.uniqueness < 0.02:
        return "too few different dates to tell births"
    low, high = _quantile(years, weights, 0.02), _quantile(years, weights, 0.98)
    if high - low < 15:
        return f"the dates spread over {high - low:.0f} years, births spread over decades"
    if latest - _quantile(years, weights, 0.5) < 14 and high - low < 60:
        return "half of the dates are younger than children"
    if latest - low > 125 and _quantile(years, weights, 0.5) < latest - 125:
        return "the dates lie before living memory"
    return None


def _quantile(values: npt.NDArray[np.float64], weights: npt.NDArray[np.int64], q: float) -> float:
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(weights[order]), q * weights.sum())
    return float(values[order][min(int(reached), len(values) - 1)])


def _names_of_days(column: Column, found: Findings) -> None:
    if column.data_type != "text" or column.n_distinct > 40:
        return
    for name, what in (("WEEKDAY", "weekdays"), ("MONTH", "months")):
        listed = words.members(column.folded, words.value_list(name))
        if column.share(listed) >= 0.9 and int(listed.sum()) >= 2:
            clue = Clue(
                kind="list", because=f"{percent(column.share(listed))} of the cells are names of {what}"
            )
            n_cells = column.cells(listed)
            found.add(
                Candidate(
                    entity="DATE_EVENT", detail=name.lower(), n_cells=n_cells, strength=0.85, clues=(clue,)
                )
            )
            found.reject("PERSON_NAME", f"the values are names of {what}")
