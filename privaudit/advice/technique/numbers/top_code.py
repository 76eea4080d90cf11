"""Top-code and bottom-code numbers: all from a limit on, or up to it, become one value, "90+" or the limit itself.

Limits: where the limit itself is written, the column stays numeric, and a reader does not see which cells were coded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text, plain, short
from privaudit.model.wording import Columns, Count, Threshold, fact


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge all numbers from ``at`` on."""
    return _coded(column, parameters, "top_code", f"{plain(parameters['at'])}+")


def recode_bottom(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge all numbers up to ``at``."""
    return _coded(column, parameters, "bottom_code", f"up to {plain(parameters['at'])}")


def _coded(column: Column, parameters: Mapping[str, Any], name: str, beyond: str) -> Recoding:
    at = float(parameters["at"])
    is_beyond = column.numbers >= at if name == "top_code" else column.numbers <= at
    if parameters.get("write") == "limit":
        beyond = plain(at)
    lookup, labels = by_text(pc.if_else(pa.array(is_beyond), beyond, column.dictionary))
    made = {**parameters, "at": short(at)}
    coded = Count(n=int(column.counts[:-1][is_beyond].sum()), of=int(column.counts.sum()), unit="record")
    limit = Threshold(value=short(at))
    note = fact(f"remedies.{name}", column=Columns(names=(column.name,)), records=coded, at=limit)
    return Recoding(name, column.name, made, lookup, labels, details={"at": limit}, notes=(note,))
