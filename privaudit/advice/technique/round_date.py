"""Round dates to month, quarter, year or decade.

Limits: a value that is not a date stays as it is, and so does a date whose day and month are ambiguous where it
would be rounded to the month or quarter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text
from privaudit.advice.technique.record import Parameter, Technique
from privaudit.attacks.comparable_values import iso_dates
from privaudit.model.wording import Threshold

if TYPE_CHECKING:
    import pyarrow as pa

PRECISIONS = ("month", "quarter", "year", "decade")
FINE = ("month", "quarter")


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Round the dates of `column`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    precision = str(parameters["precision"])
    days, sure = iso_dates(column.dictionary)
    found = pc.is_valid(days)
    if not sure and precision in FINE:
        found = pa.array([False] * len(column))
    text = pc.if_else(found, _rounded(days, precision), column.dictionary)
    lookup, labels = by_text(text)
    details = {"precision": Threshold(value=precision)}
    return Recoding("round_date", column.name, {"precision": precision}, lookup, labels, details=details)


def _rounded(days: pa.Array, precision: str) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if precision == "month":
        return pc.utf8_slice_codeunits(days, 0, 7)
    year = pc.utf8_slice_codeunits(days, 0, 4)
    if precision == "year":
        return year
    if precision == "decade":
        return pc.binary_join_element_wise(pc.utf8_slice_codeunits(days, 0, 3), "0s", "")
    month = pc.cast(pc.utf8_slice_codeunits(days, 5, 7), pa.int32())
    number = pc.cast(pc.add(pc.divide(pc.subtract(month, 1), 3), 1), pa.string())
    return pc.binary_join_element_wise(year, number, "-Q")


TECHNIQUE = Technique(
    name="round_date",
    meaning="Rounds dates.",
    parameters={"precision": Parameter(kind="text", choices=PRECISIONS, meaning="What is left of a date.")},
    recode=recode,
)
