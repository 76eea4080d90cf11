"""The order of the distinct values of a column, by what they mean and not by how they are written.

Question: which of two values is the smaller one, and are they equal although they are written differently?
Method: every plausible reading of the column (decimal comma or thousands, day or month first, hours or minutes) gives
each value a key. Readings that leave a value out are dropped. The order is known where all remaining readings agree on
it; where they differ, the column has no known order.
Limits: text that is neither a number, a date, a time nor a duration has no order. Nor do values with different
currencies, or codes with leading zeros. One value that fits no reading removes the order of the column.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.model import DataType
from privaudit.source.profile.alphabet import alphabet, has_digits
from privaudit.source.profile.date_order import date_readings
from privaudit.source.profile.durations import duration_readings
from privaudit.source.profile.number_notation import number_readings
from privaudit.source.profile.numbers import CODE
from privaudit.source.profile.ranks import Ranks, Unordered

FEW = 100
"""Values that show for most columns of text that they have no order."""


@dataclass(frozen=True, slots=True)
class ValueOrder:
    """The ranks of the values, or the reason why there are none.

    Attributes
    ----------
    ranks : int64 array of shape (d,), or None
        0 for the smallest value; equal values have equal ranks, without gaps.
    reason : str or None
        Why there is no order; None where there is one.
    """

    ranks: Ranks | None
    reason: Unordered | None = None


def order_values(values: pa.Array, data_type: DataType, *, is_canonical: bool = False) -> ValueOrder:
    """Return the order of distinct values.

    Parameters
    ----------
    values : pyarrow string array of length d
        Distinct values of one column, without missing values and suppression markers.
    data_type : str
        The data type of the column, as profiled.
    is_canonical : bool
        Whether the source had typed numbers: then a point is the decimal point.

    Returns
    -------
    ValueOrder
    """
    if not len(values):
        return ValueOrder(None, "no_value")
    if data_type in ("integer", "decimal"):
        return agreed(number_readings(values, is_canonical=is_canonical))
    if data_type in ("date", "timestamp"):
        return agreed(date_readings(values))
    if data_type == "time":
        return agreed(duration_readings(values))
    # A few values decide first: parsing every value of a long column of names would find no order either.
    if data_type != "text" or _of_text(values[:FEW]).reason == "text" or has_codes(values):
        return ValueOrder(None, "text")
    return _of_text(values)


def _of_text(values: pa.Array) -> ValueOrder:
    """Return the order of text that may be numbers or durations, which have digits; some become ASCII when read."""
    if not (has_digits(values) or alphabet(values)[128:].any()):
        return ValueOrder(None, "text")
    for readings in (number_readings, duration_readings):
        found = agreed(readings(values))
        if found.reason != "unread":
            return found
    return ValueOrder(None, "text")


def agreed(readings: Iterable[Ranks] | Unordered) -> ValueOrder:
    """Return the ranks on which all readings agree, or why there are none."""
    if isinstance(readings, str):
        return ValueOrder(None, readings)
    first: Ranks | None = None
    for ranks in readings:
        if first is None:
            first = ranks
        # 1/2/2024 and 2/1/2024 have two orders: a distance over the wrong one would look exact, so there is none.
        elif not np.array_equal(first, ranks):
            return ValueOrder(None, "ambiguous")
    return ValueOrder(None, "unread") if first is None else ValueOrder(first)


def has_codes(values: pa.Array) -> bool:
    """Whether some value has a leading zero or is a number to dial, so that digits are not an amount."""
    return bool(pc.any(pc.match_substring_regex(values, CODE)).as_py())
