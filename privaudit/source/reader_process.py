"""The child process that reads formats whose readers can crash; run by `privaudit.source.reader_client`, not imported.

It writes one line of JSON, names or an error, then an Arrow stream. It never writes a message of a library. Its
exit code is 0 only if the whole table was sent.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BATCH_ROWS = 1 << 16


class _Stop(Exception):
    """The answer is an error; carries it."""


def main() -> None:
    """Read what the one argument asks for and send it."""
    _no_core_dump()
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from privaudit.source.pandas_import import skip_pandas

    skip_pandas()
    asked = json.loads(sys.argv[1])
    reader = {"parquet": _parquet, "arrow": _arrow, "excel": _excel, "duckdb": _duckdb}[asked["format"]]
    try:
        _send(*reader(asked))
    except _Stop as stop:
        _answer(stop.args[0])


def _no_core_dump() -> None:
    """Keep a crash from writing the table to a core file."""
    try:
        import resource
    except ImportError:  # not on Windows, which writes none by default
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(content: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(content).encode() + b"\n")
    sys.stdout.buffer.flush()


def _send(answer: dict[str, Any], schema: Any, batches: Iterator[Any]) -> None:
    import pyarrow as pa

    nested = {i: "nested" for i, kind in enumerate(schema.types) if _is_nested(kind)}
    schema = pa.schema([pa.field(f"c{i}", _sent_type(kind)) for i, kind in enumerate(schema.types)])
    _answer({**answer, "declared": {**nested, **answer.get("declared", {})}})
    with pa.ipc.new_stream(sys.stdout.buffer, schema) as out:
        for batch in batches:
            batch.validate(full=True)
            columns = [
                _sent(column).cast(kind) for column, kind in zip(batch.columns, schema.types, strict=True)
            ]
            out.write_batch(pa.record_batch(columns, schema=schema))
    sys.stdout.buffer.flush()


def _is_nested(kind: Any) -> bool:
    import pyarrow as pa

    kind = _value_type(kind)
    return bool(pa.types.is_nested(kind) and not pa.types.is_run_end_encoded(kind))


def _value_type(kind: Any) -> Any:
    """Return the type without what wraps it: an extension's name, a dictionary."""
    import pyarrow as pa

    if isinstance(kind, pa.BaseExtensionType) and kind.extension_name != "arrow.uuid":
        kind = kind.storage_type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _sent_type(kind: Any) -> Any:
    """Nested values are sent as text; dictionaries, which may differ from batch to batch, as values."""
    import pyarrow as pa

    return pa.large_string() if _is_nested(kind) else _value_type(kind)


def _sent(column: Any) -> Any:
    import pyarrow as pa

    if isinstance(column.type, pa.BaseExtensionType) and column.type.extension_name != "arrow.uuid":
        column = column.storage
    if pa.types.is_dictionary(column.type):
        from privaudit.source.cell_text import decoded

        column = decoded(column)
    if not _is_nested(column.type):
        return column
    from privaudit.source.cell_text import to_text

    text, _ = to_text(pa.chunked_array([column]))
    return text.combine_chunks()


def _parquet(asked: dict[str, Any]) -> tuple[dict[str, Any], Any, Iterator[Any]]:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(asked["path"], page_checksum_verification=True, memory_map=False)
    names = file.schema_arrow.names
    if not names or file.metadata.num_rows == 0:
        raise _Stop({"error": "empty"})
    return {"names": names}, file.schema_arrow, file.iter_batches(batch_size=BATCH_ROWS)


def _arrow(asked: dict[str, Any]) -> tuple[dict[str, Any], Any, Iterator[Any]]:
    import pyarrow as pa

    source = pa.OSFile(asked["path"])
    magic = bytes(source.read(6))
    source.seek(0)
    if magic.startswith(b"FEA1"):
        raise _Stop({"error": "feather1"})
    if magic == b"ARROW1":
        file = pa.ipc.open_file(source)
        batches = (file.get_batch(i) for i in range(file.num_record_batches))
        return {"names": file.schema.names}, file.schema, batches
    stream = pa.ipc.open_stream(source)
    return {"names": stream.schema.names}, stream.schema, iter(stream)


def _duckdb(asked: dict[str, Any]) -> tuple[dict[str, Any], Any, Iterator[Any]]:
    import duckdb

    from privaudit.source.engine import LOCKED

    connection = duckdb.connect(asked["path"], read_only=True, config={**LOCKED, "temp_directory": ""})
    connection.execute("SET lock_configuration = true")
    found = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary UNION ALL "
        "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal AND NOT temporary ORDER BY ALL"
    ).fetchall()
    tables = {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in found}
    schema, name = tables[_chosen(asked, list(tables))]
    table = f"{_quoted(schema)}.{_quoted(name)}"
    columns = connection.execute(f"DESCRIBE {table}").fetchall()
    selected = ", ".join(_selected(column[0], column[1], i) for i, column in enumerate(columns))
    reader = connection.sql(f"SELECT {selected} FROM {table}").to_arrow_reader(BATCH_ROWS)
    return {"names": [column[0] for column in columns]}, reader.schema, iter(reader)


def _selected(name: str, kind: str, i: int) -> str:
    """Leave to the engine what Arrow cannot hold without loss: wide integers and kinds of its own."""
    own = (
        "HUGEINT",
        "UHUGEINT",
        "BIGNUM",
        "VARINT",
        "BIT",
        "UUID",
        "ENUM",
        "UNION",
        "TIME WITH TIME ZONE",
        "INTERVAL",
    )
    cell = _quoted(name)
    return f"{cell}::VARCHAR AS c{i}" if kind.upper().startswith(own) else f"{cell} AS c{i}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _chosen(asked: dict[str, Any], parts: list[str]) -> str:
    part: str | None = asked["part"]
    if part is not None:
        if part not in parts:
            raise _Stop({"error": "part", "parts": parts})
        return part
    if len(parts) != 1:
        raise _Stop({"error": "choose" if parts else "empty", "parts": parts})
    return parts[0]


def _excel(asked: dict[str, Any]) -> tuple[dict[str, Any], Any, Iterator[Any]]:
    try:
        import python_calamine
    except ImportError:
        raise _Stop({"error": "missing"}) from None
    from privaudit.source.sheet import to_columns

    book = python_calamine.load_workbook(asked["path"])
    sheets = list(book.sheet_names)
    if asked["part"] is not None and asked["part"] not in sheets:
        raise _Stop({"error": "part", "parts": sheets})
    filled = [name for name in sheets if book.get_sheet_by_name(name).height > 0]
    if not filled:
        raise _Stop({"error": "empty"})
    read = asked["part"] or filled[0]
    found = to_columns(book.get_sheet_by_name(read).to_python(), header=asked["header"])
    if found is None:
        raise _Stop({"error": "empty"})
    unread = len(filled) - 1 if asked["part"] is None else 0
    answer = {**found.answer, "sheets": sheets, "read": read, "unread": unread}
    return answer, found.table.schema, iter(found.table.to_batches(BATCH_ROWS))


if __name__ == "__main__":
    main()
