"""All records by code, and the questions that rooms ask of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from privaudit.base import resources
from privaudit.base.errors import RuleError
from privaudit.model.vocabulary.records import EntityTypeRecord, Role, Severity, read_record

_ACRONYMS = frozenset({"SSN", "IBAN", "URL", "IP", "MAC", "ID", "UUID"})


@cache
def entity_types() -> Mapping[str, EntityTypeRecord]:
    """Return every shipped record by code, in the order of the files.

    Raises
    ------
    RuleError
        For a file that is not valid.
    """
    found: dict[str, EntityTypeRecord] = {}
    for stem in resources.names("rules", "entities"):
        content = resources.read_toml(resources.path("rules", "entities", f"{stem}.toml"))
        for code, entry in content["entity"].items():
            if code in found:
                raise RuleError(f"{stem}.toml: the entity type {code} is already defined in another file.")
            found[code] = read_record(code, entry, content["group"], f"{stem}.toml")
    return found


def is_known(code: str) -> bool:
    """Whether a shipped record describes `code`."""
    return code in entity_types()


def entity_type(code: str) -> EntityTypeRecord:
    """Return the record of `code`; one derived from its letters where none is shipped (a pack of the user)."""
    found = entity_types().get(code)
    return found or EntityTypeRecord(code=code, singular=words_of(code), plural=words_of(code), group="own", own=True)


def words_of(code: str) -> str:
    """Return the term for a code without a record, derived from its letters."""
    return " ".join(word if word in _ACRONYMS else word.lower() for word in code.split("_"))


@cache
def in_group(*groups: str) -> frozenset[str]:
    """Return the codes of all entity types in any of `groups`."""
    return frozenset(code for code, record in entity_types().items() if record.group in groups)


@cache
def with_role(role: Role) -> frozenset[str]:
    """Return the codes of all entity types whose default role is `role`."""
    return frozenset(code for code, record in entity_types().items() if record.role == role)


@cache
def with_trait(trait: str) -> frozenset[str]:
    """Return the codes of all entity types that have `trait`.

    Raises
    ------
    KeyError
        If no record has it: a misspelt trait would otherwise be an empty set.
    """
    found = frozenset(code for code, record in entity_types().items() if trait in record.traits)
    if not found:
        raise KeyError(f"no entity type has the trait {trait!r}")
    return found


@cache
def severities(check: str) -> Mapping[str, Severity]:
    """Return the severity of each entity type that the check with this code reports."""
    return {code: record.severity[check] for code, record in entity_types().items() if check in record.severity}


DOUBTFUL = ("roles.event_date", "roles.event_date_with_place")
"""The codes of the reasons of quasi-identifiers that an attacker may not know."""
PERIODS = "periods"
"""The detail of dates that are given as periods, such as "2021-01 to 2021-09"."""


def identifying_types() -> frozenset[str]:
    """Return the direct identifiers that identify a person whatever the table is about."""
    traits = with_trait("implies_person") | with_trait("identifies_alone")
    return traits & with_role("direct")
