"""How large a compressed file becomes, and which text it has besides its content, before it is read.

Question: may this file be unpacked, and which text do its headers have?
Method: it is unpacked once without keeping anything, and the bytes are compared with the caps. The header of the first
member of a gzip file (RFC 1952) may have extra bytes, the name of the file and a comment. A Zstandard file may have
frames of any content between the others (RFC 8878, 3.1.2).
Limits: headers of further gzip members, and frames behind the first other frame, are not read.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.settings.config import Settings
from privaudit.source.files.formats.encoding import open_bytes, read
from privaudit.source.input.allowed_size import SMALL_UNPACKED, check
from privaudit.source.input.table import Outside
from privaudit.source.places.location import Location


def check_unpacked(where: Location, settings: Settings) -> None:
    """Unpack a compressed file without keeping it and raise `ScanIncomplete` where it grows too large."""
    if where.compression is None:
        return
    most = settings.largest("unpacked-bytes")
    ratio = max(settings.largest("expansion") * where.path.stat().st_size, SMALL_UNPACKED)
    unpacked = 0
    with open_bytes(where) as stream:
        while block := read(stream, 1 << 22, where):
            unpacked += len(block)
            if unpacked > most:
                check(where.shown, "unpacked-bytes", unpacked, settings, "bytes or more when unpacked")
            if unpacked > ratio:
                times = unpacked // where.path.stat().st_size
                check(where.shown, "expansion", times + 1, settings, "times its size or more when unpacked")


HEAD = 1 << 20
GZIP = b"\x1f\x8b\x08"
_EXTRA, _NAME, _COMMENT = 4, 8, 16
SKIPPABLE = range(0x184D2A50, 0x184D2A60)


def of_compressed(where: Location) -> tuple[Outside, ...]:
    """Return the texts of the header of a compressed file."""
    if where.compression is None:
        return ()
    with where.path.open("rb") as file:
        head = file.read(HEAD)
    found = _gzip(head) if head.startswith(GZIP) else _zstandard(head)
    texts = (text.decode("utf-8", "replace").strip("\0 ") for text in found)
    return tuple(Outside("properties", text) for text in texts if text)


def _gzip(head: bytes) -> Iterator[bytes]:
    flags, at = head[3], 10
    if flags & _EXTRA:
        size = int.from_bytes(head[at : at + 2], "little")
        yield head[at + 2 : at + 2 + size]
        at += 2 + size
    for flag in (_NAME, _COMMENT):
        if flags & flag:
            text, _, _ = head[at:].partition(b"\0")
            yield text
            at += len(text) + 1


def _zstandard(head: bytes) -> Iterator[bytes]:
    at = 0
    while int.from_bytes(head[at : at + 4], "little") in SKIPPABLE:
        size = int.from_bytes(head[at + 4 : at + 8], "little")
        yield head[at + 8 : at + 8 + size]
        at += 8 + size
