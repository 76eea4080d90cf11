"""The detectors of the shipped packs and of the user's packs.

Question: which detectors and entity types are there?
Method: TOML files under ``rules/detectors`` and in a folder of the user, which is validated as it is loaded
(schema.py).
Limits: shipped packs are validated by the tests, not at run time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from privaudit import resources, vocabulary
from privaudit.detect.packs import schema
from privaudit.detect.packs.detector import Detector
from privaudit.detect.packs.text_form import TextForm
from privaudit.model import SEVERITIES, Role, Severity

LEARNED = "fusion.toml"  # written by `privaudit rules train`; not a pack of detectors


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredEntityType:
    """An entity type declared by a user's pack with ``[[entity]]``; its severity is the highest of its detectors."""

    name: str
    title: str
    role: Role
    description: str = ""
    laws: tuple[str, ...] = ()
    special: bool = False
    severity: Severity = "high"


@dataclass(frozen=True, slots=True)
class UserPacks:
    """The content of the user's packs."""

    entities: tuple[DeclaredEntityType, ...] = ()
    detectors: tuple[Detector, ...] = ()


def load(extra_dir: str | Path | None = None) -> tuple[Detector, ...]:
    """Return every detector of the shipped packs and of the packs in `extra_dir`.

    Raises
    ------
    RuleError
        As `user_packs` does.
    """
    return (*_shipped(), *user_packs(extra_dir).detectors)


def user_packs(folder: str | Path | None) -> UserPacks:
    """Return the content of the packs in the user's `folder`, validated; nothing if there is no folder.

    Raises
    ------
    RuleError
        For a folder without packs, a pack that is not TOML, an unknown key, a wrong type, an expression that RE2
        rejects, an unknown validator, list, country or entity type, or a duplicate; the message names pack, detector
        and key.
    """
    if folder is None:
        return UserPacks()
    home = resources.user_folder(folder)
    files = sorted([*home.glob("*.toml"), *home.glob("detectors/*.toml")])
    entities: list[DeclaredEntityType] = []
    loaded: list[tuple[str, Detector]] = []
    for file in files:
        if file == home / LEARNED:
            continue
        pack = schema.validate(resources.read_toml(file), file.name)
        entities += [DeclaredEntityType(**item) for item in pack["entity"]]
        for number, item in enumerate(pack["detector"], 1):
            where = f"{file.name}, detector {number} ({_label(item)})"
            detector = record(pack=file.stem, user=True, **schema.with_file(item, file, where))
            schema.check(detector, where)
            loaded.append((where, detector))
    schema.check_together(loaded, [entity.name for entity in entities], vocabulary.entity_types())
    return _with_severities(entities, tuple(detector for _, detector in loaded))


def _with_severities(entities: Sequence[DeclaredEntityType], detectors: tuple[Detector, ...]) -> UserPacks:
    """Give each entity type the highest severity of its detectors; "high" if none detects it."""
    worst: dict[str, Severity] = {}
    for detector in detectors:
        known = worst.get(detector.entity, detector.severity)
        worst[detector.entity] = max(known, detector.severity, key=SEVERITIES.index)
    return UserPacks(tuple(replace(e, severity=worst.get(e.name, e.severity)) for e in entities), detectors)


@cache
def _shipped() -> tuple[Detector, ...]:
    # Not validated here: building the schema takes longer than reading the packs.
    files = sorted(resources.path("rules", "detectors").glob("*.toml"))
    return tuple(
        record(pack=file.stem, **item) for file in files for item in resources.read_toml(file)["detector"]
    )


def record(**item: Any) -> Detector:
    """Return the detector of a table of a pack."""
    forms = tuple(TextForm(**_with_tuples(form)) for form in item.pop("text", ()))
    return Detector(text=forms, **_with_tuples(item))


def _with_tuples(item: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}
    return {key: tuple(value.items()) if isinstance(value, dict) else value for key, value in plain.items()}


def _label(item: Mapping[str, Any]) -> str:
    return item["entity"] if item["detail"] is None else f"{item['entity']} ({item['detail']})"
