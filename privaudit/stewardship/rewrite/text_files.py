"""Write CSV, TSV, JSON Lines and JSON files anew.

Question: how does a text file lose some records, while the others keep every byte?
Method: the lines of records that stay are copied as they are; a record with replaced cells is written in the same
dialect. Encoding, byte order mark, line ends and compression stay.
Limits: Zstandard and gzip streams are compressed again.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from privaudit.base.arrow import pa
from privaudit.base.delimited import delimited_writer
from privaudit.settings.config import Settings
from privaudit.source.files.formats.delimited import find_dialect, names_of
from privaudit.source.files.formats.dialect import Dialect, long_fields
from privaudit.source.files.formats.encoding import with_encoding
from privaudit.source.places.location import Location
from privaudit.stewardship.changes import Change, Replacement

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def unpacked(path: Path, compression: str | None) -> bytes:
    """Return the content of a file that may be compressed."""
    content = path.read_bytes()
    if compression == "gzip":
        return gzip.decompress(content)
    if compression == "zstd":
        with pa.CompressedInputStream(pa.BufferReader(content), "zstd") as stream:
            return bytes(stream.read())
    return content


def _pack(content: bytes, target: Path, compression: str | None) -> None:
    if compression == "gzip":
        # Without the time of compression: equal content gives equal bytes, and their hash the same certificate.
        content = gzip.compress(content, mtime=0)
    elif compression == "zstd":
        content = bytes(pa.Codec("zstd").compress(content, asbytes=True))
    target.write_bytes(content)


def rewrite_delimited(where: Location, changes: Mapping[str, Change], target: Path, settings: Settings) -> None:
    """Write a CSV or TSV file without the deleted records, and with replaced cells."""
    change = changes[""]
    settings, _ = with_encoding(where, settings)
    dialect, _ = find_dialect(where, settings)
    mark, encoding, text = _decoded(unpacked(where.path, where.compression), settings.encoding)
    names = names_of(dialect)
    columns = {names.index(column): cells for column, cells in change.cells.items()}
    parts = []
    for row, raw, cells in _records(text, dialect):
        # Lines of records that do not change are copied, not written anew: quotes and blanks in them stay as they
        # are.
        if row is None or row not in change.rows:
            parts.append(raw)
        elif row not in change.delete:
            for i, replaced in columns.items():
                if row in replaced:
                    cells[i] = _text(replaced[row])
            parts.append(_line(cells, dialect, raw))
    _pack(mark + "".join(parts).encode(encoding), target, where.compression)


def _decoded(content: bytes, named: str | None) -> tuple[bytes, str, str]:
    """Return byte order mark, encoding and text; a mark overrules the encoding that the settings name."""
    mark, encoding = next(((m, e) for m, e in _MARKS if content.startswith(m)), (b"", named or "utf-8"))
    return mark, encoding, content[len(mark) :].decode(encoding)


def _records(text: str, dialect: Dialect) -> Iterator[tuple[int | None, str, list[str]]]:
    """Yield the number of each record, its lines and its cells; lines that are not data have no number."""
    lines = list(io.StringIO(text, newline=""))
    with long_fields():
        reader = csv.reader(
            iter(lines), delimiter=dialect.delimiter, quotechar=dialect.quote, escapechar=dialect.escape
        )
        start, record = 0, 0
        for cells in reader:
            raw = "".join(lines[start : reader.line_num])
            is_data = reader.line_num > dialect.lines_before and bool(cells or dialect.width == 1)
            # A quoted cell can contain line ends, so that lines are taken up to where the reader of records is.
            yield (record if is_data else None), raw, cells
            record, start = record + is_data, reader.line_num


def _line(cells: list[str], dialect: Dialect, raw: str) -> str:
    end = "\r\n" if raw.endswith("\r\n") else raw[-1:] if raw.endswith(("\n", "\r")) else ""
    out = io.StringIO(newline="")
    writer = delimited_writer(
        out,
        end=end,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote,
        escapechar=dialect.escape,
        doublequote=dialect.escape is None,
    )
    writer.writerow(cells)
    return out.getvalue()


def _text(replacement: Replacement) -> str:
    return "" if replacement is None else replacement.text


def rewrite_jsonl(where: Location, changes: Mapping[str, Change], target: Path, settings: Settings) -> None:
    """Write a JSON Lines file, or an array of JSON, without the deleted objects, and with replaced values."""
    change = changes[""]
    settings, _ = with_encoding(where, settings)
    mark, encoding, text = _decoded(unpacked(where.path, where.compression), settings.encoding)
    written = _array(text, change) if text.lstrip()[:1] == "[" else "".join(_lines(text, change))
    _pack(mark + written.encode(encoding), target, where.compression)


def _array(text: str, change: Change) -> str:
    """Return an array of JSON without the deleted objects; those that stay keep every byte."""
    decoder = json.JSONDecoder()
    gaps: list[str] = []
    objects: list[str] = []
    start = end = text.index("[") + 1
    while text[at := _between(text, end)] != "]":
        gaps.append(text[end:at])
        value, end = decoder.raw_decode(text, at)
        row = len(objects)
        is_changed = row in change.rows - change.delete
        objects.append(json.dumps(_changed(value, row, change), ensure_ascii=False) if is_changed else text[at:end])
    left = [row for row in range(len(objects)) if row not in change.delete]
    # A comma is in front of every object but the first.
    parts = [(gaps[row] if n else gaps[0]) + objects[row] for n, row in enumerate(left)]
    return text[:start] + "".join(parts) + text[end:]


def _between(text: str, at: int) -> int:
    """Return where the next object, or the end of the array, begins."""
    while text[at] in ", \t\r\n":
        at += 1
    return at


def _lines(text: str, change: Change) -> Iterator[str]:
    row = 0
    for line in io.StringIO(text, newline="\n"):
        if not line.strip():
            yield line
            continue
        if row not in change.rows:
            yield line
        elif row not in change.delete:
            end = line[len(line.rstrip("\r\n")) :]
            yield json.dumps(_changed(json.loads(line), row, change), ensure_ascii=False) + end
        row += 1


def _changed(value: dict[str, Any], row: int, change: Change) -> dict[str, Any]:
    for column, cells in change.cells.items():
        if row in cells and column in value:
            value[column] = native(value[column], cells[row])
    return value


def native(value: Any, replacement: Replacement) -> Any:
    """Return a replacement in the type of the value that it replaces."""
    if replacement is None:
        return None
    return replacement.number if isinstance(value, int) and not isinstance(value, bool) else replacement.text
