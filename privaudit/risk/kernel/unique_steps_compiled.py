"""One step of the search for minimal sample uniques, in compiled loops.

Question: as in `privaudit.risk.kernel.unique_steps`, for tables where loops are faster than array operations.
Method: rows are laid out class by class of the first, widest column of a set; below it, distinct rows and records
are counted within each class in scratch arrays that are zero between classes (stripped partitions, as in
`privaudit.risk.kernel.partition`).
Limits: 32-bit counters; the caller does not pass larger tables. The loops check nothing; the class provides all memory.
"""
# mypy: disable-error-code="no-untyped-def"
# The loops are compiled from the types of their arguments; annotations would not reach the compiler.

from __future__ import annotations

from typing import Any

import numpy as np

from privaudit.risk.codes.machine_code import MATRICES, Bytes, Int32s, compiled
from privaudit.risk.kernel.subsets import Prepared
from privaudit.risk.kernel.unique_steps import Bits, Counts, StepResult

COUNTERS = Bytes, "u4[::1]"
"""The types that count sets of columns, of few columns and of many."""


@compiled(*((*[Int32s] * 4, "i8", *[Int32s] * 3, minimal, Bytes) for minimal in COUNTERS), n_results=3)
def first_step(codes, members, sizes, weights, k, out_ids, out_weights, out_starts, minimal, bits):
    """Lay rows out by one column: those of several distinct rows and k records or more.

    Rows of classes with fewer records are counted in `minimal` and marked in `bits`. Returns rows and classes
    laid out, and the records found. `members` and `sizes` have a zero for each code, before and after.
    """
    for i in range(len(codes)):
        members[codes[i]] += 1
        sizes[codes[i]] += weights[i]
    records = np.int64(0)
    n_rows = 0
    n_classes = 0
    out_starts[0] = 0
    for code in range(len(members)):
        count = members[code]
        if count == 0:
            continue
        if sizes[code] < k:
            records += sizes[code]
            members[code] = -1
        elif count == 1:
            # A single distinct row of k records or more: no further column splits it, and it is not rare.
            members[code] = -2
        else:
            members[code] = n_rows
            n_rows += count
            n_classes += 1
            out_starts[n_classes] = n_rows
    for i in range(len(codes)):
        code = codes[i]
        to = members[code]
        if to >= 0:
            members[code] = to + 1
            out_ids[to] = i
            out_weights[to] = weights[i]
        elif to == -1:
            minimal[i] += 1
            bits[i >> 3] |= np.uint8(1 << (i & 7))
    members[:] = 0
    sizes[:] = 0
    return n_rows, n_classes, records


@compiled(
    *(
        (matrix, "i8", *[Int32s] * 4, Bytes, "i8", *[Int32s] * 5, minimal, Bytes)
        for matrix in MATRICES
        for minimal in COUNTERS
    ),
    n_results=3,
)
def next_step(  # noqa: C901 - one loop nest; parts of it on their own would pass all its state back and forth
    matrix, column, ids, weights, rows, starts, known, k,
    members, sizes, touched, out_rows, out_starts, minimal, bits,
):  # fmt: skip
    """Split classes by one more column, without the rows marked in `known`; otherwise as `first_step`."""
    records = np.int64(0)
    n_rows = 0
    n_classes = 0
    out_starts[0] = 0
    for c in range(len(starts) - 1):
        n = 0
        for i in range(starts[c], starts[c + 1]):
            row = rows[i]
            own = ids[row]
            if known[own >> 3] >> (own & 7) & 1:
                continue
            code = matrix[row, column]
            touched[n] = code
            n += members[code] == 0
            members[code] += 1
            sizes[code] += weights[row]
        for t in range(n):
            code = touched[t]
            if sizes[code] < k:
                records += sizes[code]
                members[code] = -1
            elif members[code] == 1:
                # As in `first_step`: neither rare nor divisible.
                members[code] = -2
            else:
                count = members[code]
                members[code] = n_rows
                n_rows += count
                n_classes += 1
                out_starts[n_classes] = n_rows
        for i in range(starts[c], starts[c + 1]):
            row = rows[i]
            own = ids[row]
            if known[own >> 3] >> (own & 7) & 1:
                continue
            code = matrix[row, column]
            at = members[code]
            if at >= 0:
                out_rows[at] = row
                members[code] = at + 1
            elif at == -1:
                minimal[own] += 1
                bits[own >> 3] |= np.uint8(1 << (own & 7))
        for t in range(n):
            members[touched[t]] = 0
            sizes[touched[t]] = 0
    return n_rows, n_classes, records


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
        # A class that is kept has two distinct rows or more, so that there are at most n / 2.
        self.starts = [np.empty(n // 2 + 2, dtype=np.int32) for _ in range(depth)]

    def everyone(self) -> None:
        """Return the partition with all rows in one class: the first column lays out anew."""

    def extend(self, part: Any, column: int, known: Bits, minimal: Counts, depth: int) -> StepResult:
        """Add `column` to the partition."""
        bits = np.zeros_like(known)
        starts = self.starts[depth]
        if part is None:
            rows = self.all_rows
            n_rows, n_classes, records = first_step(
                self.table.codes[column],
                self.members[: self.table.cardinalities[column]],
                self.sizes[: self.table.cardinalities[column]],
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
        return StepResult(int(records), bits, (rows[:n_rows], starts[: n_classes + 1]), int(n_rows))

    def _lay_out(self, column: int, n_rows: int) -> None:
        """Copy the codes of the later columns into one matrix, row by row in the order of the classes."""
        ids = self.laid_ids[:n_rows]
        for later in range(column + 1, self.table.n_columns):
            self.laid[:n_rows, later] = self.table.codes[later][ids]
