"""Which bytes occur in the values of a column, how many of them are digits, and which are at the ends.

Question: which expressions cannot match, because they need a character, or a number of digits, that no value has?
Method: the bytes of many values are compared at once. The result is kept while the array is in memory, because several
stages use it.
Limits: characters outside ASCII are seen as their bytes in UTF-8.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Flags
from privaudit.base.arrow import pa, pc
from privaudit.base.object_cache import cached_by_object

_CHUNK = 1 << 17
_CELLS = 1 << 15
_BLANK = ord(" ")
_DIGITS = slice(ord("0"), ord("9") + 1)
_ZERO = np.uint8(ord("0"))
_FIRST = 256
"""Bytes at the start of a piece that show most of those that occur in it."""


@cached_by_object
def alphabet(values: pa.Array) -> Flags:
    """Return which of the 256 byte values occur in `values`, a string array: a read-only bool array of shape (256,).

    The bytes that begin a piece are deleted from all of it, until none is left: values have few different bytes.
    """
    known = b""
    offsets, data = _bytes_of(values)
    data = data[offsets[0] : offsets[-1]]
    for place in range(0, len(data), _CHUNK):
        left = data[place : place + _CHUNK].tobytes().translate(None, known)
        while left:
            known += bytes({*left[:_FIRST]})
            left = left.translate(None, known)
    seen = np.zeros(256, dtype=np.bool_)
    seen[np.frombuffer(known, dtype=np.uint8)] = True
    seen.setflags(write=False)
    return seen


def has_digits(values: pa.Array) -> bool:
    """Return whether any of `values`, a string array, has an ASCII digit."""
    return bool(alphabet(values)[_DIGITS].any())


def lengths_of_digits(values: pa.Array) -> tuple[int, int] | None:
    """Return the digits of the shortest and of the longest of `values`; None where one has another character."""
    seen = alphabet(values)
    if seen[: _DIGITS.start].any() or seen[_DIGITS.stop :].any() or not len(values) or values.null_count:
        return None
    found = pc.min_max(pc.binary_length(values))
    return found["min"].as_py(), found["max"].as_py()


def digit_counts(values: pa.Array) -> Codes:
    """Return how many ASCII digits each of `values`, a string array, has; 0 where one is missing."""
    counts = np.zeros(len(values), dtype=np.int32)
    offsets, data = _bytes_of(values)
    for place in range(0, len(values) if len(data) else 0, _CELLS):
        bounds = offsets[place : place + _CELLS + 1]
        piece = data[bounds[0] : bounds[-1]]
        before = np.zeros(len(piece) + 1, dtype=np.int32)
        np.cumsum(piece - _ZERO <= 9, out=before[1:])
        counts[place : place + _CELLS] = np.diff(before[bounds - bounds[0]])
    return counts


def with_equal_digits(values: pa.Array) -> pa.Array:
    """Return `values`, a string array without missing ones, with 0 in place of each ASCII digit."""
    offsets, data = _bytes_of(values)
    written = data[offsets[0] : offsets[-1]].copy()
    for place in range(0, len(written), _CHUNK):
        piece = written[place : place + _CHUNK]
        # The bytes of a character outside ASCII are none of those of digits.
        np.copyto(piece, _ZERO, where=piece - _ZERO <= 9)
    buffers = [None, pa.py_buffer(offsets - offsets[0]), pa.py_buffer(written)]
    return pa.Array.from_buffers(values.type, len(values), buffers)


def has_outer_blanks(values: pa.Array) -> Flags:
    """Return which of `values`, a string array, begin or end with a blank or a control character."""
    found = np.zeros(len(values), dtype=np.bool_)
    offsets, data = _bytes_of(values)
    for place in range(0, len(values) if len(data) else 0, _CHUNK):
        bounds = offsets[place : place + _CHUNK + 1]
        filled = np.flatnonzero(np.diff(bounds))
        outer = np.minimum(data[bounds[filled]], data[bounds[filled + 1] - 1])
        found[place + filled] = outer <= _BLANK
    return found


def _bytes_of(values: pa.Array) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
    """Return where each of `values` begins and the last one ends in the bytes, and the bytes; both share memory."""
    width = np.int32 if values.type == pa.string() else np.int64
    buffers = values.buffers()
    if not len(values) or buffers[2] is None:
        return np.zeros(len(values) + 1, dtype=width), np.zeros(0, dtype=np.uint8)
    offsets = np.frombuffer(buffers[1], dtype=width)[values.offset : values.offset + len(values) + 1]
    return offsets, np.frombuffer(buffers[2], dtype=np.uint8)
