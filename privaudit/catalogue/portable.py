"""Expressions of detectors as every engine reads them.

Question: which expression finds the values of a detector on DuckDB, PostgreSQL and Spark alike?
Method: the expression is read as a tree, and written again with sets of characters, groups, alternatives and numbers of
repetitions only. Word boundaries are omitted and sets may be larger: what an engine finds is read here, where the
detector decides.
Limits: of cells that are written with characters outside ASCII in place of digits or signs, or that hide a value
behind escapes, only those are found that the expression accepts as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from privaudit.catalogue.expressions import ALL, OTHER, Characters, Part, parsed

MOST_REPETITIONS = 255
"""PostgreSQL counts no further."""
_SPACES = {"\t": r"\t", "\n": r"\n", "\f": r"\f", "\r": r"\r"}
_UNWRITTEN = OTHER | sum(1 << code for code in (*range(32), 127) if chr(code) not in _SPACES)
"""Characters outside ASCII and controls: PostgreSQL has no NUL, and engines unescape controls in different ways."""


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
