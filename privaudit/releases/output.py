"""The formats of tables that are written: new files that hold the values of the table and nothing else.

Question: how is a table written so that nothing of its source is left in the file?
Method: every file is new, made batch by batch from Arrow columns in memory without metadata, index, dictionaries of the
source or author; statistics are those of the written values. Time stamps in workbooks are constant.
Limits: types that a format does not have are written as text: dates in SQLite, whole numbers of more than 15 digits in
workbooks.
"""

from __future__ import annotations

import datetime
import re
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from privaudit.base.arrow import pa, pc
from privaudit.base.delimited import delimited_writer
from privaudit.base.errors import ConfigError, UnsupportedFormat, foreign_errors_as
from privaudit.base.extras import ENGINES, EXCEL, FRAMES, needing
from privaudit.base.private_folders import HIDDEN_PREFIX, private_folder, sweep
from privaudit.base.records import dataclass
from privaudit.base.sql_text import sql_name
from privaudit.model.headers import shown_file
from privaudit.releases.certificates import file_text
from privaudit.report import files
from privaudit.report.seals import DICTIONARY, certificate_of
from privaudit.source.cells.cell_text import scalar_text, to_text
from privaudit.source.cells.coded_tables import plain_batches, plain_schema
from privaudit.source.cells.dictionaries import codes_of

Write = Callable[["pa.Table", Path, str], None]
PART = "data"
"""The name of the table or worksheet in a file that can hold several, where none is given."""
BATCH_ROWS = 1 << 16
EXCEL_ROWS = 1_048_576
EXCEL_COLUMNS = 16_384
EXCEL_DIGITS = 10**15
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One format of tables that can be written."""

    name: str
    suffixes: tuple[str, ...]
    write: Write
    has_parts: bool = False


def write_delimited(table: pa.Table, path: Path, part: str, *, delimiter: str = ",") -> None:
    """Write delimited text in UTF-8, cells quoted where that is necessary; missing cells are empty."""
    texts, names = [_text(column) for column in table.columns], table.column_names
    has_returns = any("\r" in name for name in names) or any(map(_has_return, texts))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = delimited_writer(file, delimiter=delimiter, may_have_returns=has_returns)
        writer.writerow(names)
        cells = [_cells(column) for column in texts]
        for start in range(0, table.num_rows, BATCH_ROWS):
            writer.writerows(zip(*(cells_from(start) for cells_from in cells), strict=True))


def _has_return(column: pa.ChunkedArray) -> bool:
    """Whether a text of a column has a carriage return; a text of a dictionary that no cell has counts, too."""
    is_coded = pa.types.is_dictionary(column.type)
    texts = (chunk.dictionary if is_coded else chunk for chunk in column.chunks)
    return any(pc.any(pc.match_substring(each, "\r")).as_py() for each in texts)


def _cells(column: pa.ChunkedArray) -> Callable[[int], Iterable[str | None]]:
    """Return what returns the cells of a batch, by its first row."""

    def written_out(start: int) -> Iterable[str | None]:
        return _written_out(column.slice(start, BATCH_ROWS))

    if not pa.types.is_dictionary(column.type):
        return written_out
    codes, values = codes_of(column)
    if len(values) > BATCH_ROWS:  # only the texts of one batch are held as objects
        return written_out
    texts = [*values.to_pylist(), None]  # one object for each text, however many cells have it
    codes = codes.cast(pa.int32())

    def coded(start: int) -> Iterable[str | None]:
        batch = codes.slice(start, BATCH_ROWS).fill_null(len(values))
        return map(texts.__getitem__, batch.to_numpy(zero_copy_only=False).tolist())

    return coded


def _written_out(column: pa.ChunkedArray) -> list[str | None]:
    return [cell for batch in plain_batches(pa.table([column], names=[""])) for cell in batch.column(0).to_pylist()]


def _text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as text, a dictionary as a dictionary of text."""
    if not pa.types.is_dictionary(column.type):
        return to_text(column)[0]
    codes, values = codes_of(column)
    text = to_text(pa.chunked_array([values]))[0].combine_chunks()
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, text)])


