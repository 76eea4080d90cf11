"""The types of arrays, by what their cells are.

Question: what does a signature call an array of whole numbers?
Method: one name for each type of cell. A module that means something narrower by an array names it after that.
Limits: types only; shapes are in the docstrings.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Codes: TypeAlias = npt.NDArray[np.int32]
"""Codes of the values of a column."""
Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Words: TypeAlias = npt.NDArray[np.uint64]
"""Words of 64 bits: hashes, random bits, masks."""
