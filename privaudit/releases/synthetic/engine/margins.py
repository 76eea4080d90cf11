"""Counting: how many records have each combination of values?

Question: what is the margin of a coded table over some of its columns?
Method: mixed radix numbers and one count; a table is counted over its distinct records with their frequency.
Limits: a margin is dense, so its cells are bounded by the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Ints
from privaudit.base.records import dataclass

Columns = tuple[int, ...]
"""Positions of columns, ascending."""
Counts = Ints
Codes = npt.NDArray[Any]
"""Integer codes, one row for each column."""


def cells_of(columns: Iterable[int], sizes: Sequence[int]) -> int:
    """Return the number of cells of a margin."""
    return prod(sizes[column] for column in columns)


@dataclass(frozen=True, slots=True)
class CodedTable:
    """A table of codes.

    Attributes
    ----------
    codes : array of int, shape (n_columns, n_rows)
        ``0 <= codes[i] < sizes[i]``.
    sizes : tuple of int
        Number of codes of each column.
    """

    codes: Codes
    sizes: tuple[int, ...]

    @property
    def n_rows(self) -> int:
        """Number of records."""
        return int(self.codes.shape[1])

    def margin(self, columns: Sequence[int]) -> Counts:
        """Return the counts of all combinations of values of `columns`.

        Returns
        -------
        int64 array with one axis for each column, in the order of `columns`.
        """
        shape = tuple(self.sizes[column] for column in columns)
        return np.bincount(self.cell_numbers(columns), minlength=prod(shape)).reshape(shape)

    def cell_numbers(self, columns: Sequence[int]) -> Counts:
        """Return the number of the cell of each record in the margin over `columns`, in row-major order."""
        numbers = np.zeros(self.n_rows, dtype=np.int64)
        for column in columns:
            numbers *= self.sizes[column]
            numbers += self.codes[column]
        return numbers

    def take(self, rows: npt.NDArray[Any] | slice) -> CodedTable:
        """Return the records at the positions, or under the mask, `rows`."""
        return CodedTable(self.codes[:, rows], self.sizes)
