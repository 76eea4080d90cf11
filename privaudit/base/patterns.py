"""Regular expressions that are compiled when they are first used.

Question: how does a module define its expressions at its top, without a scan that uses few of them compiling all?
Method: `Expression` keeps the text, and compiles it when a method of it is asked for, which it then keeps.
Limits: functions of `re` do not take one: its methods are called. An invalid text shows at the first use. What every
reader of a file uses is compiled by `re` before the readers are forked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["Expression"]

if TYPE_CHECKING:
    from re import compile as Expression
else:

    class Expression:
        """A `re.Pattern` of a text and flags."""

        def __init__(self, text: str | bytes, flags: int = 0) -> None:
            self._stated = text, flags

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):  # what copies and tests of types ask for
                raise AttributeError(name)
            found = getattr(re.compile(*self._stated), name)
            setattr(self, name, found)
            return found
