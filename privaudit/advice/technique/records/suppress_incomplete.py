"""Suppress the records with a missing cell.

Limits: missing cells are seldom missing at random: the records that are left may describe other people than the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.advice.technique.record import Context, Parameter, Technique
from privaudit.advice.technique.records.chosen import without
from privaudit.model.wording import Columns, Count, fact

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records with a value in every cell of the columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    out = np.zeros(table.num_rows, dtype=bool)
    for name in parameters.get("missing_in") or table.column_names:
        cells = table[name]
        if cells.null_count:
            out |= pc.is_null(cells).to_numpy()
            missing = Count(n=cells.null_count, of=table.num_rows, unit="record")
            context.facts.append(
                fact("remedies.missing_cells", column=Columns(names=(name,)), records=missing)
            )
    return without(table, pa.array(out), TECHNIQUE.name, context)


TECHNIQUE = Technique(
    name="suppress_incomplete",
    meaning="Removes the records with a missing cell.",
    scope="records",
    parameters={
        "missing_in": Parameter(
            kind="names",
            required=False,
            meaning="The columns whose missing cells count (default: all columns).",
        )
    },
    apply=apply,
)
