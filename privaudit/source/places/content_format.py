"""The format of a file by its content, for files whose name does not state it.

Question: which reader takes a file without a suffix, or what arrives on standard input?
Method: the first bytes: signatures of Parquet, Arrow, SQLite, DuckDB and workbooks; of text, the first character
decides between JSON and delimited text. Compressed text is unpacked first.
Of a file with the suffix of text, only a signature counts.
Limits: text that is neither JSON nor a table is read as delimited text, whose reader then refuses or reports it.
"""

from __future__ import annotations

import mmap
from pathlib import Path

from privaudit.base.arrow import pa
from privaudit.model.file_formats import FILE_FORMATS

HEAD = 4096
_MOST_TAIL = 65_557
"""How far before its end a ZIP archive has the record that ends it: the record and a comment of the greatest length."""
_PROTECTED = "EncryptedPackage".encode("utf-16-le")
"""The stream in which a workbook with a password is stored (MS-OFFCRYPTO 2.3.4.4)."""
_SIGNATURES = tuple((start, mark, record.name) for record in FILE_FORMATS.values() for start, mark in record.signatures)
_COMPRESSED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
"""How files begin whose text is compressed."""
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def format_of_content(path: Path) -> tuple[str, str | None]:
    """Return the format of a file and its compression.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    compression = next((name for mark, name in _COMPRESSED.items() if head.startswith(mark)), None)
    if compression is not None:
        head = unpacked(path, compression)
    return _signed(head) or _text_format(head), compression


def unpacked(path: Path, compression: str, most_bytes: int = HEAD) -> bytes:
    """Return how the content of a compressed file begins; nothing where it is damaged."""
    try:
        with pa.input_stream(str(path), compression=compression) as file:
            return bytes(file.read(most_bytes))
    except (OSError, pa.ArrowException):  # its reader reports the damage
        return b""


def narrow(content: bytes) -> bytes:
    """Return a text of UTF-16, with or without a mark, without its zeros, and any other content as it is.

    Every second byte of a Latin letter, a digit or a separator is 0.
    """
    start = content[:40]
    is_wide = start.startswith(_MARKS[1:]) or not start[::2].strip(b"\0") or not start[1::2].strip(b"\0")
    return content.replace(b"\0", b"") if is_wide else content


def _text_format(head: bytes) -> str:
    for mark in _MARKS:
        head = head.removeprefix(mark)
    plain = head.replace(b"\0", b"").lstrip()
    whole_object = plain.partition(b"\n")[0].rstrip().endswith(b"}") or b"\n" not in plain
    return {b"{": "jsonl" if whole_object else "json", b"[": "json"}.get(plain[:1], "csv")


def signature_of(path: Path) -> str | None:
    """Return the binary format that the signature of a file states, whatever its name; None for text."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError:  # its reader reports it
        return None
    return _signed(head) if b"\0" in head else None


def _signed(head: bytes) -> str | None:
    return next((format_ for start, mark, format_ in _SIGNATURES if head[start : start + len(mark)] == mark), None)


def is_cut_off(path: Path, format_: str) -> bool:
    """Whether a file begins like its format and lacks what ends a whole file of it."""
    known = FILE_FORMATS[format_]
    if not known.end:
        return False
    begin = known.signatures[0][1]
    try:
        with path.open("rb") as file:
            begins = file.read(len(begin)) == begin
            file.seek(max(len(begin), path.stat().st_size - _MOST_TAIL))
            return begins and known.end not in file.read()
    except OSError:  # its reader reports it
        return False


def has_password(path: Path) -> bool:
    """Whether a file is a workbook that only its password opens."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content[:4] == b"\xd0\xcf\x11\xe0" and content.find(_PROTECTED) >= 0
    except (OSError, ValueError):  # its reader reports it; an empty file cannot be mapped
        return False
