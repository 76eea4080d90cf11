"""RE2 expressions as Python's parser reads them, and the characters that each part of one accepts.

Question: which characters does a part of an expression accept?
Method: what only RE2 writes is rewritten for Python's parser; a class of Unicode becomes one character for private use.
Every set of characters is at least as large as what RE2 accepts: all characters outside ASCII are one.
Limits: an expression that Python's parser does not read, or with flags other than ``i`` and ``s``, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

Characters = int
"""A set of characters: bit 0 to 127 for ASCII, bit 128 for all others."""

OTHER = 1 << 128
ALL = (1 << 129) - 1
_FLAGS = re.compile(r"(?<!\\)\(\?([is]+)([:)])")
_UNREAD = re.compile(r"\[:\^?[a-z]+:\]|\{,|\(\?[a-zA-Z-]*[mUux-]|\\[QECzZ]")
_ESCAPE = re.compile(r"\\(?:([pP])(?:\{([^}]*)\}|(.))|x\{([0-9A-Fa-f]+)\}|.)", re.DOTALL)
_FIRST_CLASS = 0xF0000  # code points for private use, which stand for classes of Unicode while Python parses


def of(text: str) -> Characters:
    """Return the set of the characters of an ASCII text."""
    return sum(1 << code for code in set(text.encode("ascii")))


def _between(first: str, last: str) -> Characters:
    return sum(1 << code for code in range(ord(first), ord(last) + 1))


DIGITS = _between("0", "9")
UPPER, LOWER = _between("A", "Z"), _between("a", "z")
_WORD = DIGITS | UPPER | LOWER | of("_")
_SPACE = of("\t\n\f\r ")
_UNICODE = {
    "L": UPPER | LOWER | OTHER,
    "Lu": UPPER | OTHER,
    "Ll": LOWER | OTHER,
    "M": OTHER,
    "Nd": DIGITS | OTHER,
    "Han": OTHER,
    "Hangul": OTHER,
}
_CATEGORIES = {
    sre.CATEGORY_DIGIT: DIGITS,
    sre.CATEGORY_NOT_DIGIT: ALL & ~DIGITS,
    sre.CATEGORY_SPACE: _SPACE,
    sre.CATEGORY_NOT_SPACE: ALL & ~_SPACE,
    sre.CATEGORY_WORD: _WORD,
    sre.CATEGORY_NOT_WORD: ALL & ~_WORD,
}


class UnreadableError(Exception):
    """The expression has a part whose characters are not known."""


class Parsed(NamedTuple):
    """An expression as Python's parser read it; `folds`: letters are accepted in either case."""

    items: Any
    folds: bool


@cache
def parsed(expression: str) -> Parsed | None:
    """Return the expression as parsed by Python, all of it without case where any part is; None if it is not read."""
    plain = _FLAGS.sub(lambda found: "(?:" if found[2] == ":" else "", expression)
    folds = any("i" in found[1] for found in _FLAGS.finditer(expression))
    if _UNREAD.search(plain):
        return None
    try:
        return Parsed(_parser.parse(_ESCAPE.sub(_python, plain)), folds)
    except (re.error, OverflowError, ValueError, RecursionError):
        return None


_NAMES = tuple(_UNICODE)


def _python(escape: re.Match[str]) -> str:
    """Return an escape of RE2 as Python writes it: a class of Unicode as one character for private use."""
    negated, name, letter, code = escape.groups()
    if code is not None:
        return re.escape(chr(int(code, 16)))
    if negated is None:
        return escape[0]
    name = name or letter
    is_known = negated == "p" and name in _UNICODE
    return chr(_FIRST_CLASS + (_NAMES.index(name) if is_known else len(_NAMES)))


def characters_of_item(kind: Any, value: Any, *, folds: bool) -> Characters:
    """Return the characters that a part of a parsed expression accepts, or more; `folds`: in either case.

    Raises
    ------
    UnreadableError
        If the part is not one character.
    """
    if kind is sre.ANY:
        return ALL
    if kind is sre.LITERAL:
        return _folded(_literal(value)) if folds else _literal(value)
    if kind is sre.NOT_LITERAL:
        return _complement(_literal(value), is_class=_is_class(value))
    if kind is sre.IN:
        return _set(value, folds=folds)
    raise UnreadableError


def _set(members: Sequence[Any], *, folds: bool) -> Characters:
    characters, negated, has_class = 0, False, False
    for kind, value in members:
        if kind is sre.NEGATE:
            negated = True
        elif kind is sre.LITERAL:
            characters |= _literal(value)
            has_class = has_class or _is_class(value)
        elif kind is sre.RANGE:
            first, last = value
            characters |= sum(1 << code for code in range(first, min(last, 127) + 1))
            characters |= OTHER if last > 127 else 0
        elif kind is sre.CATEGORY:
            characters |= _CATEGORIES[value]
        else:
            raise UnreadableError
    if negated:
        return _complement(characters, is_class=has_class)
    return _folded(characters) if folds else characters


def _folded(characters: Characters) -> Characters:
    characters |= (characters & LOWER) >> 32 | (characters & UPPER) << 32
    if characters & (of("ksKS") | OTHER):  # the Kelvin sign and the long s fold to k and s
        characters |= OTHER | of("ksKS")
    return characters


def _is_class(code: int) -> bool:
    return _FIRST_CLASS <= code <= _FIRST_CLASS + len(_NAMES)


def _literal(code: int) -> Characters:
    if _is_class(code):
        at = code - _FIRST_CLASS
        return _UNICODE[_NAMES[at]] if at < len(_NAMES) else ALL
    return 1 << code if code < 128 else OTHER


def _complement(characters: Characters, *, is_class: bool) -> Characters:
    """Return the characters outside a set; all of them where the set may be larger than what RE2 accepts."""
    return ALL if is_class else ALL & ~(characters & ~OTHER)
