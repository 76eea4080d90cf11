"""RE2 expressions as trees: the characters that each part of one accepts, and how many.

Question: which characters does a part of an expression accept, and how many at least and at most?
Method: what only RE2 writes is rewritten for Python's parser; a class of Unicode becomes one character for private use.
Every set of characters is at least as large as what RE2 accepts: all characters outside ASCII are one.
Limits: an expression that Python's parser does not read, or with flags other than ``i`` and ``s``, is not read.
"""

from __future__ import annotations

import re
from functools import cache, reduce
from operator import or_
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Literal, NamedTuple

Characters = int
"""A set of characters: bit 0 to 127 for ASCII, bit 128 for all others."""

OTHER = 1 << 128
ALL = (1 << 129) - 1
_FLAGS = re.compile(r"(?<!\\)\(\?([is]+)([:)])")
_UNREAD = re.compile(r"\[:\^?[a-z]+:\]|\{,|\(\?[a-zA-Z-]*[mUux-]|\\[QECzZ]")
_ESCAPE = re.compile(r"\\(?:([pP])(?:\{([^}]*)\}|(.))|x\{([0-9A-Fa-f]+)\}|.)", re.DOTALL)


def of(text: str) -> Characters:
    """Return the set of the characters of an ASCII text."""
    return sum(1 << code for code in set(text.encode("ascii")))


def _between(first: int, last: int) -> Characters:
    return (1 << min(last, 128) + 1) - (1 << min(first, 128))  # bit 128 stands for all above


DIGITS = of("0123456789")
UPPER, LOWER = _between(ord("A"), ord("Z")), _between(ord("a"), ord("z"))
_WORD = DIGITS | UPPER | LOWER | of("_")
_SPACE = of("\t\n\f\r ")
_KS = of("ksKS")
_UNICODE = {
    "L": UPPER | LOWER | OTHER,
    "Lu": UPPER | OTHER,
    "Ll": LOWER | OTHER,
    "M": OTHER,
    "Nd": DIGITS | OTHER,
    "Han": OTHER,
    "Hangul": OTHER,
    "": ALL,  # any other class
}
_CODES = {name: 0xF0000 + place for place, name in enumerate(_UNICODE)}
_CLASSES = {code: _UNICODE[name] for name, code in _CODES.items()}
"""Characters for private use, which stand for classes of Unicode while Python parses."""
_CATEGORIES = {
    sre.CATEGORY_DIGIT: DIGITS,
    sre.CATEGORY_NOT_DIGIT: ALL & ~DIGITS,
    sre.CATEGORY_SPACE: _SPACE,
    sre.CATEGORY_NOT_SPACE: ALL & ~_SPACE,
    sre.CATEGORY_WORD: _WORD,
    sre.CATEGORY_NOT_WORD: ALL & ~_WORD,
}
_EDGES = {sre.AT_BEGINNING: "^", sre.AT_BEGINNING_STRING: "^", sre.AT_END: "$", sre.AT_END_STRING: "$"}


class Part(NamedTuple):
    """A part of an expression, or all of it.

    Attributes
    ----------
    kind : str
        One character, an edge (of the text, or of a word), or parts in sequence, in the alternative or repeated.
    accepted : Characters
        Those that a match may have.
    fewest, most : int
        Characters of a match.
    fewest_digits : int
        ASCII digits of a match.
    parts : tuple of Part
    edge : str
        ``"^"`` or ``"$"``; empty for the edge of a word.
    least, greatest : int
        Times that the first part is repeated.
    """

    kind: Literal["character", "edge", "sequence", "either", "repeated"]
    accepted: Characters = 0
    fewest: int = 0
    most: int = 0
    fewest_digits: int = 0
    parts: tuple[Part, ...] = ()
    edge: str = ""
    least: int = 1
    greatest: int = 1


@cache
def parsed(expression: str) -> Part | None:
    """Return an expression as a tree, all of it without case where any part is; None if it is not read."""
    plain = _FLAGS.sub(lambda found: "(?:" if found[2] == ":" else "", expression)
    folds = any("i" in found[1] for found in _FLAGS.finditer(expression))
    if _UNREAD.search(plain):
        return None
    try:
        return _sequence(_parser.parse(_ESCAPE.sub(_python, plain)), folds)
    except (re.error, OverflowError, ValueError, RecursionError):
        return None


def _python(escape: re.Match[str]) -> str:
    """Return an escape of RE2 as Python writes it: a class of Unicode as one character for private use."""
    negated, name, letter, code = escape.groups()
    if code is not None:
        return re.escape(chr(int(code, 16)))
    if negated is None:
        return escape[0]
    return chr(_CODES.get((name or letter) if negated == "p" else "", _CODES[""]))


def _sequence(items: Any, folds: bool) -> Part:
    parts = tuple(_part(kind, value, folds) for kind, value in items.data)
    accepted = fewest = most = fewest_digits = 0
    for part in parts:
        accepted |= part.accepted
        fewest += part.fewest
        most += part.most
        fewest_digits += part.fewest_digits
    return Part("sequence", accepted, fewest, most, fewest_digits, parts)


def _part(kind: Any, value: Any, folds: bool) -> Part:
    if kind is sre.AT:
        return Part("edge", edge=_EDGES.get(value, ""))
    if kind is sre.SUBPATTERN:
        return _sequence(value[-1], folds)
    if kind is sre.BRANCH:
        parts = tuple(_sequence(items, folds) for items in value[1])
        return Part(
            "either",
            accepted=reduce(or_, (part.accepted for part in parts)),
            fewest=min(part.fewest for part in parts),
            most=max(part.most for part in parts),
            fewest_digits=min(part.fewest_digits for part in parts),
            parts=parts,
        )
    if kind is sre.MAX_REPEAT or kind is sre.MIN_REPEAT:
        least, greatest, part = int(value[0]), int(value[1]), _sequence(value[2], folds)
        fewest, most, fewest_digits = least * part.fewest, greatest * part.most, least * part.fewest_digits
        return Part("repeated", part.accepted, fewest, most, fewest_digits, (part,), "", least, greatest)
    accepted = _characters(kind, value, folds)
    return Part("character", accepted, 1, 1, int(not accepted & ~DIGITS))


def _characters(kind: Any, value: Any, folds: bool) -> Characters:
    """Return the characters that a part of one character accepts, or more."""
    if kind is sre.ANY:
        return ALL
    if kind not in (sre.IN, sre.LITERAL, sre.NOT_LITERAL):
        raise ValueError  # more than one character, such as a reference to a group
    members = value if kind is sre.IN else [(sre.LITERAL, value)]
    accepted = 0
    for member in members:
        accepted |= _member(*member)
    if kind is sre.NOT_LITERAL or members[0][0] is sre.NEGATE:
        # Nothing is certain of what an unknown class lacks, nor of what any set lacks outside ASCII.
        return ALL if accepted == ALL else ALL & ~accepted | OTHER
    if not folds:
        return accepted
    accepted |= (accepted & LOWER) >> 32 | (accepted & UPPER) << 32
    # The Kelvin sign and the long s fold to k and s.
    return accepted | OTHER | _KS if accepted & (_KS | OTHER) else accepted


def _member(kind: Any, value: Any) -> Characters:
    if kind is sre.NEGATE:
        return 0
    if kind is sre.RANGE:
        return _between(*value)
    return _CATEGORIES[value] if kind is sre.CATEGORY else _CLASSES.get(value) or _between(value, value)
