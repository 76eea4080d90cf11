"""The list of three-digit ZIP areas with few people, with source and date.

Question: which three-digit ZIP areas hold 20,000 people or fewer?
Method: the list that HHS printed, as strings, with the census it is based on.
Limits: the printed list follows the census of 2000, and a newer census may give another list; populations of the
areas are not shipped, so the list cannot be recomputed here.
"""

from __future__ import annotations

import datetime
from functools import cache

from privaudit.base import resources
from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass
from privaudit.base.typed import Strict
from privaudit.rulebook.packs import read_pack

ZIP3_FILE = "zip3-2000-hhs.toml"


@dataclass(frozen=True, kw_only=True)
class Zip3Table(Strict):
    """Three-digit ZIP areas with few people, as strings to keep leading zeros."""

    id: str
    title: str
    vintage: str
    as_of: datetime.date
    source: str
    verified: str
    limits: str
    restricted: tuple[str, ...]


@cache
def zip3() -> Zip3Table:
    """Return the shipped list of three-digit ZIP areas with 20,000 people or fewer."""
    table = read_pack(resources.path("rules", "reference", ZIP3_FILE), Zip3Table)
    if any(len(code) != 3 or not code.isdecimal() for code in table.restricted):
        raise RuleError(f'"restricted" in {ZIP3_FILE} must list codes of three digits.')
    return table
