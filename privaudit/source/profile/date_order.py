"""Dates and timestamps, ordered by the moment they denote.

Question: is 03/04/2020 before or after 02/05/2020, and 1/1/45 before or after 1/1/80?
Method: each order of day and month, and each usual first year of two-digit years, is one reading of the whole column.
The year first means the month next, unless that does not fit. Zones are applied, and fractions of a second count.
Limits: dates to the day are not comparable with months, nor times with a zone with times without one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.arrow import pa, pc
from privaudit.source.profile.dates import FORMATS, days_by_format
from privaudit.source.profile.numbers import as_fraction, part_text
from privaudit.source.profile.ranks import Ranks, Unordered, dense_ranks

DAY_FIRST = frozenset({"dd/mm/yyyy", "dd-mm-yyyy"})
MONTH_FIRST = frozenset({"mm/dd/yyyy", "mm-dd-yyyy"})
YEAR_MONTH = frozenset({"yyyy-mm-dd", "yyyy/mm/dd"})
YEAR_DAY = frozenset({"yyyy-dd-mm", "yyyy/dd/mm"})
PIVOTS = (69, 50, 30)
"""First two-digit year of the 20th century: in POSIX, in SQL, in spreadsheets."""

_ZONE = r":[0-9]{2}(?:[.,][0-9]+)?\s*(?:[AaPp]\.?[Mm]\.?)?\s*(?P<zone>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)"
_FRACTION = r":[0-9]{2}:[0-9]{2}[.,](?P<fraction>[0-9]+)"


def date_readings(values: pa.Array) -> Iterator[Ranks] | Unordered:
    """Yield the ranks of distinct values under every reading as dates that fits all of them.

    Parameters
    ----------
    values : pyarrow string array of length d, none missing

    Returns
    -------
    iterator of int64 arrays of shape (d,), or the reason why the values are not comparable
    """
    offset = _zone_seconds(values)
    if offset is None:
        return "mixed_zones"
    days = _days_of_readings(values)
    if isinstance(days, str):
        return days
    fraction = _fractions(values)
    return (dense_ranks(np.round(reading * 86_400.0) - offset, fraction) for reading in days)


def _days_of_readings(values: pa.Array) -> list[Floats] | Unordered:
    """Return the days of every value under every reading that fits all of them."""
    has_short_years = not pc.all(pc.match_substring_regex(values, "[0-9]{4}")).as_py()
    pivots = PIVOTS if has_short_years else PIVOTS[:1]
    is_mixed = False
    for excluded in (YEAR_DAY, YEAR_MONTH):
        readings = []
        for other, pivot in itertools.product((MONTH_FIRST, DAY_FIRST), pivots):
            formats = [f for f in FORMATS if f.name not in excluded and f.name not in other]
            days, is_to_the_day = days_by_format(values, formats, pivot=pivot)
            if np.isnan(days).any():
                continue
            is_mixed |= not (is_to_the_day.all() or not is_to_the_day.any())
            readings.append(days)
        if is_mixed:
            return "mixed_precision"
        if readings:
            return readings
    return "unread"


def _fractions(values: pa.Array) -> Floats:
    """Return the fraction of a second of every value."""
    return as_fraction(part_text(pc.extract_regex(values, _FRACTION), "fraction"))


def _zone_seconds(values: pa.Array) -> Floats | None:
    """Return the seconds that the zone of every value is ahead of UTC; None where only some have a zone."""
    zones = part_text(pc.extract_regex(values, _ZONE), "zone").dictionary_encode()
    distinct = zones.dictionary.to_pylist()
    if "" in distinct and len(distinct) > 1:
        return None
    seconds = np.array([_offset(zone) for zone in distinct], dtype=np.float64)
    return seconds[zones.indices.to_numpy(zero_copy_only=False)]


def _offset(zone: str) -> float:
    if not zone.startswith(("+", "-")):
        return 0.0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return (1 if zone[0] == "+" else -1) * (3600 * int(digits[:2]) + 60 * int(digits[2:]))
