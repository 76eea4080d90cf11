"""Measurements of a column that contain no values; checks and roles read them.

Question: how many rows are about people above 89 or below 18, or contain a private IP address or a precise coordinate?
Does a column locate people to a country or to an address, to a year or to a day?
Method: rows are counted over the distinct values of a column, according to its entity type, which also gives the level
of places; that of dates is in the profile.
Limits: a band of ages counts where all its ages do. Ages from years of birth are exact to one year; the reference year
is that of the latest date of the table. A postal code has the same level in every country, however many people live in
its area.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import Column, form
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Measured
from privaudit.detect.stated_ages import stated_ages
from privaudit.detect.subjects import hashes
from privaudit.model import ColumnProfile, Verdict
from privaudit.model.vocabulary import entity_type, with_trait
from privaudit.source.profile.dates import FORMATS

_DAYS = frozenset(form.name for form in FORMATS if form.has_day)
POSTAL_AREA_LENGTH = 3
"""A postal code of at most this many characters is the code of an area, as a ZIP3 is."""
_LEAST_KNOWN = 0.9  # of the cells: words such as "adult" state no age, and a date of birth in the future no year
_COUNTED = {"IP_ADDRESS": "private_ip", "URL": "url_personal"}  # the form of the cells that are counted
_FINER = {"year": 0.0, "month": 1.0, "day": 2.0, "minute": 3.0, "second": 4.0}
_YEAR_LENGTH = 4


def measure(item: ColumnEvidence, latest: float) -> Iterator[Measured]:
    """Yield the measurements for the entity type of a column; `latest` is the latest year of the table."""
    column, entity, calendar = item.column, item.entity, item.calendar
    if item.verdict is not None:
        yield Measured("n_cells_hit", float(round(item.verdict.share.value * column.n_present)))
    if entity == "AGE":
        yield from _ages(column)
    elif entity in with_trait("birth"):
        yield from _births(item, latest)
    elif entity == "POSTAL_CODE":
        yield from _postal(column)
    elif entity in with_trait("coordinate"):
        # The most decimals, up to eight, that a few of the cells have.
        decimals = (n for n in range(8, 0, -1) if column.matching(rf"\.[0-9]{{{n}}}") >= 0.05)
        yield Measured("geo_decimals", float(next(decimals, 0)))
    elif entity in _COUNTED:
        name = _COUNTED[entity]
        yield Measured(name, float(column.cells(column.matches(form("measured", name)))))
    elif entity in ("IMAGE", "EMBEDDING"):
        yield Measured("image_payload", float(column.n_present))
    elif entity in with_trait("may_be_hash"):
        yield from hashes.preimages(column, item.ledger)
    if calendar.share >= 0.5 and calendar.precision is not None:
        yield Measured("date_finer_than_year", _FINER[calendar.precision])


def _postal(column: Column) -> Iterator[Measured]:
    areas, codes = (column.at_least(form("measured", name)) for name in ("zip3", "zip5"))
    yield Measured("zip3", float(areas))
    yield Measured("zip5", float(codes))
    if areas or codes:
        restricted = "|".join(wordlists.toml("zip3-2000-hhs")["restricted"])
        rows = column.cells(column.matches(rf"^(?:{restricted})(?:[0-9*xX]|-|$)"))
        yield Measured("rows_zip3_restricted", float(rows))


def _ages(column: Column) -> Iterator[Measured]:
    """Count the rows of people above 89 and below 18; what the values leave open is not counted, and not 0."""
    ages = stated_ages(column)
    if column.share(ages.known) < _LEAST_KNOWN:
        return
    elderly = float(column.cells(ages.elderly))
    yield Measured("age_over_89", elderly)
    yield Measured("age_max_over_89", elderly)
    if ages.minors.any() or not ages.may_be_minors.any():
        yield Measured("n_children", float(column.cells(ages.minors)))


def _births(item: ColumnEvidence, latest: float) -> Iterator[Measured]:
    """Count the rows of people above 89 and below 18 by their year of birth; bands of years are not counted."""
    if item.has_groups:
        return
    years = item.calendar.years if item.calendar.share >= 0.5 else item.column.numbers
    with np.errstate(invalid="ignore"):
        plausible = (years > latest - 130) & (years <= latest + 1)
        elderly, minors = plausible & (years <= latest - 90), plausible & (years > latest - 18)
    if item.column.share(plausible) >= _LEAST_KNOWN:
        yield Measured("birth_year_90", float(item.column.cells(elderly)))
        yield Measured("n_children", float(item.column.cells(minors)))


def geo_precision(profile: ColumnProfile, verdict: Verdict | None, *, zip3: bool = False) -> str | None:
    """Return the level of place of a column, None if it has no places or no cells.

    `zip3` states whether its postal codes consist of the first three digits.
    """
    if profile.n_missing == profile.n_rows:
        return None
    level = (entity_type(verdict.entity).place_level if verdict else None) or profile.geo_precision
    short = profile.length_max is not None and profile.length_max <= POSTAL_AREA_LENGTH
    return "postal area" if level == "postal" and (short or zip3) else level


def date_precision(profile: ColumnProfile, verdict: Verdict | None) -> str | None:
    """Return year, month, day, minute or second; None if a column has no dates."""
    if profile.date_precision is not None or verdict is None:
        return profile.date_precision
    if verdict.detail in _DAYS and verdict.entity in with_trait("calendar_date"):
        return "day"  # of cells among which others mark missing dates
    short = profile.data_type == "integer" and (profile.length_max or 0) <= _YEAR_LENGTH  # longer ones have a day
    years = verdict.entity == "BIRTH_YEAR" or (verdict.entity == "DATE_EVENT" and short)
    return "year" if years else None