def write_parquet(table: pa.Table, path: Path, part: str) -> None:
    """Write Parquet, compressed by Zstandard."""
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, plain_schema(table), compression="zstd", store_schema=True) as writer:
        for batch in plain_batches(table):
            writer.write_batch(batch)


def write_arrow(table: pa.Table, path: Path, part: str) -> None:
    """Write an Arrow IPC file."""
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, plain_schema(table)) as writer:
        for batch in plain_batches(table):
            writer.write_batch(batch)


def write_sqlite(table: pa.Table, path: Path, part: str) -> None:
    """Write one table into a new SQLite file."""
    columns = ", ".join(f"{sql_name(field.name)} {_sqlite_type(field.type)}" for field in plain_schema(table))
    marks = ", ".join("?" * table.num_columns)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute(f"CREATE TABLE {sql_name(part)} ({columns})")
        connection.executemany(f"INSERT INTO {sql_name(part)} VALUES ({marks})", _rows(table, _sqlite_value))
        connection.commit()


def _sqlite_type(kind: Any) -> str:
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return "INTEGER"
    return "REAL" if pa.types.is_floating(kind) else "TEXT"


def _sqlite_value(value: Any) -> Any:
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return value
    return scalar_text(value)


def _rows(table: pa.Table, convert: Callable[[Any], Any]) -> Iterator[tuple[Any, ...]]:
    for batch in plain_batches(table, BATCH_ROWS):
        yield from zip(*(map(convert, column.to_pylist()) for column in batch.columns), strict=True)


def write_duckdb(table: pa.Table, path: Path, part: str) -> None:
    """Write one table into a new DuckDB file."""
    with needing(ENGINES, "Writing DuckDB files"):
        import duckdb

    rows = pa.RecordBatchReader.from_batches(plain_schema(table), plain_batches(table))
    with closing(duckdb.connect(str(path))) as connection:
        connection.register("written", rows)
        connection.execute(f"CREATE TABLE {sql_name(part)} AS SELECT * FROM written")
        connection.unregister("written")
        connection.execute("CHECKPOINT")


def write_excel(table: pa.Table, path: Path, part: str) -> None:
    """Write a workbook with one worksheet of values.

    Raises
    ------
    ConfigError
        If the table has more rows or columns than a worksheet.
    UnsupportedFormat
        If the extra is not installed.
    """
    if table.num_rows >= EXCEL_ROWS or table.num_columns > EXCEL_COLUMNS:
        raise ConfigError(
            f"A worksheet holds {EXCEL_ROWS - 1:,} rows and {EXCEL_COLUMNS:,} columns.", hint="write .parquet or .csv"
        )
    with needing(EXCEL, "Writing workbooks"):
        import openpyxl
        from openpyxl.cell import WriteOnlyCell
    book = openpyxl.Workbook(write_only=True)
    book.properties.creator = "privaudit"
    book.properties.created = book.properties.modified = datetime.datetime(*_EPOCH)
    sheet = book.create_sheet(part[:31])

    def cell(value: Any) -> Any:
        made = WriteOnlyCell(sheet, _excel_value(value))
        if isinstance(made.value, str):
            made.data_type = "s"  # text that begins with "=" is not a formula
        return made

    sheet.append([cell(name) for name in table.column_names])
    for row in _rows(table, cell):
        sheet.append(row)
    book.save(path)
    _without_times(path)


