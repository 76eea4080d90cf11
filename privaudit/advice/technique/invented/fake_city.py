"""Write invented cities: drawn by stated shares, or made by Faker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.advice.technique.invented.people import (
    LOCALE,
    People,
    invented_technique,
    people_of,
    with_values,
)
from privaudit.advice.technique.invented.values import faker
from privaudit.advice.technique.record import Context, Parameter

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write a city for each person."""
    people = people_of(table, parameters, context)
    for column in parameters["columns"]:
        table = with_values(table, column, people, _cities(people, parameters, f"fake_city {column}"))
    return table


def _cities(people: People, parameters: Mapping[str, Any], purpose: str) -> list[str]:
    shares = parameters.get("shares")
    if shares is None:
        source, made = faker(str(parameters.get("locale", "en_US")), 0), []
        for person in range(people.n):
            source.seed_instance(people.number(person, purpose))
            made.append(str(source.city()))
        return made
    weights = np.array(list(shares.values()), dtype=np.float64)
    ends = np.cumsum(weights) / weights.sum()
    at = np.searchsorted(ends[:-1], people.shares(purpose), side="right")
    names = list(shares)
    return [names[i] for i in at.tolist()]


TECHNIQUE = invented_technique(
    name="fake_city",
    meaning="Writes invented cities, by stated shares or by Faker; for test data.",
    parameters={
        "shares": Parameter(
            kind="shares", required=False, meaning="The share of each city; shares are scaled to 1."
        ),
        "locale": LOCALE,
    },
    apply=apply,
)
