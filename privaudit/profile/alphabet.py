"""Which bytes occur in the values of a column, and at their ends: most expressions need one that does not occur."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

_CHUNK = 1 << 17
_BLANK = ord(" ")
_MOST_RANGES = 12
"""Ranges of bytes that are compared faster than each byte is looked up."""


def alphabet(values: pa.Array) -> npt.NDArray[np.bool_]:
    """Return which of the 256 bytes occur in any of `values`, a string array.

    Bytes are looked up only in pieces that have other bytes than the pieces before; comparing a piece with the few
    ranges of bytes that occurred takes a fraction of that.
    """
    import pyarrow as pa

    width = np.int32 if values.type == pa.string() else np.int64
    seen = np.zeros(256, dtype=np.bool_)
    buffers = values.buffers()
    if not len(values) or buffers[2] is None:
        return seen
    offsets = np.frombuffer(buffers[1], dtype=width)
    start, end = int(offsets[values.offset]), int(offsets[values.offset + len(values)])
    data = np.frombuffer(buffers[2], dtype=np.uint8)
    ranges: list[tuple[int, int]] = []
    for place in range(start, end, _CHUNK):
        piece = data[place : min(end, place + _CHUNK)]
        if not _is_within(piece, ranges):
            seen[piece] = True
            ranges = _ranges(seen)
    return seen


def has_outer_blanks(values: pa.Array) -> npt.NDArray[np.bool_]:
    """Return which of `values`, a string array, begin or end with a blank or a control character."""
    import pyarrow as pa

    width = np.int32 if values.type == pa.string() else np.int64
    found = np.zeros(len(values), dtype=np.bool_)
    buffers = values.buffers()
    if not len(values) or buffers[2] is None:
        return found
    offsets = np.frombuffer(buffers[1], dtype=width)[values.offset : values.offset + len(values) + 1]
    data = np.frombuffer(buffers[2], dtype=np.uint8)
    for place in range(0, len(values), _CHUNK):
        bounds = offsets[place : place + _CHUNK + 1]
        filled = np.flatnonzero(np.diff(bounds))
        outer = np.minimum(data[bounds[filled]], data[bounds[filled + 1] - 1])
        found[place + filled] = outer <= _BLANK
    return found


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
