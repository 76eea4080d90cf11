"""Put several new files in the place of the old ones: all of them, whatever happens.

Question: what is there after a crash, a full disk or a power failure in the middle of an erasure?
Method: new files are complete, verified and flushed before a journal names them; the journal is flushed before the
first file is renamed, and deleted after the last. Whoever finds a journal finishes it. Without a journal nothing was
replaced, and new files that are left over are deleted.
Two erasures in the same folders do not run at the same time: each holds a lock on all of them.
Limits: a file system that does not rename in one step, or ignores a flush, is not protected. Windows, and some network
file systems, have no such lock.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.report import files, seals

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

PREFIX = ".privaudit-erase-"
LOGS = ("-wal", "-shm", "-journal", ".wal")
"""What SQLite and, with a point, DuckDB keep next to a file; it belongs to the old one."""
_HOLDS_ROWS = ("-wal", ".wal")


@dataclass(frozen=True, slots=True)
class Move:
    """A new file, the file that it replaces, and the SHA-256 of the new one."""

    new: str
    target: str
    sha256: str


@contextmanager
def alone(folders: Iterable[Path]) -> Iterator[None]:
    """Keep every other erasure out of some folders; the system frees them however the process ends.

    Raises
    ------
    ConfigError
        If another erasure is running in one of them.
    """
    with ExitStack() as held:
        # A folder that is missing has no file that another erasure could replace.
        for folder in sorted({folder.resolve() for folder in folders if folder.is_dir()}):
            handle = os.open(folder, os.O_RDONLY)
            held.callback(os.close, handle)
            # Folders and not files, because a file is another one after it was replaced.
            try:
                if fcntl is not None:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ConfigError(
                    "Another erasure is running in the folder of the inventory or of a store.",
                    hint="wait until it has ended, and list the changes again",
                ) from None
            except OSError:
                pass  # a file system without locks
        yield


def new_path(target: Path) -> Path:
    """Return where the new file of `target` is made: in the same folder, with the same suffix."""
    return target.with_name(f"{PREFIX}{target.name}")


def journal_path(inventory: Path) -> Path:
    """Return the path of the journal of a map."""
    return inventory.with_name(f"{PREFIX}{inventory.name}.journal")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file and of the log with the latest rows that a database keeps next to it."""
    digest = hashlib.sha256()
    for part in (path, *(path.with_name(f"{path.name}{suffix}") for suffix in _HOLDS_ROWS)):
        if part.exists() and (part == path or part.stat().st_size):
            digest.update(bytes.fromhex(seals.sha256_of(part)))
    return digest.hexdigest()


def flush(path: Path) -> None:
    """Write a file and its name to the disk."""
    for place in (path, path.parent):
        files.flush(place)


def write_journal(inventory: Path, moves: Iterable[Move], notes: Mapping[str, Any]) -> None:
    """Write the journal: from here on the erasure will be finished, by this run or the next.

    Raises
    ------
    ConfigError
        If it cannot be written; nothing is replaced then.
    """
    content = {"moves": [asdict(move) for move in moves], "notes": dict(notes)}
    path = journal_path(inventory)
    files.replace(path, json.dumps(content), private=True)


def journaled(inventory: Path) -> tuple[Path, ...] | None:
    """Return the files that the journal of a map replaces, or None if the map does not have a journal."""
    try:
        content = json.loads(journal_path(inventory).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return tuple(Path(move["target"]) for move in content["moves"])


def finish(inventory: Path) -> dict[str, Any] | None:
    """Finish the journal of a map and return its notes; None where there is none.

    The journal stays until `forget` deletes it, so that what follows from the notes is done as well.

    Raises
    ------
    ConfigError
        If a new file is damaged or missing: then neither it nor the old one is touched.
    """
    path = journal_path(inventory)
    if not path.exists():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    for entry in content["moves"]:
        move = Move(**entry)
        new, target = Path(move.new), Path(move.target)
        if not new.exists() and target.exists() and sha256_of(target) == move.sha256:
            continue  # renamed by the run that was stopped
        if not new.exists() or sha256_of(new) != move.sha256:
            raise ConfigError(
                "An erasure was interrupted, and a new file is missing or damaged.",
                hint="restore the store from a backup, delete the journal next to the inventory, and erase again",
            )
        for suffix in LOGS:
            target.with_name(f"{target.name}{suffix}").unlink(missing_ok=True)
        new.replace(target)
        flush(target)
    return content["notes"]


def forget(inventory: Path) -> None:
    """Delete the journal of a map."""
    journal_path(inventory).unlink(missing_ok=True)


def sweep(targets: Iterable[Path]) -> None:
    """Delete new files that a stopped run left over, where there is no journal."""
    for target in targets:
        for left in target.parent.glob(f"{PREFIX}{glob.escape(target.name)}*"):
            if not left.name.endswith(".journal"):
                left.unlink()
