"""Values that Faker makes: names that are unique and fit a sex, e-mail addresses of names.

Question: which invented value does a person get?
Method: one Faker for each locale, seeded by the caller. E-mail addresses have domains that are reserved for examples.
Limits: a name, address or telephone number that Faker makes can be that of a person who exists.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from privaudit.base.errors import ConfigError
from privaudit.base.extras import FAKE, needing

MOST_ATTEMPTS = 20
"""Draws of a unique name, before a middle initial or a number makes it unique."""
DOMAINS = ("example.com", "example.org", "example.net")


def faker(locale: str, seed: int) -> Any:
    """Return a Faker of a locale.

    Raises
    ------
    ConfigError
        For a locale that Faker does not have.
    """
    with needing(FAKE, "Inventing values"):
        from faker import Faker
    try:
        made = Faker(locale)
    except AttributeError:
        raise ConfigError(f"Faker has no locale {locale!r}.", hint="for example en_GB, de_DE, fr_FR") from None
    made.seed_instance(seed)
    return made


def unique_names(source: Any, sexes: Sequence[str | None]) -> list[str]:
    """Return a different full name for each record, which fits its sex."""
    taken: set[str] = set()
    found = []
    for sex in sexes:
        for attempt in range(MOST_ATTEMPTS + 1):
            name = f"{first_name(source, sex)} {source.last_name()}"
            if attempt == MOST_ATTEMPTS:
                name = f"{name} {len(taken)}"
            if name not in taken:
                break
        taken.add(name)
        found.append(name)
    return found


def first_name(source: Any, sex: str | None) -> str:
    """Return a first name for a sex: "F", "M" or None."""
    return str({"F": source.first_name_female, "M": source.first_name_male}.get(sex or "", source.first_name)())


def emails_of(names: Sequence[str]) -> list[str]:
    """Return an e-mail address of a reserved domain for each name; addresses are different."""
    taken: dict[str, int] = {}
    found = []
    for i, name in enumerate(names):
        local = local_part(name)
        taken[local] = taken.get(local, 0) + 1
        number = "" if taken[local] == 1 else str(taken[local])
        found.append(f"{local}{number}@{DOMAINS[i % len(DOMAINS)]}")
    return found


def local_part(name: str) -> str:
    """Return the part of an e-mail address before the @ that a name has: "anna.smith"."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    words = ("".join(letter for letter in word if letter.isalnum()) for word in plain.split())
    return ".".join(word for word in words if word) or "person"
