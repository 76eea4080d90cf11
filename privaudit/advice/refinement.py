"""Which states of a lattice are finer or coarser than a state.

Question: from which of many states can a state be made, and which can be made from it?
Method: a state is finer where each of its steps is on the way to the other's. Where the steps of every ladder follow
each other, each state is packed into one integer with a guard bit for each column, so one subtraction compares all
columns at once.
Limits: a state is finer and coarser than itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
BITS = 63


class Refinement:
    """The order of the steps of each ladder.

    Parameters
    ----------
    merges : for each column a bool array of shape (steps, steps)
        ``merges[b, a]``: whether step b can be made from step a; True for equal steps.
    """

    def __init__(self, merges: Sequence[Mask]) -> None:
        self.merges = tuple(merges)
        bits = [max(1, (len(column) - 1).bit_length()) + 1 for column in merges]
        self._factors = [1 << shift for shift in np.cumsum([0, *bits])[:-1].tolist()]
        self._guards = sum(f << (b - 1) for f, b in zip(self._factors, bits, strict=True))
        follow = all(bool(column[np.tril_indices(len(column))].all()) for column in merges)
        self.is_packed = follow and sum(bits) <= BITS

    def keys(self, levels: Ints) -> Ints:
        """Return what states are compared by, from their levels, of shape (states, columns)."""
        return levels @ np.array(self._factors, dtype=np.int64) if self.is_packed else levels

    def finer(self, keys: Ints, state: Sequence[int]) -> Mask:
        """Return which states a state can be made from."""
        if self.is_packed:
            return np.asarray(((self._key(state) | self._guards) - keys) & self._guards == self._guards)
        made = np.ones(len(keys), dtype=bool)
        for i, level in enumerate(state):
            made &= self.merges[i][level][keys[:, i]]
        return made

    def coarser(self, keys: Ints, state: Sequence[int]) -> Mask:
        """Return which states can be made from a state."""
        if self.is_packed:
            return np.asarray(((keys | self._guards) - self._key(state)) & self._guards == self._guards)
        made = np.ones(len(keys), dtype=bool)
        for i, level in enumerate(state):
            made &= self.merges[i][:, level][keys[:, i]]
        return made

    def _key(self, state: Sequence[int]) -> int:
        return sum(map(mul, state, self._factors))
