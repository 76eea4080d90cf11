"""Measures of identifiers in the cells: in clear, scattered, or only suggested by the column name.

Question: which cells identify a person directly?
Method: the two verdicts of each column. "Is" counts people by the share of cells; "contains" counts cells, and one
cell is enough. A column that detection could not assess is a gap, not a column without identifiers.
Limits: the entity types of the check decide what counts; each row of the table counts as one person.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from privaudit.model import ColumnReport
from privaudit.model.wording import Fact, Share, fact
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
        values={"observed": Share(value=verdict.share.low, of=filled_cells(column))},
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
            )


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
