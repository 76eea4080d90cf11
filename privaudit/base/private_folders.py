"""Private folders for files that contain cells: owned by a running process, and removed by the next run otherwise.

Question: who removes a folder with cells when the process that made it was killed?
Method: the owner of a folder holds a lock on it (`flock`), which the system releases however the process ends. A folder
of the same user whose lock is free has no owner, and the next run removes it. A process number would not do: numbers
are used again, and those of another container mean nothing here.
Limits: systems without `flock` (Windows, some network file systems) remove nothing of other runs.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


PREFIX = "privaudit-run-"
"""Of folders among the temporary files of the system."""
HIDDEN_PREFIX = ".privaudit-"
"""Of folders and files next to an output."""
_UNFINISHED = ".part"

_removed: list[Path] = []


def claim(parent: Path | None = None, prefix: str = PREFIX) -> tuple[Path, Callable[[], None]]:
    """Make a folder of mode 0700 in `parent` and return it with the function that removes it.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    import shutil
    import tempfile  # lazily, here and below: help and many commands make no folder

    while True:
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=prefix))  # created with mode 0700
        handle = _locked(folder)
        if folder.is_dir():  # another run may have removed it before it was locked
            break
        _close(handle)

    def remove() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        _close(handle)

    return folder, remove


@contextmanager
def private_folder(parent: Path | None = None, prefix: str = PREFIX) -> Iterator[Path]:
    """Yield a folder that only this user can read, and remove it with all that is in it."""
    folder, remove = claim(parent, prefix)
    try:
        yield folder
    finally:
        remove()


def sweep(parent: Path | None = None, prefix: str = PREFIX) -> None:
    """Remove the folders and files in `parent` whose owner has ended; `removed` counts them."""
    import shutil
    import tempfile

    for path in Path(tempfile.gettempdir() if parent is None else parent).glob(f"{prefix}*"):
        # The lock is free only if the owner has ended: a process number could be in use again by another program.
        handle = _locked(path) if _is_ours(path) else None
        if handle is None:
            continue
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        _close(handle)
        if not path.exists():
            _removed.append(path)


def removed() -> int:
    """Return how many folders and files of stopped runs were removed since the last call."""
    n = len(_removed)
    _removed.clear()
    return n


def claim_file(parent: Path) -> tuple[int, Path]:
    """Make a file of mode 0600 in `parent` that is to be renamed, and return the handle that owns it, and its path.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    while True:
        part = parent / f"{HIDDEN_PREFIX}{os.urandom(8).hex()}{_UNFINISHED}"
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with suppress(OSError):
            _lock(handle)
        if part.exists():
            return handle, part
        os.close(handle)


def _is_ours(path: Path) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    is_kept = stat.S_ISDIR(found.st_mode) or (stat.S_ISREG(found.st_mode) and path.suffix == _UNFINISHED)
    return is_kept and (not hasattr(os, "getuid") or found.st_uid == os.getuid())


def _locked(path: Path) -> int | None:
    """Return a handle that holds the lock of a folder or file; None where another process holds it."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    try:
        _lock(handle)
    except OSError:
        os.close(handle)
        return None
    return handle


def _lock(handle: int) -> None:
    if fcntl is None:
        raise OSError  # nothing shows whether the file has an owner
    # The system releases the lock when a process ends, in whatever way it ends.
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _close(handle: int | None) -> None:
    if handle is not None:
        os.close(handle)
