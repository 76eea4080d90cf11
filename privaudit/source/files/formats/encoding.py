"""The bytes of a text file as strict UTF-8, whatever they were, or an error.

Question: what encoding is this text in?
Method: the user names it, or a byte order mark decides; otherwise a text is UTF-8 if every byte of it is. If it is not,
the words decide (guessed_encoding.py), and the report states that the encoding was guessed. Compressed files are
unpacked as they are read.
Limits: a text in another encoding that happens to be valid UTF-8 is read as UTF-8.
"""

from __future__ import annotations

import codecs
import os
from dataclasses import replace
from typing import Any

from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.model import Limit, limit
from privaudit.model.wording import Name, Number
from privaudit.settings.config import Settings
from privaudit.source.places.location import Location

HEAD_BYTES = 1 << 20
MARKS = (  # longest first: the mark of UTF-32 LE begins with that of UTF-16 LE
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def open_stored(where: Location) -> pa.OSFile:
    """Open the file for reading, as it is stored."""
    return pa.OSFile(os.fsencode(where.path))  # the bytes of the name: it need not be UTF-8, as Arrow takes texts to be


def open_bytes(where: Location) -> pa.NativeFile:
    """Open the file for reading, unpacked."""
    try:
        return pa.input_stream(open_stored(where), compression=where.compression)
    except OSError:
        raise UnreadableSource(f"{where.shown} cannot be opened.", hint="check that you may read it") from None


def with_encoding(where: Location, settings: Settings) -> tuple[Settings, tuple[Limit, ...]]:
    """Return the settings with the encoding of a text, and the limit that states that it was guessed.

    The settings are unchanged where they name an encoding, and where the text has a byte order mark or is UTF-8.

    Raises
    ------
    UnreadableSource
        If the words of a text that is not UTF-8 do not determine its encoding.
    """
    if settings.encoding is not None:
        return settings, ()
    with open_bytes(where) as stream:
        head = read(stream, 4, where)
    if any(head.startswith(mark) for mark, _ in MARKS):
        return settings, ()
    with open_bytes(where) as stream:
        line = first_bad_line(stream, where)
    if line is None:
        return settings, ()
    from privaudit.source.files.formats.guessed_encoding import HighWords, guess_encoding, is_damaged_utf8

    with open_bytes(where) as stream:
        words = HighWords()
        while block := read(stream, HEAD_BYTES, where):
            if b"\0" in block:  # UTF-16 without a mark, or a binary file
                return settings, ()
            words.add(block)
    found = words.finish()
    guess = None if is_damaged_utf8(found) else guess_encoding(found)
    if guess is None or guess.encoding is None:
        raise not_utf8(where, line)
    if guess.rival is not None:
        raise UnreadableSource(
            f"{where.shown} is not UTF-8. As {guess.encoding} and as {guess.rival}, its words have different letters, "
            "and both are plausible.",
            hint=f"name the right one, --encoding {guess.encoding} or --encoding {guess.rival}",
        )
    n_words = Number(len(found))
    stated = limit("source.encoding_guessed", encoding=Name(guess.encoding), words=n_words)
    return replace(settings, encoding=guess.encoding), (stated,)


def open_utf8(where: Location, encoding: str | None) -> tuple[pa.NativeFile, str]:
    """Return a stream of the text in UTF-8 without a byte order mark, and the name of its encoding.

    Raises
    ------
    ConfigError
        If `encoding` names no encoding.
    UnreadableSource
        If the file is damaged or not in the encoding.
    """
    stream = open_bytes(where)
    head = read(stream, 4, where)
    mark, marked = next(((m, name) for m, name in MARKS if head.startswith(m)), (b"", None))
    name = _known(encoding) if encoding else (marked or "utf-8")
    if encoding and marked and name.startswith(marked.removesuffix("-le").removesuffix("-be")):
        name = marked
    stream.close()
    stream = open_bytes(where)
    stream.read(len(mark) if marked == name else 0)
    if name == "utf-8":
        return stream, name
    content = bytes(read(stream, None, where))
    stream.close()
    if name.startswith(("utf-16", "utf-32")) and content and b"\0" not in content:
        # Separators and line ends are ASCII, half of whose bytes are NUL in these.
        raise UnreadableSource(f"{where.shown} is not {name}: it contains no NUL byte.", hint="omit --encoding")
    try:
        return pa.BufferReader(content.decode(name).encode()), name
    except UnicodeError:  # some codecs raise the base class
        raise UnreadableSource(
            f"{where.shown} is not valid {name}.", hint="name the right encoding with --encoding, for example cp1252"
        ) from None


def _known(encoding: str) -> str:
    try:
        found = codecs.lookup(encoding)
    except (LookupError, ValueError):
        raise ConfigError(f'Unknown encoding "{encoding}".', hint="for example utf-8, cp1252, utf-16") from None
    if not getattr(found, "_is_text_encoding", True):
        raise ConfigError(f'"{encoding}" is not an encoding of text.', hint="for example utf-8, cp1252, utf-16")
    return "utf-8" if found.name in ("utf-8", "utf-8-sig", "ascii") else found.name


def read(stream: pa.NativeFile, size: int | None, where: Location) -> bytes:
    """Read `size` bytes or all, and raise `UnreadableSource` for damage."""
    try:
        return bytes(stream.read(size))
    except (OSError, ValueError):
        raise damaged(where) from None


def damaged(where: Location) -> UnreadableSource:
    """Build the error for a file whose compression is broken or that ends too early."""
    return UnreadableSource(f"{where.shown} is damaged or cut off.", hint="copy or unpack it again")


def decode_head(content: bytes, where: Location) -> str:
    """Decode the beginning of a text strictly, without a character cut at its end."""
    n_nul = content[:HEAD_BYTES].count(b"\0")
    try:
        if n_nul <= len(content) // 20:
            return codecs.getincrementaldecoder("utf-8")("strict").decode(content)
    except UnicodeDecodeError as problem:
        if not n_nul:
            raise not_utf8(where, content.count(b"\n", 0, problem.start) + 1) from None
    raise UnreadableSource(
        f"{where.shown} holds NUL bytes as UTF-16 or a binary file does.",
        hint="name the encoding, for example --encoding utf-16-le, if it is a text",
    )


def not_utf8(where: Location, line: int) -> UnreadableSource:
    """Build the error for text that is not UTF-8."""
    return UnreadableSource(
        f"{where.shown} is not valid UTF-8 in line {line}.",
        hint="name the encoding with --encoding, for example --encoding cp1252",
    )


def first_bad_line(stream: Any, where: Location) -> int | None:
    """Return the number of the first line that is not UTF-8, counted from 1, or None."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    lines = 0
    while block := read(stream, HEAD_BYTES, where):
        pending = len(decoder.getstate()[0])
        try:
            if pending or not block.isascii():
                decoder.decode(block)
        except UnicodeDecodeError as problem:
            return lines + block.count(b"\n", 0, max(problem.start - pending, 0)) + 1
        lines += block.count(b"\n")
    return None
