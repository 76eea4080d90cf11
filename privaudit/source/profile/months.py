"""Names of the months, as dates are written with them, in the languages that tables are written in.

Question: which month is "février", "março", "жовтня"?
Method: ``rules/reference/months.txt`` lists the names in lower case; they are known with and without accents.
Limits: abbreviations only where they are common; months in other languages are not recognised.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from privaudit.base import resources

ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@cache
def numbers() -> dict[str, int]:
    """Return the number of each month by its names, in lower case, as written and without accents."""
    found = {name: number for number, name in enumerate(ENGLISH, start=1)}
    for line in resources.lines("rules", "reference", "months.txt"):
        for number, name in enumerate(line.split(), start=1):
            plain = "".join(c for c in unicodedata.normalize("NFKD", name) if unicodedata.combining(c) < 200)
            for spelling in (name, unicodedata.normalize("NFC", plain)):
                found.setdefault(spelling, number)
    return found
