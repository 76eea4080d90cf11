"""Mask every character of a value.

Limits: the length of a value remains, and with it some information.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text
from privaudit.advice.technique.record import Technique


def recode(column: Column, parameters: Mapping[str, Any] | None = None) -> Recoding:
    """Replace every character by an asterisk."""
    import pyarrow.compute as pc

    lengths = pc.utf8_length(column.dictionary)
    lookup, labels = by_text(pc.binary_repeat("*", lengths))
    return Recoding("mask", column.name, {}, lookup, labels)


TECHNIQUE = Technique(
    name="mask", meaning="Replaces every character by an asterisk.", keeps_meaning=False, recode=recode
)
