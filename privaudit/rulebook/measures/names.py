"""Measures of names that are personal data: of columns, and of the file, folder, sheet or table.

Question: does a name that travels with the table identify a person?
Method: the source recognises such names, replaces them and records a limit; the measures read these limits.
Limits: those of `privaudit.headers.personal_names`.
"""

from __future__ import annotations

from privaudit.rulebook.measurement import Context, Measurement, Observation, measure
from privaudit.rulebook.packs import Check
from privaudit.wording import Columns, Term

COLUMN_NAMES = "source.personal_column_names"
SOURCE_NAME = "source.personal_source_name"


@measure("names.columns")
def personal_column_names(context: Context, check: Check) -> Measurement:
    """Columns whose name is personal data; the report shows their position instead."""
    observed = []
    for limit in context.evidence.limits:
        columns = limit.values.get("columns") if limit.code == COLUMN_NAMES else None
        if isinstance(columns, Columns):
            observed += [Observation(subject=(name,), observed=1) for name in columns.names]
    return Measurement(observations=tuple(observed))


@measure("names.source")
def personal_source_name(context: Context, check: Check) -> Measurement:
    """Whether the name of the file, folder, sheet or table is personal data."""
    parts = [limit.values.get("part") for limit in context.evidence.limits if limit.code == SOURCE_NAME]
    found = [part for part in parts if isinstance(part, Term)]
    return Measurement(
        observations=tuple(
            Observation(subject=(), observed=1, values={"other": part}, key=part.code) for part in found
        )
    )
