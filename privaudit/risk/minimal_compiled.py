"""The compiled step of the search for minimal sample uniques.

Question: the same as `privaudit.risk.minimal_steps`, for tables where loops beat arrays.
Method: stripped partitions as in `privaudit.risk.partition`; members of a class are counted in a scratch
array.
Limits: 32-bit counters; the caller turns larger tables away.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.risk.minimal_steps import Bits, Counts, Found
from privaudit.risk.partition_loops import minimal_step
from privaudit.risk.subsets import Prepared


class CompiledStepper:
    """Partitions are (rows, class offsets); each depth has its own room."""

    def __init__(self, table: Prepared, k: int, depth: int) -> None:
        n = len(table.weights)
        widest = max(table.cardinalities)
        self.table = table
        self.k = k
        self.weights = table.weights.astype(np.int32)
        self.members = np.zeros(widest, dtype=np.int32)
        self.sizes = np.zeros(widest, dtype=np.int32)
        self.touched = np.zeros(widest + 1, dtype=np.int32)
        self.rows = [np.empty(n, dtype=np.int32) for _ in range(depth)]
        self.starts = [np.empty(n // 2 + 2, dtype=np.int32) for _ in range(depth)]

    def everyone(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return the partition with all rows in one class."""
        n = len(self.weights)
        return np.arange(n, dtype=np.int32), np.array([0, n], dtype=np.int32)

    def extend(self, part: Any, column: int, known: Bits, minimal: Counts, depth: int) -> Found:
        """Add `column` to the partition."""
        rows, starts = part
        bits = np.zeros_like(known)
        n_rows, n_classes, records = minimal_step(
            self.table.codes[column],
            rows,
            self.weights,
            starts,
            known,
            self.k,
            self.members,
            self.sizes,
            self.touched,
            self.rows[depth],
            self.starts[depth],
            minimal,
            bits,
        )
        left = (self.rows[depth][:n_rows], self.starts[depth][: n_classes + 1])
        return Found(int(records), bits, left, int(n_rows))
