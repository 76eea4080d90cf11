"""Numbers of written values: plain numbers, and the middle of bands.

Limits: an open band counts by its edge.
"""

from __future__ import annotations

import re

import numpy as np

from privaudit.base.arrays import Codes, Floats
from privaudit.base.arrow import pa

MOSTLY = 0.9
_N = r"-?[0-9]+(?:\.[0-9]+)?"
_BAND = re.compile(rf"\[?({_N})(?:-|, | to )({_N})\)?")
_EDGE = re.compile(rf"(?:under |up to )?({_N}(?:[eE][+-]?[0-9]+)?)\+?")


def middle(text: str) -> float:
    """Return the number that a written value stands for, NaN for other text.

    >>> middle("20-29"), middle("[0.5, 1)"), middle("90+"), middle("12.5")
    (24.5, 0.75, 90.0, 12.5)
    """
    found = _EDGE.fullmatch(text)
    if found is not None:
        return float(found[1])
    found = _BAND.fullmatch(text)
    return float("nan") if found is None else (float(found[1]) + float(found[2])) / 2


def numbers_of(dictionary: pa.Array) -> Floats | None:
    """Return the number of each value, NaN where it has none; None where fewer than 90 % of the values are numbers."""
    each = np.array([middle(text) for text in dictionary.to_pylist()], dtype=np.float64)
    return each if len(each) and np.isfinite(each).sum() >= MOSTLY * len(each) else None


def middles(codes: Codes, dictionary: pa.Array) -> Floats | None:
    """Return the number of each cell, NaN where it has none; None where fewer than 90 % of the values are numbers."""
    each = numbers_of(dictionary)
    return None if each is None else np.append(each, np.nan)[codes]
