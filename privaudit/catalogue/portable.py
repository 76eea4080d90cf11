"""Expressions of detectors as every engine reads them.

Question: which expression finds the values of a detector on DuckDB, PostgreSQL and Spark alike?
Method: the expression is parsed, and written again with sets of characters, groups, alternatives and numbers of
repetitions only. Word boundaries are omitted and sets may be larger: what an engine finds is read here, where the
detector decides.
Limits: of cells that are written with characters outside ASCII in place of digits or signs, or that hide a value
behind escapes, only those are found that the expression accepts as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any

from privaudit.catalogue.expressions import (
    ALL,
    OTHER,
    Characters,
    UnreadableError,
    characters_of_item,
    parsed,
)

MOST_REPETITIONS = 255
"""PostgreSQL counts no further."""
_SPACES = {"\t": r"\t", "\n": r"\n", "\f": r"\f", "\r": r"\r"}
_UNWRITTEN = OTHER | sum(1 << code for code in (*range(32), 127) if chr(code) not in _SPACES)
"""Characters outside ASCII and controls: PostgreSQL has no NUL, and engines unescape controls in different ways."""
_ENDS = {sre.AT_BEGINNING: "^", sre.AT_BEGINNING_STRING: "^", sre.AT_END: "$", sre.AT_END_STRING: "$"}


def portable(expressions: Sequence[str]) -> str | None:
    """Return an expression of all texts in which one of the RE2 `expressions` matches; None if one cannot be read."""
    written = []
    for expression in expressions:
        read = parsed(expression)
        if read is None:
            return None
        try:
            written.append(_sequence(read.items, read.folds))
        except UnreadableError:
            return None
    return "|".join(written)


def _sequence(items: Any, folds: bool) -> str:
    return "".join(_item(kind, value, folds) for kind, value in items)


def _item(kind: Any, value: Any, folds: bool) -> str:
    if kind is sre.AT:
        return _ENDS.get(value, "")
    if kind is sre.SUBPATTERN:
        _, added, removed, items = value
        if added or removed:
            raise UnreadableError
        return f"(?:{_sequence(items, folds)})"
    if kind is sre.BRANCH:
        return f"(?:{'|'.join(_sequence(items, folds) for items in value[1])})"
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, most, items = value
        return f"(?:{_sequence(items, folds)}){_times(int(least), int(most))}"
    return _class(characters_of_item(kind, value, folds=folds))


def _times(least: int, most: int) -> str:
    least = min(least, MOST_REPETITIONS)
    return f"{{{least},}}" if most > MOST_REPETITIONS else f"{{{least},{most}}}"


def _class(characters: Characters) -> str:
    """Return the class of a set of characters; one with characters that are not written is given by what it lacks."""
    if not characters:
        raise UnreadableError
    if characters & _UNWRITTEN:
        lacking = ALL & ~(characters | _UNWRITTEN)
        return f"[^{''.join(_members(lacking))}]" if lacking else "(?:[^a]|a)"
    return f"[{''.join(_members(characters))}]"


def _members(characters: Characters) -> Iterator[str]:
    """Yield the ranges of a set of ASCII characters."""
    code = 0
    while characters >> code:
        if not characters >> code & 1:
            code += 1
            continue
        first = code
        while characters >> code + 1 & 1:
            code += 1
        yield _escaped(first) if code == first else f"{_escaped(first)}-{_escaped(code)}"
        code += 1


def _escaped(code: int) -> str:
    text = _SPACES.get(chr(code), chr(code))
    return f"\\{text}" if text in r"\[]^-&~" else text