def _excel_value(value: Any) -> Any:
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if isinstance(value, str):
        return ILLEGAL_CHARACTERS_RE.sub("�", value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= EXCEL_DIGITS:
        return str(value)
    if isinstance(value, datetime.datetime | datetime.date):
        is_plain = getattr(value, "tzinfo", None) is None and value.year >= 1900
        return value if is_plain else scalar_text(value)
    return value if value is None or isinstance(value, bool | int | float) else scalar_text(value)


def _without_times(path: Path) -> None:
    """Write the parts of a ZIP file again with a constant time."""
    with zipfile.ZipFile(path) as source:
        parts = [(part.filename, source.read(part)) for part in source.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts:
            if name == "docProps/core.xml":
                content = re.sub(rb">[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z<", b">1980-01-01T00:00:00Z<", content)
            target.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)


OUTPUTS = (
    Output(name="csv", suffixes=(".csv",), write=write_delimited),
    Output(name="tsv", suffixes=(".tsv", ".tab"), write=partial(write_delimited, delimiter="\t")),
    Output(name="parquet", suffixes=(".parquet", ".pq"), write=write_parquet),
    Output(name="arrow", suffixes=(".arrow", ".feather", ".ipc"), write=write_arrow),
    Output(name="excel", suffixes=(".xlsx",), write=write_excel, has_parts=True),
    Output(name="sqlite", suffixes=(".sqlite", ".sqlite3", ".db"), write=write_sqlite, has_parts=True),
    Output(name="duckdb", suffixes=(".duckdb", ".ddb"), write=write_duckdb, has_parts=True),
)
SUFFIXES = tuple(suffix for output in OUTPUTS for suffix in output.suffixes)


@dataclass(frozen=True, slots=True)
class Target:
    """A file to write: its path, its format, and the name of the table in it."""

    path: Path
    output: Output
    part: str

    @property
    def certificate(self) -> Path:
        """The path of its certificate."""
        return certificate_of(self.path)

    @property
    def dictionary(self) -> Path:
        """The path of its data dictionary."""
        return dictionary_of(self.path)


def dictionary_of(path: Path) -> Path:
    """Return the path of the data dictionary of a table."""
    return path.with_name(f"{path.stem}{DICTIONARY}")


def target_of(given: str | Path) -> Target:
    """Return what ``-o`` names: ``safer.parquet``, or ``safer.xlsx#sheet``.

    Raises
    ------
    UnsupportedFormat
        If no format has this suffix.
    """
    text = str(given)
    path, _, part = text.rpartition("#")
    for name, chosen in ((text, ""), (path, part)):
        for output in OUTPUTS:
            if Path(name).suffix.lower() in output.suffixes and (not chosen or output.has_parts):
                return Target(Path(name), output, chosen or PART)
    raise UnsupportedFormat(
        f"{shown_file(text)} has no suffix of a table that can be written.", hint=f"use one of: {' '.join(SUFFIXES)}"
    )


@contextmanager
def written_apart(target: Target, table: pa.Table) -> Iterator[Path]:
    """Write a table into a folder that nobody else can read, next to its target; the folder is removed at the end.

    Folders that interrupted runs left are removed first.

    Raises
    ------
    ConfigError
        If the table cannot be written there.
    """
    wrong = ConfigError(
        f"{shown_file(target.path)} cannot be written.",
        hint="check that the folder is writable, the disk has space, and the format can hold the column names",
    )
    sweep(target.path.parent, HIDDEN_PREFIX)
    with ExitStack() as kept:
        # Errors of the block that uses the file are not errors of writing it.
        with foreign_errors_as(lambda: wrong):
            part = kept.enter_context(private_folder(target.path.parent, HIDDEN_PREFIX)) / target.path.name
            target.output.write(table, part, target.part)
        yield part


def replace_release(
    target: Target, part: Path, certificate: Mapping[str, Any], dictionary: Mapping[str, Any] | None = None
) -> None:
    """Move a finished table to its target and write its data dictionary, if any, and its certificate.

    The old certificate is removed first and the new one is written last, so that an interrupted run never leaves a
    table with the certificate of another.

    Raises
    ------
    ConfigError
        If a file cannot be replaced; it states whether the table was.
    """
    files.remove(target.certificate)
    files.move(part, target.path)
    try:
        if dictionary is not None:
            files.replace(target.dictionary, file_text(dictionary))
        files.replace(target.certificate, file_text(certificate))
    except ConfigError as error:
        raise ConfigError(
            f"{shown_file(target.path)} was written, but without its certificate. {error.message}",
            hint=f"{error.hint}; then run the command again",
        ) from None


def frame_like(table: pa.Table, library: str) -> Any:
    """Return a table as a frame of the library that held its source, of pandas where the source was a file."""
    if library == "polars":
        return sys.modules["polars"].from_arrow(table)
    if library == "pyarrow":
        return table
    with needing(FRAMES, "A pandas frame"):
        return table.to_pandas()
