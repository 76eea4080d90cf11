"""Mask all but the first and last characters of a value.

Limits: a value that is not longer than what would remain is masked whole. What remains may identify: the tail of an
account number is often its serial number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text
from privaudit.advice.technique.record import Parameter, Technique


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace the characters between the first and the last ones by asterisks."""
    import pyarrow.compute as pc

    first, last = int(parameters.get("first", 0)), int(parameters.get("last", 0))
    lengths = pc.utf8_length(column.dictionary)
    short = pc.less_equal(lengths, first + last)
    head = pc.utf8_slice_codeunits(column.dictionary, 0, first)
    tail = pc.utf8_slice_codeunits(column.dictionary, -last) if last else ""
    middle = pc.binary_repeat("*", pc.max_element_wise(pc.subtract(lengths, first + last), 0))
    made = pc.binary_join_element_wise(head, middle, tail, "")
    lookup, labels = by_text(pc.if_else(short, pc.binary_repeat("*", lengths), made))
    return Recoding("partial_mask", column.name, dict(parameters), lookup, labels)


TECHNIQUE = Technique(
    name="partial_mask",
    meaning="Masks all but the first and last characters.",
    parameters={
        "first": Parameter(kind="integer", least=0, required=False, meaning="First characters that remain."),
        "last": Parameter(kind="integer", least=0, required=False, meaning="Last characters that remain."),
    },
    recode=recode,
)
