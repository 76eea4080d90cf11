"""A table that does not fit in memory, held by the embedded engine in a private folder.

Question: how is a table scanned that is larger than the memory a run may take?
Method: record batches of any source go into a table of the engine, compressed in a file of a private folder of mode
0700, removed with the engine; of it the engine keeps in memory what fits in its share. The source is read once, so that
all answers are of one state of it. Cells keep their types; a type that the engine lacks is held as another from which
it can be restored, or as text.
Limits: the folder needs space for the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from typing import Any

from privaudit.base.arrow import is_text, pa, value_type
from privaudit.base.errors import EngineError, PrivauditError, UnreadableSource, foreign_errors_as
from privaudit.base.extras import can_import
from privaudit.base.parallel import interruptible
from privaudit.settings.config import Settings
from privaudit.source.cells.blocks import Blocks
from privaudit.source.cells.cell_text import to_text
from privaudit.source.engine.bounded_values import most_values
from privaudit.source.engine.engine import connect
from privaudit.source.engine.queries import Queries
from privaudit.source.engine.sql_table import SqlTable
from privaudit.source.input.allowed_size import ADVICE, memory_of, room_of, text_in_memory

SHARE_OF_ENGINE = 0.5
"""Share of the memory of a run that the engine may take; the search over collapsed rows needs the rest."""

BYTES_OF_GROUP = 200
"""Memory of the engine for each class of rows while it counts them."""
LEAST_ENGINE = 350_000_000
"""Bytes with which the engine holds a batch of rows and works on it."""
COLUMNS_TOGETHER = 8
"""Columns whose values are in memory at the same time."""

BATCH_ROWS = 1_000_000

NUMBER_BYTES = 24
"""Bytes of a number or date as text, its offset included."""


def collect(batches: pa.RecordBatchReader, settings: Settings, *, as_arrived: bool = False) -> pa.Table | SqlTable:
    """Return the rows of `batches` in memory, or on the embedded engine where they outgrow their share of the memory.

    Without the engine, the rows stay in memory; who reads a file bounds them (`source.input.allowed_size.Budget`).

    Parameters
    ----------
    batches : pyarrow.RecordBatchReader
    settings : Settings
    as_arrived : bool, default False
        Whether rows in memory are the arrays of the stream, without a copy.
    """
    kept = Blocks(batches.schema, as_arrived=as_arrived)
    left = text_in_memory(settings)
    can_spool = can_import("duckdb")
    for batch in batches:
        kept.add(batch)
        left -= sum(_bytes_as_text(column) for column in batch.columns)
        # The rows so far go first, so that the order of the table stays; they are freed as the engine takes them.
        if left < 0 and can_spool:
            return spool(batches.schema, chain(kept.batches(), batches), settings)
    return kept.table()


def _bytes_as_text(column: pa.Array) -> int:
    """Return about how many bytes a column takes in memory, where numbers and dates become text."""
    is_kept = pa.types.is_dictionary(column.type) or is_text(column.type)
    return int(column.nbytes) if is_kept else max(int(column.nbytes), NUMBER_BYTES * len(column))


def spool(schema: pa.Schema, batches: Iterable[pa.RecordBatch], settings: Settings) -> SqlTable:
    """Return a table of the embedded engine with the rows of `batches`.

    Parameters
    ----------
    schema : pyarrow.Schema
        Of the batches; the columns get the names ``c0`` to ``c{n-1}``.
    batches : iterable of pyarrow.RecordBatch
    settings : Settings

    Raises
    ------
    EngineError
        If the engine cannot hold the table.
    """
    names = [f"c{i}" for i in range(len(schema))]
    held = [_held_as(kind) for kind in schema.types]
    declared = {name: kind for name, source in zip(names, schema.types, strict=True) if (kind := _declared(source))}
    converted = _Converted(batches, names, held)
    fields = [pa.field(name, kind) for name, kind in zip(names, held, strict=True)]
    reader = pa.RecordBatchReader.from_batches(pa.schema(fields), converted)
    share = _share(settings)
    connection, close = connect(share, holds_table=True)
    run = Connection(connection, settings.threads)
    with ExitStack() as unless_held:
        unless_held.callback(close)
        with foreign_errors_as(converted.failure):
            connection.register("stream", reader)
            run.execute("CREATE TABLE source AS SELECT * FROM stream")
            # The engine must not hold the stream, and with it the file of the source, beyond its copy.
            connection.unregister("stream")
        restored = {name: kind for name, kind in zip(names, map(_restored_as, schema.types), strict=True) if kind}
        table = SqlTable(
            run, Queries("duckdb"), names, types=restored, declared=declared, close=close,
            most_values=most_values(settings, COLUMNS_TOGETHER), seed=settings.seed, stream=run.stream,
            most_groups=max(1, (share.memory_bytes() or 0) // BYTES_OF_GROUP),
        )  # fmt: skip
        unless_held.pop_all()
    return table


def _share(settings: Settings) -> Settings:
    least = min(LEAST_ENGINE, int(memory_of(settings) * SHARE_OF_ENGINE))
    megabytes = max(64, int(max(least, room_of(settings) * SHARE_OF_ENGINE) / 1e6))
    return replace(settings, memory=f"{megabytes}MB")


class Connection:
    """Runs statements in the embedded engine.

    With several threads, the engine checks for signals only between its tasks, and one task can be most of a statement.
    Each statement then runs in a thread of its own, and is interrupted with the run.
    """

    def __init__(self, connection: Any, threads: int | None) -> None:
        self._connection, self._threads = connection, threads

    def execute(self, statement: str) -> None:
        """Run a statement without an answer."""
        self._interruptible(lambda: self._connection.execute(statement))

    def __call__(self, statement: str, wanted: pa.Array | None = None, /) -> pa.Table:
        """Return the rows of `statement`, with `wanted` as column ``value`` of a table ``wanted``."""
        if wanted is None:
            return self._answer(statement)
        self._connection.register("wanted", pa.table({"value": wanted}))
        try:
            return self._answer(statement)
        finally:
            self._connection.unregister("wanted")

    def stream(self, statement: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of `statement` in batches."""
        reader = self._interruptible(lambda: self._connection.sql(statement).to_arrow_reader(BATCH_ROWS))
        while (batch := self._interruptible(lambda: next(reader, None))) is not None:
            yield batch

    def _answer(self, statement: str) -> pa.Table:
        import duckdb

        try:
            found: pa.Table = self._interruptible(lambda: self._connection.sql(statement).to_arrow_table())
        except duckdb.OutOfMemoryException:
            raise EngineError(
                "The table is in the private folder of the engine, but a query needs more memory than allowed.",
                hint=ADVICE,
            ) from None
        return found

    def _interruptible(self, task: Callable[[], Any]) -> Any:
        return task() if self._threads == 1 else interruptible(task, self._connection.interrupt)


