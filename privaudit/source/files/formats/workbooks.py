"""How large the worksheets of a workbook are, before a reader allocates them, and what of it nothing here can read.

Question: how many cells does the largest worksheet span, and which parts of the file are not examined?
Method: a reader allocates the whole rectangle of a worksheet, and two cells in opposite corners make it 17 billion
cells. The corner is found in a stream: by the cell references of .xlsx, the row and cell records of .xlsb, and the
rows and cells of .ods, repetitions multiplied out up to the last one that has a value.
Limits: a worksheet of .xls has at most 17 million cells and is counted by its reader. Text outside of the cells of .xls
files is not examined; of .xlsb files none but the properties is.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from privaudit.model import Limit, limit

SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_BINARY_SHEET = re.compile(r"xl/worksheets/[^/]+\.bin")
_BINARY_PART = re.compile(r"xl/(?:[^/]+/)*(?:comments?|pivotCache|externalLink|queryTable|slicerCache)[^/]*\.bin")
_CELL = re.compile(rb"<c\b[^>]{0,40}\br=\"([A-Z]{1,3})([0-9]{1,7})\"")
_OPEN_DOCUMENT = re.compile(rb"<table:(table|table-row|(?:covered-)?table-cell)(?=[\s/>])([^>]*?)(/?)>")
_REPEATED = re.compile(rb"number-(?:rows|columns)-repeated=[\"']([0-9]{1,12})[\"']")
_ROW, _CELLS, _SETTINGS = 0, range(1, 12), {64, 479, 573}
"""Records of .xlsb: a row, its cells, and data validation, headers and footers."""
DAMAGED = (OSError, ValueError, IndexError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
"""What `zipfile` and the parsers of records raise for damaged, encrypted and unknown content."""


def extent_of_workbook(path: Path) -> int:
    """Return the cells of the rectangle that the largest worksheet spans, 0 where that cannot be read."""
    largest = 0
    try:
        with zipfile.ZipFile(path) as book:
            for part in book.namelist():
                measure = _measure(part)
                if measure is not None:
                    with book.open(part) as content:
                        largest = max(largest, measure(content))
    except DAMAGED:
        return largest
    return largest


def _measure(part: str) -> Callable[[IO[bytes]], int] | None:
    if SHEET.fullmatch(part):
        return _extent
    if _BINARY_SHEET.fullmatch(part):
        return _binary_extent
    return _open_document_extent if part == "content.xml" else None


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


def _binary_extent(content: IO[bytes]) -> int:
    rows = columns = 0
    for kind, body in _records(content):
        if kind == _ROW:
            rows = max(rows, int.from_bytes(body[:4], "little") + 1)
        elif kind in _CELLS:
            columns = max(columns, int.from_bytes(body[:4], "little") + 1)
    return rows * columns


def _records(content: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the first bytes of each record of a part of an .xlsb file."""
    while first := content.read(1):
        kind = first[0]
        if kind & 0x80:
            kind = (kind & 0x7F) | content.read(1)[0] << 7
        length = shift = 0
        for shift in (0, 7, 14, 21):
            byte = content.read(1)[0]
            length |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
        yield kind, content.read(min(length, 8))
        content.read(max(length - 8, 0))


def _open_document_extent(content: IO[bytes]) -> int:
    """Return the cells of the largest table, without repetitions of empty rows and cells at its end."""
    largest = rows = last_row = columns = width = 0
    for kind, times, filled in _elements(content):
        if kind == b"table":
            largest, rows, last_row, columns = max(largest, last_row * columns), 0, 0, 0
        elif kind == b"table-row":
            rows, width = rows + times, 0
        else:
            width += times
            if filled:
                last_row, columns = rows, max(columns, width)
    return max(largest, last_row * columns)


def _elements(content: IO[bytes]) -> Iterator[tuple[bytes, int, bool]]:
    """Yield the tables, rows and cells of an .ods file: what it is, how often it repeats, whether it has content."""
    rest = b""
    while block := content.read(1 << 22):
        text = rest + block
        end = 0
        for found in _OPEN_DOCUMENT.finditer(text):
            repeated = _REPEATED.search(found[2])
            yield found[1], int(repeated[1]) if repeated else 1, not found[3] or b"office:" in found[2]
            end = found.end()
        rest = text[max(end, len(text) - 4096) :]


def unexamined(path: Path) -> list[Limit]:
    """Return a limit where a workbook has, or may have, text outside of its cells that nothing here can read."""
    suffix = path.suffix.lower()
    may_have = suffix == ".xls" or (suffix == ".xlsb" and _has_more_than_cells(path))
    return [limit("source.workbook_parts_not_examined", incomplete=True)] if may_have else []


def _has_more_than_cells(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as book:
            parts = book.namelist()
            return any(map(_BINARY_PART.fullmatch, parts)) or any(
                _has_settings(book, part) for part in parts if _BINARY_SHEET.fullmatch(part)
            )
    except DAMAGED:
        return True


def _has_settings(book: zipfile.ZipFile, part: str) -> bool:
    with book.open(part) as content:
        return any(kind in _SETTINGS for kind, _ in _records(content))
