"""Measures of the answers of people: overdue, or given about other data.

Question: which answers must be given again?
Method: each answer was matched with the table and the current day before; these measures read the result.
Limits: an answer without a last day is never overdue.
"""

from __future__ import annotations

import datetime

from privaudit.model import GivenAnswer
from privaudit.model.wording import Name, Number, Threshold
from privaudit.rulebook.measurement import Context, Measurement, Observation, measure
from privaudit.rulebook.packs import Check


@measure("answer.days_overdue")
def answer_days_overdue(context: Context, check: Check) -> Measurement:
    """Days since the last day of an answer of a person."""
    overdue = [item for item in context.answers if item.status == "overdue"]
    return Measurement(observations=tuple(_overdue(item, context.today) for item in overdue))


def _overdue(item: GivenAnswer, today: datetime.date) -> Observation:
    days = (today - datetime.date.fromisoformat(item.until)).days
    return Observation(
        subject=(),
        observed=days,
        key=item.key,
        values={
            "observed": Number(value=days),
            "other": Name(text=item.key),
            "bound": Threshold(value=item.until),
        },
    )


@measure("answer.about_other_data")
def answer_about_other_data(context: Context, check: Check) -> Measurement:
    """One for each answer that was given about a table with another fingerprint."""
    return Measurement(
        observations=tuple(
            Observation(
                subject=(), observed=1, key=item.key, values={"other": Name(text=item.key)}
            )
            for item in context.answers
            if item.status == "other_data"
        )
    )
