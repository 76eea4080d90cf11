"""Put a text into a file, whole or not at all, and read back what was put there as JSON.

Question: what does a reader find when the writer was killed, the disk was full or the path was hostile?
Method: a temporary file in the same folder (mode 0600 while it grows), flushed to disk, then renamed over the
target in one step; symbolic links, folders, devices, the inputs, and files that privaudit did not write are refused
beforehand.
Limits: a power failure in the instant between rename and the folder's flush may bring the old file back.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from privaudit.base import private_folders
from privaudit.base.errors import ConfigError, PrivauditError
from privaudit.model.headers import shown_file

Forms = Mapping[str, Callable[[], str]]
"""How a document is made, by the suffix of its file."""
MARKS = (b"privaudit", b'"schema_version"', b'"check_name"', b"row,class_size,")
"""What the files have in them that may be replaced by another of their kind."""
LEDGER = "privaudit ledger 1"
REGISTER = "privaudit register of erased identifiers 1"
LASTING = {LEDGER: "a ledger of privacy budgets", REGISTER: "a register of erased identifiers"}
"""Files of privaudit that are never replaced, by schema: what was spent, or who was erased, is written nowhere else."""
MOST_SEARCHED = 64 * 1024 * 1024
MOST_READ = 256 * 1024 * 1024
"""Longest file that is read back: a certificate of answers states every query, one of a synthetic table its domain."""
Read = TypeVar("Read")


def has_mark(target: Path) -> bool:
    """Whether a file is one that privaudit wrote and can write again: a report, plan, certificate or file of scores."""
    with target.open("rb") as file:
        start = file.read(MOST_SEARCHED)
    if _lasting(target) is not None:
        return False
    return start.strip() in (b"", b"[]") or any(mark in start for mark in MARKS)


def is_csv_of(target: Path, head: Iterable[str]) -> bool:
    """Whether a file is a CSV file with these columns, or is empty."""
    with target.open(encoding="utf-8", errors="replace") as file:
        first = file.readline()
    return first.rstrip() == ",".join(head) or not first


def _lasting(target: Path) -> str | None:
    """Return what a file is that is never replaced; None for every other file."""
    with target.open("rb") as file:
        start = file.read(200)
    return next((name for schema, name in LASTING.items() if f'"{schema}"'.encode() in start), None)


def check(target: Path, inputs: Iterable[str | Path] = (), *, may_replace: Callable[[Path], bool] = has_mark) -> None:
    """Raise `ConfigError` where `target` must not be written.

    Parameters
    ----------
    target : Path
    inputs : iterable of path
        Files that are not overwritten in any case.
    may_replace : callable
        Whether an existing file may be replaced: by default one that privaudit wrote, or an empty one.
    """
    if target.is_symlink():
        raise ConfigError(
            f"{shown_file(target)} is a symbolic link; reports are not written through links.",
            hint="name the file itself",
        )
    if target.exists() and not target.is_file():
        raise ConfigError(f"{shown_file(target)} is not a file.", hint="name a file")
    if not target.parent.is_dir():
        folder = shown_file(target.parent)
        raise ConfigError(f"The folder {folder} of {shown_file(target)} does not exist.", hint="create it first")
    for source in inputs:
        if target.exists() and _same(target, source):
            raise ConfigError(
                f"{shown_file(target)} is an input; inputs are not overwritten.", hint="name another output"
            )
    if target.exists() and not may_replace(target):
        if lasting := _lasting(target):
            raise ConfigError(
                f"{shown_file(target)} is {lasting}, which is never replaced.", hint="name another output"
            )
        raise ConfigError(
            f"{shown_file(target)} exists, and nothing in it shows that privaudit wrote it.",
            hint="remove it, or name another output",
        )


def _same(target: Path, source: str | Path) -> bool:
    # A source may be an address, or text that is not a valid path.
    try:
        return target.samefile(source)
    except (OSError, ValueError):
        return False


def replace(target: Path, content: str | bytes, *, private: bool = False) -> None:
    """Replace `target` by a file with `content`, a text as UTF-8, in one step; nobody else may read a private one.

    Raises
    ------
    ConfigError
        If the file cannot be written; `target` is then as it was.
    """
    try:
        _replace(target, content if isinstance(content, bytes) else content.encode("utf-8", "replace"), private)
    except OSError:
        raise _not_written(target) from None


def write_form(target: Path, forms: Forms, inputs: Iterable[str | Path] = (), *, private: bool = False) -> None:
    """Write the form of a document that the suffix of `target` names.

    Raises
    ------
    ConfigError
        For another suffix, or a file that must not or cannot be written.
    """
    make = forms.get(target.suffix.lower())
    if make is None:
        raise ConfigError(f"{shown_file(target)}: unknown suffix.", hint=f"use one of: {' '.join(forms)}")
    check(target, inputs)
    replace(target, make(), private=private)


def move(part: Path, target: Path) -> None:
    """Put a finished file in the place of `target` in one step, with the permissions that a new file gets there.

    Raises
    ------
    ConfigError
        If it cannot be done; `target` is then as it was.
    """
    try:
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        os.chmod(part, _mode(target))
        os.replace(part, target)
    except OSError:
        raise _not_written(target) from None
    _flush_folder(target.parent)


def remove(target: Path) -> None:
    """Remove a file, if it exists, before another takes its place.

    Raises
    ------
    ConfigError
        If it cannot be removed.
    """
    try:
        target.unlink(missing_ok=True)
    except OSError:
        raise ConfigError(
            f"{shown_file(target)} cannot be replaced.", hint="check that the folder is writable"
        ) from None
    _flush_folder(target.parent)


def _not_written(target: Path) -> ConfigError:
    hint = "check that the folder is writable and the disk has space"
    return ConfigError(f"{shown_file(target)} cannot be written.", hint=hint)


def _replace(target: Path, content: bytes, private: bool) -> None:
    handle, part = private_folders.claim_file(target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
            os.chmod(part, 0o600 if private else _mode(target))
            os.replace(part, target)  # while the lock is held: another run removes files without an owner
    finally:
        # The rename removed it; after an error it must not remain.
        with contextlib.suppress(OSError):
            os.unlink(part)
    _flush_folder(target.parent)


def _mode(target: Path) -> int:
    """Return the permissions a file gets here by default; a file that is replaced keeps its own."""
    if target.exists():
        return target.stat().st_mode & 0o777
    # The mask can only be read by setting it.
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _flush_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        flush(folder)


def flush(place: Path) -> None:
    """Write the content of a file, or the names in a folder, to the disk."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_readable(file: Path, most_bytes: int = MOST_READ) -> bool:
    """Whether a file is regular and not too large: reading a named pipe waits for ever.

    Raises
    ------
    OSError
        If the file does not exist.
    """
    state = file.stat()
    return stat.S_ISREG(state.st_mode) and state.st_size <= most_bytes


def read_json(
    file: Path, parse: Callable[[Any], Read], refusal: PrivauditError, *, most_bytes: int = MOST_READ
) -> Read:
    """Return what `parse` makes of the JSON in a file; raise `refusal` where the file or `parse` fails."""
    try:
        if is_readable(file, most_bytes):
            return parse(json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_named_once))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        pass
    raise refusal


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Of two entries with one name, people read the first and `json` keeps the last.
    if len(content := dict(pairs)) < len(pairs):
        raise ValueError
    return content
