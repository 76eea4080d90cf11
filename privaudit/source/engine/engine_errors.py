"""The errors for an engine that holds a table and fails, or whose table changes during the scan."""

from __future__ import annotations

from privaudit.base.errors import EngineError


def failed() -> EngineError:
    """Build the error for an engine that did not answer."""
    return EngineError(
        "The engine that holds the table did not answer a query.",
        hint="check its log, the connection, and that the table still exists",
    )


def changed() -> EngineError:
    """Build the error for a table of which two statements did not read the same rows."""
    return EngineError(
        "The table changed while it was scanned: two queries of it did not read the same rows.",
        hint="scan a copy or a fixed version of it",
    )
