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

from privaudit.risk.minimal_loops import first_step, next_step
from privaudit.risk.minimal_steps import Bits, Counts, Found
from privaudit.risk.subsets import Prepared

Int32s = npt.NDArray[np.int32]


class CompiledStepper:
    """Partitions are (rows, class offsets) over the one layout in use; each depth has its own room."""

    def __init__(self, table: Prepared, k: int, depth: int) -> None:
        n, widest = len(table.weights), max(table.cardinalities)
        self.table = table
        self.k = k
        self.weights = table.weights.astype(np.int32)
        self.laid = np.empty((n, table.n_columns), dtype=np.uint16 if widest <= 1 << 16 else np.int32)
        self.laid_ids = np.empty(n, dtype=np.int32)
        self.laid_weights = np.empty(n, dtype=np.int32)
        self.members = np.zeros(widest, dtype=np.int32)
        self.sizes = np.zeros(widest, dtype=np.int32)
        self.touched = np.zeros(widest + 1, dtype=np.int32)
        self.all_rows = np.arange(n, dtype=np.int32)
        self.rows = [np.empty(n if i else 0, dtype=np.int32) for i in range(depth)]
        self.starts = [np.empty(n // 2 + 2, dtype=np.int32) for _ in range(depth)]

    def everyone(self) -> None:
        """Return the partition with all rows in one class: the first column lays out anew."""

    def extend(self, part: Any, column: int, known: Bits, minimal: Counts, depth: int) -> Found:
        """Add `column` to the partition."""
        bits = np.zeros_like(known)
        starts = self.starts[depth]
        if part is None:
            rows = self.all_rows
            n_rows, n_classes, records = first_step(
                self.table.codes[column],
                self.table.cardinalities[column],
                self.weights,
                self.k,
                self.laid_ids,
                self.laid_weights,
                starts,
                minimal,
                bits,
            )
            self._lay_out(column, int(n_rows))
        else:
            rows = self.rows[depth]
            n_rows, n_classes, records = next_step(
                self.laid,
                column,
                self.laid_ids,
                self.laid_weights,
                *part,
                known,
                self.k,
                self.members,
                self.sizes,
                self.touched,
                rows,
                starts,
                minimal,
                bits,
            )
        return Found(int(records), bits, (rows[:n_rows], starts[: n_classes + 1]), int(n_rows))

    def _lay_out(self, column: int, n_rows: int) -> None:
        """Put the codes of the later columns beside each other, row by row in the order of the classes."""
        ids = self.laid_ids[:n_rows]
        for later in range(column + 1, self.table.n_columns):
            self.laid[:n_rows, later] = self.table.codes[later][ids]
