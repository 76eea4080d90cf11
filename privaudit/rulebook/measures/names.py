"""Measures of text around the cells: names of columns and of the source, and text outside of the table.

Question: does something that is released with the table identify a person?
Method: the scan recognises such names and texts and records a limit; the measures read these limits.
Limits: those of `privaudit.model.headers.personal_names` and `privaudit.detect.text.outside`.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.model.wording import Columns, EntityType, Listing, Term
from privaudit.rulebook.measurement import Context, Observation, measure
from privaudit.rulebook.packs import Check

COLUMN_NAMES = "source.personal_column_names"
SOURCE_NAME = "source.personal_source_name"
OUTSIDE = "pipeline.outside"
_CONFIDENCE = 0.9


@measure("names.columns")
def personal_column_names(context: Context, check: Check) -> Iterator[Observation]:
    """Columns whose name is personal data; the report shows their position instead."""
    for limit in context.evidence.limits:
        columns = limit.values.get("columns") if limit.code == COLUMN_NAMES else None
        if isinstance(columns, Columns):
            yield from (Observation(subject=(name,), observed=1) for name in columns.names)


@measure("names.source")
def personal_source_name(context: Context, check: Check) -> Iterator[Observation]:
    """Whether the name of the file, folder, sheet or table is personal data."""
    parts = (limit.values.get("part") for limit in context.evidence.limits if limit.code == SOURCE_NAME)
    for part in parts:
        if isinstance(part, Term):
            yield Observation(subject=(), observed=1, values={"other": part}, key=part.code)


@measure("pii.outside")
def outside(context: Context, check: Check) -> Iterator[Observation]:
    """Places outside of the table whose text contains the entity type."""
    places: dict[str, list[Term]] = {}
    for limit in context.evidence.limits:
        place, entities = limit.values.get("place"), limit.values.get("entities")
        if limit.code == OUTSIDE and isinstance(place, Term) and isinstance(entities, Listing):
            for item in entities.items:
                if isinstance(item, EntityType) and item.code in check.entities:
                    places.setdefault(item.code, []).append(place)
    for entity, found in sorted(places.items()):
        yield Observation(
            subject=(),
            observed=len(found),
            confidence=_CONFIDENCE,
            entity=entity,
            severity=check.entities[entity],
            values={"other": Listing(items=tuple(found))},
        )
