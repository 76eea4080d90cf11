"""Tables in object stores, and Delta and Iceberg tables: streams of record batches.

Question: how is a table read that is not a local file?
Method: Parquet and Arrow files of S3, Google Cloud Storage and Azure through `pyarrow.fs`; Delta through
`deltalake`; Iceberg through `pyiceberg`. Each is read once, batch by batch, in the state it had at the start; rows that
do not fit in memory go to the embedded engine. A file that changes meanwhile ends the scan.
Limits: credentials are those of the source's own chain (environment, profile, workload identity). A file of another
format is copied to a private temporary folder first, because its reader needs several passes. Old versions of a Delta
or Iceberg table may hold what the newest does not: ``#version=N`` names one, and it is scanned like a table.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from privaudit.base import extras, private_folders
from privaudit.base.arrow import pa
from privaudit.base.errors import (
    PrivauditError,
    UnreadableSource,
    UnsupportedFormat,
    foreign_errors_as,
    foreign_errors_named,
)
from privaudit.model.file_formats import FORMAT_OF_SUFFIX
from privaudit.settings.config import Settings
from privaudit.source.cells.dictionaries import can_be_kept
from privaudit.source.engine.spool import collect
from privaudit.source.engine.sql_table import SqlTable
from privaudit.source.files.formats.reader_formats import BATCH_ROWS
from privaudit.source.input.allowed_size import check_columns
from privaudit.source.input.table import Read
from privaudit.source.places.addresses import Address
from privaudit.source.places.folder_formats import iceberg_metadata
from privaudit.source.places.location import format_of_name, locate, stem_and_compression
from privaudit.source.servers import waiting
from privaudit.source.servers.store_errors import no_such_table, not_of_format, not_reached
from privaudit.source.servers.waiting import Answer, first_answer

STREAMED = {"parquet": "parquet", "arrow": "ipc"}
SCHEMES = {"gs": "gs", "gcs": "gs", "s3": "s3", "abfs": "abfs", "abfss": "abfss"}


def read(address: Address, settings: Settings) -> tuple[Read, str]:
    """Return the table in an object store, and the engine that answers.

    Raises
    ------
    UnsupportedFormat
        If the suffix is not one that is read from a store.
    UnreadableSource
        If the store cannot be reached or the object cannot be read.
    """
    from pyarrow import dataset, fs

    uri = _uri(address)

    def kind_of_object() -> tuple[Any, str, Any]:
        system, path = fs.FileSystem.from_uri(uri)
        return system, path, system.get_file_info(path).type

    system, path, kind = _first_answer(kind_of_object)
    if kind == fs.FileType.NotFound:
        raise no_such_table()
    is_folder = kind == fs.FileType.Directory
    if is_folder:
        _refuse_delta(system, path)
    compression = stem_and_compression(Path(path))[1]
    stated = format_of_name(Path(path))
    format_ = settings.input_format or (stated and stated.name) or ("parquet" if is_folder else None)
    if format_ in STREAMED and compression is None:
        with foreign_errors_as(lambda: not_of_format(str(format_))):
            found = dataset.dataset(
                path, filesystem=system, format=STREAMED[str(format_)], partitioning="hive" if is_folder else None
            )
        if is_folder:
            _require_one_table(address, path, found.files, settings)

        def streamed() -> Read:
            return _stream(found.schema, lambda: found.to_batches(batch_size=BATCH_ROWS), settings)

        return _unchanged(system, found.files, streamed), "duckdb"
    if is_folder:
        raise UnsupportedFormat(
            "A folder of a store is read only if its files are Parquet or Arrow.", hint="name one file in it"
        )
    if format_ is None:
        known = " ".join(sorted(FORMAT_OF_SUFFIX))
        raise UnsupportedFormat("The suffix of the address is not known.", hint=f"known are {known}")
    return _unchanged(system, [path], lambda: _copied(system, path, settings)), "duckdb"


def _require_one_table(address: Address, path: str, files: Sequence[str], settings: Settings) -> None:
    """Refuse a folder of several files, unless it is a Hive table or the setting "parts" names it."""
    folders = [PurePosixPath(file).relative_to(path).parent.parts for file in files]
    is_hive = all(folder and all("=" in name for name in folder) for folder in folders)
    if len(files) > 1 and not is_hive and address.text not in settings.parts:
        raise UnreadableSource(
            f"The folder contains {len(files)} files, and each is a table.",
            hint="scan each of them; if they are parts of one table, state it with --parts",
        )


def _refuse_delta(system: Any, path: str) -> None:
    """Refuse the folder of a Delta table: its files also hold rows that were removed from the table."""
    from pyarrow import fs

    with foreign_errors_named(not_reached):
        log = system.get_file_info(f"{path.rstrip('/')}/_delta_log")
    if log.type == fs.FileType.Directory:
        raise UnsupportedFormat(
            "The folder is a Delta table, whose files also hold rows that were removed.",
            hint="write delta: before the address",
        )


def _unchanged(system: Any, files: Sequence[str], read: Callable[[], Read]) -> Read:
    """Return what `read` returns, if size and time of the last change of each file stay what they were."""
    before = _states(system, files)
    found = read()
    if _states(system, files) == before:
        return found
    if isinstance(found.table, SqlTable):
        found.table.close()
    raise UnreadableSource("A file of the table changed while it was read.", hint="scan a copy, or scan again")


def _states(system: Any, files: Sequence[str]) -> list[tuple[int | None, int | None]]:
    with foreign_errors_named(not_reached):
        return [(info.size, info.mtime_ns) for info in system.get_file_info(list(files))]


def _uri(address: Address) -> str:
    scheme, mark, rest = address.text.partition("://")
    if not mark:
        raise UnsupportedFormat("The address is not complete.", hint=f"write {address.scheme}://bucket/path")
    return f"{SCHEMES[scheme.lower()]}://{rest}"


def _copied(system: Any, path: str, settings: Settings) -> Read:
    """Return a file of a format that is not streamed, from a private copy of it."""
    from privaudit.source.files.readers.reader_client import read_files

    with private_folders.private_folder() as folder:
        copy = folder / f"table{''.join(Path(path).suffixes[-2:])}"
        with foreign_errors_named(not_reached), system.open_input_stream(path) as source, copy.open("wb") as target:
            while block := source.read(1 << 22):
                target.write(block)
        return read_files([locate(copy, settings.input_format)], settings)


def read_delta(address: Address, settings: Settings) -> tuple[Read, str]:
    """Return a Delta table: ``delta:FOLDER`` or ``delta:s3://bucket/table``, with ``#version=N`` an old version."""
    os.environ.setdefault("RUST_LOG", "off")  # its messages, on standard error, name hosts and paths
    with extras.needing(extras.DELTA, "Reading Delta tables"):
        import deltalake
    place, version = _place(address)

    def answered() -> None:
        with suppress(Exception):  # an error is an answer: the first version of the log may have been removed
            deltalake.DeltaTable(place, version=0)  # small, where the newest version may have a long log

    if "://" in place:
        _first_answer(answered)
    with foreign_errors_named(not_reached):
        table = deltalake.DeltaTable(place, version=version)
        found = table.to_pyarrow_dataset()
    return _stream(found.schema, lambda: found.to_batches(batch_size=BATCH_ROWS), settings), "duckdb"


