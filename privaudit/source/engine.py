"""The embedded engine: DuckDB behind Ibis, shut off from files, network and extensions.

A private folder of mode 0700 takes what does not fit in memory and is removed with the connection.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from typing import Any

from privaudit.config import Settings

LOCKED = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}


def connect(settings: Settings) -> tuple[Any, Callable[[], None]]:
    """Open an in-memory engine and return it with the function that closes it.

    Returns
    -------
    (ibis.backends.duckdb.Backend, callable)
    """
    import ibis

    folder = tempfile.mkdtemp(prefix="privaudit-")  # created with mode 0700
    options: dict[str, Any] = {**LOCKED, "temp_directory": folder}
    if settings.threads is not None:
        options["threads"] = settings.threads
    if settings.memory is not None:
        options["memory_limit"] = settings.memory
    connection = ibis.duckdb.connect(":memory:", **options)
    connection.raw_sql("SET enable_progress_bar = false")
    connection.raw_sql("SET lock_configuration = true")

    def close() -> None:
        connection.disconnect()
        shutil.rmtree(folder, ignore_errors=True)

    return connection, close
