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

from privaudit.base.arrow import pa, pc
from privaudit.base.object_cache import cached_by_object

_CHUNK = 1 << 17
_CELLS = 1 << 15
_BLANK = ord(" ")
_DIGITS = slice(ord("0"), ord("9") + 1)
_ZERO = np.uint8(ord("0"))
_MOST_RANGES = 12
"""Ranges of bytes that are compared faster than each byte is looked up."""


@cached_by_object
def alphabet(values: pa.Array) -> npt.NDArray[np.bool_]:
    """Return which of the 256 byte values occur in `values`, a string array: a read-only bool array of shape (256,).

    Bytes are looked up only in pieces that have other bytes than the pieces before; comparing a piece with the few
    ranges of bytes that occurred takes a fraction of that.
    """
    seen = np.zeros(256, dtype=np.bool_)
    offsets, data = _bytes_of(values)
    data = data[offsets[0] : offsets[-1]]
    for place in range(0, len(data), _CHUNK):
        piece = data[place : place + _CHUNK]
        if not (place and _is_within(piece, _ranges(seen))):
            seen[piece] = True
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


def digit_counts(values: pa.Array) -> npt.NDArray[np.int32]:
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


def has_outer_blanks(values: pa.Array) -> npt.NDArray[np.bool_]:
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


def _ranges(seen: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the first and last byte of each run of bytes that occur."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], seen, [False]]).astype(np.int8)))
    return [(int(first), int(after) - 1) for first, after in edges.reshape(-1, 2)]


def _is_within(piece: npt.NDArray[np.uint8], ranges: list[tuple[int, int]]) -> bool:
    """Return whether every byte is in one of the ranges; False where there are too many of them to compare."""
    if not 0 < len(ranges) <= _MOST_RANGES:
        return False
    inside = np.zeros(len(piece), dtype=np.bool_)
    for first, last in ranges:
        inside |= piece - np.uint8(first) <= np.uint8(last - first)  # a smaller byte wraps round to a large one
    return bool(inside.all())
