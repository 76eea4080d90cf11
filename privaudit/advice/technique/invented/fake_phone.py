"""Write invented telephone numbers (Faker).

Limits: an invented number can be that of a person who exists: never call or send.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from privaudit.advice.technique.invented.people import (
    LOCALE,
    UNIQUE,
    different,
    invented_technique,
    people_of,
    with_values,
)
from privaudit.advice.technique.invented.values import faker
from privaudit.advice.technique.record import Context

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write a number for each person."""
    people, source = people_of(table, parameters, context), faker(str(parameters.get("locale", "en_US")), 0)
    for column in parameters["columns"]:
        purpose = f"fake_phone {column}"

        def draw(person: int, attempt: int, purpose: str = purpose) -> str:
            source.seed_instance(people.number(person, f"{purpose} {attempt}"))
            return str(source.phone_number())

        is_unique = parameters.get("unique", False)
        made = different(people, draw, "fake_phone") if is_unique else [draw(i, 0) for i in range(people.n)]
        table = with_values(table, column, people, made)
    return table


TECHNIQUE = invented_technique(
    name="fake_phone",
    meaning="Writes invented telephone numbers (Faker); for test data.",
    parameters={"locale": LOCALE, "unique": UNIQUE},
    apply=apply,
)
