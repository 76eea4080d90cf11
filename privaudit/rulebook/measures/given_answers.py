"""Measures of the answers of people: overdue, or given about other data.

Question: which answers must be given again?
Method: each answer was matched with the table and the current day before; these measures read the result.
Limits: an answer without a last day is never overdue.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from privaudit.model import GivenAnswer
from privaudit.model.wording import Name, Number, Threshold, Value
from privaudit.rulebook.measurement import Context, Observation, measure
from privaudit.rulebook.packs import Check


@measure("answer.days_overdue")
def answer_days_overdue(context: Context, check: Check) -> Iterator[Observation]:
    """Days since the last day of an answer of a person."""
    for item in context.answers:
        if item.status == "overdue":
            days = (context.today - datetime.date.fromisoformat(item.until)).days
            yield _of(item, days, observed=Number(value=days), bound=Threshold(value=item.until))


@measure("answer.about_other_data")
def answer_about_other_data(context: Context, check: Check) -> Iterator[Observation]:
    """One for each answer that was given about a table with another fingerprint."""
    return (_of(item, 1) for item in context.answers if item.status == "other_data")


def _of(item: GivenAnswer, observed: int, /, **values: Value) -> Observation:
    return Observation(subject=(), observed=observed, key=item.key, values={**values, "other": Name(text=item.key)})
