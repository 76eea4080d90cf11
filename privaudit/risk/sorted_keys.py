"""Rows with the same integer key are grouped by sorting the keys.

Question: which rows have equal keys, and what do their weights add up to?
Method: a number that must follow its key (the row, or the weight) is put into the low bits of the key where both fit
into 63 bits: NumPy sorts integers several times faster than it finds the order that sorts them.
Limits: keys and weights are not negative; `space` is larger than every key.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
BITS = 63


def sort_rows(keys: Ints, space: int) -> tuple[Ints, Ints]:
    """Return the sorted keys and the row of each; rows with equal keys are in any order."""
    bits = max(1, len(keys) - 1).bit_length()
    if space > 1 << (BITS - bits):
        order = np.argsort(keys)
        return keys[order], order
    packed = keys << bits
    packed |= np.arange(len(keys))
    packed.sort()
    ranked = packed >> bits
    packed &= (1 << bits) - 1
    return ranked, packed


def first_of_each(ranked: Ints) -> Mask:
    """Return which of the sorted keys differ from the key before them."""
    first = np.ones(len(ranked), dtype=bool)
    np.not_equal(ranked[1:], ranked[:-1], out=first[1:])
    return first


def number_keys(keys: Ints, space: int) -> tuple[Ints, int]:
    """Number the distinct keys 0..J-1 in ascending order; return the number of each row's key, and J."""
    ranked, order = sort_rows(keys, space)
    number = np.cumsum(first_of_each(ranked)) - 1
    labels = np.empty(len(keys), dtype=np.int64)
    labels[order] = number
    return labels, int(number[-1]) + 1 if len(number) else 0


def sum_by_key(keys: Ints, weights: Ints, space: int) -> tuple[Ints, Ints]:
    """Return the distinct keys in ascending order, and the exact sum of the weights of each."""
    bits = int(weights.max(initial=1)).bit_length()
    if space > 1 << (BITS - bits):
        ranked, order = sort_rows(keys, space)
        weights = weights[order]
    else:
        packed = keys << bits
        packed |= weights
        packed.sort()
        ranked = packed >> bits
        packed &= (1 << bits) - 1
        weights = packed
    start = np.flatnonzero(first_of_each(ranked))
    return ranked[start], np.add.reduceat(weights, start) if len(start) else weights
