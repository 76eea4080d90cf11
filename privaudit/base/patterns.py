"""Regular expressions that are compiled when they are first used.

Question: how does a module define its expressions at its top, without a scan that uses few of them compiling all?
Method: `Expression` keeps the text, and compiles it when a method of it is asked for, which it then keeps.
Limits: functions of `re` do not take one: its methods are called. An invalid text shows at the first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["Expression", "Stated"]


class Stated:
    """The text and the flags of a `re.Pattern`, with its methods."""

    def __init__(self, text: str | bytes, flags: int = 0) -> None:
        self.stated = text, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what copies and tests of types ask for
            raise AttributeError(name)
        from privaudit.base import compiled_code  # here, as in `records`

        found = getattr(compiled_code.expression(*self.stated), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    from re import compile as Expression
else:
    Expression = Stated
