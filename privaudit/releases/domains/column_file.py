"""Declared columns, as a plan of answers and a domain of a synthetic table state them.

Question: how is a column written down and read?
Method: one table ``[column.NAME]`` for each column. Its kind is category, number, date or code. Bounds, steps, bands
and categories must be stated. Unknown keys and values out of bounds are errors that name the column.
Limits: comments are not read. `example_of` knows the column name only; its bounds are empty and must be filled in.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any, NoReturn

from privaudit.base.errors import MissingBounds, ReleaseError, TooManyCells
from privaudit.base.typed import is_number
from privaudit.model import vocabulary
from privaudit.model.headers import read_header
from privaudit.releases.domains.columns import FILLS, ISO, Categories, Column, Dates, Numbers, Prefixes
from privaudit.releases.domains.entries import NEVER, Entry
from privaudit.releases.privacy.accounting import exact

MOST_VALUES = 10_000
"""Most categories or bands of a column."""
MOST_STEPS = 2**31
UNITS = ("day", "week", "month", "quarter", "year")
REBUILDS = ("uniform", "middle")
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
CATEGORY = ('kind = "category"', "values = []")
_NUMBER = ('kind = "number"', "bounds = []", "step = 1", "bands = 5")
_DATE = ('kind = "date"', "bounds = []", 'bands = "month"', f'format = "{ISO}"')
_CODE = ('kind = "code"', "prefixes = []", "length = 5")
_OF_FORM = {"age": _NUMBER, "amount": _NUMBER, "year": _NUMBER, "birth_date": _DATE, "event_date": _DATE,
            "postal_code": _CODE}  # fmt: skip
"""What the form of the values of an entity type suggests."""


def example_of(column: str) -> tuple[str, ...]:
    """Return what the name of a column suggests, with bounds to be filled in."""
    hints = read_header(column).hints
    return _OF_FORM.get(vocabulary.entity_type(hints[0].entity).value_form, CATEGORY) if hints else CATEGORY


def column_of(name: str, entry: Entry, kind: str, *, needs_bands: bool = True) -> Column:
    """Return a declared column of one of `KINDS`.

    Parameters
    ----------
    needs_bands : bool
        Whether the values are counted, and not only added up.

    Raises
    ------
    MissingBounds, TooManyCells, ReleaseError
    """
    found = KINDS[kind](name, entry)
    if needs_bands and not found.n_values:
        _refuse_bands(entry)
    _bound(found.n_values, entry)
    return found


def bounds_of_dates(entry: Entry) -> tuple[datetime.date, datetime.date]:
    """Return the declared bounds of dates."""
    stated = _pair(entry)
    days = [_day(each, entry) for each in stated if isinstance(each, str | datetime.date)]
    if len(days) != len(stated) or not days[0] < days[1]:
        _refuse_bounds(entry, "dates", '["2020-01-01", "2024-12-31"]')
    return days[0], days[1]


def _category(name: str, entry: Entry) -> Column:
    stated, other = entry.texts("values"), entry.take("other", str, None)
    values = [str(each).lower() if isinstance(each, bool) else str(each) for each in stated]
    return Categories(
        name=name,
        missing=entry.take("missing", bool, True),
        values=(*values, *([other] if other is not None and other not in values else [])),
        ordered=entry.take("ordered", bool, False),
        numeric=all(map(is_number, stated)),
        other=other,
    )


def _number(name: str, entry: Entry) -> Column:
    stated = _pair(entry)
    if not all(map(is_number, stated)) or not stated[0] < stated[1]:
        _refuse_bounds(entry, "numbers", "[0, 110]")
    (low, high), step = map(exact, stated), exact(entry.need("step", float))
    marks = (low, high, *_number_edges(low, high, step, entry))
    if step <= 0 or any((mark / step).denominator > 1 for mark in marks):
        raise ReleaseError(
            f"The step of {entry.where} must be above 0 and divide its bounds and bands.", hint="for example step = 1"
        )
    if max(abs(low), abs(high)) / step > MOST_STEPS:
        raise ReleaseError(f"The bounds of {entry.where} have too many steps.", hint="state a larger step")
    first, last, *edges = (int(mark / step) for mark in marks)
    return Numbers(
        name=name,
        missing=entry.take("missing", bool, True),
        step=step,
        bounds=(first, last),
        edges=tuple(edges),
        rebuild=entry.choice("rebuild", REBUILDS, "uniform"),  # type: ignore[arg-type]
    )


def _number_edges(low: Fraction, high: Fraction, step: Fraction, entry: Entry) -> list[Fraction]:
    stated = entry.raw("bands")
    if stated is None:
        return []
    if isinstance(stated, list) and all(map(is_number, stated)):
        return sorted({low, *(each for each in map(exact, stated) if low < each < high), high + step})
    if not is_number(stated) or stated <= 0:
        _refuse_bands(entry)
    width = exact(stated)
    # The last band is closed; where every value is a band, the upper bound is one, too.
    n_bands = math.ceil((high - low + (step if width <= step else 0)) / width)
    # Before the list of edges is made: a width of 1e-9 would fill the memory.
    _bound(n_bands, entry)
    return [*(low + i * width for i in range(n_bands)), high + step]


def _date(name: str, entry: Entry) -> Column:
    low, high = bounds_of_dates(entry)
    bands = entry.raw("bands")
    end = high + datetime.timedelta(days=1)
    if isinstance(bands, list):
        inner = {_day(each, entry) for each in bands}
        edges = sorted({low, *(each for each in inner if low < each < end), end})
    elif bands in UNITS:
        edges = _calendar_edges(low, end, bands)
    else:
        raise MissingBounds(f'{entry.where} must state "bands": {", ".join(UNITS)}, or a list of dates.', hint=NEVER)
    return Dates(
        name=name,
        missing=entry.take("missing", bool, True),
        edges=tuple(edges),
        form=entry.take("format", str, ISO),
        rebuild=entry.choice("rebuild", REBUILDS, "uniform"),  # type: ignore[arg-type]
    )


def _calendar_edges(low: datetime.date, end: datetime.date, unit: str) -> list[datetime.date]:
    """Return the first days of the calendar units between two days, and the two days."""
    if unit in ("day", "week"):
        step = 1 if unit == "day" else 7
        days = range(0, (end - low).days, step)
        return [low + datetime.timedelta(days=each) for each in days] + [end]
    months = _MONTHS[unit]
    first = low.year * 12 + (low.month - 1) // months * months + months
    last = end.year * 12 + end.month
    starts = (datetime.date(each // 12, each % 12 + 1, 1) for each in range(first, last, months))
    return [low, *(each for each in starts if low < each < end), end]


def _code(name: str, entry: Entry) -> Column:
    values = tuple(str(each).upper() for each in entry.texts("prefixes"))
    # Sorted, a prefix precedes everything that begins with it.
    if any(b.startswith(a) for a, b in pairwise(sorted(values))):
        raise ReleaseError(f"A prefix of {entry.where} begins with another one.")
    return Prefixes(
        name=name,
        missing=entry.take("missing", bool, True),
        values=values,
        length=entry.take("length", int, 0),
        fill=entry.choice("fill", tuple(FILLS), "digits"),
    )


KINDS: dict[str, Callable[[str, Entry], Column]] = {
    "category": _category,
    "number": _number,
    "date": _date,
    "code": _code,
}


def _pair(entry: Entry) -> list[Any]:
    found: Any = entry.raw("bounds")
    if not isinstance(found, list) or len(found) != 2:
        raise MissingBounds(f'{entry.where} must state "bounds": the lowest and the highest value.', hint=NEVER)
    return found


def _refuse_bounds(entry: Entry, what: str, example: str) -> NoReturn:
    raise ReleaseError(
        f"The bounds of {entry.where} must be two {what}, the lower one first.", hint=f"for example bounds = {example}"
    )


def _refuse_bands(entry: Entry) -> NoReturn:
    raise MissingBounds(f'{entry.where} must state "bands": a width, or a list of edges.', hint=NEVER)


def _day(value: Any, entry: Entry) -> datetime.date:
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    try:
        return datetime.date.fromisoformat(str(value))
    except ValueError:
        raise ReleaseError(f"The dates of {entry.where} must be written as 2026-11-26.") from None


def _bound(n_values: int, entry: Entry) -> None:
    if n_values > MOST_VALUES:
        raise TooManyCells(
            f"{entry.where} has more than {MOST_VALUES:,} values.", hint="declare wider bands or fewer categories"
        )
