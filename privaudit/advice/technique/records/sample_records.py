"""Keep a random sample of the records.

Limits: a person in the sample is as recognisable as before; only that a person is in the table becomes uncertain.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.advice.technique.record import Context, Parameter, Technique

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return a simple random sample without replacement, in the order of the table."""
    n = round(float(parameters["share"]) * table.num_rows)
    return table.take(np.sort(context.random.choice(table.num_rows, size=n, replace=False)))


TECHNIQUE = Technique(
    name="sample_records",
    meaning="Keeps a random sample of the records.",
    scope="records",
    parameters={
        "share": Parameter(kind="number", above=0, most=1, meaning="The share of the records that is kept.")
    },
    apply=apply,
)
