"""Merge rare values into "other".

Limits: where a column has the value "other" already, it is part of the merged value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text
from privaudit.advice.technique.record import Parameter, Technique
from privaudit.model.wording import Threshold

OTHER = "other"


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge the values with fewer than `below` records."""
    import pyarrow as pa
    import pyarrow.compute as pc

    below = int(parameters["below"])
    rare = pa.array(column.counts[:-1] < below)
    lookup, labels = by_text(pc.if_else(rare, OTHER, column.dictionary))
    details = {"below": Threshold(value=below)}
    return Recoding("merge_rare", column.name, {"below": below}, lookup, labels, details=details)


TECHNIQUE = Technique(
    name="merge_rare",
    meaning='Merges values with few records into "other".',
    parameters={
        "below": Parameter(kind="integer", least=2, meaning="Values with fewer records than this are merged.")
    },
    recode=recode,
)