def read_iceberg(address: Address, settings: Settings) -> tuple[Read, str]:
    """Return an Iceberg table: ``iceberg:CATALOG.NAMESPACE.TABLE``, the catalogue as pyiceberg is configured.

    ``iceberg:FOLDER`` is a local folder with its metadata, read in the newest state.
    """
    with extras.needing(extras.ICEBERG, "Reading Iceberg tables"):
        from pyiceberg.catalog import load_catalog
        from pyiceberg.table import StaticTable
    place, version = _place(address)
    metadata = iceberg_metadata(place)
    if metadata is not None:
        table: Any = _first_answer(lambda: StaticTable.from_metadata(str(metadata)))
    else:
        catalog, _, name = place.partition(".")
        table = _first_answer(lambda: load_catalog(catalog).load_table(name))
    with foreign_errors_named(not_reached):
        reader = table.scan(snapshot_id=version).to_arrow_batch_reader()
    return _stream(reader.schema, lambda: reader, settings), "duckdb"


def _place(address: Address) -> tuple[str, int | None]:
    """Return what follows the scheme, and the version that is asked for."""
    place, mark, part = address.text[len(address.scheme) + 1 :].partition("#")
    if not mark:
        return place, None
    name, _, number = part.partition("=")
    if name != "version" or not number.isdecimal():
        raise UnsupportedFormat("After # an address may have version=N only.", hint="see docs/sources.md")
    return place, int(number)


def _stream(schema: pa.Schema, batches: Callable[[], Iterator[pa.RecordBatch]], settings: Settings) -> Read:
    """Return the batches of a stream in memory or on the embedded engine."""
    check_columns("The table", len(schema.names), settings)
    names = [f"c{i}" for i in range(len(schema.names))]
    plain = pa.schema([pa.field(name, _plain(kind)) for name, kind in zip(names, schema.types, strict=True)])

    def renamed() -> Iterator[pa.RecordBatch]:
        with foreign_errors_named(not_reached):
            for batch in batches():
                columns = [
                    column if column.type == kind else column.cast(kind)
                    for column, kind in zip(batch.columns, plain.types, strict=True)
                ]
                checked = pa.record_batch(columns, schema=plain)
                checked.validate(full=True)
                yield checked

    try:
        found = collect(pa.RecordBatchReader.from_batches(plain, renamed()), settings)
    except (PrivauditError, MemoryError):
        raise
    except pa.ArrowException:
        raise not_reached() from None
    return Read(found, tuple(schema.names))


def _plain(kind: Any) -> Any:
    return kind.value_type if pa.types.is_dictionary(kind) and not can_be_kept(kind) else kind


def _first_answer(ask: Callable[[], Answer]) -> Answer:
    with foreign_errors_named(not_reached):
        try:
            return first_answer(ask)
        except TimeoutError:
            raise UnreadableSource(
                f"The store of the table did not answer within {waiting.SECONDS} seconds.",
                hint="check the address, the endpoint in the environment, and the network",
            ) from None
