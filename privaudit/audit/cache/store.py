"""Entries in a folder that nobody but this user can read or write.

Question: which bytes did a run of this user store under this name?
Method: the folder has mode 0700, its files have mode 0600, and all of them belong to the user; symbolic links are
refused. A random key in the folder authenticates each entry together with its name (BLAKE2b with a key), so that an
entry that was damaged, edited, renamed or copied from another folder is not one. Files are replaced in one step.
Limits: whoever can run programs as this user can read the key and write entries. Modes and owners are not checked on
Windows, where the profile of the user is private.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import stat
import time
from hashlib import blake2b
from pathlib import Path

from privaudit.base import private_folders
from privaudit.base.errors import ConfigError
from privaudit.report import files

USER = "user"
"""Names the folder of privaudit among the caches of the user."""
SUFFIX = ".evidence"
MOST_BYTES = 256 * 1024**2
"""Of an entry, as of a report."""
KEPT_SECONDS = 30 * 24 * 3600
"""Entries that no run read for so long are removed."""
_KEY, _KEY_BYTES, _MAC_BYTES = "key", 32, 32
_REPOSITORIES = (".git", ".hg", ".svn")


def folder_of(named: str | os.PathLike[str]) -> Path:
    """Return the folder that an option names; "user" stands for one among the caches of the user."""
    if os.fspath(named) != USER:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(home or Path.home() / ".cache") / "privaudit"


class Store:
    """The entries of a folder, which is made where it does not exist.

    Raises
    ------
    ConfigError
        If the folder or its key could be written by others, or is in a checkout, whose branches could contain entries.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = Path(os.path.abspath(folder))
        _refuse_checkouts(self._folder)
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                self._folder.mkdir(mode=0o700)
            self._check_folder()
            self._key = self._read_key() or self._new_key()
        except OSError:
            raise ConfigError("The cache folder cannot be used.", hint="check the path and your rights") from None

    def _check_folder(self) -> None:
        state = self._folder.lstat()
        if stat.S_ISLNK(state.st_mode):
            raise ConfigError("The cache folder is a symbolic link.", hint="name the folder itself")
        if not stat.S_ISDIR(state.st_mode):
            raise ConfigError("The cache folder is a file.", hint="name a folder")
        if not _is_private(state):
            raise _open_to_others("The cache folder")
        if not (self._folder / _KEY).exists() and any(not _is_unfinished(file) for file in self._folder.iterdir()):
            raise ConfigError("The cache folder holds other files.", hint="name a new or empty folder")

    def _read_key(self) -> bytes | None:
        key = _read(self._folder / _KEY, "The key of the cache")
        return key if key is not None and len(key) == _KEY_BYTES else None

    def _new_key(self) -> bytes:
        # Of two runs that begin at once, the key of the later one stays; entries of the other are not read again.
        files.replace(self._folder / _KEY, secrets.token_bytes(_KEY_BYTES), private=True)
        key = self._read_key()
        if key is None:
            raise ConfigError("The key of the cache cannot be read.", hint="name another folder")
        return key

    def hasher(self) -> blake2b:
        """Return a new hash that is different for each folder: without its key nobody can test a guess of the input."""
        return blake2b(key=self._key, digest_size=32, person=b"name")

    def read(self, name: str) -> bytes | None:
        """Return the entry `name`; None where there is none, or it is damaged.

        Raises
        ------
        ConfigError
            If others could have written the entry.
        """
        place = self._place(name)
        content = _read(place, "An entry of the cache")
        if content is None or not hmac.compare_digest(content[:_MAC_BYTES], self._mac(name, content[_MAC_BYTES:])):
            return None
        with contextlib.suppress(OSError):
            os.utime(place)  # so that it is kept
        return content[_MAC_BYTES:]

    def write(self, name: str, content: bytes) -> None:
        """Store an entry, if the disk has space, and remove those that were not read for long."""
        if len(content) + _MAC_BYTES > MOST_BYTES:
            return
        with contextlib.suppress(ConfigError):
            files.replace(self._place(name), self._mac(name, content) + content, private=True)
        with contextlib.suppress(OSError):
            self._remove_unused()

    def _remove_unused(self) -> None:
        private_folders.sweep(self._folder, private_folders.HIDDEN_PREFIX)
        oldest = time.time() - KEPT_SECONDS
        for entry in self._folder.glob(f"*{SUFFIX}"):
            if entry.lstat().st_mtime < oldest:
                entry.unlink(missing_ok=True)

    def _place(self, name: str) -> Path:
        return self._folder / f"{name}{SUFFIX}"

    def _mac(self, name: str, content: bytes) -> bytes:
        # The name has the same length for all entries, so that its end is known.
        mac = blake2b(name.encode(), key=self._key, digest_size=_MAC_BYTES, person=b"entry")
        mac.update(content)
        return mac.digest()


def _refuse_checkouts(folder: Path) -> None:
    real = folder.resolve()
    for above in {folder, *folder.parents, real, *real.parents}:
        if any(os.path.lexists(above / name) for name in _REPOSITORIES):
            raise ConfigError(
                "The cache folder is in a repository, whose branches could contain entries.",
                hint='name a folder outside of it, or "user"',
            )


def _is_unfinished(file: Path) -> bool:
    """Whether a file is what a run that was stopped left."""
    return file.name.startswith(private_folders.HIDDEN_PREFIX)


def _read(file: Path, what: str) -> bytes | None:
    """Return the content of a private file; None where there is none, or it is too large.

    Raises
    ------
    ConfigError
        If it is a link, or others could have written it.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(file, flags)
    except FileNotFoundError:
        return None
    except OSError:
        raise _open_to_others(what) from None
    with os.fdopen(handle, "rb") as opened:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode) or not _is_private(state):
            raise _open_to_others(what)
        return opened.read() if state.st_size <= MOST_BYTES else None


def _is_private(state: os.stat_result) -> bool:
    return os.name == "nt" or (state.st_uid == os.geteuid() and not stat.S_IMODE(state.st_mode) & 0o077)


def _open_to_others(what: str) -> ConfigError:
    return ConfigError(
        f"{what} is a link, belongs to another user, or can be read or written by others.",
        hint="remove the folder, or name another one",
    )
