"""Value-free measures of a column that the rulebook's checks and the roles read.

Question: how many rows tell of people above 89 or below 18, of a point on the map, of a private address?
Method: counts of rows over the distinct values of a column whose entity is known.
Limits: ages follow from years of birth up to one year; the reference year is that of the table's latest date.
"""

from __future__ import annotations

import numpy as np

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.kinds.dates import Calendar
from privaudit.model import Verdict

_PRIVATE = r"^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2[0-9]|3[01])\.|fc|fd|fe80|::1$)"
_PERSONAL_URL = (
    r"(?i)[?&/#](?:[^=&\s]*(?:user|email|mail|phone|token|session|account|name|id)[^=&\s]*)=|@"
    r"|/(?:users?|profiles?|people|in|u)/[^/\s]+"
)
_FINER = {"year": 0.0, "month": 1.0, "day": 2.0, "minute": 3.0, "second": 4.0}


def measure(
    column: Column, calendar: Calendar, verdict: Verdict | None, latest: float, facts: dict[str, float]
) -> None:
    """Add the measures that follow from what `column` is to `facts`."""
    entity = None if verdict is None else verdict.entity
    if verdict is not None:
        facts["n_cells_hit"] = float(round(verdict.share.value * column.n_present))
    if entity == "AGE":
        _ages(column, facts)
    elif entity in ("DATE_OF_BIRTH", "BIRTH_YEAR"):
        _births(column, calendar, latest, facts)
    elif entity == "POSTAL_CODE":
        _postal(column, facts)
    elif entity in ("LATITUDE", "LONGITUDE", "COORDINATES"):
        facts["geo_decimals"] = float(_decimals(column))
    elif entity == "IP_ADDRESS":
        facts["private_ip"] = float(column.cells(column.matches(_PRIVATE)))
    elif entity == "URL":
        facts["url_personal"] = float(column.cells(column.matches(_PERSONAL_URL)))
    elif entity in ("IMAGE", "EMBEDDING"):
        facts["image_payload"] = float(column.n_present)
    if calendar.share >= 0.5 and calendar.precision is not None:
        facts["date_finer_than_year"] = _FINER[calendar.precision]


def _postal(column: Column, facts: dict[str, float]) -> None:
    facts["zip3"] = float(column.matching(r"^[0-9]{3}(?:\*+|x+|X+)?$") >= 0.9)
    facts["zip5"] = float(column.matching(r"^[0-9]{5}(?:-[0-9]{4})?$") >= 0.9)
    if facts["zip3"] or facts["zip5"]:
        areas = "|".join(words.toml("zip3-2000-hhs")["restricted"])
        facts["rows_zip3_restricted"] = float(column.cells(column.matches(rf"^(?:{areas})(?:[0-9*xX]|-|$)")))


def _ages(column: Column, facts: dict[str, float]) -> None:
    with np.errstate(invalid="ignore"):
        plausible = np.isfinite(column.numbers) & (column.numbers >= 0) & (column.numbers <= 130)
        facts["age_over_89"] = float(column.cells(plausible & (column.numbers >= 90)))
        facts["n_children"] = float(column.cells(plausible & (column.numbers < 18)))
    facts["age_max_over_89"] = facts["age_over_89"]


def _births(column: Column, calendar: Calendar, latest: float, facts: dict[str, float]) -> None:
    years = calendar.years if calendar.share >= 0.5 else column.numbers
    with np.errstate(invalid="ignore"):
        plausible = np.isfinite(years) & (years > latest - 130) & (years <= latest + 1)
        facts["birth_year_90"] = float(column.cells(plausible & (years <= latest - 90)))
        facts["n_children"] = float(column.cells(plausible & (years > latest - 18)))


def _decimals(column: Column) -> int:
    for decimals in range(8, 0, -1):
        if column.matching(rf"\.[0-9]{{{decimals}}}") >= 0.05:
            return decimals
    return 0
