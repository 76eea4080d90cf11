"""Mask every character of a value.

Limits: the length of a value remains, and with it some information, unless the step states a number of asterisks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text
from privaudit.advice.technique.record import Parameter, Technique


def recode(column: Column, parameters: Mapping[str, Any] | None = None) -> Recoding:
    """Replace every character by an asterisk, or every value by the same number of asterisks."""
    import pyarrow.compute as pc

    stated = dict(parameters or {})
    lengths = pc.utf8_length(column.dictionary)
    if "length" in stated:
        lengths = pc.if_else(pc.is_valid(lengths), int(stated["length"]), lengths)
    lookup, labels = by_text(pc.binary_repeat("*", lengths))
    return Recoding("mask", column.name, stated, lookup, labels)


TECHNIQUE = Technique(
    name="mask",
    meaning="Replaces every character by an asterisk, or every value by the same asterisks.",
    keeps_meaning=False,
    parameters={
        "length": Parameter(
            kind="integer",
            least=1,
            most=100,
            required=False,
            meaning="Asterisks of every value, which hides its length (default: as many as characters).",
        )
    },
    recode=recode,
)
