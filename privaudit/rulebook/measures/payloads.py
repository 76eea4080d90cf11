"""Measures of payloads: free text and binary data, whose content no pattern bounds.

Question: which columns may reveal anything about a person?
Method: verdicts and data types of columns.
Limits: the payload itself is not analysed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from privaudit.model import ColumnReport
from privaudit.model.wording import Fact
from privaudit.rulebook.measurement import (
    Context,
    Observation,
    entity_of,
    filled_cells,
    measure,
    unassessed,
    whole_column,
)
from privaudit.rulebook.measures.sensitive import NUMERIC_TYPES
from privaudit.rulebook.packs import Check

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
