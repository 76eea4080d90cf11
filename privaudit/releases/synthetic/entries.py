"""Tables of a TOML file, read key by key with errors that name the place.

Question: does an entry hold the keys that it must, with the types that they must have?
Method: every key is taken once; what was not taken is unknown.
Limits: knows no meaning of a key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from privaudit.base.errors import ConfigError, MissingBounds

T = TypeVar("T")
_NAMES = {str: "a text", bool: "true or false", int: "a whole number", float: "a number", dict: "a table"}


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
            raise ConfigError(f"{where} must be a table.")
        self._left = dict(content)
        self.where = where

    def take(self, key: str, kind: type[T], default: T) -> T:
        """Return the value of a key, `default` where it is not written."""
        return self._checked(key, self._left.pop(key, default), kind)

    def need(self, key: str, kind: type[T]) -> T:
        """Return the value of a key that must be written."""
        if key not in self._left:
            raise MissingBounds(f'{self.where} must state "{key}".', hint="it is never read from the data")
        return self._checked(key, self._left.pop(key), kind)

    def raw(self, key: str) -> Any:
        """Return a value of any type; None where it is not written."""
        return self._left.pop(key, None)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of different texts, at least one; numbers count as texts."""
        found = self.raw(key)
        if not isinstance(found, list) or not found:
            raise MissingBounds(f'{self.where} must list "{key}".', hint="they are never read from the data")
        if any(isinstance(each, bool) or not isinstance(each, str | int | float) for each in found):
            raise ConfigError(f'"{key}" of {self.where} must be texts.')
        made = tuple(str(each) for each in found)
        if len(set(made)) < len(made):
            raise ConfigError(f'"{key}" of {self.where} lists a value twice.')
        return made

    def choice(self, key: str, allowed: Sequence[str], default: str) -> str:
        """Return one of several words."""
        found = self.take(key, str, default)
        if found not in allowed:
            raise ConfigError(f'"{key}" of {self.where} must be one of: {", ".join(allowed)}.')
        return found

    def end(self) -> None:
        """Raise `ConfigError` for a key that was not taken."""
        for key in self._left:
            raise ConfigError(f'Unknown key "{key}" in {self.where}.', hint="check the spelling")

    def _checked(self, key: str, value: Any, kind: type[T]) -> T:
        is_number = kind is float and isinstance(value, int) and not isinstance(value, bool)
        is_flag = kind in (int, float) and isinstance(value, bool)
        if not is_number and (is_flag or not isinstance(value, kind)):
            raise ConfigError(f'"{key}" of {self.where} must be {_NAMES.get(kind, "of another type")}.')
        found: T = value
        return found
