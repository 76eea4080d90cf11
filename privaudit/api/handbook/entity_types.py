"""How entity types are recognised, and which entity type a term stands for.

Question: what is an entity type, how is it recognised, and which one does a term such as "us.ssn" or "zip" mean?
Method: the records of the vocabulary, those of the user's packs included, joined with the detectors of each type.
Limits: describes rules, not tables.
"""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from privaudit.base.errors import RuleError
from privaudit.detect.catalogue import detectors, wordlists
from privaudit.detect.catalogue.detector import Detector
from privaudit.model import headers
from privaudit.model.vocabulary import EntityTypeRecord, known_types

_CLEAR = 0.8  # strength from which a column name suggests an entity type by itself


def describe(entity: str, folder: str | Path | None = None) -> dict[str, Any]:
    """Return what an entity type is, how it is recognised and which laws name it.

    Raises
    ------
    RuleError
        For an unknown entity type, or a pack that fails validation.
    """
    every, known = detectors.load(folder), known_types(folder)
    code = entity.upper().replace("-", "_")
    if code not in known:
        close = difflib.get_close_matches(code, known, n=3, cutoff=0.5)
        raise RuleError(f'"{entity}" is not an entity type.', hint=", ".join(close) or None)
    used = [detector for detector in every if detector.entity == code]
    record = known[code]
    laws = dict.fromkeys([*record.laws, *(law for detector in used for law in detector.laws)])
    return {
        "entity": code,
        "title": record.title,
        "description": record.description,
        "role": record.role,
        "special": record.special,
        "own": record.own,
        "laws": list(laws),
        "recognised_by": _recognised_by(record),
        "detectors": [_summary(detector) for detector in used],
    }


def _recognised_by(record: EntityTypeRecord) -> list[str]:
    """Return how an entity type is recognised without detectors; column names with their number of languages."""
    n_languages = sum(headers.suggests(language, record.code) for language in headers.languages())
    if not n_languages:
        return list(record.recognised_by)
    in_languages = "in English" if n_languages == 1 else f"in {n_languages} languages"
    return [*(way for way in record.recognised_by if way != "column name"), f"column names {in_languages}"]


def look_up(term: str, folder: str | Path | None = None) -> tuple[str, str | None] | None:
    """Return the entity type and detail that `term` stands for; None if there is none.

    Known are details (``us.ssn``, ``PASSPORT fr``), terms ("date of birth"), names of entity types in other tools, and
    column names that suggest one number, code or entity type ("kra", "zip").
    """
    asked = term.casefold()
    every = detectors.load(folder)
    for detector in every:
        if detector.detail and asked in (detector.detail.casefold(), f"{detector.entity} {detector.detail}".casefold()):
            return detector.entity, detector.detail
    for code, record in known_types(folder).items():
        if asked in (record.singular.casefold(), record.plural.casefold()):
            return code, None
    for peer in wordlists.toml("coverage").values():
        for theirs, answer in peer["covered"].items():
            if theirs.casefold() == asked:
                entity, _, detail = answer.partition(" ")
                return entity, detail or None
    suggested = {(item.entity, item.detail) for item in every if asked in map(str.casefold, item.headers)}
    if len(suggested) == 1:
        return suggested.pop()
    if term.isupper():  # the code of an entity type, perhaps of a pack that was not named
        return None
    hints = [hint for hint in headers.read_header(term).hints if hint.strength >= _CLEAR]
    return (max(hints, key=lambda hint: (hint.strength, hint.entity)).entity, None) if hints else None


def details(folder: str | Path | None = None) -> list[str]:
    """Return the detail of every detector, as ``explain`` accepts it, sorted."""
    return sorted({detector.detail for detector in detectors.load(folder) if detector.detail})


def _summary(detector: Detector) -> dict[str, Any]:
    ways = [
        ("pattern", detector.regex),
        ("list", detector.values or detector.list),
        ("form inside text", detector.text),
    ]
    return {
        "title": detector.title,
        "ways": [way for way, used in ways if used],
        "detail": detector.detail,
        "description": detector.description,
        "severity": detector.severity,
        "validator": detector.validator,
        "locale": list(detector.locale),
        "headers": list(detector.headers),
        "own": detector.user,
    }
