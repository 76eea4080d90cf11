"""Values as TOML.

Question: how is a value written into a file that a person reads and edits?
Method: texts, numbers and truth values have the form of JSON, except for infinity and NaN, which TOML writes `inf` and
`nan`, and for hidden characters and direction marks, which are escapes: a reviewer sees what a name contains.
Limits: times and missing values are not written.
"""

from __future__ import annotations

import datetime
import json
import unicodedata
from collections.abc import Mapping
from math import isfinite
from typing import Any


def toml_text(value: Any) -> str:
    """Return a value as TOML, on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_text(str(key))} = {toml_text(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_text, value)) + "]"
    if isinstance(value, float) and not isfinite(value):
        return str(float(value))
    if isinstance(value, datetime.date):
        return value.isoformat()
    # The escapes of JSON are those of TOML, besides characters above U+FFFF.
    return "".join(map(_shown, json.dumps(value, ensure_ascii=False)))


def toml_lines(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the line of TOML of each key that has a value."""
    return {key: f"{key} = {toml_text(value)}" for key, value in values.items() if value not in (None, "")}


def toml_key(name: str) -> str:
    """Return a key of TOML, quoted where it must be."""
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else toml_text(name)


def _shown(char: str) -> str:
    if char.isprintable() or unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp"):
        return char
    return f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08X}"
