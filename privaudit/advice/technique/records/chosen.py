"""Remove chosen records, and state how many.

Method: where the table is for the public, records drawn at random from the others are removed too until at least 11
are: the difference between the rows of the source and of the table would state how few the condition chose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from privaudit.advice.technique.record import Context, Parameter
from privaudit.model.wording import Count, Name, fact

if TYPE_CHECKING:
    import pyarrow as pa

CONDITION = Parameter(
    kind="condition",
    required=False,
    meaning='A condition on one column: age >= 30, status in ["open", "new"], department is missing.',
)


def without(table: pa.Table, out: pa.Array, technique: str, context: Context) -> pa.Table:
    """Return `table` without the records marked in `out`, a boolean array; the number of records is noted."""
    import pyarrow as pa

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
