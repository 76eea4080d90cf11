"""Top-code numbers: all from a limit on become one value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text, plain, short
from privaudit.advice.technique.record import Parameter, Technique
from privaudit.model.wording import Threshold

PARAMETERS = {
    "at": Parameter(kind="number", meaning="The limit: a round number."),
    "held_by_at_least": Parameter(
        kind="integer",
        least=1,
        required=False,
        meaning="At least so many records have the value of the limit.",
    ),
}


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge all numbers from ``at`` on."""
    return _coded(column, parameters, "top_code", f"{plain(parameters['at'])}+")


def recode_bottom(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge all numbers up to ``at``."""
    return _coded(column, parameters, "bottom_code", f"up to {plain(parameters['at'])}")


def _coded(column: Column, parameters: Mapping[str, Any], name: str, beyond: str) -> Recoding:
    import pyarrow as pa
    import pyarrow.compute as pc

    at = float(parameters["at"])
    is_beyond = column.numbers >= at if name == "top_code" else column.numbers <= at
    lookup, labels = by_text(pc.if_else(pa.array(is_beyond), beyond, column.dictionary))
    made = {**parameters, "at": short(at)}
    return Recoding(name, column.name, made, lookup, labels, details={"at": Threshold(value=short(at))})


TECHNIQUE = Technique(
    name="top_code",
    meaning='Replaces all numbers from a limit on by one value, such as "90+".',
    parameters=PARAMETERS,
    recode=recode,
)
