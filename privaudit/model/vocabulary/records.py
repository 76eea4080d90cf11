"""The record of an entity type and how it is read from a table of TOML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, Literal

from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass

Role = Literal["direct", "quasi", "sensitive", "none"]
Severity = Literal["info", "low", "medium", "high", "critical"]

ROLES: tuple[Role, ...] = ("direct", "quasi", "sensitive", "none")
SEVERITIES: tuple[Severity, ...] = ("info", "low", "medium", "high", "critical")
"""The severities in their order, the least first."""


def severity_level(severity: Severity) -> int:
    """Return the place of a severity in their order, 0 for "info"."""
    return SEVERITIES.index(severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityTypeRecord:
    """What is known of one entity type.

    Attributes
    ----------
    code : str
        Upper-case code, for example EMAIL.
    singular, plural : str
        The term in a sentence, in lower case unless it is a proper name or an acronym.
    group : str
        The file that holds the record: name, place, date, identifier, ...
    role : {"direct", "quasi", "sensitive", "none"}
        Role of a column of this type, unless the column's own measures or the user say otherwise.
    special : bool
        Whether it is a special category of personal data (GDPR art. 9 or 10).
    laws : tuple of str
        Provisions that name it.
    severity : mapping of str to str
        Severity by the code of each check that reports it.
    place_level : str or None
        How precisely it locates a person: country, region, county, city, postal or point.
    generalisations : tuple of str
        Techniques that generalise it, for example "date" or "prefix".
    value_form : str
        The form that the values have, for example "category" or "official_number"; detection checks it where a column
        name suggests the entity type. Empty if any values can be of this type.
    families : tuple of str
        Families of entity types with nearly the same meaning, such as "person_name". Readings of one family do not
        contradict each other.
    preimage_bits : float
        Base-2 logarithm of the number of possible values, which bounds the time to reverse a hash; 0 if unknown.
    traits : frozenset of str
        Further properties that rooms ask for; docs/rules.md lists them.
    spaces : tuple of str
        Small sets that its values come from (privaudit/detect/pseudonyms/brute_force.py); trying all of a set reverses
        hashes of such values.
    linkage_rank : int or None
        Position in the order in which record linkage joins attributes into a hashed key, from 1.
    label_group : str or None
        Name of the group of entity types that labels of columns do not distinguish.
    recognised_by : tuple of str
        How it is recognised, besides detectors.
    description : str
        A sentence for ``privaudit explain``.
    own : bool
        Whether a pack of the user declares it.
    """

    code: str
    singular: str
    plural: str
    group: str
    role: Role = "none"
    special: bool = False
    laws: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    place_level: str | None = None
    generalisations: tuple[str, ...] = ()
    value_form: str = ""
    families: tuple[str, ...] = ()
    preimage_bits: float = 0.0
    traits: frozenset[str] = frozenset()
    spaces: tuple[str, ...] = ()
    linkage_rank: int | None = None
    label_group: str | None = None
    recognised_by: tuple[str, ...] = ()
    description: str = ""
    own: bool = False

    @property
    def title(self) -> str:
        """The term at the beginning of a sentence or in a table."""
        return self.singular[:1].upper() + self.singular[1:]


_READ = {item.name for item in fields(EntityTypeRecord)} - {"code", "group", "own"}
_CHOICES: dict[str, tuple[str, ...]] = {"role": ROLES}
_CONTAINERS: dict[str, type] = {
    "laws": tuple,
    "families": tuple,
    "generalisations": tuple,
    "recognised_by": tuple,
    "spaces": tuple,
    "traits": frozenset,
}


def read_record(code: str, entry: Mapping[str, Any], group: str, file: str) -> EntityTypeRecord:
    """Return the record of `code` from its TOML table.

    Raises
    ------
    RuleError
        For a missing, unknown or wrong key; the message names the file and the key.
    """
    where = f"{file}: entity type {code}"
    unknown = set(entry) - _READ
    if unknown:
        raise RuleError(f'{where} has the unknown key "{min(unknown)}".', hint=f"keys: {', '.join(sorted(_READ))}")
    missing = {"singular", "plural"} - set(entry)
    if missing:
        raise RuleError(f'{where} has no "{min(missing)}".')
    for key, allowed in _CHOICES.items():
        if entry.get(key, allowed[0]) not in allowed:
            raise RuleError(f'{where}: "{key}" must be one of {", ".join(allowed)}.')
    for check, severity in entry.get("severity", {}).items():
        if severity not in SEVERITIES:
            raise RuleError(f"{where}: the severity for {check} must be one of {', '.join(SEVERITIES)}.")
    typed = {key: _CONTAINERS[key](value) if key in _CONTAINERS else value for key, value in entry.items()}
    return EntityTypeRecord(code=code, group=group, **typed)
