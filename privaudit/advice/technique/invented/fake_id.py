"""Write invented identifiers of a stated form, different for different people.

Method: "#" of the form becomes a digit and "?" a capital letter, from HMAC-SHA-256 of the key and the person; where
another person of the table has the identifier, it is drawn again.
Limits: no check digit is computed. Which of two people is drawn again depends on who else is in the table; long forms
make it rare.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from privaudit.advice.technique.invented.people import different, invented_technique, people_of, with_values
from privaudit.advice.technique.record import Context, Parameter

if TYPE_CHECKING:
    import pyarrow as pa

FORM = "##########"
_SYMBOLS = {"#": string.digits, "?": string.ascii_uppercase}


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write an identifier for each person."""
    people, form = people_of(table, parameters, context), str(parameters.get("form", FORM))
    for column in parameters["columns"]:
        purpose = f"fake_id {column}"

        def draw(person: int, attempt: int, purpose: str = purpose) -> str:
            return _written(form, int.from_bytes(people.bytes_of(person, f"{purpose} {attempt}"), "big"))

        table = with_values(table, column, people, different(people, draw, "fake_id"))
    return table


def _written(form: str, number: int) -> str:
    """Return a form with its symbols replaced by the digits of a number of 256 bits."""
    made = []
    for symbol in form:
        choices = _SYMBOLS.get(symbol)
        if choices is None:
            made.append(symbol)
            continue
        number, rest = divmod(number, len(choices))
        made.append(choices[rest])
    return "".join(made)


TECHNIQUE = invented_technique(
    name="fake_id",
    meaning="Writes invented identifiers of a stated form, different for different people; for test data.",
    parameters={
        "form": Parameter(
            kind="text",
            required=False,
            meaning='"#" stands for a digit, "?" for a letter, other characters for themselves (default ten digits).',
        ),
    },
    apply=apply,
)
