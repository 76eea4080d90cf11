"""Techniques that drop a column or shorten, mask or merge its values as texts.

Question: what is left of a value that is masked, cut to its first characters, merged into "other", or dropped?
Limits: a mask keeps the length of a value, and with it some information, unless the step states a number of asterisks.
Of a partial mask, a value that is not longer than what would remain is masked whole; what remains may identify: the
tail of an account number is often its serial number. Where a column has the value "other" already, it is part of the
merged value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text
from privaudit.model.wording import Threshold

OTHER = "other"


def drop_column(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Return the recoding that drops the column: all cells become equal, missing cells too."""
    return Recoding("drop", column.name, {}, np.zeros(len(column) + 1, dtype=np.int32))


def mask(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace every character by an asterisk, or every value by the same number of asterisks."""
    lengths = pc.utf8_length(column.dictionary)
    if "length" in parameters:
        lengths = pc.if_else(pc.is_valid(lengths), int(parameters["length"]), lengths)
    lookup, labels = by_text(pc.binary_repeat("*", lengths))
    return Recoding("mask", column.name, dict(parameters), lookup, labels)


def partial_mask(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace the characters between the first and the last ones by asterisks."""
    first, last = int(parameters.get("first", 0)), int(parameters.get("last", 0))
    lengths = pc.utf8_length(column.dictionary)
    short = pc.less_equal(lengths, first + last)
    head = pc.utf8_slice_codeunits(column.dictionary, 0, first)
    tail = pc.utf8_slice_codeunits(column.dictionary, -last) if last else ""
    middle = pc.binary_repeat("*", pc.max_element_wise(pc.subtract(lengths, first + last), 0))
    made = pc.binary_join_element_wise(head, middle, tail, "")
    lookup, labels = by_text(pc.if_else(short, pc.binary_repeat("*", lengths), made))
    return Recoding("partial_mask", column.name, dict(parameters), lookup, labels)


def prefix(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Keep the first characters of each value."""
    kept = int(parameters["characters_kept"])
    longest = pc.max(pc.utf8_length(column.dictionary)).as_py() or 0
    lookup, labels = by_text(pc.utf8_slice_codeunits(column.dictionary, 0, kept))
    details = {"kept": Threshold(value=kept), "length": Threshold(value=int(longest))}
    return Recoding("prefix", column.name, {"characters_kept": kept}, lookup, labels, details=details)


def merge_rare(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge the values with fewer than `below` records into "other"."""
    below = int(parameters["below"])
    rare = pa.array(column.counts[:-1] < below)
    lookup, labels = by_text(pc.if_else(rare, OTHER, column.dictionary))
    details = {"below": Threshold(value=below)}
    return Recoding("merge_rare", column.name, {"below": below}, lookup, labels, details=details)
