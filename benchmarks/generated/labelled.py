"""Columns with their labels: what the generator knows it made.

Question: which entity type and which roles are right for a column of a generated table?
Method: the generator names the entity type next to the values; the usual role of an entity type is listed here, and a
column may name others that are right as well.
Limits: written from the names of the entity types in the interface alone, without the packs of rules.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROWS = 300

_DIRECT = (
    "PERSON_NAME FIRST_NAME LAST_NAME MAIDEN_NAME MIDDLE_NAME USERNAME EMAIL PHONE STREET_ADDRESS SSN NATIONAL_ID "
    "TAX_ID DRIVER_LICENSE PASSPORT HEALTH_ID VEHICLE_ID CREDIT_CARD IBAN BANK_ACCOUNT IP_ADDRESS MAC_ADDRESS "
    "DEVICE_ID PERSON_ID PASSWORD SECRET"
)
_QUASI = (
    "POSTAL_CODE CITY COUNTY_REGION STATE COUNTRY GEO_CODE LATITUDE LONGITUDE DATE_OF_BIRTH BIRTH_YEAR DEATH_DATE AGE "
    "GENDER MARITAL_STATUS RACE_ETHNICITY NATIONALITY LANGUAGE EDUCATION OCCUPATION EMPLOYER DEPARTMENT HOUSEHOLD "
    "NAME_PREFIX NAME_SUFFIX ADDRESS_PART"
)
_SENSITIVE = "RELIGION INCOME MEDICAL BIOMETRIC CREDIT_SCORE BEHAVIOUR CARD_SECURITY CARD_EXPIRY FREE_TEXT POLITICS"
ROLES = {
    **dict.fromkeys(_DIRECT.split(), ("direct",)),
    **dict.fromkeys(_QUASI.split(), ("quasi",)),
    **dict.fromkeys(_SENSITIVE.split(), ("sensitive",)),
    "DATE_EVENT": ("quasi", "none"),
    "FINANCIAL": ("sensitive", "none"),
    "NAME_PREFIX": ("quasi", "none"),
    "LANGUAGE": ("quasi", "none"),
    "CARD_EXPIRY": ("sensitive", "none"),
    "ROW_NUMBER": ("none", "direct"),
    "ADDRESS_PART": ("quasi", "none"),
    "DEPARTMENT": ("quasi", "none"),
    "BIOMETRIC": ("sensitive", "quasi"),
    "RACE_ETHNICITY": ("quasi", "sensitive"),
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """The cells of a column, its entity type, and the roles that are right, the usual one first."""

    cells: tuple[str, ...]
    entity: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with the generator it comes from; `source` is the unit that evaluations exclude as a whole."""

    name: str
    source: str
    columns: dict[str, Labelled]

    def labels(self) -> dict[str, dict[str, Any]]:
        """Return the labels in the form of `labels_open.json`."""
        return {
            name: {"entity": one.entity, "role": one.roles[0], "alt_roles": list(one.roles[1:])}
            for name, one in self.columns.items()
        }

    def write(self, folder: Path) -> Path:
        """Write the table as CSV and return the file."""
        file = folder / f"{self.name}.csv"
        with file.open("w", encoding="utf-8", newline="") as out:
            lines = csv.writer(out, lineterminator="\n")
            lines.writerow(self.columns)
            lines.writerows(zip(*(one.cells for one in self.columns.values()), strict=True))
        return file


def column(cells: Iterable[Any], entity: str = "NONE", *roles: str) -> Labelled:
    """Return a column whose cells are texts; without `roles` those that are usual for the entity type."""
    texts = tuple("" if cell is None else str(cell).replace("\n", ", ") for cell in cells)
    return Labelled(texts, entity, roles or ROLES.get(entity, ("none",)))


def digits(rng: random.Random, n: int) -> str:
    """Return `n` random digits, the first one not 0."""
    return str(rng.randrange(10 ** (n - 1), 10**n))


def luhn(body: str) -> str:
    """Return `body` with its Luhn check digit."""
    total = 0
    for i, digit in enumerate(reversed(body)):
        doubled = int(digit) * (2 if i % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return f"{body}{-total % 10}"
