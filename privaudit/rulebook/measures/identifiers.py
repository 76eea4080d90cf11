"""Measures of identifiers in the cells: in clear, scattered, in payloads or names, or suggested by the column name.

Question: which cells identify a person directly?
Method: the two verdicts of each column. "Is" counts people by the share of cells; "contains" counts cells, and one cell
is enough. A column that detection could not assess is a gap, not a column without identifiers. Payloads are found by
verdicts and data types. The scan recognises personal names of columns and sources and records a limit, which the
measures read.
Limits: the entity types of the check decide what counts; each row of the table counts as one person. A payload itself
is not analysed. Names have the limits of `privaudit.model.headers.personal_names` and `privaudit.detect.text.outside`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from privaudit.model import ColumnReport, Contained, vocabulary
from privaudit.model.wording import Columns, EntityType, Fact, Listing, Share, Term, fact
from privaudit.rulebook.measurement import (
    DECLARED_DIRECT,
    Context,
    Observation,
    cells_of_type,
    entity_of,
    filled_cells,
    first_measurement,
    measure,
    unassessed,
    whole_column,
)
from privaudit.rulebook.measures.sensitive import NUMERIC_TYPES
from privaudit.rulebook.packs import Check

NAME_CONTRADICTED = frozenset({"detect.name_contradicted", "detect.header_rejected"})
"""The codes with which detection rejects an entity type that only the column name suggested: with a reason of its own,
or without one (a user's detector)."""
_MASKED = "masked"  # not in clear
_CONTAINED_CONFIDENCE = 0.9
_UNREAD_URL_CONFIDENCE = 0.5
_HEADER_CONFIDENCE = 0.3


def _verdict(column: ColumnReport, check: Check) -> Observation | None:
    verdict = column.is_
    if verdict is None or verdict.entity not in check.entities or verdict.detail == _MASKED:
        return None
    return replace(
        whole_column(column, verdict.share.low),
        n_people=cells_of_type(column),
        severity=check.entities[verdict.entity],
        values={"observed": Share(verdict.share.low, of=filled_cells(column))},
    )


def _contained(column: ColumnReport, check: Check) -> Iterator[Observation]:
    for item in column.contains:
        if item.entity in check.entities and item.n_cells and item.detail != _MASKED:
            yield Observation(
                subject=(column.name,),
                observed=item.n_cells,
                n_people=item.n_cells,
                n_total=column.n_rows,
                confidence=_CONTAINED_CONFIDENCE,
                entity=item.entity,
                severity=check.entities[item.entity],
                is_from_model=_is_from_model(item),
            )


def _is_from_model(item: Contained) -> bool:
    """Whether a language model alone sees names of people, and no list confirms one."""
    of_people = item.entity in vocabulary.with_trait("person_name")
    return of_people and {clue.kind for clue in item.evidence} <= {"model", "shape"}


def _declared(column: ColumnReport) -> Observation | None:
    """Return all cells of a column that the user declared to be a direct identifier and the evidence does not."""
    declared = any(reason.code == "roles.declared" for reason in column.role_because)
    if column.role != "direct" or column.role_inferred == "direct" or not declared or not filled_cells(column):
        return None
    return replace(
        whole_column(column, 1.0, confidence=1.0),
        entity=None,
        key=DECLARED_DIRECT,
        values={"entity": fact("rulebook.declared_direct")},
    )


@measure("pii.rate")
def rate(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Share of the filled cells of a column that have the entity type: the lower end of its interval.

    A column that was declared to be a direct identifier counts whole.
    """
    for column in context.columns:
        item = _verdict(column, check) or _declared(column)
        if item is not None:
            yield item
    yield from unassessed(context)


@measure("pii.cells")
def cells(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Cells that contain the entity type in a column that *is* of another type."""
    for column in context.columns:
        merged: dict[str, Observation] = {}
        for item in _contained(column, check):
            if item.entity is None or item.entity == entity_of(column):
                continue
            before = merged.get(item.entity)
            merged[item.entity] = item if before is None else _larger(before, item)
        yield from (merged[entity] for entity in sorted(merged))
    yield from unassessed(context)


def _larger(first: Observation, second: Observation) -> Observation:
    # Two details of one entity type may share cells, so only the larger count is certain.
    return first if (first.n_people or 0) >= (second.n_people or 0) else second


@measure("pii.presence")
def presence(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Cells that are or contain the entity type, one number for each column and entity type."""
    observed: dict[tuple[str, str], Observation] = {}
    for column in context.columns:
        verdict = _verdict(column, check)
        for item in (*((verdict,) if verdict else ()), *_contained(column, check)):
            key = (column.name, str(item.entity))
            counted = replace(item, observed=item.n_people, values={})
            observed[key] = _larger(observed[key], counted) if key in observed else counted
    yield from observed.values()
    yield from unassessed(context)


@measure("pii.url_personal")
def url_personal(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Web addresses with a part that leads to a person; all of them where the parts were not analysed."""
    by_name = {column.name: column for column in context.columns}
    for item in presence(context, check).observations:
        column = by_name[item.subject[0]]
        rows = first_measurement(column, "url_personal") if entity_of(column) == item.entity else None
        if rows is None:
            yield replace(item, confidence=_UNREAD_URL_CONFIDENCE)
        else:
            yield replace(item, observed=int(rows), n_people=int(rows))
    yield from unassessed(context)


@measure("pii.header")
def header(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Columns whose name suggests an identifier while the values do not match: rejected candidates."""
    for column in context.columns:
        if column.is_ is not None or not filled_cells(column):
            continue
        rejected = {item.entity for item in column.rejected if item.because.code in NAME_CONTRADICTED}
        suggested = sorted(rejected & set(check.entities))
        if suggested:
            yield Observation(
                subject=(column.name,),
                observed=1,
                n_total=column.n_rows,
                confidence=_HEADER_CONFIDENCE,
                entity=suggested[0],
                severity=check.entities[suggested[0]],
            )
    yield from unassessed(context)


_BINARY_CONFIDENCE = 0.6


@measure("column.free_text")
def free_text(context: Context, check: Check) -> Iterator[Observation]:
    """Cells of columns of free text: the entity type FREE_TEXT or the measurement ``free_text``."""
    found = filter(_is_free_text, filter(filled_cells, context.columns))
    return (replace(whole_column(column), entity=None) for column in found)


def _is_free_text(column: ColumnReport) -> bool:
    return entity_of(column) == "FREE_TEXT" or bool(column.measurements.get("free_text"))


@measure("column.payload")
def payload(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Cells that hold images, templates or other binary data, or that are biometric data."""
    for column in filter(filled_cells, context.columns):
        if entity_of(column) in check.entities and column.data_type not in NUMERIC_TYPES:
            yield whole_column(column)
        elif column.data_type == "binary":
            yield replace(whole_column(column), confidence=_BINARY_CONFIDENCE, entity=None)
    yield from unassessed(context)


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
            values={"other": Listing(tuple(found))},
        )
