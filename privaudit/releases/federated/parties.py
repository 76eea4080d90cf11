"""The rows of a party, from a file or a function, in declared bounds.

Question: how do the rows of a party become numbers that fit those of the others?
Method: a file is read like any table; features are scaled from their declared bounds to [0, 1] and clipped. A function
returns the inputs and outputs itself.
Limits: a row with a missing or unreadable feature or target is excluded, and the report states how many are. With
epsilon it counts, as a row that teaches nothing: how many rows are complete is a number that nothing paid for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.settings.config import Settings
from privaudit.source import open_dataset

Rows = tuple[Any, Any]
Party = str | os.PathLike[str] | Callable[[], Rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the file of a party is read.

    Attributes
    ----------
    features : mapping of column to (low, high)
        Declared bounds of numeric columns.
    text : str
        The column with the text, for the word model.
    target : str
    is_number : bool
        Whether the target is a number.
    every_row : bool
        Whether rows that are not complete are kept, with NaN, or without a word, as inputs.
    """

    features: Mapping[str, tuple[float, float]]
    text: str
    target: str
    is_number: bool
    every_row: bool

    def read(self, party: Party) -> tuple[Rows, int]:
        """Return inputs and outputs of a party, and how many rows it has with those that are excluded.

        Raises
        ------
        ConfigError
            If the target, the features or the text are not declared, or no row is complete.
        PrivauditError
            If the file cannot be read or lacks a column.
        """
        if callable(party):
            rows = party()
            return rows, len(rows[1])
        inputs = [self.text] if self.text else [*self.features]
        if not inputs or not self.target:
            raise ConfigError("Declare the target, and the features with their bounds or the column with the text.")
        with open_dataset(party, Settings()) as dataset:
            table = dataset.rows([*inputs, self.target])
        cells = {name: table[name].to_pylist() for name in (*inputs, self.target)}
        outputs = _numbers(cells[self.target]) if self.is_number else cells[self.target]
        known = [value is not None and value == value for value in outputs]
        if self.text and self.every_row:
            texts = [text or "" if is_known else "" for text, is_known in zip(cells[self.text], known, strict=True)]
            return (texts, outputs), len(outputs)
        if self.text:
            kept = [i for i, text in enumerate(cells[self.text]) if text is not None and known[i]]
            return ([cells[self.text][i] for i in kept], [outputs[i] for i in kept]), len(outputs)
        low, high = np.array([*self.features.values()], dtype=np.float64).T
        numbers = np.column_stack([_numbers(cells[name]) for name in self.features])
        scaled = np.clip((numbers - low) / (high - low), 0, 1)
        complete = np.isfinite(scaled).all(axis=1) & np.array(known)
        if self.every_row:
            return (np.where(complete[:, None], scaled, np.nan), np.array(outputs)), len(outputs)
        if not complete.any():
            raise ConfigError("A party has no row in which every feature and the target are known.")
        return (scaled[complete], np.array(outputs)[complete]), len(outputs)


def _numbers(cells: Sequence[str | None]) -> list[float]:
    return [_number(cell) for cell in cells]


def _number(cell: str | None) -> float:
    try:
        return float("nan" if cell is None else cell)
    except ValueError:
        return float("nan")
