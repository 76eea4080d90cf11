"""Write Parquet and Arrow files anew.

Question: how does a columnar file lose some rows, and everything that its dictionaries, statistics and footers hold of
them?
Method: the rows that stay are taken in memory; dictionaries are decoded and made again, because a filtered dictionary
keeps every value. The new file has statistics of its own rows. Types, order and metadata of the schema stay.
Limits: the file must fit into the memory. Sizes of row groups and compression are those of the old file's first group;
bloom filters are not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from privaudit.base.arrow import is_text, open_ipc, pa, value_type
from privaudit.base.errors import ConfigError
from privaudit.settings.config import Settings
from privaudit.source.places.location import Location
from privaudit.stewardship.changes import Change, Replacement

_NAMES = {"UNCOMPRESSED": "NONE"}


def rewrite_parquet(where: Location, changes: Mapping[str, Change], target: Path, settings: Settings) -> None:
    """Write a Parquet file without the deleted rows, and with replaced cells."""
    # As nanoseconds, times after 2262 would not fit.
    with pq.ParquetFile(where.path, coerce_int96_timestamp_unit="us") as file:
        first = file.metadata.row_group(0) if file.metadata.num_row_groups else None
        table = changed(file.read(), changes[""])
    columns = [] if first is None else [first.column(i) for i in range(first.num_columns)]
    pq.write_table(
        table,
        target,
        compression={column.path_in_schema: _NAMES.get(column.compression, column.compression) for column in columns},
        # Programs that write this old type of a time do not read the new one.
        use_deprecated_int96_timestamps=any(column.physical_type == "INT96" for column in columns),
        row_group_size=None if first is None else max(1, first.num_rows),
    )


def rewrite_arrow(where: Location, changes: Mapping[str, Change], target: Path, settings: Settings) -> None:
    """Write an Arrow IPC file or stream without the deleted rows, and with replaced cells."""
    with pa.memory_map(str(where.path)) as source:
        reader = open_ipc(source)
        table = changed(reader.read_all(), changes[""])
    write = pa.ipc.new_file if isinstance(reader, pa.RecordBatchFileReader) else pa.ipc.new_stream
    with pa.OSFile(str(target), "wb") as out, write(out, table.schema) as writer:
        writer.write_table(table)


def changed(table: pa.Table, change: Change) -> pa.Table:
    """Return a table without the deleted rows, with replaced cells and new dictionaries."""
    keep = np.ones(table.num_rows, dtype=bool)
    keep[sorted(change.delete)] = False
    for column, cells in change.cells.items():
        place = table.schema.get_field_index(column)
        table = table.set_column(place, table.schema.field(place), _replaced(table.column(place), cells))
    kept = table.filter(pa.array(keep))
    columns = [_again(column) for column in kept.columns]
    return pa.table(columns, schema=kept.schema)


def _again(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a dictionary column with a dictionary of the values that it uses."""
    if not pa.types.is_dictionary(column.type):
        # A slice refers to the buffers of all rows, which IPC would write as they are for nested columns.
        return pa.chunked_array([pa.concat_arrays([chunk]) for chunk in column.chunks], column.type)
    plain = column.cast(column.type.value_type)
    return plain.dictionary_encode().unify_dictionaries().cast(column.type)


def _replaced(column: pa.ChunkedArray, cells: Mapping[int, Replacement]) -> pa.ChunkedArray:
    kind = column.type
    plain = column.cast(value_type(kind))
    values = plain.to_pylist()
    for i, replacement in cells.items():
        values[i] = None if replacement is None else _native(value_type(kind), replacement)
    made = pa.chunked_array([pa.array(values, value_type(kind))])
    return made.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else made


def _native(kind: Any, replacement: Any) -> Any:
    if is_text(kind):
        return replacement.text
    if pa.types.is_signed_integer(kind) and kind.bit_width >= 32:
        return replacement.number
    raise ConfigError(
        "A column that is to be pseudonymised holds neither text nor whole numbers of 32 bits.",
        hint='write erase = "mask" or "delete" for its table',
    )
