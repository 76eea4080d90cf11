"""What each entity is: ours (``rules/reference/entities.toml``) and those that the user's packs declare.

Question: which role does an entity play by itself, which laws name it, and how is it recognised?
Method: one table by name, the user's own beside ours; what recognises an entity is read from the detectors.
Limits: a judgement of ours or of the user's, not of the table.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from privaudit.detect import wordlists
from privaudit.detect.packs import detectors
from privaudit.detect.packs.detectors import Detector, OwnEntity
from privaudit.errors import RuleError
from privaudit.headers import languages, read_header, suggests

Entry = Mapping[str, Any]
_CLEAR = 0.8  # strength from which on a column's name speaks for an entity by itself


def table(folder: str | Path | None = None) -> dict[str, Entry]:
    """Return title, role, laws and more of every entity by name, ours first, then those of the user's `folder`.

    Raises
    ------
    RuleError
        For a pack that breaks a law.
    """
    return {**wordlists.toml("entities"), **{one.name: _entry(one) for one in detectors.own(folder).entities}}


def _entry(one: OwnEntity) -> Entry:
    return {
        "title": one.title,
        "description": one.description,
        "role": one.role,
        "laws": list(one.laws),
        "special": one.special,
        "severity": one.severity,
        "own": True,
    }


def describe(entity: str, folder: str | Path | None = None) -> dict[str, Any]:
    """Return what an entity is, how it is recognised and which laws name it.

    Raises
    ------
    RuleError
        For an entity that nothing describes, or a pack that breaks a law.
    """
    known = table(folder)
    name = entity.upper().replace("-", "_")
    if name not in known:
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        raise RuleError(f'"{entity}" is not an entity.', hint=", ".join(close) or None)
    found = [item for item in detectors.load(folder) if item.entity == name]
    entry = known[name]
    laws = dict.fromkeys([*entry.get("laws", ()), *(law for item in found for law in item.laws)])
    return {
        "entity": name,
        "title": entry.get("title", name),
        "description": entry.get("description", ""),
        "role": entry.get("role", "none"),
        "special": bool(entry.get("special")),
        "own": bool(entry.get("own")),
        "laws": list(laws),
        "recognised_by": _ways(name, entry),
        "detectors": [_summary(item) for item in found],
    }


def _ways(entity: str, entry: Entry) -> list[str]:
    """Return in words how `entity` is recognised besides detectors, the languages of column names counted."""
    told = list(entry.get("recognised_by", ()))
    spoken = sum(suggests(language, entity) for language in languages())
    if not spoken:
        return told
    named = "names of columns in English" if spoken == 1 else f"names of columns in {spoken} languages"
    return [*(way for way in told if way != "column name"), named]


def meant_by(name: str, folder: str | Path | None = None) -> tuple[str, str | None] | None:
    """Return the entity and detail `name` stands for.

    Known are details (``us.ssn``, ``PASSPORT fr``), titles ("Date of birth"), what another tool calls it, and last
    the name of a column that speaks for one number, code or entity ("kra", "zip").
    """
    asked = name.casefold()
    every = detectors.load(folder)
    for item in every:
        if item.detail and asked in (item.detail.casefold(), f"{item.entity} {item.detail}".casefold()):
            return item.entity, item.detail
    for entity, entry in table(folder).items():
        if str(entry.get("title", "")).casefold() == asked:
            return entity, None
    for peer in wordlists.toml("coverage").values():
        for theirs, answer in peer["covered"].items():
            if theirs.casefold() == asked:
                entity, _, detail = answer.partition(" ")
                return entity, detail or None
    spoken = {(item.entity, item.detail) for item in every if asked in map(str.casefold, item.headers)}
    if len(spoken) == 1:
        return spoken.pop()
    if name.isupper():  # the code of an entity, perhaps of a pack that was not named
        return None
    hints = [hint for hint in read_header(name).hints if hint.strength >= _CLEAR]
    return (max(hints, key=lambda hint: (hint.strength, hint.entity)).entity, None) if hints else None


def details(folder: str | Path | None = None) -> list[str]:
    """Return the detail of every number and code, as ``explain`` takes it, sorted."""
    return sorted({item.detail for item in detectors.load(folder) if item.detail})


def _summary(item: Detector) -> dict[str, Any]:
    ways = [("pattern", item.regex), ("list", item.values or item.list)]
    return {
        "title": item.title,
        "ways": [way for way, used in ways if used],
        "detail": item.detail,
        "description": item.description,
        "severity": item.severity,
        "validator": item.validator,
        "locale": list(item.locale),
        "headers": list(item.headers),
        "own": item.user,
    }
