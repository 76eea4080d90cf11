"""Round dates to month, quarter, year or decade; what is not a date becomes "other".

Limits: a value that is as coarse already, such as a year among days, stays as it is. Dates whose day and month are
ambiguous are not rounded to the month or quarter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text
from privaudit.advice.technique.texts import OTHER
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Threshold

PRECISIONS = ("month", "quarter", "year", "decade")
FINE = ("month", "quarter")
_FORMS = {"month": "[0-9]{4}-[0-9]{2}", "quarter": "[0-9]{4}-Q[1-4]", "year": "[0-9]{4}", "decade": "[0-9]{3}0s"}
"""The form of dates that are rounded, from fine to coarse."""


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Round the dates of `column`.

    Raises
    ------
    ConfigError
        For a month or quarter, if the order of day and month is not certain.
    """
    precision = str(parameters["precision"])
    days, sure = column.dates
    if not sure and precision in FINE:
        raise ConfigError(
            f'"round_date" cannot round {column.name} to the {precision}: day and month are ambiguous.',
            hint="round it to the year or decade, or write the dates as YYYY-MM-DD",
        )
    coarse = "|".join(_FORMS[each] for each in PRECISIONS[PRECISIONS.index(precision) :])
    kept = pc.match_substring_regex(column.dictionary, f"^(?:{coarse})$")
    rest = pc.if_else(kept, column.dictionary, pa.scalar(OTHER, column.dictionary.type))
    text = pc.if_else(pc.is_valid(days), _rounded(days, precision), rest)
    lookup, labels = by_text(text, in_order=True)
    details = {"precision": Threshold(value=precision)}
    return Recoding("round_date", column.name, {"precision": precision}, lookup, labels, details=details)


def _rounded(days: pa.Array, precision: str) -> pa.Array:
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
