"""Samples of distinct values that depend on the values and the seed only.

Question: which distinct values does a slow check read if there are too many?
Method: a polynomial hash over the bytes of each value, vectorised over the Arrow buffers and finished with the
splitmix64 mixer keyed by the seed; the n values with the lowest hash are the sample, whatever the order of rows. To
estimate shares of rows, values of many rows are preferred.
Limits: the hash is not cryptographic and never leaves the process.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats, Ints, Words
from privaudit.base.arrow import pa

_PERIOD = 4096  # a power of two; longer cells reuse the factors
_CHUNK = 1 << 17
_SHORT = 48  # bytes up to which summing by position is faster


def keyed_hashes(values: pa.Array | pa.ChunkedArray, seed: int) -> Words:
    """Return a 64-bit hash of each value, keyed by `seed`; the same for the same text on every machine.

    Parameters
    ----------
    values : pyarrow.Array or ChunkedArray of string or large_string, of length n, without missing values
    seed : int

    Returns
    -------
    uint64 array of shape (n,)
    """
    hashes = np.empty(len(values), dtype=np.uint64)
    key, end = _mix(np.array([seed % (1 << 63)], dtype=np.uint64)), 0
    for chunk in values.chunks if isinstance(values, pa.ChunkedArray) else [values]:
        for start in range(0, len(chunk), _CHUNK):
            found = _mix(_hash_chunk(chunk.slice(start, _CHUNK).cast(pa.large_string())) ^ key)
            hashes[end : end + len(found)] = found
            end += len(found)
    return hashes


def _hash_chunk(values: pa.Array) -> Words:
    buffers = values.buffers()
    offsets = np.frombuffer(buffers[1], dtype=np.int64, count=len(values) + 1 + values.offset)[values.offset :]
    data = np.frombuffer(buffers[2], dtype=np.uint8) if buffers[2] else np.zeros(0, dtype=np.uint8)
    lengths = np.diff(offsets)
    # The length is part of the hash, so that bytes of value 0 at the end of a text count.
    total = _mix(lengths.astype(np.uint64) + np.uint64(1))
    if offsets[-1] == offsets[0]:
        return total
    if lengths.mean() <= _SHORT and lengths.max() <= 10 * _SHORT:
        return total + _by_place(data, offsets[:-1], lengths)
    bytes_ = data[offsets[0] : offsets[-1]].astype(np.uint64)
    starts = offsets[:-1] - offsets[0]
    place = np.arange(len(bytes_)) - np.repeat(starts, lengths)
    # One is added, because a byte of value 0 would otherwise add nothing.
    weighted = (bytes_ + np.uint64(1)) * _FACTORS[place & (_PERIOD - 1)]
    filled = lengths > 0
    total[filled] += np.add.reduceat(weighted, starts[filled])
    return total


def _by_place(data: npt.NDArray[np.uint8], starts: Ints, lengths: Ints) -> Words:
    """Sum the weighted bytes position by position over all values that are long enough; fast for short values."""
    order = np.argsort(-lengths.astype(np.int16), kind="stable")  # sorted by counting, because they are short
    starts, reach = (starts[order], np.cumsum(np.bincount(lengths)[::-1])[::-1])  # reach[j]: values of j or more bytes
    sums = np.zeros(len(starts), dtype=np.uint64)
    for place, n in enumerate(reach[1:].tolist()):
        sums[:n] += (data[starts[:n] + place].astype(np.uint64) + np.uint64(1)) * _FACTORS[place & (_PERIOD - 1)]
    in_order = np.empty_like(sums)
    in_order[order] = sums
    return in_order


def _mix(x: Words) -> Words:
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


# Odd factors: multiplying by them loses no bit modulo 2^64.
_FACTORS = _mix(np.arange(1, _PERIOD + 1, dtype=np.uint64)) | np.uint64(1)


def drawn_by_rows(values: pa.Array, rows: Ints, most: int, seed: int) -> tuple[Ints, Floats]:
    """Draw values as if single rows were drawn at a constant rate until the rows of `most` values are seen.

    A value with hash u in (0, 1) and w rows is first seen at ``-ln(1 - u) / w``, the minimum of w exponential times, so
    a time t shows it with probability ``1 - exp(-t w)``. If all values have equally many rows, these are the lowest
    hashes.

    Parameters
    ----------
    values : pyarrow.Array of string or large_string, of length n, without missing values
    rows : int64 array of length n, at least 1
    most : int
    seed : int

    Returns
    -------
    positions : int64 array of length k = min(n, most), in the order in which they are seen
    rates : float64 array of length k
        At `i` the time of the next value, which is the rate of the sample ``positions[: i + 1]``; infinite if no value
        is left.
    """
    at = (keyed_hashes(values, seed) >> np.uint64(11)).astype(np.float64)
    times = -np.log1p(-(at + 0.5) / 2**53) / rows
    order = lowest(times, most + 1)
    return order[:most], np.append(times[order[1:]], np.inf)[:most]


def lowest(keys: Words | Floats, most: int) -> Ints:
    """Return the positions of the `most` lowest `keys`, in ascending order."""
    if len(keys) > most:
        near = np.argpartition(keys, most - 1)[:most]
        return near[np.argsort(keys[near], kind="stable")]
    return np.argsort(keys, kind="stable")
