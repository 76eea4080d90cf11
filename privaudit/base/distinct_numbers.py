"""The distinct numbers of an array.

Question: which numbers occur?
Method: they are sorted, and equal neighbours are one.
Limits: NumPy's `unique` hashes whole numbers, which takes 5 to 80 times as long where many differ; it is as fast where
it also returns positions or counts, because it then sorts.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", bound=np.integer)


def distinct(numbers: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Return the distinct whole numbers of an array of any shape, sorted.

    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    ordered = np.sort(numbers, axis=None)
    is_first = np.ones(len(ordered), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]
