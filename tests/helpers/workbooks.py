"""Small workbooks of the formats that no library here writes: .xls, .xlsb and .ods."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

Cells = Mapping[tuple[int, int], str]


def write_ods(path: Path, rows: str, styles: str = "") -> None:
    """Write an .ods file with one table of `rows`, the XML of its rows."""
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "style", "dc")
    )
    body = f'<office:body><office:spreadsheet><table:table table:name="S">{rows}</table:table></office:spreadsheet>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("META-INF/manifest.xml", "<manifest/>")
        book.writestr("content.xml", f"<office:document-content {names}>{body}</office:body></office:document-content>")
        book.writestr("styles.xml", f"<office:document-styles {names}>{styles}</office:document-styles>")


def ods_row(values: Sequence[str], more: str = "") -> str:
    """Return the XML of a row of text cells; `more` is put into the first cell."""
    cells = "".join(
        f'<table:table-cell office:value-type="string">{"" if i else more}<text:p>{text}</text:p></table:table-cell>'
        for i, text in enumerate(values)
    )
    return f"<table:table-row>{cells}</table:table-row>"


def write_xlsb(path: Path, cells: Cells, extra: Sequence[tuple[int, bytes]] = ()) -> None:
    """Write an .xlsb file with text cells by row and column; `extra` are more records of the worksheet."""
    name, relation = _wide("S"), _wide("rId1")
    bundle = struct.pack("<II", 0, 1) + relation + name
    extent = struct.pack("<IIII", 0, max(r for r, _ in cells), 0, max(c for _, c in cells))
    sheet = [(129, b""), (148, extent), (145, b"")]
    for row in sorted({row for row, _ in cells}):
        sheet.append((0, struct.pack("<II", row, 0) + b"\0" * 17))
        sheet += [(6, struct.pack("<II", c, 0) + _wide(text)) for (r, c), text in sorted(cells.items()) if r == row]
    sheet += [(146, b""), *extra, (130, b"")]
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
        'Target="worksheets/sheet1.bin"/></Relationships>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/_rels/workbook.bin.rels", relations)
        book.writestr("xl/workbook.bin", _binary([(131, b""), (143, b""), (156, bundle), (144, b""), (132, b"")]))
        book.writestr("xl/worksheets/sheet1.bin", _binary(sheet))


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _binary(records: Sequence[tuple[int, bytes]]) -> bytes:
    made = b""
    for kind, body in records:
        made += bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
        length = len(body)
        while length > 127:
            made += bytes([length & 0x7F | 0x80])
            length >>= 7
        made += bytes([length]) + body
    return made


def write_xls(path: Path, cells: Cells) -> None:
    """Write an .xls file (BIFF8 in a compound file) with text cells by row and column."""

    def record(kind: int, body: bytes) -> bytes:
        return struct.pack("<HH", kind, len(body)) + body

    start, end = record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 6)), record(0x0A, b"")
    sheet = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 6))
    for (row, column), text in sorted(cells.items()):
        body = struct.pack("<HHHHB", row, column, 0, len(text), 0) + text.encode("latin-1")
        sheet += record(0x204, body)
    bound_length = 4 + 8 + 1
    at = len(start) + bound_length + len(end)
    stream = start + record(0x85, struct.pack("<IBBBB", at, 0, 0, 1, 0) + b"S") + end + sheet + end
    stream += b"\0" * (-len(stream) % 512 if len(stream) > 4096 else 4096 - len(stream))
    n = len(stream) // 512
    table = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, n + 2), 0xFFFFFFFE]  # FAT, directory, then the stream
    fat = struct.pack(f"<{len(table)}I", *table).ljust(512, b"\xff")
    assert len(fat) == 512
    entries = _entry("Root Entry", 5, 1, 0xFFFFFFFE, 0) + _entry("Workbook", 2, 0xFFFFFFFF, 2, len(stream))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 6
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    header += struct.pack("<I", 0) + b"\xff" * 432
    path.write_bytes(header + fat + entries.ljust(512, b"\0") + stream)


def _entry(name: str, kind: int, child: int, first: int, size: int) -> bytes:
    wide = (name + "\0").encode("utf-16-le")
    none = 0xFFFFFFFF
    start = wide.ljust(64, b"\0") + struct.pack("<HBBIII", len(wide), kind, 1, none, none, child)
    return start + b"\0" * 36 + struct.pack("<IQ", first, size)
