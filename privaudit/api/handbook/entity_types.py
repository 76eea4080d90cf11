"""How entity types are recognised, and which entity type a term stands for.

Question: what is an entity type, how is it recognised, and which one does a term such as "us.ssn" or "zip" mean?
Method: the records of the vocabulary, those of the user's packs included, joined with the detectors of each type.
Limits: describes rules, not tables.
"""

from __future__ import annotations

from pathlib import Path

from privaudit.detect.catalogue import detectors, wordlists
from privaudit.detect.catalogue.detector import Detector
from privaudit.model import headers
from privaudit.model.vocabulary import EntityTypeRecord, known_types

_CLEAR = 0.8  # strength from which a column name suggests an entity type by itself


def describe(code: str, folder: str | Path | None = None) -> tuple[EntityTypeRecord, list[Detector]] | None:
    """Return the record of an entity type and its detectors; None where no type has this code.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    record = known_types(folder).get(code)
    return None if record is None else (record, [one for one in detectors.load(folder) if one.entity == code])


def ways_of(record: EntityTypeRecord) -> list[str]:
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
