"""Values as TOML.

Question: how is a value written into a file that a person reads and edits?
Method: texts, numbers and truth values have the form of JSON, except for DEL, which TOML does not allow unescaped, and
for infinity and NaN, which TOML writes `inf` and `nan`.
Limits: dates and missing values are not written.
"""

from __future__ import annotations

import json
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
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
