"""The file of a ledger: lines of JSON in a hash chain, appended under a lock and flushed to disk.

Question: was anything in this file changed or removed, and is an entry on disk before it counts?
Method: each line ends with the SHA-256 of the hash of the line before it and of its own text. Reading checks every
line. `locked` holds ``flock`` on the file that has the name of the ledger; an entry is one write, followed by fsync. A
write that did not fit is undone.
Limits: the chain has no key: whoever can write the file can compute it anew, and an older copy of the whole file is
intact. A certificate that names a later entry reveals both. Locks need a file system that has them.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from privaudit.base.errors import LedgerError
from privaudit.model.headers import shown_file
from privaudit.report import files

SCHEMA = files.LEDGER
START = "0" * 64
_MOST_BYTES = 1024**3
MOST_BYTES_WITH_REFUSALS = 16 * 1024**2
"""Length to which refused entries extend a ledger: they cost nothing, and a ledger is read whole for every plan."""
_HASH_LENGTH = len(',"hash":"') + 64 + len('"}')


def line_of(content: Mapping[str, Any], previous: str) -> str:
    """Return the line of an entry, without its end: JSON with the hash of the chain as its last key."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    # The hash is the last key, so that it covers the text of the line before it, byte for byte.
    return f'{text[:-1]},"hash":"{_chained(text[:-1], previous)}"}}'


def _chained(text: str, previous: str) -> str:
    return hashlib.sha256(f"{previous}\n{text}".encode("ascii")).hexdigest()


def lines(path: Path, content: bytes) -> Iterator[dict[str, Any]]:
    """Yield the checked lines of a ledger: the head, then its entries.

    Raises
    ------
    LedgerError
        If a line was edited, removed or cut.
    """
    if content and not content.startswith(b"{"):
        raise LedgerError(f"{shown_file(path)} is not a ledger.", hint="privaudit ledger new FILE makes one")
    if not content.endswith(b"\n"):
        raise LedgerError(
            f"{shown_file(path)} ends inside an entry.",
            hint="the file was cut; restore it from a copy that holds every entry of the certificates",
        )
    previous = START
    for number, line in enumerate(content[:-1].split(b"\n"), 1):
        found = _checked(line, previous)
        if found is None:
            raise LedgerError(
                f"Line {number:,} of {shown_file(path)} does not fit the chain of hashes.",
                hint="the file was edited or damaged, or is not a ledger of privaudit",
            )
        previous = str(found["hash"])
        yield found


def _checked(line: bytes, previous: str) -> dict[str, Any] | None:
    """Return the content of a line; None where it is not JSON or does not follow `previous`."""
    try:
        text = line.decode("ascii")
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or text[-66:] != f'{found.get("hash")}"}}':
        return None
    return found if found["hash"] == _chained(text[:-_HASH_LENGTH], previous) else None


def create(path: Path, head: Mapping[str, Any]) -> None:
    """Write the head of a new ledger.

    Raises
    ------
    LedgerError
        If the file exists or cannot be written: a ledger is never replaced.
    """
    try:
        # With O_EXCL a link is not followed either.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise LedgerError(f"{shown_file(path)} exists; a ledger is never replaced.", hint="name another file") from None
    except (OSError, ValueError):
        raise LedgerError(f"{shown_file(path)} cannot be written.", hint="check that the folder is writable") from None
    try:
        with os.fdopen(handle, "wb") as file:
            _append(path, file.fileno(), line_of(head, START), 0)
    except LedgerError:
        # An empty file is not a ledger, and its name would be refused from then on.
        path.unlink()
        raise
    # The name of a new file is lost with the power unless its folder is flushed too: a second ledger would start at
    # 0.
    files.flush(path.parent)


class OpenFile:
    """A ledger that is locked: its bytes, and the way to append to it."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path, self._handle = path, handle

    def read(self) -> bytes:
        """Return the whole content."""
        size = os.fstat(self._handle).st_size
        if size > _MOST_BYTES:
            raise LedgerError(f"{shown_file(self.path)} is larger than 1 GB.", hint="this is not a ledger")
        os.lseek(self._handle, 0, os.SEEK_SET)
        parts = []
        while part := os.read(self._handle, 1 << 20):
            parts.append(part)
        return b"".join(parts)

    def append(self, line: str) -> None:
        """Append a line and flush it to disk."""
        _append(self.path, self._handle, line, os.lseek(self._handle, 0, os.SEEK_END))


def _append(path: Path, handle: int, line: str, size: int) -> None:
    content = line.encode("ascii") + b"\n"
    try:
        if os.write(handle, content) != len(content):
            raise OSError
        os.fsync(handle)
    except OSError:
        # Half a line would make the whole ledger unreadable; an entry that is not on disk was not paid.
        os.ftruncate(handle, size)
        raise LedgerError(
            f"{shown_file(path)} cannot be written; nothing was answered.", hint="check that the disk has space"
        ) from None


@contextmanager
def locked(path: Path, *, writing: bool = True) -> Iterator[OpenFile]:
    """Yield the ledger while no other process can read or write it through privaudit.

    Raises
    ------
    LedgerError
        If the file is missing, a link, not a regular file, was replaced, or cannot be locked.
    """
    try:
        import fcntl
    except ImportError:
        raise LedgerError("This system has no file locks, which a ledger needs.", hint="use Linux or macOS") from None
    flags = (os.O_RDWR | os.O_APPEND) if writing else os.O_RDONLY
    try:
        # Without O_NONBLOCK, opening a named pipe waits for ever.
        handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise LedgerError(
                f"The ledger {shown_file(path)} is read-only here.",
                hint="move it, without a second copy, to where it can be written: an answer is paid before it is made",
            ) from None
        raise LedgerError(
            f"The ledger {shown_file(path)} does not exist or cannot be opened.",
            hint="create one: privaudit ledger new FILE --dataset NAME --unit row --epsilon E",
        ) from None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise LedgerError(f"{shown_file(path)} is not a ledger.", hint="privaudit ledger new FILE makes one")
        fcntl.flock(handle, fcntl.LOCK_EX if writing else fcntl.LOCK_SH)
        # An entry in a file that has lost its name, to a copy that was restored meanwhile, would not be spent.
        if not os.path.samestat(os.fstat(handle), os.stat(path, follow_symlinks=False)):
            raise LedgerError(f"{shown_file(path)} was replaced while it was opened.", hint="restore the newest copy")
        yield OpenFile(path, handle)
    except OSError:
        raise LedgerError(
            f"The ledger {shown_file(path)} cannot be read or locked.", hint="copy it to a disk"
        ) from None
    finally:
        os.close(handle)
