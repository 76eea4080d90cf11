"""Rows of codes as disjoint bits of one or more integers.

Question: which rows are equal over some of their columns, where the columns change often?
Method: each column has its own bits, so a column is replaced by one addition and omitted by a mask, and equal rows
have equal words. Rows of several words are sorted by a hash of them; rows that differ under equal hashes are sorted by
the words themselves.
Limits: the bits of a column are those of its largest code, so the words are sparser than the keys of
`privaudit.risk.codes.row_keys`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from privaudit.base.arrays import Codes, Flags, Ints
from privaudit.risk.codes.sorted_keys import first_of_each, number_keys

WORD_BITS = 62
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Packing:
    """Where each column is in the words of a key.

    Parameters
    ----------
    widths : sequence of int
        Largest number of codes of each column.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        places, word, used = [], 0, 0
        for width in widths:
            bits = max(1, int(width - 1).bit_length())
            if used + bits > WORD_BITS:
                word, used = word + 1, 0
            places.append((word, used, (1 << bits) - 1))
            used += bits
        self.places = tuple(places)
        self.n_words = word + 1
        self.space = 1 << max(1, used)
        """Larger than every key, where a key has one word."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Packing) and self.places == other.places

    def __hash__(self) -> int:
        return hash(self.places)

    def pack(self, codes: Sequence[Codes], length: int) -> Ints:
        """Return the keys of rows of codes, of shape (length, words)."""
        keys = np.zeros((length, self.n_words), dtype=np.int64)
        for code, (word, shift, _) in zip(codes, self.places, strict=True):
            keys[:, word] |= code.astype(np.int64) << shift
        return keys

    def codes(self, keys: Ints, i: int) -> Ints:
        """Return the codes of column `i`."""
        word, shift, mask = self.places[i]
        return (keys[:, word] >> shift) & mask

    def without(self, lost: Collection[int]) -> Ints:
        """Return the mask of each word that omits the columns `lost`."""
        masks = np.full(self.n_words, -1, dtype=np.int64)
        for i in lost:
            word, shift, mask = self.places[i]
            masks[word] &= ~(mask << shift)
        return masks


def number_rows(keys: Ints, space: int) -> tuple[Ints, Ints]:
    """Return the number of each row of keys, and the distinct rows.

    Parameters
    ----------
    keys : int64 array of shape (rows, words)
    space : int
        Larger than every key, where there is one word.
    """
    if keys.shape[1] == 1:
        labels, distinct = number_keys(keys[:, 0], space)
        return labels, distinct[:, None]
    hashes = np.zeros(len(keys), dtype=np.uint64)
    for word in keys.T:
        hashes = (hashes ^ word.astype(np.uint64)) * MULTIPLIER
        hashes ^= hashes >> np.uint64(32)
    order = np.argsort(hashes)
    ranked, by_hash = keys[order], hashes[order]
    if bool((_differ(ranked)[1:] & (by_hash[1:] == by_hash[:-1])).any()):  # different rows, equal hashes
        order = np.lexsort(keys.T)
        ranked = keys[order]
    first = _differ(ranked)
    labels = np.empty(len(keys), dtype=np.int64)
    labels[order] = np.cumsum(first) - 1
    return labels, ranked[first]


def _differ(ranked: Ints) -> Flags:
    """Return which rows of sorted keys differ from the row before them."""
    return np.asarray(np.logical_or.reduce([first_of_each(word) for word in ranked.T]))
