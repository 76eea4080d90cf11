r"""RE2 expressions without the classes of Unicode, for values without characters outside ASCII.

Question: which shorter expression matches the same ASCII texts?
Method: RE2 writes a class such as ``\p{L}`` as several hundred ranges of bytes, and once more for each repetition: to
compile an expression of names takes 6 ms, a hundred times as long as to match a small column. On ASCII texts such a
class is its ASCII characters, and one without any is a character that no ASCII text has.
Limits: an expression with a class that is not listed, or with a negated one, stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from privaudit.base.arrow import pa, pc
from privaudit.base.patterns import Expression

_TOKEN = Expression(r"\\[pP](?:\{(?P<name>[^}]*)\}|(?P<letter>.))|\\Q|\\.|\[:\^?[a-z]+:\]|\[\^?\]?|\]", re.DOTALL)
_NONE = r"\x{10FFFF}"
_ASCII = {
    "L": "A-Za-z", "Lu": "A-Z", "Ll": "a-z", "N": "0-9", "Nd": "0-9",
    **dict.fromkeys(("M", "Lo", "Lt", "Nl", "No", "Pi", "Pf", "Co", "Han", "Hangul", "Hiragana", "Katakana"), _NONE),
    **dict.fromkeys(("Thai", "Lao", "Khmer", "Myanmar", "Arabic", "Hebrew", "Cyrillic"), _NONE),
}  # fmt: skip
"""What a class is among the ASCII characters, as members of a set."""


def shortest_form(expression: str, values: pa.Array) -> str:
    """Return an expression that matches the same of these `values`."""
    if r"\p" not in expression:
        return expression
    return expression if pc.all(pc.string_is_ascii(values)).as_py() is False else ascii_form(expression)


@lru_cache(maxsize=1024)
def ascii_form(expression: str) -> str:
    r"""Return an expression that matches the same ASCII texts.

    Examples
    --------
    >>> ascii_form(r"^\p{Lu}[\p{L}\p{M}']+$")
    "^[A-Z][A-Za-z\\x{10FFFF}']+$"
    """
    written, end, is_inside = [], 0, False
    for token in _TOKEN.finditer(expression):
        text = token[0]
        if text[:2] in (r"\p", r"\P", r"\Q"):
            characters = _ASCII.get(token["name"] or token["letter"] or "") if text[:2] == r"\p" else None
            if characters is None:
                return expression
            text = characters if is_inside else f"[{characters}]"
        elif not text.startswith(("\\", "[:")):
            # The first bracket of a set opens it, even where the next closes none: ``[]a]`` and ``[^]a]`` have one.
            is_inside = not text.endswith("]") if is_inside else text.startswith("[")
        written += [expression[end : token.start()], text]
        end = token.end()
    return "".join([*written, expression[end:]])
