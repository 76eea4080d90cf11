"""How large a compressed file becomes, before it is read.

Question: may this file be unpacked?
Method: it is unpacked once without keeping anything, and the bytes are compared with the caps.
"""

from __future__ import annotations

from privaudit.settings.config import Settings
from privaudit.source.files.formats.encoding import open_bytes, read
from privaudit.source.input.allowed_size import SMALL_UNPACKED, check
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
