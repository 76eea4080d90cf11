"""One step of the search for minimal sample uniques, with and without compilation.

Question: of the rows still in the running, which match fewer than k records once one more column counts?
Method: two steppers with one behaviour: array operations for small tables, compiled loops for large ones.
Rows known to be at risk on another subset leave first; their whole class is known, so nobody else is
miscounted.
Limits: partitions are theirs to interpret; callers pass them back unread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from privaudit.risk.coded import dense_labels
from privaudit.risk.subsets import Prepared, worth_compiling

Bits = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int32]

LARGEST_WEIGHT = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Found:
    """Records newly found, their rows as packed bits, and the partition of those still in the running."""

    records: int
    bits: Bits
    part: Any
    n_left: int


class Stepper(Protocol):
    """Extends a partition by one column."""

    def everyone(self) -> Any:
        """Return the partition with all rows in one class."""

    def extend(self, part: Any, column: int, known: Bits, minimal: Counts, depth: int) -> Found:
        """Add `column`: rows not in `known` whose class holds fewer than k records are counted in `minimal`."""


def stepper(table: Prepared, k: int, *, visits: int, depth: int) -> Stepper:
    """Return the stepper that is done first, the time to load the compiler included."""
    if int(table.weights.sum()) > LARGEST_WEIGHT or not worth_compiling(visits):
        return ArrayStepper(table, k)
    from privaudit.risk.minimal_compiled import CompiledStepper

    return CompiledStepper(table, k, depth)


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


def packed(marked: npt.NDArray[np.bool_]) -> Bits:
    """Return booleans as bits, lowest bit first."""
    return np.packbits(marked, bitorder="little")


def unpacked(bits: Bits, n: int) -> npt.NDArray[np.bool_]:
    """Return `n` bits as booleans."""
    return np.unpackbits(bits, count=n, bitorder="little").astype(bool)
