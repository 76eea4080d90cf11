"""The step of the search for minimal sample uniques in array operations.

Question: the same as `privaudit.risk.minimal_compiled`, for tables where loading a compiler costs more than it saves.
Method: classes are labels of rows; one more column refines the labels.
Limits: none of size; every step copies the rows still in the running.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.risk.coded import dense_labels
from privaudit.risk.minimal_steps import Bits, Counts, Found, packed, unpacked
from privaudit.risk.subsets import Prepared


class ArrayStepper:
    """Partitions are (rows, class labels), in NumPy."""

    def __init__(self, table: Prepared, k: int) -> None:
        self.table = table
        self.k = k

    def everyone(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
        """Return the partition with all rows in one class."""
        n = len(self.table.weights)
        return np.arange(n), np.zeros(n, dtype=np.int64)

    def extend(self, part: Any, column: int, known: Bits, minimal: Counts, depth: int) -> Found:
        """Add `column` to the partition."""
        rows, labels = part
        n = len(self.table.weights)
        fresh = ~unpacked(known, n)[rows]
        rows, labels = rows[fresh], labels[fresh]
        if not len(rows):
            return Found(0, np.zeros_like(known), None, 0)
        codes = self.table.codes[column][rows]
        joint, n_classes = dense_labels(
            [labels.astype(np.int32), codes], [int(labels.max()) + 1, self.table.cardinalities[column]]
        )
        weights = self.table.weights[rows]
        sizes = np.bincount(joint, weights=weights, minlength=n_classes)
        members = np.bincount(joint, minlength=n_classes)
        hit = (sizes < self.k)[joint]
        found = rows[hit]
        minimal[found] += 1
        marked = np.zeros(n, dtype=bool)
        marked[found] = True
        stay = ((sizes >= self.k) & (members > 1))[joint]
        left = (rows[stay], joint[stay])
        return Found(int(weights[hit].sum()), packed(marked), left, len(left[0]))
