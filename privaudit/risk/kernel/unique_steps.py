"""One step of the search for minimal sample uniques: extend a partition by one column.

Question: of the rows that are not yet known to be unique on a subset, which match fewer than k records when one more
column is known?
Method: two steppers with the same results: `ArrayStepper` (this module) refines class labels with array operations,
`risk.kernel.unique_steps_compiled` uses compiled loops and is faster on large tables. Rows known to be at risk on
another subset are removed first; all rows of their class are known as well, so no count changes.
Limits: a partition is private to its stepper; callers pass it back unchanged. The array stepper copies rows in
each step.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Flags, Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.risk.kernel.subsets import Prepared

Bits = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class StepResult:
    """Records newly unique, their rows as packed bits, and the partition of the rows that remain."""

    records: int
    bits: Bits
    part: Any
    n_left: int


class Stepper(Protocol):
    """Extends a partition by one column."""

    def everyone(self) -> Any:
        """Return the partition with all rows in one class."""

    def extend(self, part: Any, column: int, known: Bits, minimal: Counts, depth: int) -> StepResult:
        """Add `column`: rows not in `known` whose class contains fewer than k records are counted in `minimal`."""


def packed(marked: Flags) -> Bits:
    """Return booleans as bits, lowest bit first; uint8 array of shape (ceil(n / 8),)."""
    return np.packbits(marked, bitorder="little")


def unpacked(bits: Bits, n: int) -> Flags:
    """Return `n` bits as booleans, the inverse of `packed`."""
    return np.unpackbits(bits, count=n, bitorder="little").astype(bool)


class ArrayStepper:
    """Partitions are (rows, class labels), in NumPy."""

    def __init__(self, table: Prepared, k: int) -> None:
        self.table = table
        self.k = k

    def everyone(self) -> tuple[npt.NDArray[np.intp], Ints]:
        """Return the partition with all rows in one class."""
        n = len(self.table.weights)
        return np.arange(n), np.zeros(n, dtype=np.int64)

    def extend(self, part: Any, column: int, known: Bits, minimal: Counts, depth: int) -> StepResult:
        """Add `column` to the partition."""
        rows, labels = part
        n = len(self.table.weights)
        # A row that is unique on fewer of these columns is not a minimal unique on more of them.
        fresh = ~unpacked(known, n)[rows]
        rows, labels = rows[fresh], labels[fresh]
        if not len(rows):
            return StepResult(0, np.zeros_like(known), None, 0)
        codes = self.table.codes[column][rows]
        joint, n_classes = dense_labels([labels.astype(np.int32), codes])
        weights = self.table.weights[rows]
        sizes = np.bincount(joint, weights=weights, minlength=n_classes)
        members = np.bincount(joint, minlength=n_classes)
        hit = (sizes < self.k)[joint]
        found = rows[hit]
        minimal[found] += 1
        marked = np.zeros(n, dtype=bool)
        marked[found] = True
        # A class of one distinct row cannot split: its records stay together whatever column is added.
        stay = ((sizes >= self.k) & (members > 1))[joint]
        left = (rows[stay], joint[stay])
        return StepResult(int(weights[hit].sum()), packed(marked), left, len(left[0]))
