"""Generalise numbers to bands of one width, or round them to multiples of a base.

Question: which numbers become equal under bands ``[origin + i * width, origin + (i + 1) * width)``, and what is
written?
Method: bands are counted over the distinct values, so the work does not depend on the range of the numbers. Bands of
whole numbers are written "20-29", others "[0.5, 1)", open bands "under 20" and "90+".
Limits: a value that is not a number stays as it is. Halves are rounded to the even multiple.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_number, plain, short
from privaudit.model.wording import Threshold, Value, fact


def band(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge the numbers of `column` into bands."""
    width, under, over = float(parameters["width"]), parameters.get("under"), parameters.get("over")
    origin = float(parameters.get("origin", 0))
    made: dict[str, Any] = {"width": short(width), "origin": short(origin)}
    details: dict[str, Value] = {"width": Threshold(value=short(width))}
    # The small shift keeps 0.3 / 0.1 = 2.9999… in the band that starts at 0.3.
    at = np.floor((column.numbers - origin) / width + 1e-9)
    if under is not None:
        made["under"] = short(under)
        details["under"] = fact("advice.open_below", edge=Threshold(value=short(under)))
        at = np.maximum(at, round((under - origin) / width) - 1)
    if over is not None:
        made["over"] = short(over)
        details["over"] = fact("advice.open_above", edge=Threshold(value=short(over)))
        at = np.minimum(at, round((over - origin) / width))
    whole = column.is_whole and width.is_integer() and origin.is_integer()

    def label(band: float) -> str:
        if under is not None and band < round((under - origin) / width):
            return f"under {plain(under)}"
        if over is not None and band >= round((over - origin) / width):
            return f"{plain(over)}+"
        low = origin + band * width
        if not whole:
            return f"[{plain(low)}, {plain(low + width)})"
        return f"{plain(low)}-{plain(low + width - 1)}" if width > 1 else plain(low)

    lookup, labels = by_number(column, at, label)
    return Recoding("band", column.name, made, lookup, labels, details=details)


def round_number(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Round the numbers of `column` to multiples of a base."""
    base = float(parameters["base"])
    at = np.rint(column.numbers / base) + 0.0  # no negative zero
    lookup, labels = by_number(column, at, lambda multiple: plain(multiple * base))
    return Recoding("round_number", column.name, dict(parameters), lookup, labels)
