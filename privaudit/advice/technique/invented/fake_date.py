"""Write invented dates, uniform in a range.

Limits: the order of invented dates is that of no event; ``shift_dates`` keeps intervals.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from privaudit.advice.technique.invented.people import invented_technique, people_of, with_values
from privaudit.advice.technique.record import Context, Parameter
from privaudit.base.errors import ConfigError

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write a date of the range, both ends included, for each person.

    Raises
    ------
    ConfigError
        If the ends of the range are not dates in their order.
    """
    try:
        low, high = (datetime.date.fromisoformat(parameters[end]) for end in ("earliest", "latest"))
    except ValueError:
        raise ConfigError(
            '"earliest" and "latest" of "fake_date" must be dates.', hint="for example 2015-01-31"
        ) from None
    if low > high:
        raise ConfigError('"earliest" of "fake_date" is after "latest".', hint="exchange the two dates")
    people, n_days = people_of(table, parameters, context), (high - low).days + 1
    for column in parameters["columns"]:
        days = (people.shares(f"fake_date {column}") * n_days).astype(int).tolist()
        made = [(low + datetime.timedelta(days=day)).isoformat() for day in days]
        table = with_values(table, column, people, made)
    return table


TECHNIQUE = invented_technique(
    name="fake_date",
    meaning="Writes invented dates of a range; for test data.",
    parameters={
        "earliest": Parameter(kind="text", meaning="The first day of the range, such as 2015-01-31."),
        "latest": Parameter(kind="text", meaning="The last day of the range."),
    },
    apply=apply,
)
