"""The embedded engine: DuckDB, shut off from files, network and extensions.

A private folder of mode 0700 takes the table that the engine holds and what does not fit in memory, both encrypted with
keys that are in this process alone; it is removed with the connection.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from privaudit.base import private_folders
from privaudit.base.errors import ConfigError, EngineUnavailable
from privaudit.base.sql_text import sql_text
from privaudit.settings.config import Settings

LOCKED = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}


SHARE_OF_ENGINE = 0.5
"""Share of the memory of a run that the engine may hold; it keeps what it took, and answers need the rest."""


def connect(settings: Settings, *, holds_table: bool = False) -> tuple[Any, Callable[[], None]]:
    """Open an engine and return it with the function that closes it.

    Parameters
    ----------
    settings : Settings
    holds_table : bool, default False
        Whether the engine gets a table of its own. It is then compressed in an encrypted file of the private folder: a
        table in the engine's memory is not compressed, and takes ten times the space there and in what is spilled.

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

    # What a killed run left behind is deleted by the next one, because no handler runs on SIGKILL.
    private_folders.sweep()
    folder, remove_folder = private_folders.claim()
    options: dict[str, Any] = {"temp_directory": str(folder)}
    if settings.threads is not None:
        options["threads"] = settings.threads
    if settings.memory is not None:
        options["memory_limit"] = f"{int(SHARE_OF_ENGINE * (settings.memory_bytes() or 0))}B"
    try:
        connection = duckdb.connect(":memory:", config=options)
    except duckdb.Error:
        remove_folder()
        if settings.memory is not None:
            raise ConfigError('"memory" must be a size the engine knows.', hint="for example 4GB") from None
        raise EngineUnavailable("The embedded engine does not start.", hint="privaudit doctor") from None
    remove = weakref.finalize(connection, remove_folder)
    connection.execute("SET enable_progress_bar = false")
    _encrypt(connection, folder / "table" if holds_table else None)
    for name, value in LOCKED.items():
        connection.execute(f"SET {name} = {value}")
    # Last: from here on no statement can turn access to files or the network on again.
    connection.execute("SET lock_configuration = true")

    def close() -> None:
        connection.close()
        remove()

    return connection, close


def _encrypt(connection: Any, file: Path | None) -> None:
    """Let the engine encrypt what it spills, and hold its table in an encrypted `file`, if one is given.

    The engine's own cipher (AES-GCM) draws its nonces from a generator that is not cryptographic, hence the name of the
    setting; the key of the file is 256 bits of the operating system.
    """
    connection.execute("SET force_mbedtls_unsafe = true")
    connection.execute("SET temp_file_encryption = true")
    if file is not None:
        import secrets

        connection.execute(f"ATTACH {sql_text(str(file))} AS held (ENCRYPTION_KEY '{secrets.token_hex(32)}')")
        connection.execute("USE held")
