"""Replace values by their names at a level of a hierarchy: of a file, a public one, or one that the step states."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from math import ceil
from typing import Any

import numpy as np

from privaudit.advice.technique.recoding import Column, Hierarchy, Recoding, by_text, listed
from privaudit.base import resources
from privaudit.base.arrays import Floats
from privaudit.base.errors import ConfigError
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.model.wording import Threshold

KNOWN = 0.9
LEAST = 3
"""Different values that a column must have for a hierarchy to fit."""
_CODES = Expression(r"([A-Z])(\d\d)-([A-Z])(\d\d)")


@dataclass(frozen=True, slots=True)
class PublicHierarchy:
    """One public hierarchy.

    Question: into which groups that everyone knows can the values of a column be merged?
    Method: one file of ``rules/hierarchies`` for each, with source and licence: groups with their names at levels 1, 2,
    ... and their members. Values are compared without case, accents and repeated spaces; of codes, the first
    characters. A hierarchy fits a column where it knows at least `KNOWN` of the different values.
    Limits: labels in English, and codes. Dates, numbers and postal codes have hierarchies of their own.

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
    most = len(values) - ceil(KNOWN * len(values))
    unknown: dict[str, int] = {}
    for name in resources.names("rules", "hierarchies"):
        known = public_hierarchy(name)
        n = sum(1 for _ in islice((value for value in values if known.path(value) is None), most + 1))
        if n <= most:
            unknown[name] = n
    return max(unknown, key=lambda name: (-unknown[name], name), default=None)


def hierarchy_of(name: str, values: Sequence[str]) -> Hierarchy:
    """Return the names of the values that a public hierarchy knows."""
    found = public_hierarchy(name)
    return {value: path for value in values if (path := found.path(value)) is not None}


ROOT = "*"
"""The root of a hierarchy whose last level has several names."""


def hierarchy_level(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace the values of `column` by their names at one level of its hierarchy.

    Method: the hierarchy is a file of the plan, a public one, or a table in the step itself: ``{ Bachelors = "Graduate"
    }``, with a list of names where it has several levels.
    Limits: a value without an entry is an error for a table in the step, and the root for the others, unless
    ``unknown`` states otherwise. Above the last level of a value its last name is used.
    """
    values, level = column.dictionary.to_pylist(), int(parameters.get("level", 1))
    hierarchy = _hierarchy(column, parameters, values)
    depth = depth_of(hierarchy)
    root = root_of(hierarchy)
    names = [_name_at(hierarchy[value], level) if value in hierarchy else root for value in values]
    stated = {key: parameters[key] for key in ("public", "mapping", "unknown", "into") if key in parameters}
    return Recoding(
        "hierarchy_level",
        column.name,
        {"level": level, "of": depth} | stated,
        *by_text(listed(names)),
        shares=_leaf_shares(values, names, hierarchy, level),
        details={"level": Threshold(level), "depth": Threshold(depth)},
    )


def _hierarchy(column: Column, parameters: Mapping[str, Any], values: Sequence[str]) -> Hierarchy:
    """Return the hierarchy that the step names.

    Raises
    ------
    ConfigError
        If a value of the column has no entry, and the step does not make it the root.
    """
    found: Hierarchy = column.hierarchy or {}
    if "public" in parameters:
        found = hierarchy_of(str(parameters["public"]), values)
    elif "mapping" in parameters:
        stated = parameters["mapping"].items()
        found = {str(value): (names,) if isinstance(names, str) else tuple(names) for value, names in stated}
    default = "error" if "mapping" in parameters else "root"
    missing = np.array([value not in found for value in values], dtype=bool) & (column.counts[:-1] > 0)
    if parameters.get("unknown", default) == "error" and missing.any():
        n = int(column.counts[:-1][missing].sum())
        raise ConfigError(
            f'Values of "{column.name}" without an entry in its hierarchy: {int(missing.sum()):,}, in {n:,} records.',
            hint='add them, or write unknown = "root" in the step',
        )
    return found


def root_of(hierarchy: Hierarchy) -> str:
    """Return the name of all values at the last level of a hierarchy; "*" where it has several."""
    last = {names[-1] for names in hierarchy.values() if names}
    return last.pop() if len(last) == 1 else ROOT


def depth_of(hierarchy: Hierarchy) -> int:
    """Return the levels of a hierarchy, the values themselves not counted."""
    return max((len(names) for names in hierarchy.values()), default=0)


def _leaf_shares(values: Sequence[str], names: Sequence[str], hierarchy: Hierarchy, level: int) -> Floats:
    """Return the share of the leaves of a hierarchy under each of `names`, and one leaf for a missing cell.

    A value that the hierarchy does not contain is a leaf of its own, and may be any leaf once it is the root.
    """
    under = Counter(_name_at(path, level) for path in hierarchy.values())
    unknown = [value not in hierarchy for value in values]
    leaves = sum(under.values()) + sum(unknown)
    kept = [leaves if gone or name == ROOT else under[name] for name, gone in zip(names, unknown, strict=True)]
    return np.array([*kept, 1]) / max(1, leaves)


def _name_at(names: Sequence[str], level: int) -> str:
    return names[min(level, len(names)) - 1]
