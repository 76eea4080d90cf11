"""Which bytes occur in the values of a column: most expressions need one that does not occur."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

_CHUNK = 1 << 17


def alphabet(values: pa.Array) -> npt.NDArray[np.bool_]:
    """Return which of the 256 bytes occur in any of `values`, a string array."""
    import pyarrow as pa

    width = np.int32 if values.type == pa.string() else np.int64
    seen = np.zeros(256, dtype=np.bool_)
    buffers = values.buffers()
    if not len(values) or buffers[2] is None:
        return seen
    offsets = np.frombuffer(buffers[1], dtype=width)
    start, end = int(offsets[values.offset]), int(offsets[values.offset + len(values)])
    data = np.frombuffer(buffers[2], dtype=np.uint8)
    for place in range(start, end, _CHUNK):
        seen[data[place : min(end, place + _CHUNK)]] = True
    return seen
