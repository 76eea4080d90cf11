"""Make and read a secret key: a file that nobody else can read, never an argument.

Question: which key makes the pseudonyms, and how is it named without disclosing it?
Method: a regular file of at least 32 bytes with mode 0600 (or 0400) that belongs to the user. Its id is the first eight
hexadecimal digits of HMAC-SHA-256(key, "id").
Limits: no message repeats what was given, because it may be the key itself. Whoever can read the memory of the process
can read the key.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from privaudit.advice.technique.pseudonymise import key_id
from privaudit.base.errors import ConfigError

__all__ = ["key_id", "new_key", "read_key", "write_secret"]

LEAST_BYTES = 32
MOST_BYTES = 4096
_MAKE = "make one: (umask 077; head -c 32 /dev/urandom > privaudit.key)"


def read_key(path: str | Path) -> bytes:
    """Return the key in a file.

    Raises
    ------
    ConfigError
        If the file does not exist, is not a regular file of the user, can be read by others, or is too short or
        too long.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except (OSError, ValueError):
        raise ConfigError("The key file does not exist or cannot be read.", hint=_MAKE) from None
    state = os.fstat(handle)
    if not stat.S_ISREG(state.st_mode):
        os.close(handle)
        raise ConfigError("The key file is not a regular file.", hint=_MAKE)
    with os.fdopen(handle, "rb") as file:
        if stat.S_IMODE(state.st_mode) & 0o177:
            raise ConfigError("Others may read the key file.", hint="give it the mode 0600: chmod 600 FILE")
        if hasattr(os, "getuid") and state.st_uid != os.getuid():
            raise ConfigError("The key file belongs to another user.", hint=_MAKE)
        key = file.read(MOST_BYTES + 1)
    if not LEAST_BYTES <= len(key) <= MOST_BYTES:
        raise ConfigError(f"The key file must hold {LEAST_BYTES} to {MOST_BYTES} bytes.", hint=_MAKE)
    return key


def new_key(path: str | Path) -> None:
    """Write a new random key of `LEAST_BYTES` bytes to a file that does not exist yet, mode 0600.

    Raises
    ------
    ConfigError
        If the file exists or cannot be written.
    """
    write_secret(path, secrets.token_bytes(LEAST_BYTES))


def write_secret(path: str | Path, content: bytes) -> None:
    """Write `content` to a file that does not exist yet, mode 0600.

    Raises
    ------
    ConfigError
        If the file exists or cannot be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except FileExistsError:
        raise ConfigError("The file for the secret exists; it is not replaced.", hint="name a new file") from None
    except (OSError, ValueError):
        raise ConfigError("The file for the secret cannot be written.", hint="check the folder") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        os.unlink(path)
        raise ConfigError("The file for the secret cannot be written.", hint="check that the disk has space") from None
