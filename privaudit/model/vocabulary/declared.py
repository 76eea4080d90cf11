"""Entity types that a pack of the user declares.

Question: what is known of an entity type that is not shipped?
Method: every ``[[entity]]`` table in the user's folder becomes a record. Its severity is the highest of its detectors;
a direct identifier is reported by the checks for direct identifiers, a special category by the check for those.
Limits: reads names, roles and severities only; `privaudit.detect.catalogue` validates the packs in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from privaudit.base import resources
from privaudit.base.errors import RuleError
from privaudit.model.vocabulary.records import SEVERITIES, EntityTypeRecord, Severity, severity_level
from privaudit.model.vocabulary.table import entity_types, words_of

DIRECT_CHECKS = ("PII001", "PII002")
SPECIAL_CHECKS = ("SEN003",)
_LEARNED = "fusion.toml"  # what `privaudit learn` wrote: not a pack


def declared(folder: str | Path | None) -> Mapping[str, EntityTypeRecord]:
    """Return the records of the entity types that the packs in `folder` declare, by code; none without a folder.

    Raises
    ------
    RuleError
        For a folder without packs, a file that is not TOML, or an entity type without a name, title or role.
    """
    if folder is None:
        return {}
    home = resources.user_folder(folder)
    files = sorted([*home.glob("*.toml"), *home.glob("detectors/*.toml")])
    packs = [(file.name, resources.read_toml(file)) for file in files if file != home / _LEARNED]
    worst = _severities(pack for _name, pack in packs)
    found = (_record(entry, name, worst) for name, pack in packs for entry in _tables(pack, "entity"))
    return {record.code: record for record in found}


def known_types(folder: str | Path | None = None) -> Mapping[str, EntityTypeRecord]:
    """Return every record by code: the shipped ones, then those that the packs in `folder` declare."""
    return {**entity_types(), **declared(folder)}


def _tables(pack: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    entries = pack.get(key, [])
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _severities(packs: Any) -> dict[str, Severity]:
    worst: dict[str, Severity] = {}
    for pack in packs:
        for detector in _tables(pack, "detector"):
            code, severity = str(detector.get("entity")), detector.get("severity", "high")
            if severity in SEVERITIES:
                worst[code] = max(worst.get(code, severity), severity, key=severity_level)
    return worst


def _record(entry: Mapping[str, Any], file: str, worst: Mapping[str, Severity]) -> EntityTypeRecord:
    missing = {"name", "title", "role"} - set(entry)
    if missing:
        raise RuleError(f'{file}: an entity type has no "{min(missing)}".')
    code, title, role = str(entry["name"]), str(entry["title"]), entry["role"]
    special = bool(entry.get("special", False))
    checks = (*(DIRECT_CHECKS if role == "direct" else ()), *(SPECIAL_CHECKS if special else ()))
    return EntityTypeRecord(
        code=code,
        singular=title[:1].lower() + title[1:] if title[1:2].islower() else title,
        plural=words_of(code),
        group="own",
        role=role,
        special=special,
        laws=tuple(entry.get("laws", ())),
        severity={check: worst.get(code, "high") for check in checks},
        description=str(entry.get("description", "")),
        own=True,
    )
