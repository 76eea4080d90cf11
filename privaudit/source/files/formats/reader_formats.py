"""The formats whose tables arrive as Arrow batches: Parquet, Arrow IPC, DuckDB and workbooks; run in a reader process.

Question: how is a file of this format turned into record batches?
Method: one function for each format returns names, schema and batches. What the file declares is compared with the
caps before anything is allocated.
Limits: a reader may crash here; `privaudit.source.files.readers.reader_client` then reports a damaged file.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from privaudit.base import extras
from privaudit.base.arrow import open_ipc, pa
from privaudit.base.errors import ScanIncomplete, UnsupportedFormat
from privaudit.base.records import dataclass
from privaudit.base.sql_text import sql_name
from privaudit.base.wire import assembled
from privaudit.model import Limit, limit
from privaudit.model.wording import Listing, Name, Number
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.files.formats.encoding import open_stored
from privaudit.source.files.formats.surroundings import of_duckdb, of_metadata, of_pairs
from privaudit.source.input.allowed_size import check, check_columns
from privaudit.source.input.table import Outside, Read, Statement, statements_of
from privaudit.source.places.location import Location, choose_part, no_such_part, shown_names

BATCH_ROWS = 1 << 16
CODE_BYTES = 4
"""Bytes of the code of a cell in memory."""
DICTIONARY_BYTES = 1 << 20
"""Largest dictionary of a column in a row group of a Parquet file, as the usual writers bound it."""
_OWN_TYPES = (
    "HUGEINT", "UHUGEINT", "BIGNUM", "VARINT", "BIT", "UUID", "ENUM", "UNION", "TIME WITH TIME ZONE", "INTERVAL",
)  # fmt: skip
"""Types of DuckDB that Arrow cannot hold without loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A table on its way out of a reader: as `privaudit.source.input.table.Read`, in batches.

    ``limits_at_end`` and ``outside_at_end`` return further limits and text, known when the last batch was read.
    """

    schema: pa.Schema
    batches: Iterator[Any]
    names: tuple[str | None, ...]
    limits: tuple[Limit, ...] = ()
    declared: tuple[tuple[int, str], ...] = ()
    outside: tuple[Outside, ...] = ()
    stated: tuple[Statement, ...] = ()
    limits_at_end: Callable[[], tuple[Limit, ...]] = tuple
    outside_at_end: Callable[[], tuple[Outside, ...]] = tuple


def stream_of(found: Read) -> Stream:
    """Return a table that was read whole as a `Stream`."""
    return assembled(Stream, found, schema=found.table.schema, batches=iter(found.table.to_batches(BATCH_ROWS)))


def empty(where: Location) -> ScanIncomplete:
    """Build the error for a file without a table."""
    return ScanIncomplete(f"{where.shown} contains no table with rows.", hint="was the right file named?")


def read_parquet(where: Location, settings: Settings, _progress: Progress = silent) -> Stream:
    """Read a Parquet file; columns that it stores with a dictionary stay dictionaries."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(open_stored(where), page_checksum_verification=True, memory_map=False)
    schema = file.schema_arrow
    if not schema.names or file.metadata.num_rows == 0:
        raise empty(where)
    check_columns(where.shown, len(schema.names), settings)
    repeating = _repeating(file.metadata)
    text = [
        f.name
        for f in schema
        if (pa.types.is_string(f.type) or pa.types.is_large_string(f.type)) and f.name in repeating
    ]
    if text and len(set(schema.names)) == len(schema.names):
        file = pq.ParquetFile(
            open_stored(where), page_checksum_verification=True, memory_map=False, read_dictionary=text
        )
    batches = file.iter_batches(batch_size=BATCH_ROWS)
    return Stream(
        names=tuple(schema.names),
        schema=file.schema_arrow,
        batches=batches,
        outside=tuple(of_metadata(schema)),
        stated=statements_of(schema),
    )


def _repeating(metadata: Any) -> set[str]:
    """Return the columns of a Parquet file that are stored as codes: the cells take less room than plain codes do.

    Each row group has a dictionary of up to `DICTIONARY_BYTES`; a writer stores cells beyond it as they are, and a
    dictionary of those would be as large as the column.
    """
    columns = metadata.num_columns
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    most = CODE_BYTES * metadata.num_rows + DICTIONARY_BYTES * len(groups)
    sizes = [sum(group.column(i).total_uncompressed_size for group in groups) for i in range(columns)]
    return {metadata.schema.column(i).path for i in range(columns) if sizes[i] <= most}


