"""Tables of a TOML file, read key by key with errors that name the place.

Question: does an entry hold the keys that it must, with the types that they must have?
Method: every key is taken once; what was not taken is unknown. A tuple of Python counts as a list.
Limits: knows no meaning of a key.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from privaudit.base.errors import MissingBounds, ReleaseError
from privaudit.base.typed import is_number

T = TypeVar("T")
D = TypeVar("D")
_NAMES = {
    str: "a text that is not empty",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    dict: "a table",
    list: "a list",
}
NEVER = "what is declared is never read from the data"


class Entry:
    """One table of a TOML file.

    Parameters
    ----------
    content : mapping
    where : str
        Its place, for errors: ``column "age" of domain.toml``.
    """

    def __init__(self, content: Any, where: str) -> None:
        if not isinstance(content, Mapping):
            raise ReleaseError(f"{where} must be a table.")
        self._left = {key: list(value) if isinstance(value, tuple) else value for key, value in content.items()}
        self._known: dict[str, None] = {}
        self.where = where

    def _has(self, key: str) -> bool:
        self._known[key] = None
        return key in self._left

    def take(self, key: str, kind: type[T], default: D) -> T | D:
        """Return the value of a key, `default` where it is not written."""
        return self.need(key, kind) if self._has(key) else default

    def need(self, key: str, kind: type[T]) -> T:
        """Return the value of a key that must be written."""
        if not self._has(key):
            raise MissingBounds(f'{self.where} must state "{key}".', hint=NEVER)
        found: Any = self._left.pop(key)
        if not _is(found, kind):
            raise ReleaseError(f'"{key}" of {self.where} must be {_NAMES[kind]}.')
        return found

    def whole(self, key: str, most: int, default: D) -> int | D:
        """Return a whole number from 1 to `most`."""
        if not self._has(key):
            return default
        found = self.need(key, int)
        if not 1 <= found <= most:
            raise ReleaseError(f'"{key}" of {self.where} must be a whole number from 1 to {most:,}.')
        return found

    def share(self, key: str, default: D) -> float | D:
        """Return a number above 0 and below 1."""
        if not self._has(key):
            return default
        found = self.need(key, float)
        if not 0 < found < 1:
            raise ReleaseError(f'"{key}" of {self.where} must be between 0 and 1.')
        return found

    def raw(self, key: str) -> Any:
        """Return a value of any type; None where it is not written."""
        return self._left.pop(key) if self._has(key) else None

    def texts(self, key: str) -> tuple[str | bool | float, ...]:
        """Return a list of different texts, numbers or truth values, at least one."""
        found = self.raw(key)
        if not isinstance(found, list) or not found:
            raise MissingBounds(f'{self.where} must list "{key}".', hint=NEVER)
        if any(not isinstance(each, str | int | float) for each in found):
            raise ReleaseError(f'"{key}" of {self.where} must be texts or numbers.')
        if len({str(each) for each in found}) < len(found):
            raise ReleaseError(f'"{key}" of {self.where} lists a value twice.')
        return tuple(found)

    def choice(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        """Return one of several words; without a default it must be written."""
        found = self.need(key, str) if default is None else self.take(key, str, default)
        if found not in allowed:
            raise ReleaseError(f'"{key}" of {self.where} must be one of: {", ".join(allowed)}.')
        return found

    def end(self) -> None:
        """Raise `ReleaseError` for a key that was not taken."""
        for key in self._left:
            raise ReleaseError(f'Unknown key "{key}" in {self.where}.', hint=f"known are: {', '.join(self._known)}")


def _is(value: Any, kind: type) -> bool:
    if kind is float:
        return is_number(value)
    return isinstance(value, kind) and value != "" and (kind is not int or not isinstance(value, bool))


def as_json(value: Any) -> Any:
    """Return what a TOML file states as values of JSON: dates as texts of ISO 8601."""
    if isinstance(value, Mapping):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return value.isoformat() if isinstance(value, datetime.date) else value
