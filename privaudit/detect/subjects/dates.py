"""Dates and their roles: a birth is not an event.

Question: are these dates of birth or dates of events?
Method: dates are read by the parser of the profile. Without a column name, dates are births if they have no time of
day, spread over decades, almost all lie in the past 120 years, and half of them are older than the latest date of the
table by 14 years. Years alone, months and weekdays are event dates.
Of several unnamed births the earliest is kept.
Limits: the first customers of a century-old company look like births; only the column name can decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from privaudit.detect.calendars import LEAST, Calendar, calendar_of, is_beyond_chance
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import NEARLY_ALL, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Entry, against, claim_for
from privaudit.detect.plain_numbers import are_telephone_numbers
from privaudit.detect.resolver import GUESS
from privaudit.detect.subjects.context import Posting, Table, has, withdraw
from privaudit.model import Clue, vocabulary
from privaudit.model.wording import Fact, Name, Number, Term, Threshold, fact

_YEAR = 31_556_952  # seconds
_IN_2000, _IN_2030, _IN_2040 = 946_684_800, 1_893_456_000, 2_208_988_800  # seconds since 1970
_LONGEST_RECORD = 15  # years; numbers that spread further and reach beyond 2030 are not time stamps
_PROVEN = 0.95  # of digits that are all dates, which other numbers of this length would be once in 10^9 columns
_LEAST_SPREAD = 15  # years; births in a table of people spread at least that far


def run(column: Column, latest: float) -> Iterator[Entry]:
    """Yield the claims on dates of `column`; `latest` is the latest year among the dates of the table."""
    yield from _names_of_days(column)
    yield from _epoch(column)
    calendar = calendar_of(column)
    if calendar.share < LEAST:
        return
    share, format_ = column.cell_share(calendar.share), Name(str(calendar.format))
    written, cells = fact("detect.dates", share=share, format=format_), ~np.isnan(calendar.years)
    proven = _PROVEN if is_beyond_chance(column, calendar) else 0.0
    event = claim_for(
        column, "DATE_EVENT", proven or 0.63, "type", written, cells=cells, detail=calendar.format, generic=False
    )
    yield event
    reason = _why_not_birth(column, calendar, latest)
    if reason is not None:
        yield against("DATE_OF_BIRTH", reason)
        return
    clue = Clue(kind="shape", because=fact("detect.dates_like_births", years=by_decade(calendar.spread)))
    strength = (1 + proven) / 2 if proven else 0.78 if calendar.spread >= 30 else 0.66
    yield replace(event, entity="DATE_OF_BIRTH", strength=strength, clues=(*event.clues, clue), generic=True)


def _epoch(column: Column) -> Iterator[Entry]:
    """Seconds or milliseconds since 1970, from 2000 to 2040."""
    if column.data_type != "integer" or column.n_distinct < 5 or not len(column.known_numbers):
        return
    numbers = column.known_numbers
    for unit, factor in (("seconds", 1.0), ("milliseconds", 1e3)):
        first, last = numbers.min() / factor, numbers.max() / factor
        near = last - first < _LONGEST_RECORD * _YEAR or last < _IN_2030
        is_far = factor == 1 and first >= _IN_2030 and are_telephone_numbers(numbers, column.seed)
        if first >= _IN_2000 and last <= _IN_2040 and near and not is_far:
            because, detail = fact("detect.epoch", unit=Term(unit)), f"epoch {unit}"
            yield claim_for(column, "DATE_EVENT", 0.64, "shape", because, detail=detail, generic=False)


def _why_not_birth(column: Column, calendar: Calendar, latest: float) -> Fact | None:
    valid = ~np.isnan(calendar.years)
    years, weights = calendar.years[valid], column.counts[valid]
    if calendar.precision in ("minute", "second"):
        return fact("detect.dates_with_time")
    if calendar.precision in ("month", "year"):
        return fact("detect.dates_without_day")
    if len(years) < 5 or column.uniqueness < 0.02:
        return fact("detect.too_few_dates_for_births")
    low, middle, high = np.quantile(years, (0.02, 0.5, 0.98), weights=weights, method="inverted_cdf")
    if high - low < _LEAST_SPREAD:
        return fact("detect.dates_too_close_for_births", years=Threshold(_LEAST_SPREAD))
    recent = latest - middle < 14 and high - low < 60
    return fact("detect.dates_too_recent_for_births") if recent else None


def claim_years(column: Column) -> Iterator[Entry]:
    """Yield the claims on years: of births where they spread as those do, of events where they have few gaps."""
    numbers = column.known_numbers if column.data_type == "integer" else np.array([])
    if len(numbers) < 3 or numbers.min() < 1890 or numbers.max() > 2030:
        return
    span = float(np.ptp(numbers))
    if len(numbers) > span / 2:
        yield claim_for(column, "DATE_EVENT", GUESS, "shape", fact("detect.years_in_a_row"), detail="yyyy")
    if len(numbers) >= 15 and span >= 35 and numbers.min() < 1975 and np.median(numbers) < 2006:
        because = fact("detect.years_like_births", years=by_decade(span))
        yield claim_for(column, "BIRTH_YEAR", 0.55, "shape", because, generic=True)


def reject_birth_years(table: Table) -> Iterator[Posting]:
    """Yield claims against unnamed years of birth where no other column describes people."""
    shown = vocabulary.with_trait("shows_people") - {"BIRTH_YEAR"}
    for item in table if not has(table, shown) else ():
        if item.is_generic("BIRTH_YEAR"):
            yield from withdraw(item, "BIRTH_YEAR", fact("detect.siblings_years_without_people"))


def by_decade(years: float) -> Number:
    """Return a span of years, rounded down to decades: the exact span of two extremes would describe two people.

    Examples
    --------
    >>> by_decade(43.7).value, by_decade(9.2).value
    (40, 0)
    """
    return Number(int(years // 10) * 10)


def _names_of_days(column: Column) -> Iterator[Entry]:
    few = column.data_type == "text" and column.n_distinct <= 40  # twelve months, each written in three ways
    for name, what in (("WEEKDAY", "weekdays"), ("MONTH", "months")) if few else ():
        listed = wordlists.members(column.folded, wordlists.value_list(name))
        share = column.cell_share(column.share(listed))
        if share.value >= NEARLY_ALL and int(listed.sum()) >= 2:
            because = fact("detect.names_of_days", share=share, what=Term(what))
            yield claim_for(column, "DATE_EVENT", 0.85, "list", because, cells=listed, detail=name.lower())
            if name == "MONTH":  # which the column name may say are those of births
                yield claim_for(column, "BIRTH_MONTH", 0.3, "list", because, cells=listed)


def reject_births(table: Table) -> Iterator[Posting]:
    """Yield claims against later ones of several unnamed births, and those that reach the present of the table."""
    births = [item for item in table if item.is_generic("DATE_OF_BIRTH")]
    ends = [float(np.nanmax(item.calendar.years)) for item in table if item.calendar.share > 0.5]
    for item in births:
        years = item.calendar.years[~np.isnan(item.calendar.years)]
        recent = max(ends) - float(years.max()) < 3 and float(years.min()) > max(ends) - 56
        later = any(_median_year(other) + 8 < _median_year(item) for other in births)
        if later or (recent and _median_year(item) > max(ends) - 35):
            yield from withdraw(item, "DATE_OF_BIRTH", fact("detect.siblings_recent_dates"))


def _median_year(item: ColumnEvidence) -> float:
    return float(np.nanmedian(item.calendar.years))
