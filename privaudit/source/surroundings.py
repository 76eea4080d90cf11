"""What a file holds besides the table, as texts that detection can read.

Question: which text goes to whoever gets the file, although it is not in a cell of the table?
Method: metadata of Parquet and Arrow schemas, dictionary values that no row refers to; of workbooks the properties,
comments, data validation, headers and footers; of SQLite files the definitions of views. What is there and cannot be
read as text is counted as a limit: formulas without a stored value, cells with an error, pages of deleted rows.
Limits: pictures, charts and macros of workbooks are not read.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from privaudit.model import Limit, limit
from privaudit.wording import Number

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CHARACTERS = 4_000_000
"""Most characters of text outside of a table that are read."""
_PROPERTIES = re.compile(r"docProps/(?:core|app|custom)\.xml|meta\.xml")
_COMMENTS = re.compile(r"xl/(?:[^/]+/)*(?:comments?|threadedComment|person)[^/]*\.xml")
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_TEXTS = re.compile(rb">([^<>]{2,})<|(?:displayName|author|userId|title|prompt|error)=\"([^\"]{2,})\"")
_OUTSIDE_OF_CELLS = re.compile(rb"<(headerFooter|dataValidations)\b.*?</\1>", re.DOTALL)
_CELL = re.compile(rb"<c\b[^>]{0,40}\br=\"([A-Z]{1,3})([0-9]{1,7})\"")
_FORMULA = re.compile(rb"<c\b[^>]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
_ERROR = re.compile(rb"<c\b[^>]*\bt=\"e\"")


@dataclass(frozen=True, slots=True)
class Outside:
    """Text outside of the table. ``place`` is one of `PLACES`."""

    place: str
    text: str


PLACES = ("above", "metadata", "dictionary", "properties", "comments", "sheet_settings", "views")
"""Codes of places; their sentences are ``detect.outside_<place>``."""


def of_metadata(schema: pa.Schema) -> Iterator[Outside]:
    """Yield the metadata of a schema and of its fields, keys and values."""
    for metadata in (schema.metadata, *(field.metadata for field in schema)):
        yield from _metadata(metadata)


def _metadata(metadata: Mapping[bytes, bytes] | None) -> Iterator[Outside]:
    for key, value in (metadata or {}).items():
        if not key.startswith(b"ARROW:"):  # the schema itself, and names of types
            yield Outside("metadata", f"{key.decode('utf-8', 'replace')}: {value.decode('utf-8', 'replace')}")


def of_dictionaries(batch: pa.RecordBatch) -> Iterator[Outside]:
    """Yield the values of the dictionaries of a batch that no row of it refers to."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for column in batch.columns:
        if pa.types.is_dictionary(column.type) and _is_text(column.type.value_type):
            used = pc.unique(column.indices).drop_null()
            if len(used) < len(column.dictionary):
                every = pa.array(range(len(column.dictionary)), used.type)
                unused = every.filter(pc.invert(pc.is_in(every, used)))
                for value in column.dictionary.take(unused).to_pylist():
                    if value:
                        yield Outside("dictionary", value)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def extent_of_workbook(path: Path) -> int:
    """Return the cells of the rectangle that the largest worksheet spans, 0 where that cannot be read.

    A reader allocates the whole rectangle, and two cells in opposite corners make it 17 billion cells.
    """
    largest = 0
    try:
        with zipfile.ZipFile(path) as book:
            for part in book.infolist():
                if _SHEET.fullmatch(part.filename):
                    with book.open(part) as content:
                        largest = max(largest, _extent(content))
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
        return largest
    return largest


def _extent(content: IO[bytes]) -> int:
    rows = columns = 0
    rest = b""
    while block := content.read(1 << 22):
        found = _CELL.findall(rest + block)
        rest = block[-64:]
        rows = max([rows, *map(int, {row for _, row in found})])
        columns = max([columns, *(_position(letters) for letters in {letters for letters, _ in found})])
    return rows * columns


def _position(letters: bytes) -> int:
    position = 0
    for letter in letters:
        position = 26 * position + letter - 64
    return position


def of_workbook(path: Path) -> tuple[list[Outside], list[Limit]]:
    """Return the texts of a workbook outside of its cells, and limits for cells without a value that can be read."""
    texts: list[Outside] = []
    formulas = errors = 0
    try:
        with zipfile.ZipFile(path) as book:
            for part in book.infolist():
                if part.file_size > 512 * 1024**2:
                    continue
                if _PROPERTIES.fullmatch(part.filename):
                    texts += _texts("properties", book.read(part))
                elif _COMMENTS.fullmatch(part.filename):
                    texts += _texts("comments", book.read(part))
                elif _SHEET.fullmatch(part.filename):
                    content = book.read(part)
                    for found in _OUTSIDE_OF_CELLS.finditer(content):
                        texts += _texts("sheet_settings", found.group())
                    formulas += len(_FORMULA.findall(content))
                    errors += len(_ERROR.findall(content))
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return texts, []
    limits = []
    if formulas:
        limits.append(limit("source.formula_cells", incomplete=True, cells=Number(value=formulas)))
    if errors:
        limits.append(limit("source.error_cells", cells=Number(value=errors)))
    return texts, limits


def _texts(place: str, content: bytes) -> list[Outside]:
    import html

    found = (first or second for first, second in _TEXTS.findall(content))
    texts = (html.unescape(text.decode("utf-8", "replace")).strip() for text in found)
    return [Outside(place, text) for text in texts if text]


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
