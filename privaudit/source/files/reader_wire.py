"""What travels between the scan and its readers: errors, limits and settings as plain JSON.

Question: how does a child process hand back an error or a limit without being trusted?
Method: classes are named in JSON and looked up in two short lists, so that a reader that a file took over can choose
a message but never a class. Text is checked to be text.
Limits: the table itself travels as an Arrow stream, see `privaudit.source.files.reader_client`.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from privaudit.base import errors
from privaudit.base.errors import PrivauditError
from privaudit.model import Limit, limit, wording
from privaudit.model.wording import Value
from privaudit.settings.config import Settings
from privaudit.source.files.location import Location

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
_VALUES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (wording.Columns, wording.Count, wording.Listing, wording.Name, wording.Number, wording.Threshold)
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


def limit_out(found: Limit) -> dict[str, Any]:
    """Return a limit as JSON values."""
    values = {name: _value_out(value) for name, value in found.values.items()}
    return {"code": found.code, "incomplete": found.incomplete, "values": values}


def limit_in(sent: Mapping[str, Any]) -> Limit:
    """Return the limit that `limit_out` wrote."""
    values = {str(name): _value_in(value) for name, value in sent["values"].items()}
    return limit(str(sent["code"]), incomplete=bool(sent["incomplete"]), **values)


def _value_out(value: Any) -> Any:
    if not dataclasses.is_dataclass(value):
        return [_value_out(item) for item in value] if isinstance(value, tuple) else value
    fields = {item.name: _value_out(getattr(value, item.name)) for item in dataclasses.fields(value)}
    return {"class": type(value).__name__, "fields": {k: v for k, v in fields.items() if k != "type"}}


def _value_in(sent: Any) -> Value:
    fields = {name: _field_in(value) for name, value in sent["fields"].items()}
    made: Value = _VALUES[sent["class"]](**fields)
    return made


def _field_in(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_field_in(item) for item in value)
    return _value_in(value) if isinstance(value, dict) else value


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
