"""Rows in memory while they arrive: columns apart from each other, and codes where values repeat.

Question: how much memory does a table take that is read batch by batch?
Method: a batch that travelled is one piece of memory for all its columns. Of each 262,144 rows every column is copied,
so that it can be freed on its own later; of a column whose first rows repeat their values, codes and a dictionary are
kept. A thread does this while the next rows are read.
Limits: the type with which a column arrived is that of `types_of`, not of the table. A table of fewer rows stays as it
arrived.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from privaudit.base.arrow import pa, pc
from privaudit.source.cells.dictionaries import can_be_coded

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

BLOCK_ROWS = 1 << 18
LEAST_ROWS_PER_VALUE = 2
"""Rows of the first batch for each of its values from which a column is coded; a whole table repeats more."""
_TYPES = b"types"


class Blocks:
    """Batches of one schema, held as a table that grows.

    Parameters
    ----------
    schema : pyarrow.Schema
    as_arrived : bool, default False
        Whether batches stay as they are: their memory may belong to the caller, and a copy would be held next to it.
    """

    def __init__(self, schema: pa.Schema, *, as_arrived: bool = False) -> None:
        self._schema, self._as_arrived = schema, as_arrived
        self._arrived: deque[pa.RecordBatch] = deque()
        self._n_arrived = 0
        self._is_coded: list[bool] = []
        self._blocks: deque[Future[pa.Table]] = deque()
        self._thread: ThreadPoolExecutor | None = None  # a table of one block needs none

    def add(self, batch: pa.RecordBatch) -> None:
        """Hold the rows of `batch`."""
        self._arrived.append(batch)
        self._n_arrived += batch.num_rows
        if self._n_arrived >= BLOCK_ROWS and not self._as_arrived:
            self._pack()

    def table(self) -> pa.Table:
        """Return all rows, and hold none of them any more."""
        if self._blocks and self._arrived:
            self._pack()
        packed = [self._blocks.popleft().result() for _ in range(len(self._blocks))]
        self._end_thread()
        found = pa.concat_tables(packed) if packed else pa.Table.from_batches(list(self._arrived), self._schema)
        # Columns that were coded lost their type; what the source declared is kept next to them.
        return found.replace_schema_metadata({_TYPES: self._schema.serialize().to_pybytes()})

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield batches as they arrived, and free each."""
        while self._blocks:
            yield from self._blocks.popleft().result().cast(self._schema).to_batches()
        self._end_thread()
        while self._arrived:
            yield self._arrived.popleft()

    def _end_thread(self) -> None:
        if self._thread is not None:
            self._thread.shutdown()

    def _pack(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        if self._thread is None:
            self._thread = ThreadPoolExecutor(1)
        if len(self._blocks) > 1:
            self._blocks[-2].result()  # at most two blocks wait
        if not self._is_coded:
            self._is_coded = [_repeats(column) for column in self._arrived[0].columns]
        batches, self._arrived, self._n_arrived = self._arrived, deque(), 0
        self._blocks.append(self._thread.submit(self._packed, batches))

    def _packed(self, batches: deque[pa.RecordBatch]) -> pa.Table:
        rows = pa.Table.from_batches(list(batches), self._schema)
        columns = [_separate(column, code) for column, code in zip(rows.columns, self._is_coded, strict=True)]
        batches.clear()
        return pa.table(columns, names=self._schema.names)


def types_of(table: pa.Table) -> list[Any]:
    """Return the Arrow type with which each column of a table arrived."""
    written = (table.schema.metadata or {}).get(_TYPES)
    return list((table.schema if written is None else pa.ipc.read_schema(pa.py_buffer(written))).types)


def _repeats(column: pa.Array) -> bool:
    return can_be_coded(column.type) and LEAST_ROWS_PER_VALUE * pc.count_distinct(column).as_py() <= len(column)


def _separate(column: pa.ChunkedArray, code: bool) -> pa.ChunkedArray:
    """Return a column in memory that it shares with no other."""
    if pa.types.is_dictionary(column.type):  # its dictionary may be shared by all batches
        return column
    if code:
        column = column.dictionary_encode()
        codes = pa.chunked_array([chunk.indices for chunk in column.chunks]).combine_chunks()
        return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, column.chunk(0).dictionary)])
    return pa.chunked_array([pa.concat_arrays(column.chunks)])
