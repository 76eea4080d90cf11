"""Public hierarchies: countries by region, states, counties, levels of education, occupations, codes of diseases.

Question: into which groups that everyone knows can the values of a column be merged?
Method: one file of ``rules/hierarchies`` for each, with source and licence: groups with their names at levels 1, 2, ...
and their members. Values are compared without case, accents and repeated spaces; of codes, the first characters. A
hierarchy fits a column where it knows at least `KNOWN` of the different values.
Limits: labels in English, and codes. Dates, numbers and postal codes have hierarchies of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from privaudit.advice.technique.column import Hierarchy
from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass

KNOWN = 0.9
LEAST = 3
"""Different values that a column must have for a hierarchy to fit."""
_CODES = re.compile(r"([A-Z])(\d\d)-([A-Z])(\d\d)")


@dataclass(frozen=True, slots=True)
class PublicHierarchy:
    """One public hierarchy.

    Attributes
    ----------
    title, source, licence : str
    members : tuple of str
    paths : mapping of folded member to its names at levels 1, 2, ...
    groups : tuple of (names, members)
    characters : int or None
        The first characters of a value that are compared.
    """

    title: str
    source: str
    licence: str
    paths: Mapping[str, tuple[str, ...]]
    groups: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    characters: int | None = None

    def path(self, value: str) -> tuple[str, ...] | None:
        """Return the names of a value at levels 1, 2, ...; None where it is not known."""
        return self.paths.get(fold(value)[: self.characters])

    def members_at(self, level: int) -> dict[str, list[str]]:
        """Return the members of each name at a level."""
        found: dict[str, list[str]] = {}
        for names, members in self.groups:
            found.setdefault(names[min(level, len(names)) - 1], []).extend(members)
        return found


def fold(value: str) -> str:
    """Return a value without case, accents and repeated spaces."""
    plain = value.lower()
    if not value.isascii():
        decomposed = unicodedata.normalize("NFKD", value).casefold()
        plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(plain.split())


@cache
def public_hierarchy(name: str) -> PublicHierarchy:
    """Return a public hierarchy by its name.

    Raises
    ------
    ConfigError
        If there is none of this name.
    """
    if name not in resources.names("rules", "hierarchies"):
        known = ", ".join(resources.names("rules", "hierarchies"))
        raise ConfigError("The plan names a public hierarchy that does not exist.", hint=f"use one of: {known}")
    content = resources.read_toml(resources.path("rules", "hierarchies", f"{name}.toml"), name)
    groups = tuple((tuple(group["names"]), _members(group["members"])) for group in content["group"])
    paths = {fold(code): names for names, members in groups for member in members for code in _expanded(member)}
    return PublicHierarchy(
        content["title"], content["source"], content["licence"], paths, groups, content.get("characters")
    )


def _members(text: str) -> tuple[str, ...]:
    return tuple(member for part in text.replace("\n", " ").split(";") if (member := part.strip()))


def _expanded(member: str) -> list[str]:
    """Return the codes of a range such as A00-B99; another member as it is."""
    found = _CODES.fullmatch(member)
    if found is None:
        return [member]
    first, last = (100 * ord(letter) + int(digits) for letter, digits in (found.group(1, 2), found.group(3, 4)))
    letters = range(ord(found[1]), ord(found[3]) + 1)
    return [f"{chr(c)}{n:02}" for c in letters for n in range(100) if first <= 100 * c + n <= last]


def fitting(values: Sequence[str]) -> str | None:
    """Return the name of the hierarchy that knows most of the values, if it knows nearly all."""
    if len(values) < LEAST:
        return None
    known = {
        name: sum(public_hierarchy(name).path(value) is not None for value in values)
        for name in resources.names("rules", "hierarchies")
    }
    best = max(known, key=lambda name: (known[name], name), default=None)
    return best if best is not None and known[best] >= KNOWN * len(values) else None


def hierarchy_of(name: str, values: Sequence[str]) -> Hierarchy:
    """Return the names of the values that a public hierarchy knows."""
    found = public_hierarchy(name)
    return {value: path for value in values if (path := found.path(value)) is not None}
