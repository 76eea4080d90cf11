"""Does a file still hold values of an erased person, anywhere and in any form?

Question: which values of the person are left in the bytes, pages, dictionaries, statistics and footers of a new file?
Method: first the tables are decoded and compared, cell by cell, with what they should be. Then the parts that no table
shows are decoded: dictionaries and statistics of Parquet, dictionaries and metadata of Arrow, free pages and integrity
of SQLite, all parts of a workbook. Last, the bytes are searched in UTF-8, UTF-16, UTF-32 and the encodings that are
guessed for text files, in lower and upper case and the four normal forms of Unicode.
Limits: a search of bytes alone proves nothing, because compression hides values. A value that rows of other people hold
too cannot be searched in bytes, nor one of fewer than six characters: these are verified by decoding.
"""

from __future__ import annotations

import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Literal

import pyarrow.parquet as pq

from privaudit.base.arrow import open_ipc, pa
from privaudit.base.errors import ScanIncomplete
from privaudit.base.sql_text import sql_name
from privaudit.source.files.formats.guessed_encoding import ENCODINGS
from privaudit.source.places.location import Location
from privaudit.stewardship import stores
from privaudit.stewardship.person import LEAST_TRACE
from privaudit.stewardship.rewrite.text_files import unpacked
from privaudit.stewardship.spelling import canonical

_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")


def searchable(values: Iterable[str], left: Iterable[pa.Table]) -> frozenset[str]:
    """Return the values, in canonical form, that occur in no cell of the tables that are left, not even inside one.

    Parameters
    ----------
    values : iterable of str
        Values of the person.
    left : iterable of pyarrow.Table
        The tables as they should be after the erasure.
    """
    # Short values and bare numbers occur in bytes by chance; they are verified by decoding every cell.
    wanted = {value for value in map(canonical, values) if len(value) >= LEAST_TRACE and not value.isdecimal()}
    for table in left:
        for column in table.columns:
            for text in column.unique().to_pylist():
                if text is not None:
                    shown = canonical(text)
                    wanted -= {value for value in wanted if value in shown}
    return frozenset(wanted)


def byte_patterns(value: str) -> frozenset[bytes]:
    """Return a value as bytes in every encoding, case and normal form that is searched."""
    texts = {
        unicodedata.normalize(form, cased)
        # Bytes are compared, and `lower` of bytes changes ASCII alone: letters such as É are searched in every case.
        for cased in (value, value.lower(), value.upper(), value.casefold(), value.title())
        for form in _FORMS
    }
    in_unicode = {text.encode(encoding, "surrogatepass") for text in texts for encoding in _ENCODINGS}
    beyond_ascii = {text for text in texts if not text.isascii()}
    in_others = (_in_encoding(text, encoding) for text in beyond_ascii for encoding in ENCODINGS)
    return frozenset(in_unicode.union(found for found in in_others if found is not None))


def _in_encoding(text: str, encoding: str) -> bytes | None:
    """Return a text in an encoding that text files may have; None where that lacks a letter."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


def remains(where: Location, wanted: frozenset[str]) -> int:
    """Return how many of the values a file still holds in a part that no table shows, or in its bytes.

    Raises
    ------
    ScanIncomplete
        If a SQLite file has free pages or is damaged.
    """
    # The whole file first: what no reader of the format shows, such as the space between pages, is bytes of it too.
    hidden = _HIDDEN[where.format](where) if where.format in _HIDDEN else ()
    parts = [unpacked(where.path, where.compression), *hidden]
    # Letters in ASCII are compared without case; others in the forms of `byte_patterns`.
    lowered = [part.lower() for part in parts]
    forms = ([pattern.lower() for pattern in byte_patterns(value)] for value in wanted)
    return sum(any(pattern in part for part in lowered for pattern in patterns) for patterns in forms)


def _parquet(where: Location) -> Iterator[bytes]:
    """Yield dictionaries, statistics and metadata."""
    schema = pq.read_schema(where.path)
    texts = [f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_dictionary(f.type)]
    with pq.ParquetFile(where.path, read_dictionary=texts) as file:
        for group in range(file.num_row_groups):
            yield from _dictionaries(file.read_row_group(group).to_batches())
            described = file.metadata.row_group(group)
            for i in range(described.num_columns):
                found = described.column(i).statistics
                if found is not None and found.has_min_max:
                    yield f"{found.min}\0{found.max}".encode("utf-8", "surrogatepass")
        yield from _metadata(file.metadata.metadata)
    yield from _metadata(schema.metadata)


def _metadata(found: Mapping[bytes, bytes] | None) -> Iterator[bytes]:
    for key, value in (found or {}).items():
        yield key + b"\0" + value


def _dictionaries(batches: Iterable[pa.RecordBatch]) -> Iterator[bytes]:
    for batch in batches:
        for column in batch.columns:
            if pa.types.is_dictionary(column.type):
                texts = column.dictionary.cast(pa.string()).to_pylist()
                yield "\0".join(text or "" for text in texts).encode("utf-8", "surrogatepass")


def _arrow(where: Location) -> Iterator[bytes]:
    with pa.memory_map(str(where.path)) as source:
        table = open_ipc(source).read_all()
        yield from _dictionaries(table.to_batches())
        for column in table.columns:
            # Buffers may hold bytes that no row refers to.
            for chunk in column.chunks:
                yield from (bytes(buffer) for buffer in chunk.buffers() if buffer is not None)
        yield from _metadata(table.schema.metadata)


def _excel(where: Location) -> Iterator[bytes]:
    with zipfile.ZipFile(where.path) as parts:
        for name in parts.namelist():
            yield parts.read(name)


def _sqlite(where: Location) -> Iterator[bytes]:
    """Check integrity and free pages, and yield every cell of every table, also of those the map does not name."""
    with stores.read_only(where.path) as file:
        (free,) = file.execute("PRAGMA freelist_count").fetchone()
        (state,) = file.execute("PRAGMA integrity_check").fetchone()
        # Deleted rows stay in free pages until they are reused.
        if free or state != "ok":
            raise ScanIncomplete("The new SQLite file has free pages or is damaged; nothing was replaced.")
        file.text_factory = bytes
        for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            for row in file.execute(f"SELECT * FROM {sql_name(name.decode())}"):
                yield b"\0".join(cell if isinstance(cell, bytes) else str(cell).encode() for cell in row)


def _duckdb(where: Location) -> Iterator[bytes]:
    """Yield every cell of every table, and the definitions of views and macros."""
    import duckdb

    with closing(duckdb.connect(str(where.path), read_only=True)) as file:
        tables = file.execute("SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
        for schema, table in tables:
            for row in file.execute(f"SELECT * FROM {sql_name(schema)}.{sql_name(table)}").fetchall():
                yield "\0".join(map(str, row)).encode("utf-8", "surrogatepass")
        for (text,) in file.execute("SELECT sql FROM duckdb_views() WHERE NOT internal").fetchall():
            yield str(text).encode("utf-8", "surrogatepass")


_HIDDEN: Mapping[str, Callable[[Location], Iterator[bytes]]] = {
    "parquet": _parquet,
    "arrow": _arrow,
    "excel": _excel,
    "sqlite": _sqlite,
    "duckdb": _duckdb,
}


def location_of(path: Path, like: Location) -> Location:
    """Return the location of a new file in the format of another."""
    return Location(name=str(path), path=path, format=like.format, compression=like.compression, part=None)
