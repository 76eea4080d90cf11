"""RE2 expressions as trees of the characters that each part of one accepts.

Question: what does an expression need to match (possible_matches.py), and which expression finds the values of a
detector on DuckDB, PostgreSQL and Spark alike?
Method: what only RE2 writes is rewritten for Python's parser; a class of Unicode becomes one character for private use.
Every set of characters is at least as large as what RE2 accepts: all characters outside ASCII are one. For engines, an
expression is written again with sets of characters, groups, alternatives and numbers of repetitions only. Word
boundaries are omitted: what an engine finds is read here, where the detector decides.
Limits: an expression that Python's parser does not read, or with flags other than ``i`` and ``s``, is not a tree.
Of cells that are written with characters outside ASCII in place of digits or signs, or that hide a value behind
escapes, engines find only those that the expression accepts as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import groupby
from operator import or_
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Literal, NamedTuple

from privaudit.base.patterns import Expression

Characters = int
"""A set of characters: bit 0 to 127 for ASCII, bit 128 for all others."""

OTHER = 1 << 128
ALL = (1 << 129) - 1
_FLAGS = Expression(r"\\.|\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]|\(\?([is]+)([:)])", re.DOTALL)
"""A group of flags; escapes and classes, which may contain the characters of one, are read over."""
_UNREAD = Expression(r"\[:\^?[a-z]+:\]|\{,|\(\?[a-zA-Z-]*[mUux-]|\\[QECzZ]")
_ESCAPE = Expression(r"\\(?:([pP])(?:\{([^}]*)\}|(.))|x\{([0-9A-Fa-f]+)\}|.)", re.DOTALL)


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
MOST_REPETITIONS = 255
"""PostgreSQL counts no further."""
_SPACES = {"\t": r"\t", "\n": r"\n", "\f": r"\f", "\r": r"\r"}
_UNWRITTEN = OTHER | sum(1 << code for code in (*range(32), 127) if chr(code) not in _SPACES)
"""Characters outside ASCII and controls: PostgreSQL has no NUL, and engines unescape controls in different ways."""


class Part(NamedTuple):
    """A part of an expression, or all of it: a character, an edge, or parts in sequence, as alternatives or repeated.

    A character is one of those `accepted`. An `edge` is ``"^"`` or ``"$"``, and empty for that of a word. What is
    repeated is the first of the `parts`, `least` to `greatest` times.
    """

    kind: Literal["character", "edge", "sequence", "either", "repeated"]
    accepted: Characters = 0
    parts: tuple[Part, ...] = ()
    edge: str = ""
    least: int = 1
    greatest: int = 1


@cache
def parsed(expression: str) -> Part | None:
    """Return an expression as a tree, all of it without case where any part is; None if it is not read."""
    plain = _FLAGS.sub(_without_flags, expression)
    folds = any("i" in (found[1] or "") for found in _FLAGS.finditer(expression))
    if _UNREAD.search(plain):
        return None
    try:
        return _sequence(_parser.parse(_ESCAPE.sub(_python, plain)), folds)
    except (re.error, OverflowError, ValueError, RecursionError):
        return None


def _without_flags(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[0]
    return "(?:" if found[2] == ":" else ""


def _python(escape: re.Match[str]) -> str:
    """Return an escape of RE2 as Python writes it: a class of Unicode as one character for private use."""
    negated, name, letter, code = escape.groups()
    if code is not None:
        return re.escape(chr(int(code, 16)))
    if negated is None:
        return escape[0]
    return chr(_CODES.get((name or letter) if negated == "p" else "", _CODES[""]))


def _sequence(items: Any, folds: bool) -> Part:
    return Part("sequence", parts=tuple(_part(kind, value, folds) for kind, value in items.data))


def _part(kind: Any, value: Any, folds: bool) -> Part:
    if kind is sre.AT:
        return Part("edge", edge=_EDGES.get(value, ""))
    if kind is sre.SUBPATTERN:
        _, added, removed, items = value
        if added or removed:
            raise ValueError  # flags of its own, which were not read here
        return _sequence(items, folds)
    if kind is sre.BRANCH:
        return Part("either", parts=tuple(_sequence(items, folds) for items in value[1]))
    if kind is sre.MAX_REPEAT or kind is sre.MIN_REPEAT:
        least, greatest, part = int(value[0]), int(value[1]), _sequence(value[2], folds)
        return Part("repeated", 0, (part,), "", least, greatest)
    return Part("character", _characters(kind, value, folds))


def _characters(kind: Any, value: Any, folds: bool) -> Characters:
    """Return the characters that a part of one character accepts, or more."""
    if kind is sre.ANY:
        return ALL
    if kind not in (sre.IN, sre.LITERAL, sre.NOT_LITERAL):
        raise ValueError  # more than one character, such as a reference to a group
    members = value if kind is sre.IN else [(sre.LITERAL, value)]
    accepted = reduce(or_, (_member(*member) for member in members))
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


def portable(expressions: Sequence[str]) -> str | None:
    """Return an expression of all texts in which one of the RE2 `expressions` matches; None if one cannot be read."""
    trees = [parsed(expression) for expression in expressions]
    written = [_write(tree) for tree in trees if tree is not None]
    return "|".join(written) if len(written) == len(trees) else None


def _write(part: Part) -> str:
    if part.kind == "character":
        return _class(part.accepted)
    written = [_write(each) for each in part.parts]
    if part.kind == "either":
        return f"(?:{'|'.join(written)})"
    return f"(?:{written[0]}){_times(part)}" if part.kind == "repeated" else "".join(written) + part.edge


def _times(part: Part) -> str:
    most = "" if part.greatest > MOST_REPETITIONS else part.greatest
    return f"{{{min(part.least, MOST_REPETITIONS)},{most}}}"


def _class(characters: Characters) -> str:
    """Return the class of a set of characters; one with characters that are not written is given by what it lacks."""
    if characters & _UNWRITTEN:
        lacking = ALL & ~(characters | _UNWRITTEN)
        return f"[^{''.join(_ranges(lacking))}]" if lacking else "(?:[^a]|a)"
    return f"[{''.join(_ranges(characters))}]"


def _ranges(characters: Characters) -> Iterator[str]:
    """Yield the ranges of a set of ASCII characters."""
    codes = [code for code in range(128) if characters >> code & 1]
    for _, run in groupby(enumerate(codes), lambda numbered: numbered[1] - numbered[0]):
        first, *others = [_escaped(chr(code)) for _, code in run]
        yield f"{first}-{others[-1]}" if others else first


def _escaped(character: str) -> str:
    return f"\\{character}" if character in r"\[]^-&~" else _SPACES.get(character, character)
