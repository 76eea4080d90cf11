"""Which records are kept longer than the data map allows?

Question: how many records of each table should have been archived or erased by today?
Method: a record is due on the day of its date plus the period, in calendar months and years; it is overdue after that
day. With ``then = "archive"`` it is due for the archive after `keep`, and for erasure after `keep` and `archive`.
Limits: a record without a readable date cannot be judged: it is counted and makes the check incomplete.
"""

from __future__ import annotations

import calendar
import datetime
import re
from pathlib import Path

import numpy as np

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.settings.config import Settings
from privaudit.source.profile.dates import parse_dates
from privaudit.stewardship import stores
from privaudit.stewardship.data_map import Store, Table

_PERIOD = re.compile(r"\s*(\d{1,4})\s*(day|week|month|year)s?\s*")
_EPOCH = datetime.date(1970, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention(Wire):
    """The records of a table by the day on which they are due.

    Attributes
    ----------
    n_to_archive, n_to_erase : int
        Overdue records.
    oldest_days : int or None
        Days since the oldest date.
    n_without_date : int
        Records that cannot be judged.
    """

    store: str
    table: str
    n_rows: int
    n_to_archive: int
    n_to_erase: int
    oldest_days: int | None
    n_without_date: int


def parse_period(text: str) -> tuple[int, int]:
    """Return the months and days of a period such as "10 months".

    Raises
    ------
    ConfigError
        For a text that is not a period.
    """
    found = _PERIOD.fullmatch(text)
    if found is None:
        raise ConfigError(
            "A period of the inventory cannot be read.", hint='write a number and a unit: "10 months", "5 years"'
        )
    n, unit = int(found[1]), found[2]
    return {"day": (0, n), "week": (0, 7 * n), "month": (n, 0), "year": (12 * n, 0)}[unit]


def days_before(today: datetime.date, *periods: str) -> datetime.date:
    """Return the day that lies all `periods` before `today`; the last day of a month that is too short."""
    for months, days in map(parse_period, periods):
        total = today.year * 12 + today.month - 1 - months
        if total < 12:
            return datetime.date.min
        year, month = divmod(total, 12)
        day = min(today.day, calendar.monthrange(year, month + 1)[1])
        today = datetime.date(year, month + 1, day) - datetime.timedelta(days=days)
    return today


def assess(store: Store, table: Table, folder: Path, today: datetime.date, settings: Settings) -> Retention | None:
    """Return the overdue records of a table; None where the map states no period.

    Raises
    ------
    ConfigError
        If the period cannot be read, or the map does not state from which date it is counted.
    PrivauditError
        If the table cannot be read.
    """
    if not table.keep:
        return None
    if not table.counted_from or not table.then:
        raise ConfigError(
            "A table of the inventory has keep without counted_from or then.",
            hint='name a column with a date, and then = "erase" or "archive"',
        )
    source = stores.resolved(store.source, folder)
    rows = stores.read_rows(source, table.name, [table.counted_from], settings)
    days, _, _ = parse_dates(rows[table.counted_from].combine_chunks())
    known = days[~np.isnan(days)]
    due = _before(known, days_before(today, table.keep))
    is_archived = table.then == "archive"
    gone = _before(known, days_before(today, table.keep, table.archive)) if is_archived and table.archive else 0
    return Retention(
        store=store.name,
        table=table.name,
        n_rows=rows.num_rows,
        n_to_archive=due - gone if is_archived else 0,
        n_to_erase=gone if is_archived else due,
        oldest_days=(today - _EPOCH).days - int(known.min()) if len(known) else None,
        n_without_date=len(days) - len(known),
    )


def _before(days: np.ndarray[tuple[int], np.dtype[np.float64]], cutoff: datetime.date) -> int:
    return int((np.floor(days) < (cutoff - _EPOCH).days).sum())