def read_arrow(where: Location, settings: Settings, _progress: Progress = silent) -> Stream:
    """Read an Arrow IPC file or stream, or Feather version 2."""
    source = open_stored(where)
    if bytes(source.read(4)) == b"FEA1":
        raise UnsupportedFormat(
            f"{where.shown} is a Feather file of version 1.", hint="write it again as version 2 (Arrow IPC)"
        )
    reader = open_ipc(source)
    schema = reader.schema
    is_file = isinstance(reader, pa.RecordBatchFileReader)
    check_columns(where.shown, len(schema.names), settings)
    return Stream(
        names=tuple(schema.names),
        schema=schema,
        batches=_with_metadata(reader, is_file=is_file),
        outside=(*of_metadata(schema), *of_pairs(reader.metadata if is_file else None)),
        stated=statements_of(schema),
    )


def _with_metadata(reader: Any, *, is_file: bool) -> Iterator[Any]:
    """Yield the batches of Arrow IPC, each with its own metadata as those of its schema."""
    following = (
        itertools.repeat(reader.read_next_batch_with_custom_metadata)
        if not is_file
        else (partial(reader.get_batch_with_custom_metadata, i) for i in range(reader.num_record_batches))
    )
    for read in following:
        try:
            batch, metadata = read()
        except StopIteration:
            return
        yield batch.replace_schema_metadata(metadata)


def read_orc(where: Location, settings: Settings, _progress: Progress = silent) -> Stream:
    """Read an ORC file."""
    from pyarrow import orc

    file = orc.ORCFile(open_stored(where))
    if not file.schema.names or file.nrows == 0:
        raise empty(where)
    check_columns(where.shown, len(file.schema.names), settings)
    stripes = (file.read_stripe(i) for i in range(file.nstripes))
    batches = (one for stripe in stripes for one in pa.Table.from_batches([stripe]).to_batches(BATCH_ROWS))
    outside = tuple(of_metadata(file.schema.with_metadata(file.metadata)))
    return Stream(names=tuple(file.schema.names), schema=file.schema, batches=batches, outside=outside)


def tables_of_duckdb(where: Location, _settings: Settings) -> tuple[str, ...]:
    """Return the names of the tables of a DuckDB file, without its views, sorted."""
    found = _connect(where).execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary ORDER BY ALL"
    )
    return tuple(_full_name(schema, name) for schema, name in found.fetchall())


def foreign_keys_of_duckdb(where: Location) -> tuple[tuple[str, str, str, str], ...]:
    """Return table, column, and the table and column they refer to, of each declared foreign key of one column."""
    found = _connect(where).execute(
        "SELECT schema_name, table_name, constraint_column_names[1], referenced_table, referenced_column_names[1] "
        "FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY' AND len(constraint_column_names) = 1 "
        "ORDER BY ALL"
    )
    # A foreign key of DuckDB does not leave its schema.
    return tuple(
        (_full_name(schema, table), column, _full_name(schema, to), key)
        for schema, table, column, to, key in found.fetchall()
    )


def _full_name(schema: str, name: str) -> str:
    return name if schema == "main" else f"{schema}.{name}"


def _connect(where: Location) -> Any:
    try:
        import duckdb
    except ImportError:
        raise needs_extra(where, extras.ENGINES) from None
    from privaudit.source.engine.engine import LOCKED

    connection = duckdb.connect(str(where.path), read_only=True, config={**LOCKED, "temp_directory": ""})
    connection.execute("SET lock_configuration = true")
    return connection


