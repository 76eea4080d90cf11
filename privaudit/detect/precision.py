"""How finely a column says where and when.

Question: does it place people in a country or at a door, on a day or in a year?
Method: places by what the column was found to be; dates by the profile, and years by what the column was found to be.
Limits: a postal code counts as postal in every country, whatever number of people it covers there.
"""

from __future__ import annotations

from privaudit.model import ColumnProfile, Verdict

PLACES = {
    "COUNTRY": "country",
    "STATE": "region",
    "COUNTY_REGION": "county",
    "GEO_CODE": "county",
    "CITY": "city",
    "POSTAL_CODE": "postal",
    "ADDRESS_PART": "point",
    "STREET_ADDRESS": "point",
    "COORDINATES": "point",
    "LATITUDE": "point",
    "LONGITUDE": "point",
}
"""Entity to level of place, coarse to fine: country, region, county, city, postal area, postal, point."""

POSTAL_AREA_LENGTH = 3
"""A postal code of at most this many characters names an area, as a ZIP3 does."""


def geo_precision(profile: ColumnProfile, verdict: Verdict | None, *, zip3: bool = False) -> str | None:
    """Return the level of place a column gives, None where it gives none or has no cells.

    Parameters
    ----------
    profile : ColumnProfile
    verdict : Verdict or None
        What the column is.
    zip3 : bool
        Whether its postal codes are cut to their first three digits.
    """
    if profile.n_missing == profile.n_rows:
        return None
    level = PLACES.get(verdict.entity if verdict else "", profile.geo_precision)
    short = profile.length_max is not None and profile.length_max <= POSTAL_AREA_LENGTH
    return "postal area" if level == "postal" and (short or zip3) else level


def date_precision(profile: ColumnProfile, verdict: Verdict | None) -> str | None:
    """Return year, month, day, minute or second, None where a column holds no dates."""
    if profile.date_precision is not None or verdict is None:
        return profile.date_precision
    years = verdict.entity == "BIRTH_YEAR" or (verdict.entity == "DATE_EVENT" and profile.data_type == "integer")
    return "year" if years else None
