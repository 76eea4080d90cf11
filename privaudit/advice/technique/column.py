"""One column as techniques see it: its distinct values, how many records have each, and its hierarchy.

Question: what does a technique need to know of a column?
Method: the dictionary of a coded table, with counts; numbers and dates are parsed once.
Limits: values are texts; a missing cell has the code one past the dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.base.records import dataclass

if TYPE_CHECKING:
    import pyarrow as pa

Lookup = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Hierarchy = Mapping[str, Sequence[str]]

NUMBER = r"^[+-]?[0-9]{1,15}(\.[0-9]*)?([eE][+-]?[0-9]{1,2}|[eE]-[0-9]{3})?$"
MOSTLY = 0.9
"""Share of the distinct values that must be numbers, or dates, for a column of numbers, or dates."""


def as_numbers(cells: Any) -> Any:
    """Return an Arrow array of texts as float64, null for a text that is not a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = pc.replace_substring_regex(cells, r"^\+", "")  # Arrow reads no leading plus
    text = pc.if_else(pc.match_substring_regex(cells, NUMBER), plain, pa.scalar(None, pa.string()))
    return pc.cast(text, pa.float64())


@dataclass(frozen=True)
class Column:
    """The distinct values of a column.

    Attributes
    ----------
    name : str
    dictionary : pyarrow.Array of text
        All different, none missing.
    counts : int64 array, one longer than the dictionary
        Records of each value and, last, of missing cells.
    hierarchy : mapping of value to its names at levels 1, 2, ..., optional
    key : bytes, optional
        The secret key of techniques that need one.
    whole : bool, optional
        Whether the numbers are integers, where that was found on another table.
    """

    name: str
    dictionary: pa.Array
    counts: Counts
    hierarchy: Hierarchy | None = None
    key: bytes | None = field(default=None, repr=False)
    whole: bool | None = None

    def __len__(self) -> int:
        return len(self.dictionary)

    @cached_property
    def numbers(self) -> Floats:
        """The values as numbers, NaN for a value that is not a number."""
        found: Floats = as_numbers(self.dictionary).to_numpy(zero_copy_only=False)
        return found

    @cached_property
    def dates(self) -> tuple[pa.Array, bool]:
        """The values as year-month-day, null for a value that is not a date, and whether the order is certain."""
        from privaudit.attacks.values.comparable_values import iso_dates

        return iso_dates(self.dictionary)

    @property
    def is_numeric(self) -> bool:
        """Whether at least 90 % of the distinct values are numbers."""
        return bool(len(self) and np.isfinite(self.numbers).sum() >= MOSTLY * len(self))

    @cached_property
    def is_whole(self) -> bool:
        """Whether all numbers of the column are integers."""
        if self.whole is not None:
            return self.whole
        known = self.numbers[np.isfinite(self.numbers)]
        return bool((known == np.floor(known)).all())
