"""Combine the evidence on a column into one verdict.

Question: what is this column, with which confidence, and why is it nothing else?
Method: values and column name are independent evidence: the probability of a reading is 1 - (1 - values)(1 - name). A
generic reading of the values (whole numbers like ages) counts little if a meaningful name suggests something else or an
ordinary column; a specific one (a proven check digit) outweighs any name. The most probable reading of at least `LEAST`
is the verdict; the others are rejected with the reason.
Limits: the weights are set by hand; how often such verdicts are right is learned (fusion.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Evidence
from privaudit.model import Clue, Estimate, Verdict
from privaudit.vocabulary import entity_type, with_trait
from privaudit.wording import EntityType, Number, fact

LEAST = 0.5
TOO_WEAK, LESS_LIKELY = "detect.too_weak", "detect.less_likely"
"""Codes of the rejections that follow from a verdict and are renewed with it."""

Named = dict[str, tuple[float, "str | None", Clue]]
"""What a column name suggests: strength, detail and clue by entity type."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An entity type with its probability and the evidence for it.

    ``from_values`` and ``from_name`` are the probabilities from each alone; ``generic`` is true if many ordinary
    columns look the same.
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


def decide(column: Column, evidence: Evidence, named: Named) -> Verdict | None:
    """Return the verdict on what `column` is; None for plain data."""
    readings = weigh(column, evidence, named)
    if not readings or readings[0].probability < LEAST:
        for reading in readings:
            evidence.reject(
                reading.entity, fact(TOO_WEAK, probability=Number(value=round(reading.probability, 2)))
            )
        return None
    best = readings[0]
    for other in readings[1:]:
        if other.probability >= 0.3 and not akin(other.entity, best.entity):
            because = fact(
                LESS_LIKELY,
                better=EntityType(code=best.entity),
                probability=Number(value=round(best.probability, 2)),
                other=Number(value=round(other.probability, 2)),
            )
            evidence.reject(other.entity, because)
    return pronounce(column, best, best.probability)


def weigh(column: Column, evidence: Evidence, named: Named) -> list[Reading]:
    """Return every reading of `column`, the most probable by hand-set weights first."""
    return sorted(_readings(column, evidence, named), key=lambda r: (-r.probability, r.entity))


def pronounce(column: Column, reading: Reading, confidence: float) -> Verdict:
    """Return `reading` as the verdict on `column`."""
    return Verdict(
        entity=reading.entity,
        detail=reading.detail,
        share=reading.share or column.exact(reading.n_cells),
        confidence=round(min(0.99, confidence), 2),
        evidence=reading.clues,
    )


@cache
def akin(one: str, other: str) -> bool:
    """Whether two entity types belong to one family, such as given names and person names."""
    return bool(set(entity_type(one).families) & set(entity_type(other).families))


def _readings(column: Column, evidence: Evidence, named: Named) -> list[Reading]:
    by_values: dict[str, list[Candidate]] = {}
    for candidate in evidence.candidates:
        by_values.setdefault(candidate.entity, []).append(candidate)
    entities = sorted({*by_values, *named})
    specific = [c for c in evidence.candidates if not c.generic and c.strength >= 0.8]
    doubted = {
        entity
        for entity in named
        if entity not in by_values and any(c.entity != entity and c.entity not in named for c in specific)
    }
    named = {e: (s * 0.85 if e in doubted else s, d, c) for e, (s, d, c) in named.items()}
    return [_reading(column, entity, by_values.get(entity, []), named) for entity in entities]


def _reading(column: Column, entity: str, values: list[Candidate], named: Named) -> Reading:
    best = max(values, key=lambda c: (c.strength, str(c.detail)), default=None)
    from_values = 0.0 if best is None else best.strength * _weight(column, entity, best, named)
    from_name, detail, clue = named.get(entity, (0.0, None, None))
    related = max((s for other, (s, _, _) in named.items() if akin(entity, other)), default=0.0)
    if best is not None and not from_name:
        from_name = 0.5 * related
    probability = 1 - (1 - min(from_values, 0.985)) * (1 - min(from_name, 0.95))
    if best is None and entity in with_trait("ambiguous_column_name") and from_name <= 0.5:
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


def _weight(column: Column, entity: str, candidate: Candidate, named: Named) -> float:
    """Return the weight of a candidate, given what the column name suggests."""
    header = column.header
    if entity in named or any(akin(entity, other) for other in named):
        return 1.0
    clear = max((hint.strength for hint in header.hints), default=0.0)
    if not candidate.generic:
        return 0.9 if header.is_ordinary and clear > 0.6 and candidate.strength < 0.9 else 1.0
    if header.is_opaque:
        return 1.0
    if entity == "UNRESOLVED_ID" and not header.is_ordinary:
        return 0.8
    if clear >= 0.5 or header.qualifier is not None:
        return 0.45
    return 0.8
