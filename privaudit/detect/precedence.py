"""The packs of the user cannot suppress what the shipped packs detect.

Question: may a rule folder silence a detection?
Method: a verdict of the shipped packs is kept where the user's packs reach none or one of a less protected role; where
both agree, the higher confidence counts. Contained entity types are joined, each with its larger count.
Limits: a user's pack may replace a verdict by another one of the same role.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from privaudit.model import Contained, Detection, Verdict
from privaudit.model.vocabulary import entity_type, with_trait
from privaudit.model.vocabulary.records import EntityTypeRecord

_RANK = {"none": 0, "quasi": 1, "sensitive": 2, "direct": 3}


def at_least(own: Detection, shipped: Detection, declared: Mapping[str, EntityTypeRecord]) -> Detection:
    """Return `own`, the detection with the user's packs, with everything that `shipped` detects.

    `declared` are the entity types of the user's packs, by code.
    """
    verdict = _verdict(own.is_, shipped.is_, declared)
    unassessed = own.unassessed if own.is_ is not None or own.unassessed else shipped.unassessed
    contains = largest((*own.contains, *shipped.contains), verdict)
    return replace(own, is_=verdict, contains=contains, unassessed=unassessed)


def _verdict(own: Verdict | None, shipped: Verdict | None, declared: Mapping[str, EntityTypeRecord]) -> Verdict | None:
    # An unresolved identifier is a question that the user's packs may answer.
    if shipped is None or (own is not None and shipped.entity == "UNRESOLVED_ID"):
        return own
    if own is None or _rank(own, declared) < _rank(shipped, {}):
        return shipped
    if own.entity == shipped.entity and own.confidence < shipped.confidence:
        return replace(own, confidence=shipped.confidence)
    return own


def _rank(verdict: Verdict, declared: Mapping[str, EntityTypeRecord]) -> int:
    record = declared.get(verdict.entity) or entity_type(verdict.entity)
    return _RANK[record.role]


def largest(found: Iterable[Contained], verdict: Verdict | None) -> tuple[Contained, ...]:
    """Return the largest count of each entity type, without the entity type of the column itself."""
    best: dict[str, Contained] = {}
    for one in found:
        other = verdict is None or not is_same(one.entity, verdict.entity)
        if other and (one.entity not in best or one.n_cells > best[one.entity].n_cells):
            best[one.entity] = one
    return tuple(sorted(best.values(), key=lambda c: (-c.n_cells, c.entity, c.detail or "")))


def is_same(one: str, other: str) -> bool:
    """Return whether cells of one type are written like those of the other: 88.60.15.31 among telephone numbers."""
    if one == other or {one, other} <= with_trait("groups_of_digits"):
        return True
    return {"national_number"} <= {*entity_type(one).families} & {*entity_type(other).families}
