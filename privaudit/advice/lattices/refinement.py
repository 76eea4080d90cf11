"""Which states of a lattice are finer or coarser than a state.

Question: from which of many states can a state be made, and which can be made from it?
Method: a state is finer where each of its steps is on the way to the other's. States are packed into few integers, so
one operation compares many columns at once: where the steps of every ladder follow each other, by a subtraction with a
guard bit for each column; otherwise each step has a bit of its own, and no bit may be one that the other excludes.
Limits: a state is finer and coarser than itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.base.records import dataclass

BITS = 63


class Refinement:
    """The order of the steps of each ladder.

    Parameters
    ----------
    merges : for each column a bool array of shape (steps, steps)
        ``merges[b, a]``: whether step b can be made from step a; True for equal steps.
    """

    def __init__(self, merges: Sequence[Flags]) -> None:
        self.merges = tuple(merges)
        # Where each step merges the one before, finer is a comparison of numbers, of several columns in one word.
        self.is_packed = all(bool(column[np.tril_indices(len(column))].all()) for column in merges)
        self._words = _words([max(1, (len(column) - 1).bit_length()) + 1 for column in merges])
        self._n_words = len(self._words) if self.is_packed else max(1, -(-sum(map(len, merges)) // BITS))
        self.parts = self._packed_parts() if self.is_packed else self._own_bits()
        """For each column what each of its steps adds to the words of a key: int64 array of shape (steps, words)."""
        self._parts = [part.tolist() for part in self.parts]  # single numbers of arrays are slow to read
        self._every_bit = np.full(self._n_words, -1, dtype=np.int64)
        self._not_finer = self._bits([~column for column in merges])
        self._not_coarser = self._bits([~column.T for column in merges])

    def _packed_parts(self) -> list[Ints]:
        made = []
        for at, place in enumerate(self._words):
            for column, factor in zip(self.merges[place.columns], place.factors, strict=True):
                part = np.zeros((len(column), self._n_words), dtype=np.int64)
                part[:, at] = np.arange(len(column)) * factor
                made.append(part)
        return made

    def _own_bits(self) -> list[Ints]:
        own = self._bits([np.eye(len(column), dtype=bool) for column in self.merges])
        return [np.array(list(map(self._split, bits)), dtype=np.int64).reshape(-1, self._n_words) for bits in own]

    @staticmethod
    def _bits(marks: Sequence[Flags]) -> list[list[int]]:
        """Return for each step of each column the bits of the steps of this column that `marks` has in its row."""
        found, first = [], 0
        for column in marks:
            found.append([sum(1 << (first + a) for a in np.flatnonzero(row).tolist()) for row in column])
            first += len(column)
        return found

    def _split(self, bits: int) -> list[int]:
        """Return the bits word by word."""
        return [bits >> (BITS * word) & ((1 << BITS) - 1) for word in range(self._n_words)]

    def keys(self, levels: Ints) -> Ints:
        """Return what states are compared by, from their levels: int64 array of shape (states, columns or words)."""
        keys = np.zeros((len(levels), self._n_words), dtype=np.int64)
        for i, part in enumerate(self.parts):
            for word in range(self._n_words):
                keys[:, word] += part[:, word].take(levels[:, i])
        return keys

    def key(self, state: Sequence[int]) -> Ints:
        """Return what one state is compared by: int64 array of shape (words,)."""
        words = [part[level] for part, level in zip(self._parts, state, strict=True)]
        return np.array([sum(word[i] for word in words) for i in range(self._n_words)], dtype=np.int64)

    def finer(self, keys: Ints, state: Sequence[int]) -> Flags:
        """Return which states a state can be made from."""
        left, kept = self.test_of_finer(state)
        made = np.asarray((left[0] - keys[:, 0]) & kept[0] == kept[0])
        for word in range(1, keys.shape[1]):
            made &= (left[word] - keys[:, word]) & kept[word] == kept[word]
        return made

    def test_of_finer(self, state: Sequence[int]) -> tuple[Ints, Ints]:
        """Return numbers a, b for each word: ``(a - key) & b == b`` where a state can be made from that of the key."""
        if self.is_packed:
            # A guard bit above each level is lost exactly where the subtraction borrows, that is where a level is
            # larger.
            guards = np.array([word.guards for word in self._words], dtype=np.int64)
            return self.key(state) | guards, guards
        # -1 - key has the bits that the key lacks.
        excluded = np.array(self._split(self._excluded(state, self._not_finer)), dtype=np.int64)
        return self._every_bit, excluded

    def coarser(self, keys: Ints, state: Sequence[int]) -> Flags:
        """Return which states can be made from a state."""
        made = np.ones(len(keys), dtype=bool)
        if self.is_packed:
            for i, (word, own) in enumerate(zip(self._words, self.key(state), strict=True)):
                made &= ((keys[:, i] | word.guards) - own) & word.guards == word.guards
            return made
        for i, mask in enumerate(self._split(self._excluded(state, self._not_coarser))):
            if mask:
                made &= keys[:, i] & mask == 0
        return made

    @staticmethod
    def _excluded(state: Sequence[int], excluded: Sequence[Sequence[int]]) -> int:
        """Return the bits of the steps that the steps of `state` exclude."""
        bits = 0
        for column, level in zip(excluded, state, strict=True):
            bits |= column[level]
        return bits


@dataclass(frozen=True, slots=True)
class _Word:
    """The columns that share an integer, what the level of each is multiplied by, and their guard bits."""

    columns: slice
    factors: tuple[int, ...]
    guards: int


def _words(bits: Sequence[int]) -> list[_Word]:
    """Return the words that hold so many bits for each column, in their order."""
    words: list[_Word] = []
    first, used, factors, guards = 0, 0, list[int](), 0
    for i, n in enumerate(bits):
        if used + n > BITS:
            words.append(_Word(slice(first, i), tuple(factors), guards))
            first, used, factors, guards = i, 0, [], 0
        factors.append(1 << used)
        used += n
        guards |= 1 << (used - 1)
    return [*words, _Word(slice(first, len(bits)), tuple(factors), guards)]
