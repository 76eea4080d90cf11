"""The formats of files that are read: one record for each.

Question: what is a format called, which suffixes and first bytes show it, and which function reads it?
Method: a table of records. The suffixes that are known, the values of the setting "input_format", the check of the
first bytes and the choice of the reader all follow from it.
Limits: of text without a known suffix, `source.places.content_format` decides between JSON and delimited text.
"""

from __future__ import annotations

from typing import Literal

from privaudit.base.records import dataclass

InputFormat = Literal[
    "csv", "tsv", "json", "jsonl", "parquet", "arrow", "excel", "sqlite", "duckdb", "orc", "spss", "stata", "sas"
]  # fmt: skip
"""Names of the formats, for callers of the setting "input_format"; one for each record of `FILE_FORMATS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """A format of files.

    ``reader`` and ``lister`` are functions of modules in `privaudit.source.files.formats`; a format has a ``lister``
    where a file can hold several tables. ``signatures`` are bytes at a position of the file; of ``ends``, a whole file
    that begins with the first has the second near its end. ``is_text`` formats may be compressed as a whole, and be in
    any encoding; files of a format that ``can_be_part`` may be parts of one table.
    """

    name: InputFormat
    title: str
    reader: str
    suffixes: tuple[str, ...]
    signatures: tuple[tuple[int, bytes], ...] = ()
    ends: tuple[bytes, bytes] | None = None
    lister: str = ""
    is_text: bool = False
    can_be_part: bool = False


_DECLARED = (
    FileFormat(
        name="csv",
        title="CSV",
        reader="delimited.read_delimited",
        suffixes=(".csv", ".txt"),
        is_text=True,
        can_be_part=True,
    ),
    FileFormat(
        name="tsv",
        title="TSV",
        reader="delimited.read_delimited",
        suffixes=(".tsv", ".tab"),
        is_text=True,
        can_be_part=True,
    ),
    FileFormat(
        name="jsonl",
        title="JSON Lines",
        reader="jsonl.read_jsonl",
        suffixes=(".jsonl", ".ndjson"),
        is_text=True,
        can_be_part=True,
    ),
    # A .json file in a folder is seldom a part of a table.
    FileFormat(name="json", title="JSON", reader="jsonl.read_json", suffixes=(".json",), is_text=True),
    FileFormat(
        name="parquet",
        title="Parquet",
        reader="reader_formats.read_parquet",
        suffixes=(".parquet", ".pq"),
        signatures=((0, b"PAR1"),),
        ends=(b"PAR1", b"PAR1"),
        can_be_part=True,
    ),
    FileFormat(
        name="arrow",
        title="Arrow IPC or Feather",
        reader="reader_formats.read_arrow",
        suffixes=(".arrow", ".feather", ".ipc", ".arrows"),
        signatures=((0, b"ARROW1"), (0, b"\xff\xff\xff\xff")),
        ends=(b"ARROW1", b"ARROW1"),
        can_be_part=True,
    ),
    FileFormat(
        name="excel",
        title="Excel",
        reader="reader_formats.read_excel",
        suffixes=(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
        signatures=((0, b"PK\x03\x04"), (0, b"\xd0\xcf\x11\xe0")),
        ends=(b"PK\x03\x04", b"PK\x05\x06"),
        lister="reader_formats.sheets_of_excel",
    ),
    FileFormat(
        name="sqlite",
        title="SQLite",
        reader="sqlite.read_sqlite",
        suffixes=(".sqlite", ".sqlite3", ".db", ".db3"),
        signatures=((0, b"SQLite format 3\0"),),
        lister="sqlite.tables_of_sqlite",
    ),
    FileFormat(
        name="duckdb",
        title="DuckDB",
        reader="reader_formats.read_duckdb",
        suffixes=(".duckdb", ".ddb"),
        signatures=((8, b"DUCK"),),
        lister="reader_formats.tables_of_duckdb",
    ),
    FileFormat(
        name="orc",
        title="ORC",
        reader="reader_formats.read_orc",
        suffixes=(".orc",),
        signatures=((0, b"ORC"),),
        ends=(b"ORC", b"ORC"),
    ),
    FileFormat(
        name="spss",
        title="SPSS",
        reader="statistics.read_statistics",
        suffixes=(".sav", ".zsav", ".por"),
        signatures=((0, b"$FL2"), (0, b"$FL3")),
    ),
    FileFormat(
        name="stata",
        title="Stata",
        reader="statistics.read_statistics",
        suffixes=(".dta",),
        signatures=((0, b"<stata_dta>"),),
    ),
    FileFormat(name="sas", title="SAS", reader="statistics.read_statistics", suffixes=(".sas7bdat", ".xpt")),
)
FILE_FORMATS: dict[str, FileFormat] = {record.name: record for record in _DECLARED}
"""Every format by its name."""
FORMAT_OF_SUFFIX = {suffix: record for record in _DECLARED for suffix in record.suffixes}
"""The format that each suffix states."""
