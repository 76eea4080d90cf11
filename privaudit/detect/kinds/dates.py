"""Dates and their roles: a birth is not an event.

Question: are these dates of birth or dates of events?
Method: dates are read by the parser of the profile. Without a column name, dates are births if they have no time of
day, spread over decades, almost all lie in the past 120 years, and half of them are older than the latest date of the
table by 14 years. Years alone, months and weekdays are event dates.
Limits: the first customers of a century-old company look like births; only the column name can decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Evidence, by_decade
from privaudit.model import Clue
from privaudit.profile import parse_dates
from privaudit.wording import Fact, Name, Term, Threshold, fact

Mask = npt.NDArray[np.bool_]
_DAYS = 365.2425
_LEAST_SPREAD = 15  # years; births in a table of people spread at least that far


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates of a column: decimal year of each distinct value (NaN if it is not a date), precision and format."""

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
    """Whether at least a fifth of a sample of the values are dates."""
    import pyarrow as pa

    days, _, _ = parse_dates(pa.array(column.sample, type=column.values.type))
    return float((~np.isnan(days)).mean()) > 0.2


def run(column: Column, calendar: Calendar, evidence: Evidence, latest: float) -> None:
    """Add the date candidates of `column`; `latest` is the latest year among the dates of the table."""
    _names_of_days(column, evidence)
    _epoch(column, evidence)
    if calendar.share < 0.6:
        return
    valid = ~np.isnan(calendar.years)
    n_cells = column.cells(valid)
    written = Clue(
        kind="type",
        because=fact(
            "detect.dates", share=column.cell_share(calendar.share), format=Name(text=str(calendar.format))
        ),
    )
    evidence.add(
        Candidate(
            entity="DATE_EVENT",
            detail=calendar.format,
            n_cells=n_cells,
            strength=0.63,
            clues=(written,),
        )
    )
    reason = _why_not_birth(column, calendar, latest)
    if reason is not None:
        evidence.reject("DATE_OF_BIRTH", reason)
        return
    span = np.nanmax(calendar.years) - np.nanmin(calendar.years)
    spread = Clue(kind="shape", because=fact("detect.dates_like_births", years=by_decade(span)))
    evidence.add(
        Candidate(
            entity="DATE_OF_BIRTH",
            detail=calendar.format,
            n_cells=n_cells,
            strength=0.78 if span >= 30 else 0.66,
            clues=(written, spread),
            generic=True,
        )
    )


def _epoch(column: Column, evidence: Evidence) -> None:
    """Seconds or milliseconds since 1970, from 2000 to 2040."""
    if column.data_type != "integer" or column.n_distinct < 5:
        return
    numbers = column.numbers[np.isfinite(column.numbers)]
    for unit, factor in (("seconds", 1.0), ("milliseconds", 1e3)):
        if not len(numbers) or numbers.min() < 946_684_800 * factor or numbers.max() > 2_208_988_800 * factor:
            continue
        years = float(np.ptp(numbers)) / factor / 31_556_952
        if (
            years < 15 or numbers.max() < 1_893_456_000 * factor
        ):  # numbers that reach beyond 2030 are not time stamps
            clue = Clue(kind="shape", because=fact("detect.epoch", unit=Term(code=unit)))
            evidence.add(
                Candidate(
                    entity="DATE_EVENT",
                    detail=f"epoch {unit}",
                    n_cells=column.n_present,
                    strength=0.64,
                    clues=(clue,),
                )
            )


def _why_not_birth(column: Column, calendar: Calendar, latest: float) -> Fact | None:
    years = calendar.years[~np.isnan(calendar.years)]
    weights = column.counts[~np.isnan(calendar.years)]
    if calendar.precision in ("minute", "second") or not calendar.midnight:
        return fact("detect.dates_with_time")
    if calendar.precision in ("month", "year"):
        return fact("detect.dates_without_day")
    if len(years) < 5 or column.uniqueness < 0.02:
        return fact("detect.too_few_dates_for_births")
    low, high = _quantile(years, weights, 0.02), _quantile(years, weights, 0.98)
    if high - low < _LEAST_SPREAD:
        return fact("detect.dates_too_close_for_births", years=Threshold(value=_LEAST_SPREAD))
    if latest - _quantile(years, weights, 0.5) < 14 and high - low < 60:
        return fact("detect.dates_too_recent_for_births")
    if latest - low > 125 and _quantile(years, weights, 0.5) < latest - 125:
        return fact("detect.dates_too_old_for_births")
    return None


def _quantile(values: npt.NDArray[np.float64], weights: npt.NDArray[np.int64], q: float) -> float:
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(weights[order]), q * weights.sum())
    return float(values[order][min(int(reached), len(values) - 1)])


def _names_of_days(column: Column, evidence: Evidence) -> None:
    if column.data_type != "text" or column.n_distinct > 40:
        return
    for name, what in (("WEEKDAY", "weekdays"), ("MONTH", "months")):
        listed = wordlists.members(column.folded, wordlists.value_list(name))
        if column.share(listed) >= 0.9 and int(listed.sum()) >= 2:
            share = column.cell_share(column.share(listed))
            clue = Clue(kind="list", because=fact("detect.names_of_days", share=share, what=Term(code=what)))
            n_cells = column.cells(listed)
            evidence.add(
                Candidate(
                    entity="DATE_EVENT", detail=name.lower(), n_cells=n_cells, strength=0.85, clues=(clue,)
                )
            )
            evidence.reject("PERSON_NAME", fact("detect.not_names_but_days", what=Term(code=what)))
