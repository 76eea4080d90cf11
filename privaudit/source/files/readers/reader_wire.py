"""What travels between the scan and its readers: errors, limits and settings as plain JSON.

Question: how does a child process hand back an error or a limit without being trusted?
Method: the class of an error is named in JSON and looked up in a short list, and a limit is made of the typed values
of the vocabulary alone, so that a reader that a file took over can choose a message but never a class.
Limits: the table itself travels as an Arrow stream, see `privaudit.source.files.readers.reader_client`.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from privaudit.base import errors
from privaudit.base.errors import PrivauditError
from privaudit.base.typed import convert
from privaudit.model import Limit
from privaudit.settings.config import Settings
from privaudit.source.places.location import Location

_ERRORS = {
    kind.__name__: kind
    for kind in (
        errors.ConfigError,
        errors.EngineError,
        errors.ScanIncomplete,
        errors.SourceError,
        errors.UnreadableSource,
        errors.UnsupportedFormat,
    )
}
READING = ("delimiter", "encoding", "header", "bad_rows", "threads", "memory", "cap")
"""The settings that a reader needs."""


def error_out(error: PrivauditError) -> dict[str, Any]:
    """Return an error as JSON values."""
    return {"class": type(error).__name__, "message": error.message, "hint": error.hint}


def error_in(sent: Mapping[str, Any]) -> PrivauditError:
    """Return the error that `error_out` wrote."""
    hint = sent.get("hint")
    kind = _ERRORS.get(str(sent.get("class")), errors.UnreadableSource)
    return kind(str(sent.get("message")), hint=None if hint is None else str(hint))


def limit_in(sent: Any) -> Limit:
    """Return the limit that `plain` wrote.

    Raises
    ------
    TypeError
        If it is not a limit.
    """
    return convert(sent, Limit)


def location_out(where: Location) -> dict[str, Any]:
    """Return a location as JSON values; bytes of a path that are not text survive as surrogates."""
    return {**dataclasses.asdict(where), "path": os.path.abspath(where.path)}  # a reader has another current folder


def location_in(sent: Mapping[str, Any]) -> Location:
    """Return the location that `location_out` wrote."""
    from pathlib import Path

    keys = tuple((str(name), None if value is None else str(value)) for name, value in sent["keys"])
    return Location(**{**sent, "path": Path(sent["path"]), "keys": keys})


def settings_out(settings: Settings) -> dict[str, Any]:
    """Return what a reader needs of the settings as JSON values."""
    return {name: getattr(settings, name) for name in READING}


def settings_in(sent: Mapping[str, Any]) -> Settings:
    """Return settings with what `settings_out` wrote, everything else at its default."""
    return Settings(**sent)
