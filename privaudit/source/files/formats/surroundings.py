"""What a file holds besides the table, as texts that detection can read.

Question: which text goes to whoever gets the file, although it is not in a cell of the table?
Method: metadata of Parquet and Arrow schemas, dictionary values that no row refers to, values under null cells, and
the comments, defaults, checks and definitions of DuckDB files. Other modules read what workbooks (`workbook_texts`),
SQLite files (`sqlite`) and compressed files (`unpacking`) hold besides the table.
Limits: values under null cells are read as text, whole number or date; of nested columns they are not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.model import Limit, limit
from privaudit.source.input.table import Outside

MOST_CHARACTERS = 4_000_000
"""Most characters of text outside of a table that are read."""
MOST_BYTES_OF_DICTIONARIES = 64 * 1024**2
"""Bytes of unused values of dictionaries that are kept for the comparison; of used values, `TIMES_USED` as many."""
TIMES_USED = 4
_TYPE_PARAMETERS = b"ARROW:extension:metadata"


def of_metadata(schema: pa.Schema) -> Iterator[Outside]:
    """Yield the metadata of a schema and of its fields, nested ones included, keys and values."""
    yield from of_pairs(schema.metadata)
    for field in schema:
        yield from _of_field(field)


def _of_field(field: pa.Field) -> Iterator[Outside]:
    yield from of_pairs(field.metadata)
    if isinstance(field.type, pa.BaseExtensionType):
        yield from of_pairs({_TYPE_PARAMETERS: field.type.__arrow_ext_serialize__()})
    for i in range(field.type.num_fields):
        yield from _of_field(field.type.field(i))


def of_pairs(metadata: Mapping[bytes, bytes] | None) -> Iterator[Outside]:
    """Yield keys and values, without the schema itself and the names of types."""
    for key, value in (metadata or {}).items():
        if not key.startswith(b"ARROW:") or key == _TYPE_PARAMETERS:
            yield Outside("metadata", f"{key.decode('utf-8', 'replace')}: {value.decode('utf-8', 'replace')}")


class UnusedValues:
    """The values of dictionaries that no row of the table refers to; a dictionary serves several batches.

    Arrow may give each batch the values of the batches before it, so most values that a batch does not use are used by
    another. They are dropped when `MOST_BYTES_OF_DICTIONARIES` is reached. Where more values than `TIMES_USED` as many
    bytes are used, a value may count as unused that is not, and unused values may be missing; `limits` has both.
    """

    def __init__(self) -> None:
        self._used = _KeptValues(TIMES_USED * MOST_BYTES_OF_DICTIONARIES)
        self._unused = _KeptValues(MOST_BYTES_OF_DICTIONARIES, self._used)
        self._last: dict[int, tuple[pa.Array, Flags]] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Note which values the rows of a batch refer to."""
        for i, column in enumerate(batch.columns):
            if pa.types.is_dictionary(column.type) and _is_text(column.type.value_type):
                if i in self._last and not self._last[i][0].equals(column.dictionary):
                    self._finish(i)
                if i not in self._last:
                    self._last[i] = column.dictionary, np.zeros(len(column.dictionary), dtype=np.bool_)
                self._last[i][1][pc.unique(column.indices).drop_null().to_numpy()] = True

    def _finish(self, i: int) -> None:
        dictionary, used = self._last.pop(i)
        self._used.keep(i, dictionary.filter(pa.array(used)))
        if not used.all():
            self._unused.keep(i, dictionary.filter(pa.array(~used)))

    def texts(self) -> Iterator[Outside]:
        """Yield the values that no row refers to."""
        for i in list(self._last):
            self._finish(i)
        for i in self._unused.columns():
            yield from (Outside("dictionary", text) for text in self._unused.distinct(i).to_pylist() if text)

    def limits(self) -> tuple[Limit, ...]:
        """Return what was not compared, because of the bound of the memory; called after `texts`."""
        cut = (limit("source.long_surroundings", incomplete=True),) if self._unused.is_full else ()
        if self._used.is_full and self._unused.columns():
            return (*cut, limit("source.dictionaries_compared_in_part"))
        return cut


