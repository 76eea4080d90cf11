"""Do two headers speak of the same thing?

Question: may "maritalStatus" of one table be "civil status" of the other?
Method: headers are split into words at signs, digits and changes of case; equal words, a shared entry of a short
table of synonyms, or one header within the other.
Limits: a handful of everyday attributes in a handful of languages; the values decide in the end.
"""

from __future__ import annotations

import re

SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "sex gender geschlecht sexe sexo jinsia",
        "zip zipcode postcode postal postalcode plz cp postleitzahl",
        # A year of birth is compared with a date of birth by its year.
        "dob birthdate birthday dateofbirth birthdt bday birthyear yob yearofbirth birthmonth",
        "age ageyears ageinyears umri alter edad",
        "marital maritalstatus civilstatus familystatus",
        "occupation job jobtitle jobrole profession work",
        "education educationlevel qualification degree schooling",
        "race ethnicity ethnicgroup raceethnicity",
        "nationality citizenship",
        "country nativecountry countryofbirth birthcountry",
        "county region district province state",
        "city town municipality village",
        "email mail emailaddress",
        "phone telephone mobile phonenumber tel cell msisdn",
        "name fullname personname",
        "firstname givenname forename",
        "lastname surname familyname",
        "dependents dependants noofdependents numberofdependents nodependents",
        "income salary wage earnings",
        "department dept division",
        "religion faith",
        "diagnosis disease illness condition",
    )
)


# Words that say how fine a date is, not what happened on it.
PRECISION = frozenset("date day month quarter year yr dt of".split())

Words = tuple[str, ...]


def relate(ours: str, theirs: str) -> tuple[float, str] | None:
    """Return how far two headers say the same, 0.6 to 1, and in which way; None if they do not."""
    return relate_words(tokens(ours), tokens(theirs))


def relate_words(left: Words, right: Words) -> tuple[float, str] | None:
    """Return the same as `relate` for headers that are split into words already."""
    if not left or not right:
        return None
    if "".join(left) == "".join(right):
        return 1.0, "same header"
    for words in SYNONYMS:
        if _speaks_of(left, words) and _speaks_of(right, words):
            return 0.8, "headers are synonyms"
    event = set(left) - PRECISION
    if event and event == set(right) - PRECISION:
        return 0.8, "headers name the same date"
    shorter, longer = sorted((set(left), set(right)), key=len)
    if shorter < longer and any(len(token) >= 3 for token in shorter):
        return 0.6, "one header is part of the other"
    return None


def tokens(header: str) -> tuple[str, ...]:
    """Split a header at case changes, digits and signs: "maritalStatus_2" gives marital, status, 2."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", header)
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", spaced)
    return tuple(re.findall(r"[^\W\d_]+|\d+", spaced.lower()))


def _speaks_of(header: tuple[str, ...], words: frozenset[str]) -> bool:
    return "".join(header) in words or (len(header) > 1 and header[0] in words and header[-1] == "status")
