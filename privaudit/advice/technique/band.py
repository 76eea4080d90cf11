"""Generalise numbers to bands of one width.

Question: which numbers become equal under bands ``[i * width, (i + 1) * width)``, and what is written?
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
    made: dict[str, Any] = {"width": short(width), "origin": 0}
    details: dict[str, Value] = {"width": Threshold(value=short(width))}
    # The small shift keeps 0.3 / 0.1 = 2.9999… in the band that starts at 0.3.
    at = np.floor(column.numbers / width + 1e-9)
    if under is not None:
        made["under"] = short(under)
        details["under"] = fact("advice.open_below", edge=Threshold(value=short(under)))
        at = np.maximum(at, round(under / width) - 1)
    if over is not None:
        made["over"] = short(over)
        details["over"] = fact("advice.open_above", edge=Threshold(value=short(over)))
        at = np.minimum(at, round(over / width))
    whole = column.is_whole and width.is_integer()

    def label(band: float) -> str:
        if under is not None and band < round(under / width):
            return f"under {plain(under)}"
        if over is not None and band >= round(over / width):
            return f"{plain(over)}+"
        low = band * width
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
            kind="integer", least=0, most=0, required=False, meaning="Bands are counted from 0."
        ),
        "under": Parameter(
            kind="number",
            required=False,
            meaning="All numbers below this multiple of the width become one band.",
        ),
        "over": Parameter(
            kind="number",
            required=False,
            meaning="All numbers from this multiple of the width on become one band.",
        ),
    },
    recode=recode,
)
