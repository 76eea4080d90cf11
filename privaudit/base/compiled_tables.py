"""Tables that follow from the shipped rules, made once and kept next to the compiled rules.

Question: what does the lexicon, or a list of folded words, contain, without folding every word at each start?
Method: a table of plain values (texts, numbers, tuples, sets, mappings) is written in the form in which Python keeps
the constants of a module (`marshal`). Before it are a digest of the rule files and modules that it was made from, and
one of its bytes: it counts only where both are the same now. A wheel is built with the tables. In a checkout the first
run after a change makes them again.
Limits: holds nothing but what the rule files state. Where a table is missing, damaged or cannot be written, it is made
by each run. Reading one builds no objects of classes; the file is trusted as the byte code in the same folders is.
"""

from __future__ import annotations

import contextlib
import marshal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from privaudit.base import resources
from privaudit.base.compiled_rules import digest_of, is_checkout, place, write

T = TypeVar("T")
FOLDER = "compiled_tables"
KEY_SIZE = 16  # bytes
PARTS = 256  # of a table that is `divided`: a column of few values asks for few of them


def folder() -> Path:
    """Return the folder of the tables for this version of Python."""
    return place(resources.path(), FOLDER) / str(sys.implementation.cache_tag)


def table(name: str, make: Callable[[], T], sources: Sequence[Path]) -> T:
    """Return what `make` returns, which follows from the content of `sources` alone.

    Parameters
    ----------
    name : str
        Name of the file.
    make : callable
        Returns texts, numbers, and tuples, lists, sets and mappings of them.
    sources : sequence of Path
        The rule files, and the modules whose code makes the table.
    """
    key = _digest(digest_of(source).encode() for source in sources)
    found: T | None = kept(name, key)
    if found is not None:
        return found
    made = make()
    keep(name, key, made)
    return made


def keep(name: str, key: bytes, made: Any) -> None:
    """Write a table under a key of `KEY_SIZE` bytes; nothing is written into an installed package."""
    if is_checkout(resources.path()):
        content = packed(made)
        with contextlib.suppress(OSError):
            write(_file(name), key + _digest([content]) + content)


def kept(name: str, key: bytes) -> Any:
    """Return a table; None where it was kept under another key, or is not as it was written."""
    try:
        found = _file(name).read_bytes()
    except OSError:
        return None
    content = memoryview(found)[2 * KEY_SIZE :]
    if found[: 2 * KEY_SIZE] != key + _digest([content]):
        return None
    return marshal.loads(content)


def _file(name: str) -> Path:
    return folder() / f"{name}.table"


def packed(part: Any) -> bytes:
    """Return a part of a table as bytes, which are unpacked where the part is needed."""
    return marshal.dumps(part)


def unpacked(part: bytes) -> Any:
    """Return what was `packed`."""
    return marshal.loads(part)


def divided(entries: Mapping[str, Any]) -> tuple[bytes, ...]:
    """Return a mapping in packed parts, of which a run unpacks those that have a text it asks for (`part_of`)."""
    parts: list[dict[str, Any]] = [{} for _ in range(PARTS)]
    for text, value in entries.items():
        parts[part_of(text, PARTS)][text] = value
    return tuple(map(packed, parts))


def part_of(text: str, n_parts: int) -> int:
    """Return in which part of a mapping that was `divided` a text is, if it is in one."""
    return crc32(text.encode()) % n_parts


def _digest(parts: Iterable[bytes | memoryview]) -> bytes:
    """Return a digest of texts of bytes, of each by itself: none can be divided in another way."""
    each = b"".join(blake2b(part, digest_size=KEY_SIZE).digest() for part in parts)
    return blake2b(each, digest_size=KEY_SIZE).digest()
