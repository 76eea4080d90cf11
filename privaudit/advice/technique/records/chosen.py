"""Remove chosen records, and state how many: by a condition, by missing cells, or by chance.

Method: where the table is for the public, records drawn at random from the others are removed too until at least 11
are: the difference between the rows of the source and of the table would state how few the condition chose.
Limits: missing cells are seldom missing at random: the records that are left may describe other people than the table.
A record whose cell is not of the type that a condition compares is removed by ``keep_records``. A person in a sample
is as recognisable as before; only that a person is in the table becomes uncertain.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.advice.technique.condition import holds, parse
from privaudit.advice.technique.record import Context
from privaudit.model.wording import Columns, Count, Name, fact


def keep_records(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records for which the condition holds, in the order of the table."""
    out = pc.invert(holds(parse(parameters["where"]), table))
    return without(table, out, "keep_records", context)


def sample_records(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return a simple random sample without replacement, in the order of the table."""
    n = round(float(parameters["share"]) * table.num_rows)
    return table.take(np.sort(context.random.choice(table.num_rows, size=n, replace=False)))


def suppress_incomplete(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records with a value in every cell of the columns."""
    out = np.zeros(table.num_rows, dtype=bool)
    for name in parameters.get("missing_in") or table.column_names:
        cells = table[name]
        if cells.null_count:
            out |= pc.is_null(cells).to_numpy()
            missing = Count(n=cells.null_count, of=table.num_rows, unit="record")
            context.facts.append(fact("remedies.missing_cells", column=Columns(names=(name,)), records=missing))
    return without(table, pa.array(out), "suppress_incomplete", context)


def without(table: pa.Table, out: pa.Array, technique: str, context: Context) -> pa.Table:
    """Return `table` without the records marked in `out`, a boolean array; the number of records is noted."""
    chosen = np.array(out, dtype=bool)
    n = int(chosen.sum())
    missing = context.least_suppressed - n
    if n and missing > 0:
        others = np.flatnonzero(~chosen)
        chosen[context.random.choice(others, min(missing, len(others)), replace=False)] = True
        context.notes.append({"technique": technique, "added": int(chosen.sum()) - n})
    records = Count(n=n, of=table.num_rows, unit="record")
    context.facts.append(fact("remedies.records_removed", records=records, technique=Name(text=technique)))
    return table.filter(pa.array(~chosen))
