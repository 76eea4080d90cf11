"""Drop a column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding
from privaudit.advice.technique.record import Technique


def recode(column: Column, parameters: Mapping[str, Any] | None = None) -> Recoding:
    """Return the recoding that drops the column: all cells become equal, missing cells too."""
    return Recoding("drop", column.name, {}, np.zeros(len(column) + 1, dtype=np.int32))


TECHNIQUE = Technique(name="drop", meaning="Removes the column.", recode=recode)
