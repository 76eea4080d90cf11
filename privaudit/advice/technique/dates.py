"""Techniques for dates: rounded to month, quarter, year or decade, or shifted by a secret number of days."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.columns import text_of, with_column
from privaudit.advice.technique.pseudonymise import canonical, digest, key_for
from privaudit.advice.technique.recoding import Column, Recoding, by_text
from privaudit.advice.technique.record import Context
from privaudit.advice.technique.texts import OTHER
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Threshold
from privaudit.risk.codes.coded import encode_column

PRECISIONS = ("month", "quarter", "year", "decade")
FINE = ("month", "quarter")
_FORMS = {"month": "[0-9]{4}-[0-9]{2}", "quarter": "[0-9]{4}-Q[1-4]", "year": "[0-9]{4}", "decade": "[0-9]{3}0s"}
"""The form of dates that are rounded, from fine to coarse."""


def round_date(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Round the dates of `column`.

    Limits: a value that is as coarse already, such as a year among days, stays as it is. Dates whose day and month are
    ambiguous are not rounded to the month or quarter.

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
    text = _rounded(days, precision)
    if days.null_count:
        coarse = "|".join(_FORMS[each] for each in PRECISIONS[PRECISIONS.index(precision) :])
        kept = pc.match_substring_regex(column.dictionary, f"^(?:{coarse})$")
        rest = pc.if_else(kept, column.dictionary, pa.scalar(OTHER, column.dictionary.type))
        text = pc.if_else(pc.is_valid(days), text, rest)
    stated, details = {"precision": precision}, {"precision": Threshold(precision)}
    return Recoding("round_date", column.name, stated, *by_text(text, in_order=True), details=details)


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


DATE = r"^(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?P<clock>[T ].*)?$"


def shift_dates(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Shift the dates of the columns.

    Question: how do the intervals between events stay, and the dates not?
    Method: the number of days follows from HMAC-SHA-256 of the key and the person, uniform over -days to days without
    0. All columns of the step and all records of the person are shifted by it. The time of day stays.
    Limits: a cell that is not a date of the form YYYY-MM-DD, with or without a time, is suppressed. Seasons and
    weekdays of long series may show the shift.
    """
    key, days = key_for(context.key, parameters), int(parameters["days"])
    codes, dictionary = encode_column(table[parameters["person"]])
    shifts = np.array([_shift(key, value, days) for value in dictionary.to_pylist()], dtype=np.int64)
    # A record without a person is a person of its own.
    alone = context.random.integers(1, days + 1, len(codes)) * context.random.choice([-1, 1], len(codes))
    by_row = np.where(codes == len(dictionary), alone, np.append(shifts, 0)[codes])
    for name in parameters["columns"]:
        table = with_column(table, name, _shifted(text_of(table, name), pa.array(by_row.astype(np.int32))))
    return table


def _shift(key: bytes, person: str, days: int) -> int:
    number = int.from_bytes(digest(key, "shift_dates", canonical(person))[:8], "big") % (2 * days)
    # Shifts from -days to days without 0: no date of a person stays as it was.
    return number - days if number < days else number - days + 1


def _shifted(cells: pa.ChunkedArray, shifts: pa.Array) -> pa.Array:
    parts = pc.extract_regex(cells.combine_chunks(), DATE)
    days, clocks = pc.struct_field(parts, "day"), pc.struct_field(parts, "clock")
    dates = pc.cast(pc.strptime(days, format="%Y-%m-%d", unit="s", error_is_null=True), pa.date32())
    moved = pc.cast(pc.add(pc.cast(dates, pa.int32()), shifts), pa.date32())
    # A text that is not a date becomes missing, because left as it is it would show the true date in another
    # notation.
    return pc.binary_join_element_wise(pc.cast(moved, pa.string()), pc.fill_null(clocks, ""), "")
