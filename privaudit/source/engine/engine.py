"""The embedded engine: DuckDB, shut off from files, network and extensions.

A private folder of mode 0700 takes what does not fit in memory and is removed with the connection.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError, EngineUnavailable
from privaudit.settings.config import Settings

LOCKED = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}


PREFIX = "privaudit-"
SHARE_OF_ENGINE = 0.5
"""Share of the memory of a run that the engine may hold; it keeps what it took, and answers need the rest."""


def sweep() -> None:
    """Remove private folders whose process has ended: a killed process cannot remove its own."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        try:
            ours = folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.getuid()
            if ours and owner.isdecimal() and not _runs(int(owner)):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def connect(settings: Settings) -> tuple[Any, Callable[[], None]]:
    """Open an in-memory engine and return it with the function that closes it.

    The folder goes when the engine is closed, when nobody holds it any more, and at the latest when Python ends.

    Returns
    -------
    (duckdb.DuckDBPyConnection, callable)

    Raises
    ------
    ConfigError
        If `settings.memory` is not a size.
    EngineUnavailable
        If the engine does not start.
    """
    import duckdb

    sweep()
    folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")  # created with mode 0700
    options: dict[str, Any] = {**LOCKED, "temp_directory": folder}
    if settings.threads is not None:
        options["threads"] = settings.threads
    if settings.memory is not None:
        options["memory_limit"] = f"{int(SHARE_OF_ENGINE * (settings.memory_bytes() or 0))}B"
    try:
        connection = duckdb.connect(":memory:", config=options)
    except duckdb.Error:
        shutil.rmtree(folder, ignore_errors=True)
        if settings.memory is not None:
            raise ConfigError('"memory" must be a size the engine knows.', hint="for example 4GB") from None
        raise EngineUnavailable("The embedded engine does not start.", hint="privaudit doctor") from None
    remove = weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SET lock_configuration = true")

    def close() -> None:
        connection.close()
        remove()

    return connection, close
