"""Values that have the type of an annotation already, as that type.

Question: is a value of the type of an annotation, and what is it in that type?
Method: numbers, texts, dates, literals, optional values, tuples, mappings and records of them. As from JSON, a list is
a tuple, a text of ISO 8601 is a date, a mapping with the names of the fields is a record, a whole number is a float.
Limits: stricter than Pydantic, which takes longer to load and build than a small table takes to scan. So callers ask
Pydantic (`validated`) about what is refused here, for the error that names the place.
"""

from __future__ import annotations

import datetime
import json
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeGuard, Union, get_args, get_origin, get_type_hints

_PLAIN = (bool, int, str, type(None))


def convert(value: Any, expected: Any) -> Any:
    """Return `value` as the type `expected`.

    Raises
    ------
    TypeError, ValueError
        If it has another type, or is a text that is not a date.
    """
    if expected is Any or (expected in _PLAIN and type(value) is expected):
        return value
    if expected is float and type(value) in (int, float) and math.isfinite(value):
        return float(value)
    if expected is datetime.date and isinstance(value, str) and len(value) == len("2024-12-31"):
        return datetime.date.fromisoformat(value)
    if isinstance(value, Mapping) and is_dataclass(expected):
        record: Any = expected
        hints = _hints(record)
        if value.keys() <= hints.keys():
            return record(**{key: convert(item, hints[key]) for key, item in value.items()})
    return _composed(value, get_origin(expected), get_args(expected))


def plain(value: Any) -> Any:
    """Return `value` as JSON writes it, from which `convert` makes it again: records by the names of their fields."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether `value` is a finite number, which true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -math.inf < value < math.inf


class Strict:
    """Mark a record as part of a pack: strict types, no unknown key, finite numbers."""

    __pydantic_config__ = {"extra": "forbid", "strict": True, "allow_inf_nan": False}  # noqa: RUF012 - read by pydantic


class Refused(Exception):
    """What a validator refuses, by the kind and the place of the first such value; the value itself is not kept."""

    def __init__(self, kind: str, place: tuple[int | str, ...]) -> None:
        self.kind, self.place = kind, place
        super().__init__(kind)


def validated(
    content: Any, expected: Any, *, foreign: Callable[[Any], Any] | None = None, strict: bool | None = None
) -> Any:
    """Return `content` as Pydantic reads it as the type `expected`.

    Parameters
    ----------
    content : object
    expected : type
    foreign : callable, optional
        Where given, `content` is read as JSON, in which dates are texts; `foreign` converts what JSON cannot hold, as
        ``default`` of `json.dumps` does.
    strict : bool, optional
        Whether values of another type are refused instead of converted; by default the record decides.

    Raises
    ------
    Refused
    """
    from pydantic import ValidationError  # lazily: few runs need a validator

    try:
        if foreign is not None:
            return _adapter(expected).validate_json(json.dumps(content, default=foreign))
        return _adapter(expected).validate_python(content, strict=strict)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        refused = Refused(first["type"], first["loc"])
    raise refused


@cache
def _adapter(expected: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(expected)


def _composed(value: Any, origin: Any, of: tuple[Any, ...]) -> Any:
    """Return `value` as a literal, an optional or alternative type, a tuple or a mapping."""
    if origin is Literal and type(value) is str and value in of:
        return value
    if origin in (Union, types.UnionType):
        return _first(value, of)
    if origin is tuple and type(value) in (list, tuple) and of[1:] == (...,):
        return tuple(convert(item, of[0]) for item in value)
    if origin is Mapping and type(value) is dict:
        return {convert(key, of[0]): convert(item, of[1]) for key, item in value.items()}
    raise TypeError("the value has another type")


def _first(value: Any, alternatives: tuple[Any, ...]) -> Any:
    """Return `value` as the first of the types that it has; a whole number stays one where it may be either."""
    for expected in (int, *alternatives) if type(value) is int and int in alternatives else alternatives:
        try:
            return convert(value, expected)
        except TypeError:
            continue
    raise TypeError("the value has none of the types")


@cache
def _hints(record: Any) -> dict[str, Any]:
    return get_type_hints(record)
