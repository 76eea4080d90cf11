"""Say a finding in words: people counted, columns named, numbers with their limit.

Question: what does a finding say to a person?
Method: the template of the check, filled with a fixed set of words. Column names are data: they are put in and
never read as templates.
Limits: plain text; each output escapes it in its own way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from privaudit.model import PolicyInfo
from privaudit.rulebook.packs import Check
from privaudit.rulebook.scene import Observation

MOST_NAMES = 8


def people(n_people: int | None, n_total: int | None) -> str:
    """Return "412 of 10,000 people (4.1 %)".

    >>> people(412, 10_000), people(0, 50), people(None, 3)
    ('412 of 10,000 people (4.1 %)', '0 of 50 people', 'people that were not counted')
    """
    if n_people is None or n_total is None:
        return "people that were not counted"
    text = f"{n_people:,} of {n_total:,} people"
    return f"{text} ({percent(n_people / n_total)})" if n_people and n_total else text


def percent(share: float) -> str:
    """Return a share in 0..1 in per cent; what is there never reads as none and what is missing never as all.

    >>> percent(0.041), percent(0.00001), percent(1.0), percent(0.99999), percent(0.9908)
    ('4.1 %', '< 0.01 %', '100 %', '> 99.9 %', '99 %')
    """
    points = 100 * share
    if 0 < points < 0.01:
        return "< 0.01 %"
    if 99.9 < points < 100:
        return "> 99.9 %"
    if points < 10:
        return f"{points:.2g} %"
    return f"{points:.0f} %" if points < 98.5 else f"{math.floor(points * 10) / 10:.3g} %"


def names(columns: Sequence[str]) -> str:
    """Return column names in quotes, joined by plus signs; beyond `MOST_NAMES` the rest is counted.

    >>> names(("age", "zip"))
    '"age" + "zip"'
    """
    shown = " + ".join(f'"{column}"' for column in columns[:MOST_NAMES])
    rest = len(columns) - MOST_NAMES
    return f"{shown} and {rest} more" if rest > 0 else shown or "the table"


def number(value: float | int | str | None) -> str:
    """Return a number or a word for a sentence.

    >>> number(12345), number(0.07512345), number("month"), number(None)
    ('12,345', '0.0751', 'month', 'not measured')
    """
    if value is None:
        return "not measured"
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def sentence(check: Check, observation: Observation, limit: float | int | str, policy: PolicyInfo) -> str:
    """Return the message of `check` about `observation`."""
    words = {
        "people": people(observation.n_people, observation.n_total),
        "columns": names(observation.subject),
        "observed": number(observation.observed),
        "limit": number(limit),
        "k": str(policy.k),
        "probability": f"{policy.probability:g}",
        "entity": entity_words(observation.entity),
        "percent": percent(observation.observed) if isinstance(observation.observed, float) else "",
        "bound": "",
        "level": "",
        "other": "",
        **observation.words,
    }
    return " ".join(check.message.format_map(words).split())


def entity_words(entity: str | None) -> str:
    """Return what cells of an entity hold, as a sentence says it.

    >>> entity_words("EMAIL"), entity_words("IP_ADDRESS"), entity_words("VOTER_ID"), entity_words(None)
    ('e-mail addresses', 'IP addresses', 'voter numbers', 'personal data')
    """
    if entity is None:
        return "personal data"
    if entity in _PLURALS:
        return _PLURALS[entity]
    short = {"SSN", "IBAN", "URL", "IP", "MAC", "ID", "UUID"}
    return " ".join(word if word in short else word.lower() for word in entity.split("_"))


_PLURALS = {
    "ADDRESS_PART": "parts of addresses",
    "BANK_ACCOUNT": "bank account numbers",
    "BANK_CODE": "bank codes",
    "BIOMETRIC": "body measures or biometric data",
    "BIRTH_YEAR": "years of birth",
    "CARD_EXPIRY": "card expiry dates",
    "CARD_SECURITY": "card security codes",
    "CARD_TYPE": "card brands",
    "CATEGORY": "categories",
    "CITY": "towns",
    "COLOUR": "colours",
    "COUNTRY": "countries",
    "COUNTY_REGION": "counties or regions",
    "CREDIT_CARD": "payment card numbers",
    "CREDIT_SCORE": "credit scores",
    "CRIMINAL": "convictions or offences",
    "CURRENCY": "currencies",
    "DATE_EVENT": "dates of events",
    "DATE_OF_BIRTH": "dates of birth",
    "DEATH_DATE": "dates of death",
    "DEPARTMENT": "departments",
    "DEVICE_ID": "device identifiers",
    "DRIVER_LICENSE": "driving licence numbers",
    "EMAIL": "e-mail addresses",
    "EMBEDDING": "embeddings",
    "EMPLOYER": "employers",
    "FILE_PATH": "file paths",
    "FINANCIAL": "financial figures",
    "FIRST_NAME": "first names",
    "GENDER": "sex or gender",
    "GENETIC": "genetic data",
    "GEO_CODE": "codes of areas",
    "HASH": "hashes",
    "HEALTH_ID": "health record or insurance numbers",
    "HOUSEHOLD": "family or household details",
    "IBAN": "bank account numbers (IBAN)",
    "IMAGE": "images",
    "IP_ADDRESS": "IP addresses",
    "LANGUAGE": "languages",
    "LAST_NAME": "last names",
    "MAC_ADDRESS": "MAC addresses",
    "MAIDEN_NAME": "maiden names",
    "MARITAL_STATUS": "marital status",
    "MEDICAL": "health data",
    "MIDDLE_NAME": "middle names",
    "MIME_TYPE": "media types",
    "NAME_PREFIX": "forms of address",
    "NAME_SUFFIX": "suffixes of names",
    "NATIONALITY": "nationalities",
    "NATIONAL_ID": "national identity numbers",
    "OCCUPATION": "occupations",
    "ORGANISATION": "organisations",
    "PASSPORT": "passport numbers",
    "PASSWORD": "passwords",
    "PERSON_ID": "numbers of people",
    "PERSON_NAME": "names of people",
    "PHONE": "phone numbers",
    "POLITICS": "political views",
    "POSTAL_CODE": "postal codes",
    "PRODUCT_CODE": "product codes",
    "PSEUDONYM": "pseudonyms",
    "RACE_ETHNICITY": "racial or ethnic origin",
    "RECORD_ID": "record numbers",
    "RELIGION": "religion or belief",
    "ROW_NUMBER": "row numbers",
    "SECRET": "keys or tokens",
    "SEX_LIFE": "sex life or orientation",
    "SSN": "social security numbers",
    "STATE": "states or provinces",
    "STREET_ADDRESS": "street addresses",
    "STRUCTURED": "structured values",
    "TAX_ID": "tax numbers",
    "TIMEZONE": "time zones",
    "UNION": "union membership",
    "UNRESOLVED_ID": "unresolved identifiers",
    "URL": "web addresses",
    "USERNAME": "user names",
    "USER_AGENT": "browser descriptions",
    "UUID": "UUIDs",
    "VEHICLE_ID": "number plates or vehicle numbers",
    "VERSION": "versions",
    "VOTER_ID": "voter numbers",
    "WEIGHT": "sampling weights",
}
