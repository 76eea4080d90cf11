"""Keep the records for which a condition holds.

Limits: a record whose cell is missing, or is not of the type that the condition compares, is removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from privaudit.advice.technique.condition import holds, parse
from privaudit.advice.technique.record import Context, Technique
from privaudit.advice.technique.records.chosen import CONDITION, without

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records for which the condition holds, in the order of the table."""
    import pyarrow.compute as pc

    out = pc.invert(holds(parse(parameters["where"]), table))
    return without(table, out, TECHNIQUE.name, context)


TECHNIQUE = Technique(
    name="keep_records",
    meaning="Keeps the records for which a condition on one column holds.",
    scope="records",
    parameters={"where": replace(CONDITION, required=True)},
    apply=apply,
)