class _KeptValues:
    """Values of several columns, each kept once, up to a number of bytes, without those that `other` keeps."""

    def __init__(self, most_bytes: int, other: _KeptValues | None = None) -> None:
        self._parts: dict[int, list[pa.Array]] = {}
        self._most_bytes, self._other = most_bytes, other
        self._n_bytes = 0
        self.is_full = False

    def keep(self, i: int, values: pa.Array) -> None:
        """Keep the values of a column, unless there are too many."""
        if self.is_full:
            return
        self._parts.setdefault(i, []).append(values)
        self._n_bytes += values.nbytes
        if self._n_bytes > 2 * self._most_bytes:
            self._parts = {column: [self.distinct(column)] for column in self._parts}
            self._n_bytes = sum(part.nbytes for (part,) in self._parts.values())
            self.is_full = self._n_bytes > self._most_bytes

    def columns(self) -> list[int]:
        """Return the columns of which values are kept."""
        return sorted(self._parts)

    def distinct(self, i: int) -> pa.Array:
        """Return the values kept of a column, each once."""
        values = pc.unique(pa.chunked_array(self._parts[i]))
        if self._other is not None and i in self._other.columns():
            values = values.filter(pc.invert(pc.is_in(values, self._other.distinct(i))))
        return values


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


class NullCells:
    """What Arrow arrays hold under cells that are null: a program masked the cells, and the values went along."""

    def __init__(self) -> None:
        self._kept = _KeptValues(MOST_BYTES_OF_DICTIONARIES)

    def add(self, batch: pa.RecordBatch) -> None:
        """Note the values under the null cells of a batch."""
        for i, column in enumerate(batch.columns):
            if column.null_count == 0 or not _has_own_buffers(column.type):
                continue
            whole = pa.Array.from_buffers(
                column.type, len(column), [None, *column.buffers()[1:]], null_count=0, offset=column.offset
            )
            try:
                whole.validate(full=True)
            except pa.ArrowInvalid:  # offsets under null cells need not be valid
                continue
            under = whole.filter(column.is_null()).cast(pa.large_string())
            self._kept.keep(i, under.filter(pc.greater(pc.utf8_length(under), 1)))

    def texts(self) -> Iterator[Outside]:
        """Yield the values, each once."""
        for i in self._kept.columns():
            yield from (Outside("null_cells", text) for text in self._kept.distinct(i).to_pylist())

    def limits(self) -> tuple[Limit, ...]:
        """Return a limit where there were too many values."""
        return (limit("source.long_surroundings", incomplete=True),) if self._kept.is_full else ()


def _has_own_buffers(kind: Any) -> bool:
    return _is_text(kind) or bool(pa.types.is_integer(kind) or pa.types.is_date32(kind))


DUCKDB_TEXTS = (
    "SELECT comment FROM duckdb_tables() WHERE NOT internal",
    "SELECT comment FROM duckdb_columns() WHERE NOT internal",
    "SELECT column_default FROM duckdb_columns() WHERE NOT internal",
    "SELECT comment FROM duckdb_views() WHERE NOT internal",
    "SELECT sql FROM duckdb_views() WHERE NOT internal",
    "SELECT comment FROM duckdb_indexes()",
    "SELECT comment FROM duckdb_types() WHERE NOT internal",
    "SELECT unnest(labels) FROM duckdb_types() WHERE NOT internal",
    "SELECT constraint_text FROM duckdb_constraints()",
    "SELECT macro_definition FROM duckdb_functions() WHERE NOT internal",
    "SELECT comment FROM duckdb_functions() WHERE NOT internal",
    "SELECT comment FROM duckdb_sequences()",
    "SELECT comment FROM duckdb_schemas() WHERE NOT internal",
)


def of_duckdb(connection: Any) -> Iterator[Outside]:
    """Yield comments, defaults, checks, labels and the definitions of views and macros of a DuckDB database."""
    for query in DUCKDB_TEXTS:
        yield from (Outside("definitions", str(text)) for (text,) in connection.execute(query).fetchall() if text)


def within(texts: Iterable[Outside]) -> tuple[tuple[Outside, ...], tuple[Limit, ...]]:
    """Return the first `MOST_CHARACTERS` of different texts, and a limit where there are more."""
    kept: dict[Outside, None] = {}
    left = MOST_CHARACTERS
    for one in texts:
        if one in kept:
            continue
        left -= len(one.text)
        if left < 0:
            return tuple(kept), (limit("source.long_surroundings", incomplete=True),)
        kept[one] = None
    return tuple(kept), ()
