"""Samples that depend on the values and the seed alone: those with the lowest keyed hash.

Question: which distinct values does a slow check read where there are too many?
Method: a polynomial hash over the bytes of each value, vectorised over Arrow's buffers, finished with the
splitmix64 mixer keyed by the seed; the n lowest are the sample (bottom-n), whatever the order of rows.
Limits: not cryptographic; it never leaves the process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

_PERIOD = 4096  # a power of two: longer cells use the factors again
_CHUNK = 1 << 17


def keyed_hashes(values: pa.Array, seed: int) -> npt.NDArray[np.uint64]:
    """Return a 64-bit hash of each value, keyed by `seed`; the same for the same text on every machine.

    Parameters
    ----------
    values : pyarrow.StringArray or LargeStringArray of length n, without missing values
    seed : int

    Returns
    -------
    uint64 array of shape (n,)
    """
    import pyarrow as pa

    parts = [
        _hash_chunk(values.slice(start, _CHUNK).cast(pa.large_string()))
        for start in range(0, len(values), _CHUNK)
    ]
    plain = np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)
    return _mix(plain ^ _mix(np.array([seed % (1 << 63)], dtype=np.uint64)))


def _hash_chunk(values: pa.Array) -> npt.NDArray[np.uint64]:
    buffers = values.buffers()
    offsets = np.frombuffer(buffers[1], dtype=np.int64, count=len(values) + 1 + values.offset)[
        values.offset :
    ]
    data = np.frombuffer(buffers[2], dtype=np.uint8) if buffers[2] else np.zeros(0, dtype=np.uint8)
    lengths = np.diff(offsets)
    total = _mix(lengths.astype(np.uint64) + np.uint64(1))
    bytes_ = data[offsets[0] : offsets[-1]].astype(np.uint64)
    if not len(bytes_):
        return total
    starts = offsets[:-1] - offsets[0]
    place = np.arange(len(bytes_)) - np.repeat(starts, lengths)
    weighted = (bytes_ + np.uint64(1)) * _FACTORS[place & (_PERIOD - 1)]
    filled = lengths > 0
    total[filled] += np.add.reduceat(weighted, starts[filled])
    return total


def _mix(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


_FACTORS = _mix(np.arange(1, _PERIOD + 1, dtype=np.uint64)) | np.uint64(1)


def lowest(hashes: npt.NDArray[np.uint64], most: int) -> npt.NDArray[np.int64]:
    """Return the positions of the `most` lowest `hashes`, in ascending order of the hash."""
    if len(hashes) > most:
        near = np.argpartition(hashes, most - 1)[:most]
        return near[np.argsort(hashes[near], kind="stable")]
    return np.argsort(hashes, kind="stable")
