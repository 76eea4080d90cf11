r"""Which values an RE2 expression matches, once for the small numbers and the shapes that many columns share.

Question: which of some values does an expression match?
Method: the shortest expression that matches the same reads all values at once, or one of each shape where it treats
digits alike. One-hot flags, items of a survey and codes of categories are a few whole numbers, the same in hundreds of
columns; most numbers and dates have one of a few shapes. To compile an expression takes longer than to match them: what
it matches among numbers of up to three digits, and texts of zeros and signs, is kept. RE2 writes a class such as
``\p{L}`` as several hundred ranges of bytes, and once more for each repetition: to compile an expression of names takes
6 ms, a hundred times as long as to match a small column. On ASCII texts such a class is its ASCII characters, and one
without any is a character that no ASCII text has.
Limits: no other value is kept, so that no cell outlasts its table. An expression with a class that is not listed, or
with a negated one, stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.base.patterns import Expression
from privaudit.source.profile.digit_shapes import shapes_of

_FEW = 24
_ORDINARY = Expression(r"[0-9]{1,3}|[0 -/:-@\[-`{-~]{1,20}")
"""A number of up to three digits, or a text of zeros and signs alone, as the shape of numbers and dates is."""


def matches(values: pa.Array, expression: str) -> Flags:
    """Return which of d `values` an RE2 expression matches, a bool array of shape (d,); missing ones do not match."""
    shapes = shapes_of(values, (expression,))
    if shapes is not None:
        return matches(shapes.values, expression)[shapes.place]
    if len(values) <= _FEW:
        texts = values.to_pylist()
        if all(text is not None and _ORDINARY.fullmatch(text) for text in texts):
            return _of_ordinary(texts, expression)
    return _matches(values, expression)


def _matches(values: pa.Array, expression: str) -> Flags:
    found = pc.match_substring_regex(values, shortest_form(expression, values))
    if found.null_count:
        found = found.fill_null(False)
    return np.asarray(found, dtype=np.bool_)


def _of_ordinary(texts: list[str], expression: str) -> Flags:
    """Return which of a few ordinary texts match."""
    known = _known(expression)
    new = [text for text in texts if text not in known]
    if new:
        known.update(zip(new, _matches(pa.array(new, pa.string()), expression).tolist(), strict=True))
    return np.fromiter((known[text] for text in texts), np.bool_, len(texts))


@lru_cache(maxsize=4096)
def _known(_expression: str) -> dict[str, bool]:
    """Return the ordinary texts of which it is known whether the expression matches them."""
    return {}


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
