"""What a step of the search for minimal sample uniques takes and gives.

Question: of the rows still in the running, which match fewer than k records once one more column counts?
Method: two steppers with one behaviour: `minimal_arrays` for small tables, `minimal_compiled` for large ones.
Rows known to be at risk on another subset leave first; their whole class is known, so nobody else is
miscounted.
Limits: partitions are theirs to interpret; callers pass them back unread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int32]


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


def packed(marked: npt.NDArray[np.bool_]) -> Bits:
    """Return booleans as bits, lowest bit first."""
    return np.packbits(marked, bitorder="little")


def unpacked(bits: Bits, n: int) -> npt.NDArray[np.bool_]:
    """Return `n` bits as booleans."""
    return np.unpackbits(bits, count=n, bitorder="little").astype(bool)