class _Converted:
    """The batches of a source in the types that the engine holds; notes an error of the source."""

    def __init__(self, batches: Iterable[pa.RecordBatch], names: list[str], held: list[Any]) -> None:
        self._batches, self._names, self._held = batches, names, held
        self._is_source_intact = True

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        self._is_source_intact = False
        for batch in self._batches:
            self._is_source_intact = True
            columns = [_as_held(column, kind) for column, kind in zip(batch.columns, self._held, strict=True)]
            yield pa.record_batch(columns, names=self._names)
            self._is_source_intact = False
        self._is_source_intact = True

    def failure(self) -> PrivauditError:
        """Build the error for a table that the engine does not have."""
        if not self._is_source_intact:
            return UnreadableSource("The source broke off while it was read.", hint="is it written completely?")
        return EngineError(
            "The table does not fit into memory and could not be written to the private folder of the engine.",
            hint="free space in the folder for temporary files, or allow more with --memory",
        )


def _as_held(column: pa.Array, kind: Any) -> pa.Array:
    if column.type == kind:
        return column
    if pa.types.is_dictionary(column.type) and pa.types.is_dictionary(kind):
        values = column.dictionary.cast(kind.value_type)
        return pa.DictionaryArray.from_arrays(column.indices.cast(kind.index_type), values)
    if pa.types.is_dictionary(column.type):
        return _as_held(column.cast(column.type.value_type), kind)
    if pa.types.is_string(kind) and not is_text(column.type):
        return to_text(pa.chunked_array([column]))[0].combine_chunks()
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        # The engine would convert to the time zone of the machine: instants are held in UTC, the same everywhere.
        column = column.cast(pa.timestamp(column.type.unit, "UTC"))
    if pa.types.is_time(column.type):
        # Time of day of any unit in the finest one, because the engine holds the count alone.
        column = column.cast(pa.time64("ns"))
    return column.cast(kind)


def _held_as(kind: Any) -> Any:
    """Return the Arrow type that the engine gets for a column of a type."""
    types = pa.types
    if types.is_dictionary(kind):
        return pa.dictionary(pa.int32(), pa.string()) if is_text(kind.value_type) else _held_as(kind.value_type)
    if types.is_timestamp(kind):
        return pa.timestamp(kind.unit)
    if types.is_time(kind) or types.is_duration(kind):
        return pa.int64()
    if types.is_float16(kind):
        return pa.float32()
    if types.is_date64(kind):
        return pa.date32()
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return pa.large_binary()
    is_held = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_date32(kind)
    return kind if is_held or types.is_decimal128(kind) else pa.string()


def _restored_as(kind: Any) -> Any:
    """Return the type to which cells from the engine are cast again; None where they have the right type."""
    kind, types = value_type(kind), pa.types
    if types.is_timestamp(kind) and kind.tz is not None:
        return pa.timestamp(kind.unit, "UTC")
    if types.is_time(kind):
        return pa.time64("ns")
    return kind if types.is_timestamp(kind) or types.is_float16(kind) else None


def _declared(kind: Any) -> str | None:
    """Return the logical type that an Arrow type declares and the engine does not show: that of cells held as text."""
    kind = value_type(kind)
    if is_text(kind) or not pa.types.is_string(_held_as(kind)):
        return None
    return to_text(pa.chunked_array([], kind))[1]
