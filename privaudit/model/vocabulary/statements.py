"""What people state about a table and its release, by the words that settings and reports share."""

from __future__ import annotations

from typing import Literal, get_args

MissingSemantics = Literal["category", "wildcard", "one-sided"]
"""How missing values are compared."""

DateLevel = Literal["year", "month", "day", "minute", "second"]
GeoLevel = Literal["country", "region", "county", "city", "postal area", "postal", "point"]
DATE_LEVELS: tuple[DateLevel, ...] = get_args(DateLevel)
GEO_LEVELS: tuple[GeoLevel, ...] = get_args(GeoLevel)
"""How precise a date and a place are, the coarsest first."""

CONTEXT = ("purpose", "recipients", "legal_basis", "holder", "release_model", "controls", "decides", "review")
"""What people state about a release besides the controls: its purpose, the recipients, the legal basis, who holds the
data, how they are released, which measures protect them, who decides, and when it is reviewed."""
