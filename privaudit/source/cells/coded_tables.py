"""Tables whose columns are codes, and the rows that are written from them.

Question: how are the source of a release and the release held at the same time, and written, without the text of both?
Method: a column is one dictionary of the texts that its rows have, each once, and a code of four bytes for each row; a
missing cell has no code. Rows are written out batch by batch.
Limits: a column with a different text in nearly every row takes its text and its codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from privaudit.base.arrow import pa, pc, value_type
from privaudit.source.cells.dictionaries import codes_of, written_out

BATCH_ROWS = 1 << 20
"""Rows that are written out at a time; Parquet writers put as many into a row group."""
BATCH_BYTES = 1 << 30
"""Bytes of one column that are written out at a time; an array of Arrow has room for less than twice as many."""


def coded_cells(codes: npt.NDArray[np.integer], texts: pa.Array) -> pa.DictionaryArray:
    """Return cells as a dictionary of the texts that they have.

    Parameters
    ----------
    codes : integer array of shape (n,)
        The position of the text of each cell.
    texts : pyarrow.Array of text
        Equal texts become one, null is a missing cell, and what no cell has is removed.
    """
    used = np.flatnonzero(np.bincount(codes, minlength=len(texts)))
    distinct = texts.cast(pa.string()).take(pa.array(used)).dictionary_encode()
    place = np.full(len(texts), -1, dtype=np.int32)
    place[used] = distinct.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    found = place[codes]
    return pa.DictionaryArray.from_arrays(pa.array(found, mask=found < 0), distinct.dictionary)


def coded_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of text, or of dictionaries of text, as one dictionary of the texts that its rows have."""
    codes, texts = codes_of(column)
    if pa.types.is_dictionary(column.type):  # rows may have been removed since it was made
        held = pa.concat_arrays([texts.cast(pa.string()), pa.nulls(1, pa.string())])
        return pa.chunked_array([coded_cells(codes.fill_null(len(texts)).to_numpy(zero_copy_only=False), held)])
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, texts)])


def coded_table(batches: Iterable[pa.Table]) -> pa.Table:
    """Return batches of text, or of dictionaries of text, as one table of codes."""
    coded = [
        pa.table([coded_column(column) for column in batch.columns], names=batch.column_names) for batch in batches
    ]
    if len(coded) == 1:
        return coded[0]
    whole = pa.concat_tables(coded).unify_dictionaries()
    del coded
    return pa.table([coded_column(column) for column in whole.columns], names=whole.column_names)


def grouped(table: pa.Table) -> pa.Table:
    """Return the distinct rows of a table of codes in the order in which they occur, and the ``weight`` of each.

    It is for few rows: Arrow's own grouping is faster, but importing it takes longer than sorting them.
    """
    keys, n_keys = np.zeros(len(table), dtype=np.int64), 1
    for column in table.columns:
        codes, texts = codes_of(column)
        n_codes = len(texts) + 1
        if n_keys > np.iinfo(np.int64).max // n_codes:
            keys, n_keys = np.unique(keys, return_inverse=True)[1], len(table)
        keys = keys * n_codes + codes.fill_null(len(texts)).to_numpy(zero_copy_only=False)
        n_keys *= n_codes
    _, first, weights = np.unique(keys, return_index=True, return_counts=True)
    order = np.argsort(first)
    return table.take(pa.array(first[order])).append_column("weight", pa.array(weights[order]))


def as_text(table: pa.Table) -> pa.Table:
    """Return a table whose dictionaries of text are written out."""
    if not any(pa.types.is_dictionary(kind) for kind in table.schema.types):
        return table
    columns = [written_out(c) if pa.types.is_dictionary(c.type) else c for c in table.columns]
    return pa.table(columns, names=table.column_names)


def plain_schema(table: pa.Table) -> pa.Schema:
    """Return the schema of a table whose dictionaries, of any type, are written out; without metadata."""
    return pa.schema([pa.field(field.name, value_type(field.type)) for field in table.schema])


def plain_batches(table: pa.Table, n_rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a table in batches of at most `n_rows`, dictionaries written out."""
    schema = plain_schema(table)
    for start in range(0, table.num_rows, n_rows):
        yield from _batches(table.slice(start, n_rows), schema)


def _batches(part: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    half = part.num_rows // 2
    if half and any(_exceeds(column, BATCH_BYTES) for column in part.columns):
        yield from _batches(part.slice(0, half), schema)
        yield from _batches(part.slice(half), schema)
    else:
        yield pa.record_batch([_plain(column) for column in part.columns], schema=schema)


def _exceeds(column: pa.ChunkedArray, n_bytes: int) -> bool:
    """Return whether a column has more than `n_bytes` where its dictionaries of text are written out."""
    kind = value_type(column.type)
    if not (pa.types.is_string(kind) or pa.types.is_binary(kind)):
        return False
    if kind == column.type:
        return bool(column.nbytes > n_bytes)
    lengths = [pc.binary_length(chunk.dictionary) for chunk in column.chunks]
    if sum(len(c) * (pc.max(n).as_py() or 0) for c, n in zip(column.chunks, lengths, strict=True)) <= n_bytes:
        return False
    written = (pc.sum(n.take(c.indices)).as_py() or 0 for c, n in zip(column.chunks, lengths, strict=True))
    return sum(written) > n_bytes


def plain_table(table: pa.Table) -> pa.Table:
    """Return a table whose dictionaries, of any type, are written out."""
    if not any(pa.types.is_dictionary(kind) for kind in table.schema.types):
        return table
    return pa.Table.from_batches(list(plain_batches(table)), plain_schema(table))


def _plain(column: pa.ChunkedArray) -> pa.Array:
    if not pa.types.is_dictionary(column.type):
        return pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)
    chunks = [chunk.dictionary.take(chunk.indices) for chunk in column.chunks]
    return chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
