"""privaudit: what personal data a table holds, who in it can be singled out, and what would fix it.

>>> import privaudit
>>> report = privaudit.scan("claims.csv", policy="public", seed=7)      # doctest: +SKIP
>>> report.write("risk.html")                                           # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from privaudit._version import __version__

if TYPE_CHECKING:
    from privaudit.api import accept, attack, explain, judge, load, scan
    from privaudit.errors import (
        ColumnNotFound,
        ConfigError,
        EngineError,
        EngineUnavailable,
        GateFailed,
        PrivauditError,
        RuleError,
        ScanIncomplete,
        SourceError,
        UnreadableSource,
        UnsupportedFormat,
    )
    from privaudit.result import Findings, GateDecision, ScanReport

_HOMES = {
    "api": ("accept", "attack", "explain", "judge", "load", "scan"),
    "result": ("Findings", "GateDecision", "ScanReport"),
    "errors": (
        "ColumnNotFound",
        "ConfigError",
        "EngineError",
        "EngineUnavailable",
        "GateFailed",
        "PrivauditError",
        "RuleError",
        "ScanIncomplete",
        "SourceError",
        "UnreadableSource",
        "UnsupportedFormat",
    ),
}

__all__ = [
    "ColumnNotFound",
    "ConfigError",
    "EngineError",
    "EngineUnavailable",
    "Findings",
    "GateDecision",
    "GateFailed",
    "PrivauditError",
    "RuleError",
    "ScanIncomplete",
    "ScanReport",
    "SourceError",
    "UnreadableSource",
    "UnsupportedFormat",
    "__version__",
    "accept",
    "attack",
    "explain",
    "judge",
    "load",
    "scan",
]


def __getattr__(name: str) -> Any:
    # Imported on first use: `import privaudit` costs milliseconds, a scan pays for what it needs.
    import importlib

    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"privaudit.{home}"), name)
    raise AttributeError(f"module 'privaudit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
