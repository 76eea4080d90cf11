"""The current time, which SOURCE_DATE_EPOCH replaces where a run is to be reproduced.

Question: which time does a file state, and which day decides what has ended?
Method: seconds since 1970 in SOURCE_DATE_EPOCH, as reproducible builds define it; otherwise the clock, in UTC. The day
that decides is the later one of both: builds set the variable to the day of a commit, and an acceptance ends all the
same.
Limits: a value that is not a number of seconds, or beyond the calendar, is ignored. A clock that is wrong is believed.
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
    """Return the day, in UTC, on which it is decided what has ended: SOURCE_DATE_EPOCH cannot put it into the past."""
    return max(now().date(), day_of_the_clock())


def day_of_the_clock() -> datetime.date:
    """Return the current day of the clock in UTC; the tests replace this function."""
    return datetime.datetime.now(datetime.UTC).date()
