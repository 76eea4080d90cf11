"""Columns that repeat few values stay dictionaries of text in memory.

Question: how is a column of 100 million rows and one value held without writing that value 100 million times?
Method: a dictionary column of Parquet, Arrow, pandas or Polars keeps its codes; its values become canonical text once.
The dictionary holds each text that a row has exactly once, in no particular order, and missing cells have no code.
Text that arrives as views (Polars), which no other Arrow type can share, is coded block by block where it repeats.
Limits: one with nearly as many values as rows is written out. Other text is coded when it is first counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from privaudit.base.arrow import pa, pc
from privaudit.source.cells.cell_text import blank_to_null, one_type, to_text
from privaudit.source.cells.unique_texts import encoded_by_hash

LEAST_ROWS_PER_VALUE = 4
VIEWED_ROWS = 1 << 18
"""Rows of a column of views that are text at the same time."""
_WRITTEN_ROWS = 1 << 20


def text_of(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, str | None]:
    """Return `column` as text, or as a dictionary of text where it has one that saves memory, with its data type.

    Returns
    -------
    (pyarrow.ChunkedArray of string or of dictionary<int32, string>, str or None)
        As `privaudit.source.cells.cell_text.to_text`.
    """
    coded = _coded_views(column)
    return (_kept(coded) if can_be_kept(coded.type) else None) or to_text(column)


def _coded_views(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of views whose first rows repeat their values as dictionaries, any other column as it is."""
    if not pa.types.is_string_view(column.type) or len(column) <= VIEWED_ROWS:
        return column
    blocks = []
    for start in range(0, len(column), VIEWED_ROWS):
        text = column.slice(start, VIEWED_ROWS).cast(pa.large_string()).combine_chunks().dictionary_encode()
        # The first block decides: coding a column whose values differ would take more memory than its text.
        if not start and LEAST_ROWS_PER_VALUE * len(text.dictionary) > len(text):
            return column
        blocks.append(text)
    return pa.chunked_array(blocks)


def can_be_kept(kind: Any) -> bool:
    """Return whether columns of an Arrow type are dictionaries of values that are not nested."""
    if not pa.types.is_dictionary(kind):
        return False
    return not (pa.types.is_nested(kind.value_type) or isinstance(kind.value_type, pa.BaseExtensionType))


def can_be_coded(kind: Any) -> bool:
    """Return whether Arrow encodes columns of a type as dictionaries that `text_of` keeps."""
    types = pa.types
    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_temporal(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_decimal128(kind)
    )


def compact(array: pa.DictionaryArray) -> pa.DictionaryArray:
    """Return `array` with 32-bit codes and a dictionary that is not longer than the array."""
    if len(array.dictionary) > len(array):
        array = _used_values(array)
    return pa.DictionaryArray.from_arrays(array.indices.cast(pa.int32()), array.dictionary)


def written_out(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of the table in memory as `string`, whatever it is held as."""
    if not pa.types.is_dictionary(column.type):
        return column
    chunks = column.chunks
    if len(column) <= _WRITTEN_ROWS:  # the dictionary of a large table, of which few values are needed
        chunks = [compact(pa.DictionaryArray.from_arrays(*codes_of(column)))]
    parts = [part for chunk in chunks for part in _parts(chunk)]
    return pa.chunked_array([text for part in parts for text in one_type(part).chunks], pa.string())


def _parts(chunk: pa.DictionaryArray) -> Iterator[pa.Array]:
    values = chunk.dictionary.cast(pa.large_string())
    for start in range(0, len(chunk), _WRITTEN_ROWS):
        yield values.take(chunk.indices.slice(start, _WRITTEN_ROWS))


def encoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of text as codes of one dictionary, which all chunks share; a dictionary column as it is."""
    if pa.types.is_dictionary(column.type):
        return column
    found = encoded_by_hash(column) if isinstance(column, pa.ChunkedArray) else None
    return column.dictionary_encode() if found is None else pa.chunked_array([found])


def codes_of(column: pa.Array | pa.ChunkedArray) -> tuple[pa.Array, pa.Array]:
    """Return the code of each cell, null where it is missing, and the texts that the codes mean.

    Arrow's own way to one dictionary reads the dictionary once per chunk, even where all chunks share it.
    """
    column = encoded(column)
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if not chunks:
        return pa.array([], pa.int32()), pa.array([], column.type.value_type)
    if any(not _is_same(chunk.dictionary, chunks[0].dictionary) for chunk in chunks[1:]):
        chunks = column.unify_dictionaries().chunks
    codes = pa.chunked_array([chunk.indices for chunk in chunks]).combine_chunks()
    return codes, chunks[0].dictionary


def _is_same(one: pa.Array, other: pa.Array) -> bool:
    """Whether two arrays are the same place in memory."""
    places = ([buffer and buffer.address for buffer in array.buffers()] for array in (one, other))
    return len(one) == len(other) and one.offset == other.offset and next(places) == next(places)


def counts_of(column: pa.ChunkedArray) -> tuple[pa.Array, np.ndarray[Any, np.dtype[np.int64]]]:
    """Return the texts of a dictionary column, each of which a row has, and the number of rows of each."""
    codes, values = codes_of(column)
    counts = np.zeros(len(values), dtype=np.int64)
    np.add.at(counts, codes.drop_null().to_numpy(), 1)  # without a copy of the codes in 64 bits
    return values, counts


def _kept(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, str | None] | None:
    """Return the column with one dictionary of distinct text; None where it has no values or too many."""
    chunks = [_used_values(chunk) for chunk in column.chunks]
    if not sum(len(chunk.dictionary) for chunk in chunks):
        return None
    text, declared = to_text(pa.chunked_array([chunk.dictionary for chunk in chunks]))
    text = blank_to_null(text)
    distinct = pc.unique(text).drop_null()
    if not len(distinct) or len(distinct) * LEAST_ROWS_PER_VALUE > len(column):
        return None
    codes = pc.index_in(text, value_set=distinct)  # of every value of every chunk, one chunk after the other
    codes = codes.combine_chunks() if isinstance(codes, pa.ChunkedArray) else codes
    start, kept = 0, []
    for chunk in chunks:
        own = codes.slice(start, len(chunk.dictionary))
        kept.append(pa.DictionaryArray.from_arrays(own.take(chunk.indices), distinct))
        start += len(chunk.dictionary)
    return pa.chunked_array(kept), declared


def _used_values(array: pa.DictionaryArray) -> pa.DictionaryArray:
    """Return `array` with the values that its rows have, in their old order."""
    indices = array.indices.cast(pa.int64())
    is_used = np.bincount(indices.drop_null().to_numpy(zero_copy_only=False), minlength=len(array.dictionary)) > 0
    used = np.flatnonzero(is_used)
    if len(used) == len(array.dictionary):
        return array
    codes = np.zeros(len(array.dictionary), dtype=np.int32)
    codes[used] = np.arange(len(used), dtype=np.int32)
    renumbered = pa.array(codes).take(indices)
    values = array.dictionary
    if pa.types.is_string_view(values.type) or pa.types.is_binary_view(values.type):  # Arrow cannot take from views
        values = values.cast(pa.large_string() if pa.types.is_string_view(values.type) else pa.large_binary())
    return pa.DictionaryArray.from_arrays(renumbered, values.take(pa.array(used)))
