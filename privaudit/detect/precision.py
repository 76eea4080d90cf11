"""The granularity of places and dates in a column.

Question: does a column locate people to a country or to an address, to a year or to a day?
Method: places by the entity type of the column; dates by the profile, years by the entity type.
Limits: a postal code has the same level in every country, however many people live in its area.
"""

from __future__ import annotations

from privaudit.model import ColumnProfile, Verdict
from privaudit.vocabulary import entity_type

POSTAL_AREA_LENGTH = 3
"""A postal code of at most this many characters is the code of an area, as a ZIP3 is."""


def geo_precision(profile: ColumnProfile, verdict: Verdict | None, *, zip3: bool = False) -> str | None:
    """Return the level of place of a column; None if it has no places or no cells.

    Parameters
    ----------
    profile : ColumnProfile
    verdict : Verdict or None
        What the column is.
    zip3 : bool
        Whether its postal codes consist of the first three digits.
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
    years = verdict.entity == "BIRTH_YEAR" or (
        verdict.entity == "DATE_EVENT" and profile.data_type == "integer"
    )
    return "year" if years else None
