"""The formats of files that are read: one record for each.

Question: what is a format called, which suffixes and first bytes show it, and which function reads it?
Method: a table of records. The suffixes that are known, the values of the setting "input_format", the check of the
first bytes and the choice of the reader all follow from it.
Limits: of text without a known suffix, `source.places.content_format` decides between JSON and delimited text.
"""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Literal

from privaudit.base.records import dataclass

InputFormat = Literal[
    "csv", "tsv", "json", "jsonl", "parquet", "arrow", "excel", "sqlite", "duckdb", "orc", "spss", "stata", "sas"
]  # fmt: skip
"""Names of the formats, for callers of the setting "input_format"; one for each record of `FILE_FORMATS`."""


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format of files.

    ``reader`` and ``lister`` are functions of modules in `privaudit.source.files.formats`; a format has a ``lister``
    where a file can hold several tables. ``signatures`` are bytes at a position of the file; a whole file that begins
    with the first has ``end`` near its end, if the format states it. ``is_text`` formats may be compressed as a whole,
    and be in any encoding; files of a format that ``can_be_part`` may be parts of one table.
    """

    name: InputFormat
    title: str
    reader: str
    suffixes: tuple[str, ...]
    _: KW_ONLY
    signatures: tuple[tuple[int, bytes], ...] = ()
    end: bytes = b""
    lister: str = ""
    is_text: bool = False
    can_be_part: bool = False


_DECLARED = (
    FileFormat("csv", "CSV", "delimited.read_delimited", (".csv", ".txt"), is_text=True, can_be_part=True),
    FileFormat("tsv", "TSV", "delimited.read_delimited", (".tsv", ".tab"), is_text=True, can_be_part=True),
    FileFormat("jsonl", "JSON Lines", "jsonl.read_jsonl", (".jsonl", ".ndjson"), is_text=True, can_be_part=True),
    # A .json file in a folder is seldom a part of a table.
    FileFormat("json", "JSON", "jsonl.read_json", (".json",), is_text=True),
    FileFormat("parquet", "Parquet", "reader_formats.read_parquet", (".parquet", ".pq"),
               signatures=((0, b"PAR1"),), end=b"PAR1", can_be_part=True),
    FileFormat("arrow", "Arrow IPC or Feather", "reader_formats.read_arrow", (".arrow", ".feather", ".ipc", ".arrows"),
               signatures=((0, b"ARROW1"), (0, b"\xff\xff\xff\xff")), end=b"ARROW1", can_be_part=True),
    FileFormat("excel", "Excel", "reader_formats.read_excel", (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
               signatures=((0, b"PK\x03\x04"), (0, b"\xd0\xcf\x11\xe0")), end=b"PK\x05\x06",
               lister="reader_formats.sheets_of_excel"),
    FileFormat("sqlite", "SQLite", "sqlite.read_sqlite", (".sqlite", ".sqlite3", ".db", ".db3"),
               signatures=((0, b"SQLite format 3\0"),), lister="sqlite.tables_of_sqlite"),
    FileFormat("duckdb", "DuckDB", "reader_formats.read_duckdb", (".duckdb", ".ddb"),
               signatures=((8, b"DUCK"),), lister="reader_formats.tables_of_duckdb"),
    FileFormat("orc", "ORC", "reader_formats.read_orc", (".orc",), signatures=((0, b"ORC"),), end=b"ORC"),
    FileFormat("spss", "SPSS", "statistics.read_statistics", (".sav", ".zsav", ".por"),
               signatures=((0, b"$FL2"), (0, b"$FL3"))),
    FileFormat("stata", "Stata", "statistics.read_statistics", (".dta",), signatures=((0, b"<stata_dta>"),)),
    FileFormat("sas", "SAS", "statistics.read_statistics", (".sas7bdat", ".xpt")),
)  # fmt: skip
FILE_FORMATS: dict[str, FileFormat] = {record.name: record for record in _DECLARED}
"""Every format by its name."""
FORMAT_OF_SUFFIX = {suffix: record for record in _DECLARED for suffix in record.suffixes}
"""The format that each suffix states."""
