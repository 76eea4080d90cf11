"""Round numbers to multiples of a base.

Limits: a value that is not a number stays as it is. Halves are rounded to the even multiple.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_number, plain
from privaudit.advice.technique.record import Parameter, Technique


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Round the numbers of `column`."""
    base = float(parameters["base"])
    at = np.rint(column.numbers / base) + 0.0  # no negative zero
    lookup, labels = by_number(column, at, lambda multiple: plain(multiple * base))
    return Recoding("round_number", column.name, dict(parameters), lookup, labels)


TECHNIQUE = Technique(
    name="round_number",
    meaning="Rounds numbers to multiples of a base.",
    parameters={"base": Parameter(kind="number", above=0, meaning="Numbers become multiples of this.")},
    recode=recode,
)
