"""Modules and rules of later stages that are loaded while another process reads a large file.

Question: what can this process do while it waits for the reader?
Method: a thread imports detection and the compiled loops, which large tables need and which take up to a second, and
reads the detectors and the lexicon of column names.
Limits: small files are read in less time than the imports take; a stage that comes first waits for its own imports.
"""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Thread
from typing import Any

LARGE = 30_000_000
"""Bytes of a file that takes longer to read than the imports take."""
ROW_BYTES = 200
"""Of a row of such a file, roughly: it decides only whether compiled loops are likely to be needed."""


def import_ahead(source: Any) -> None:
    """Begin to import what a large file will need; nothing happens for other sources."""
    if not isinstance(source, (str, os.PathLike)):
        return
    try:
        size = os.path.getsize(source)
    except (OSError, ValueError):  # not a file, or not a path
        return
    if size >= LARGE:
        Thread(target=_import, args=(size // ROW_BYTES,), daemon=True).start()


def _import(rows: int) -> None:
    with suppress(ImportError, MemoryError, OSError):  # the stage that needs the module reports it
        from privaudit import attacks, risk  # noqa: F401
        from privaudit.advice import advise  # noqa: F401
        from privaudit.detect.catalogue import detectors
        from privaudit.model.headers import lexicon
        from privaudit.risk.codes.compiler import worth_loading
        from privaudit.risk.codes.sorted_keys import VISITS

        detectors.load()
        lexicon.words()
        if worth_loading(VISITS * rows):
            from privaudit.risk.codes.sorting_loops import number_runs

            number_runs.load()
