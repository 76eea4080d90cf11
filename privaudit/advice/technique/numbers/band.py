"""Generalise numbers to bands of one width.

Question: which numbers become equal under bands ``[origin + i * width, origin + (i + 1) * width)``, and what is
written?
Method: bands are counted over the distinct values, so the work does not depend on the range of the numbers. Bands of
whole numbers are written "20-29", others "[0.5, 1)", open bands "under 20" and "90+".
Limits: a value that is not a number stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_number, plain, short
from privaudit.advice.technique.record import Parameter, Technique
from privaudit.model.wording import Threshold, Value, fact


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
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


TECHNIQUE = Technique(
    name="band",
    meaning="Replaces numbers by bands of one width.",
    parameters={
        "width": Parameter(kind="number", above=0, meaning="The width of a band."),
        "origin": Parameter(
            kind="number", required=False, meaning="A number at which a band begins (default 0)."
        ),
        "under": Parameter(
            kind="number",
            required=False,
            meaning="All numbers below this edge of a band become one band.",
        ),
        "over": Parameter(
            kind="number",
            required=False,
            meaning="All numbers from this edge of a band on become one band.",
        ),
    },
    recode=recode,
)
