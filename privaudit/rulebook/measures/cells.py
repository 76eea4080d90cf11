"""Measures of the cells of an aggregate: small counts, dominance, zeros that disclose.

Question: does a table of counts reveal single people or contributors?
Method: what the scan counted of the cells, for each column of counts.
Limits: one table; differences between tables are not examined, and what follows from totals was computed by the scan.

Measures of text around the cells: names of columns and of the source, and text outside of the table.

Question: does something that is released with the table identify a person?
Method: the scan recognises such names and texts and records a limit; the measures read these limits.
Limits: those of `privaudit.model.headers.personal_names` and `privaudit.detect.text.outside`.

Measures of payloads: free text and binary data, whose content no pattern bounds.

Question: which columns may reveal anything about a person?
Method: verdicts and data types of columns.
Limits: the payload itself is not analysed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from privaudit.model import CellCounts, ColumnReport
from privaudit.model.wording import Columns, Count, EntityType, Fact, Listing, Share, Term, Threshold, Value, fact
from privaudit.rulebook.measurement import (
    Context,
    Measurement,
    Observation,
    entity_of,
    filled_cells,
    measure,
    not_measured,
    unassessed,
    whole_column,
)
from privaudit.rulebook.measures.sensitive import NUMERIC_TYPES
from privaudit.rulebook.packs import Check

_NO_CELLS = "rulebook.no_cells"


@measure("cell.smallest")
def smallest_count(context: Context, check: Check) -> Measurement:
    """Smallest count above 0 of each column of counts."""
    if not context.evidence.cells:
        return not_measured(_NO_CELLS, incomplete=context.unit_kind == "aggregate")
    return Measurement.of(_smallest(item, context.policy.k) for item in context.evidence.cells if item.smallest)


def _smallest(item: CellCounts, k: int) -> Observation:
    values: dict[str, Value] = {"observed": Count(n=item.smallest or 0, unit="record")}
    below = item.n_below.get(str(k))
    if below is not None:
        cells = Count(n=below, of=item.n_cells, unit="cell")
        values["other"] = fact("rulebook.small_cells", cells=cells, k=Threshold(value=k))
    return Observation(subject=(item.column,), observed=item.smallest, values=values)


@measure("cell.dominance")
def dominance(context: Context, check: Check) -> Measurement:
    """Largest share of a cell's total that one contributor has."""
    item = next((item for item in context.evidence.cells if item.dominant is not None), None)
    if item is None or item.dominant is None:
        return not_measured("rulebook.no_contributions")
    values = {"observed": Share(value=item.dominant, of=None)}
    return Measurement.of([Observation(subject=(item.column,), observed=item.dominant, values=values)])


@measure("cell.derivable")
def derivable(context: Context, check: Check) -> Measurement:
    """Suppressed counts that the other cells and the totals determine, for each column of counts."""
    cells = context.evidence.cells
    if not cells:
        return not_measured(_NO_CELLS, incomplete=context.unit_kind == "aggregate")
    return Measurement.of(
        fact("rulebook.cells_not_derived", columns=Columns(names=(item.column,)))
        if item.n_derivable is None
        else _counted(item.column, Count(n=item.n_derivable, of=item.n_hidden, unit="cell"))
        for item in cells
    )


def _counted(column: str, count: Count) -> Observation:
    return Observation(subject=(column,), observed=count.n, values={"observed": count})


@measure("cell.disclosing_zeros")
def disclosing_zeros(context: Context, check: Check) -> Measurement:
    """Groups of cells in which all but one are 0."""
    cells = context.evidence.cells
    if all(item.n_disclosing is None for item in cells):
        return not_measured(_NO_CELLS)
    return Measurement.of(
        fact(_NO_CELLS)
        if item.n_disclosing is None
        else _counted(item.column, Count(n=item.n_disclosing, unit="group"))
        for item in cells
    )


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
