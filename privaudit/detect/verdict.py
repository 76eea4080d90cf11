"""Fuse the evidence of a column into one reading.

Question: which reading of the column is right, how sure, and why not the others?
Method: what the values say and what the name says are independent witnesses: the probability of a reading is
1 - (1 - values)(1 - name). A generic reading of the values (whole numbers like ages) counts little where a legible
name says something else or says that the column is ordinary; a specific one (check digit proven) stands against
any name. The most probable reading from `LEAST` on wins; the others are kept with the reason.
Limits: the weights are set by hand; how often verdicts of such weight are right is learned (fusion.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings
from privaudit.model import Clue, Estimate, Verdict

LEAST = 0.5
# Readings that say the same of a column, more general names first.
GROUPS: tuple[frozenset[str], ...] = (
    frozenset({"PERSON_NAME", "FIRST_NAME", "LAST_NAME", "MIDDLE_NAME", "MAIDEN_NAME"}),
    frozenset({"STATE", "COUNTY_REGION", "GEO_CODE"}),
    frozenset({"NATIONAL_ID", "SSN", "TAX_ID"}),
    frozenset({"DATE_OF_BIRTH", "BIRTH_YEAR"}),
    frozenset({"DATE_EVENT", "DATE_OF_BIRTH", "DEATH_DATE", "CARD_EXPIRY"}),
    frozenset({"PERSON_ID", "RECORD_ID", "ROW_NUMBER", "UNRESOLVED_ID", "UUID", "SESSION_ID"}),
    frozenset({"COUNTRY", "NATIONALITY", "LANGUAGE"}),
    frozenset({"ORGANISATION", "EMPLOYER"}),
    frozenset({"LATITUDE", "LONGITUDE"}),
    frozenset({"OCCUPATION", "DEPARTMENT", "EDUCATION"}),
)
# Readings that an ambiguous name ("title", "card") does not carry without the values.
_UNSURE = frozenset(
    "PERSON_NAME FREE_TEXT USERNAME OCCUPATION STREET_ADDRESS SSN CREDIT_CARD NATIONAL_ID INCOME".split()
)
Named = dict[str, tuple[float, "str | None", Clue]]


@dataclass(frozen=True, slots=True)
class Reading:
    """One entity with its probability and everything that speaks for it.

    ``from_values`` and ``from_name`` are what each witness says alone; ``generic`` is true where many ordinary
    columns look so too.
    """

    entity: str
    probability: float
    detail: str | None
    n_cells: int
    share: Estimate | None
    clues: tuple[Clue, ...]
    from_values: float = 0.0
    from_name: float = 0.0
    generic: bool = False


def decide(column: Column, found: Findings, named: Named) -> Verdict | None:
    """Return the verdict on what `column` is, or None where it is plain data."""
    readings = weigh(column, found, named)
    if not readings or readings[0].probability < LEAST:
        for reading in readings:
            found.reject(reading.entity, f"the evidence is too weak ({reading.probability:.2f})")
        return None
    best = readings[0]
    for other in readings[1:]:
        if other.probability >= 0.3 and not akin(other.entity, best.entity):
            found.reject(
                other.entity,
                f"{_title(best.entity)} explains the column better "
                f"({best.probability:.2f} to {other.probability:.2f})",
            )
    return pronounce(column, best, best.probability)


def _title(entity: str) -> str:
    """Return an entity as a sentence begins with it; one of the user's own by its code."""
    return str(words.toml("entities").get(entity, {}).get("title", entity))


def weigh(column: Column, found: Findings, named: Named) -> list[Reading]:
    """Return every reading of `column`, the most probable by hand-set weights first."""
    return sorted(_readings(column, found, named), key=lambda r: (-r.probability, r.entity))


def pronounce(column: Column, reading: Reading, confidence: float) -> Verdict:
    """Return `reading` as the verdict on `column`."""
    return Verdict(
        entity=reading.entity,
        detail=reading.detail,
        share=reading.share or column.exact(reading.n_cells),
        confidence=round(min(0.99, confidence), 2),
        evidence=reading.clues,
    )


def akin(one: str, other: str) -> bool:
    """Return whether two entities say the same of a column, one more generally."""
    return any(one in group and other in group for group in GROUPS)


def _readings(column: Column, found: Findings, named: Named) -> list[Reading]:
    by_values: dict[str, list[Candidate]] = {}
    for candidate in found.candidates:
        by_values.setdefault(candidate.entity, []).append(candidate)
    entities = sorted({*by_values, *named})
    specific = [c for c in found.candidates if not c.generic and c.strength >= 0.8]
    doubted = {
        entity
        for entity in named
        if entity not in by_values and any(c.entity != entity and c.entity not in named for c in specific)
    }
    named = {e: (s * 0.85 if e in doubted else s, d, c) for e, (s, d, c) in named.items()}
    return [_reading(column, entity, by_values.get(entity, []), named) for entity in entities]


def _reading(column: Column, entity: str, values: list[Candidate], named: Named) -> Reading:
    best = max(values, key=lambda c: (c.strength, str(c.detail)), default=None)
    from_values = 0.0 if best is None else best.strength * _trust(column, entity, best, named)
    from_name, detail, clue = named.get(entity, (0.0, None, None))
    related = max((s for other, (s, _, _) in named.items() if akin(entity, other)), default=0.0)
    if best is not None and not from_name:
        from_name = 0.5 * related
    probability = 1 - (1 - min(from_values, 0.985)) * (1 - min(from_name, 0.95))
    if best is None and entity in _UNSURE and from_name <= 0.5:
        probability *= 0.9
    clues = (*(best.clues if best else ()), *((clue,) if clue else ()))
    n_cells = best.n_cells if best else column.n_present
    return Reading(
        entity,
        probability,
        (best.detail if best else None) or detail,
        n_cells,
        best.share if best else None,
        clues,
        from_values,
        from_name,
        best.generic if best else False,
    )


def _trust(column: Column, entity: str, candidate: Candidate, named: Named) -> float:
    """Return how far a reading of the values is believed beside what the name says."""
    header = column.header
    if entity in named or any(akin(entity, other) for other in named):
        return 1.0
    clear = max((hint.strength for hint in header.hints), default=0.0)
    if not candidate.generic:
        return 0.9 if header.plain and clear > 0.6 and candidate.strength < 0.9 else 1.0
    if header.opaque:
        return 1.0
    if entity == "UNRESOLVED_ID" and not header.plain:
        return 0.8
    if clear >= 0.5 or header.negative is not None:
        return 0.45
    return 0.8