def read_duckdb(where: Location, settings: Settings, _progress: Progress = silent) -> Stream:
    """Read a table or view of a DuckDB file."""
    connection = _connect(where)
    found = connection.execute(
        "SELECT schema_name, table_name, false AS is_view FROM duckdb_tables() WHERE NOT internal AND NOT temporary "
        "UNION ALL SELECT schema_name, view_name, true FROM duckdb_views() WHERE NOT internal AND NOT temporary "
        "ORDER BY ALL"
    ).fetchall()
    parts = {_full_name(schema, name): (schema, name) for schema, name, _ in found}
    views = [part for part, (_, _, is_view) in zip(parts, found, strict=True) if is_view]
    named = list(parts) if where.part is not None else [part for part in parts if part not in views]
    chosen = _chosen(where, named)
    schema, name = parts[chosen]
    unread = sum(view != chosen for view in views)
    limits = (limit("source.views", views=Number(unread)),) if unread else ()
    table = f"{sql_name(schema)}.{sql_name(name)}"
    columns = connection.execute(f"DESCRIBE {table}").fetchall()
    check_columns(where.shown, len(columns), settings)
    outside = tuple(of_duckdb(connection))
    selected = ", ".join(_selected(column[0], column[1], i) for i, column in enumerate(columns))
    reader = pa.RecordBatchReader.from_stream(connection.sql(f"SELECT {selected} FROM {table}"))
    shown = tuple(column[0] for column in columns)
    return Stream(names=shown, schema=reader.schema, batches=iter(reader), limits=limits, outside=outside)


def _selected(name: str, kind: str, i: int) -> str:
    cell = sql_name(name)
    return f"{cell}::VARCHAR AS c{i}" if kind.upper().startswith(_OWN_TYPES) else f"{cell} AS c{i}"


def _chosen(where: Location, parts: list[str]) -> str:
    if where.part is not None:
        if where.part not in parts:
            raise no_such_part(where, parts)
        return where.part
    if not parts:
        raise empty(where)
    if len(parts) > 1:
        raise choose_part(where, parts)
    return parts[0]


def needs_extra(where: Location, extra: extras.Extra) -> UnsupportedFormat:
    """Build the error for a file whose reader is not installed."""
    return UnsupportedFormat(f"Reading {where.shown} needs an extra that is not installed.", hint=extra.install)


def sheets_of_excel(where: Location, settings: Settings) -> tuple[str, ...]:
    """Return the names of the worksheets that have rows, in the order of the workbook."""
    return tuple(_filled(_workbook(where, settings)))


def _workbook(where: Location, settings: Settings) -> Any:
    try:
        import python_calamine
    except ImportError:
        raise needs_extra(where, extras.EXCEL) from None
    from privaudit.source.files.formats.workbooks import extent_of_workbook

    check(where.shown, "cells", extent_of_workbook(where.path), settings, "cells in a worksheet")
    return python_calamine.load_workbook(str(where.path))


def _filled(book: Any) -> list[str]:
    return [name for name in book.sheet_names if book.get_sheet_by_name(name).height > 0]


def read_excel(where: Location, settings: Settings, _progress: Progress = silent) -> Stream:
    """Read a worksheet: the one that is named, else the first with rows."""
    from privaudit.source.files.formats.sheet import to_columns
    from privaudit.source.files.formats.workbook_texts import of_workbook

    book = _workbook(where, settings)
    sheets = list(book.sheet_names)
    if where.part is not None and where.part not in sheets:
        raise no_such_part(where, sheets)
    filled = _filled(book)
    if not filled:
        raise empty(where)
    read = where.part or filled[0]
    sheet = book.get_sheet_by_name(read)
    check(where.shown, "cells", sheet.height * sheet.width, settings, "cells in a worksheet")
    check_columns(where.shown, sheet.width, settings)
    found = to_columns(sheet.to_python(), header=settings.header)
    if found is None:
        raise empty(where)
    unread = len(filled) - 1 if where.part is None else 0
    texts, unread_cells = of_workbook(where.path)
    return Stream(
        schema=found.table.schema,
        batches=iter(found.table.to_batches(BATCH_ROWS)),
        names=found.names,
        limits=(*_sheets(sheets, read, unread), *found.limits, *unread_cells),
        declared=found.declared,
        outside=(*found.around, *texts),
    )


def _sheets(sheets: list[str], read: str, unread: int) -> list[Limit]:
    limits = []
    if len(sheets) > 1:
        position = Number(sheets.index(read) + 1)
        names = Listing(tuple(Name(shown) for shown in shown_names(sheets)))
        limits.append(limit("source.one_sheet", sheet=position, of=Number(len(sheets)), names=names))
    if unread:
        limits.append(limit("source.other_sheets", incomplete=True, sheets=Number(unread)))
    return limits
