"""Codes of a column that has nearly as many values as rows.

Question: how is a column of millions of different texts coded without a table of all of them?
Method: the rows are sorted by a hash of their text, next to it in one integer. A row whose hash no other row has is
the only one with its text; the others, few of them, are compared as text. The result does not depend on the hash.
Limits: pays only where most values occur once, which a sample of the rows shows. Looking each text up in a hash table
that does not fit into the caches takes three times as long, and a copy of all texts.
"""

from __future__ import annotations

from threading import Lock

import numpy as np

from privaudit.base.arrays import Codes, Ints, Words
from privaudit.base.arrow import pa, pc
from privaudit.base.sampling import keyed_hashes

LEAST_ROWS = 200_000
"""Rows from which the other way does not fit into the caches of a core."""
MOST_BYTES = (1 << 31) - 1
"""Text that one array of Arrow can hold."""
_copying = Lock()
"""Held while texts are copied, which takes little time and much memory: of one column at a time."""
_BLOCK = 1 << 16
"""Hashes that are read at a time, so that what is made of them stays in the caches of a core."""
_SAMPLED = 20_000
_PARTS = 20
_LEAST_DISTINCT = 0.99
"""Share of distinct texts in a sample from which most rows are likely to have a text of their own."""
_MOST_TIED = 0.5
"""Share of the rows with a hash that others have from which the other way is faster."""


def encoded_by_hash(column: pa.ChunkedArray) -> pa.DictionaryArray | None:
    """Return a column of text as Arrow's `dictionary_encode` does, in one chunk; None where that is faster.

    Parameters
    ----------
    column : pyarrow.ChunkedArray of string

    Returns
    -------
    pyarrow.DictionaryArray of int32 codes, or None
        Texts in the order in which they first occur; missing cells have no code.
    """
    if not pa.types.is_string(column.type) or len(column) < LEAST_ROWS or column.nbytes > MOST_BYTES:
        return None
    if _distinct_share(column) < _LEAST_DISTINCT:
        return None
    texts = column.drop_null() if column.null_count else column
    tied = tied_rows(keyed_hashes(texts, 0))
    return None if len(tied) > _MOST_TIED * len(texts) else encoded_by_ties(column, tied)


def encoded_by_ties(column: pa.ChunkedArray, tied: Ints) -> pa.DictionaryArray:
    """Return a column of text as Arrow's `dictionary_encode` does, in one chunk.

    Parameters
    ----------
    column : pyarrow.ChunkedArray of string
    tied : int array
        Those of the cells that are not missing, ascending, that may have the text of another cell.
    """
    # The hash decides only which rows cannot be equal; rows with equal hashes are compared as texts.
    missing = column.is_null().to_numpy() if column.null_count else None
    texts = column.drop_null() if column.null_count else column
    with _copying:
        codes, texts = _first_of_each(texts, tied)
    if missing is not None:
        every = np.zeros(len(column), dtype=np.int32)
        every[~missing] = codes
        codes = every
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=missing), texts)


def _distinct_share(column: pa.ChunkedArray) -> float:
    """Return the share of distinct texts among rows from all over the column."""
    last = max(0, len(column) - _SAMPLED // _PARTS)
    starts = np.linspace(0, last, _PARTS, dtype=np.int64).tolist()
    chunks = [chunk for start in starts for chunk in column.slice(start, _SAMPLED // _PARTS).chunks]
    sampled = pa.chunked_array(chunks, column.type).drop_null()
    return pc.count_distinct(sampled).as_py() / len(sampled) if len(sampled) else 0.0


def tied_rows(hashes: Words) -> Ints:
    """Return the rows, ascending, whose hash, as far as it fits next to their number, is that of another row."""
    bits = np.uint64(max(1, len(hashes) - 1).bit_length())
    hashes >>= bits
    hashes <<= bits
    for start in range(0, len(hashes), _BLOCK):
        some = hashes[start : start + _BLOCK]
        some |= np.arange(start, start + len(some), dtype=np.uint64)
    # Row numbers in the low bits: sorting integers takes a fraction of the time of `argsort`.
    hashes.sort()
    row = (np.uint64(1) << bits) - np.uint64(1)
    in_run = np.zeros(len(hashes), dtype=bool)
    for start in range(1, len(hashes), _BLOCK):
        end = min(start + _BLOCK, len(hashes))
        is_same = (hashes[start:end] ^ hashes[start - 1 : end - 1]) <= row
        in_run[start:end] |= is_same
        in_run[start - 1 : end - 1] |= is_same
    rows: Ints = (hashes[in_run] & row).astype(np.int64)
    rows.sort()
    return rows


def _first_of_each(texts: pa.ChunkedArray, tied: Ints) -> tuple[Codes, pa.Array]:
    """Return the code of each row, and the distinct texts; only the rows in `tied` may have the text of another."""
    if not len(tied):
        return np.arange(len(texts), dtype=np.int32), texts.combine_chunks()
    is_tied = np.zeros(len(texts), dtype=bool)
    is_tied[tied] = True
    compared = texts.filter(pa.array(is_tied)).combine_chunks().dictionary_encode()
    local = compared.indices.to_numpy()
    first = np.empty(len(compared.dictionary), dtype=np.int64)
    # Assigned backwards, so that of several rows with one text the first remains.
    first[local[::-1]] = tied[::-1]
    is_first = np.ones(len(texts), dtype=bool)
    is_first[tied] = first[local] == tied
    codes = np.cumsum(is_first, dtype=np.int32)
    codes -= 1
    codes[tied] = codes[first[local]]
    return codes, (texts if is_first.all() else texts.filter(pa.array(is_first))).combine_chunks()
