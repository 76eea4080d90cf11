"""Measurements of a column that contain no values; checks and roles read them.

Question: how many rows are about people above 89 or below 18, or contain a private IP address or a precise coordinate?
Method: rows are counted over the distinct values of a column, according to its entity type.
Limits: a band of ages counts where all its ages do. Ages from years of birth are exact to one year; the reference year
is that of the latest date of the table.
"""

from __future__ import annotations

import numpy as np

from privaudit.catalogue import wordlists
from privaudit.detect.calendars import Calendar
from privaudit.detect.column import Column
from privaudit.detect.stated_ages import stated_ages
from privaudit.model import Verdict
from privaudit.vocabulary import with_trait

_PRIVATE = r"^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2[0-9]|3[01])\.|fc|fd|fe80|::1$)"
_PERSONAL_URL = (
    r"(?i)[?&/#](?:[^=&\s]*(?:user|email|mail|phone|token|session|account|name|id)[^=&\s]*)=|@"
    r"|/(?:users?|profiles?|people|in|u)/[^/\s]+"
)
_LEAST_KNOWN = 0.9  # words such as "adult" state no age, and numbers above 130 are not years
_FINER = {"year": 0.0, "month": 1.0, "day": 2.0, "minute": 3.0, "second": 4.0}


def measure(
    column: Column, calendar: Calendar, verdict: Verdict | None, latest: float, measurements: dict[str, float]
) -> None:
    """Add the measurements for the entity type of `column` to `measurements`."""
    entity = None if verdict is None else verdict.entity
    if verdict is not None:
        measurements["n_cells_hit"] = float(round(verdict.share.value * column.n_present))
    if entity == "AGE":
        _ages(column, measurements)
    elif entity in with_trait("birth"):
        _births(column, calendar, latest, measurements)
    elif entity == "POSTAL_CODE":
        _postal(column, measurements)
    elif entity in with_trait("coordinate"):
        measurements["geo_decimals"] = float(_decimals(column))
    elif entity == "IP_ADDRESS":
        measurements["private_ip"] = float(column.cells(column.matches(_PRIVATE)))
    elif entity == "URL":
        measurements["url_personal"] = float(column.cells(column.matches(_PERSONAL_URL)))
    elif entity in ("IMAGE", "EMBEDDING"):
        measurements["image_payload"] = float(column.n_present)
    if calendar.share >= 0.5 and calendar.precision is not None:
        measurements["date_finer_than_year"] = _FINER[calendar.precision]


def _postal(column: Column, measurements: dict[str, float]) -> None:
    measurements["zip3"] = float(column.matching(r"^[0-9]{3}(?:\*+|x+|X+)?$") >= 0.9)
    measurements["zip5"] = float(column.matching(r"^[0-9]{5}(?:-[0-9]{4})?$") >= 0.9)
    if measurements["zip3"] or measurements["zip5"]:
        areas = "|".join(wordlists.toml("zip3-2000-hhs")["restricted"])
        measurements["rows_zip3_restricted"] = float(
            column.cells(column.matches(rf"^(?:{areas})(?:[0-9*xX]|-|$)"))
        )


def _ages(column: Column, measurements: dict[str, float]) -> None:
    """Count the rows of people above 89 and below 18; what the values leave open is not counted, and not 0."""
    ages = stated_ages(column)
    if column.share(ages.known) < _LEAST_KNOWN:
        return
    measurements["age_over_89"] = measurements["age_max_over_89"] = float(column.cells(ages.elderly))
    if ages.minors.any() or not ages.may_be_minors.any():
        measurements["n_children"] = float(column.cells(ages.minors))


def _births(column: Column, calendar: Calendar, latest: float, measurements: dict[str, float]) -> None:
    years = calendar.years if calendar.share >= 0.5 else column.numbers
    with np.errstate(invalid="ignore"):
        plausible = np.isfinite(years) & (years > latest - 130) & (years <= latest + 1)
        measurements["birth_year_90"] = float(column.cells(plausible & (years <= latest - 90)))
        measurements["n_children"] = float(column.cells(plausible & (years > latest - 18)))


def _decimals(column: Column) -> int:
    for decimals in range(8, 0, -1):
        if column.matching(rf"\.[0-9]{{{decimals}}}") >= 0.05:
            return decimals
    return 0
