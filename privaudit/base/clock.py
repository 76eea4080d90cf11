"""The current time, which SOURCE_DATE_EPOCH replaces where a run is to be reproduced.

Question: which day is it for this run?
Method: seconds since 1970 in SOURCE_DATE_EPOCH, as reproducible builds define it; otherwise the clock, in UTC.
Limits: a value that is not a number of seconds, or beyond the calendar, is ignored.
"""

from __future__ import annotations

import datetime
import os


def now() -> datetime.datetime:
    """Return the current time in UTC."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isascii() and epoch.isdigit():
        try:
            return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC)
        except (OverflowError, ValueError, OSError):
            pass
    return datetime.datetime.now(datetime.UTC)


def stamp() -> str:
    """Return the current time in UTC as every file states it, to the second."""
    return now().strftime("%Y-%m-%dT%H:%M:%SZ")


def today() -> datetime.date:
    """Return the current day in UTC."""
    return now().date()
