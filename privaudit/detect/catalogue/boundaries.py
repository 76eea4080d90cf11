"""The boundaries of the expressions of detectors: around a whole cell, or around a value inside text.

Question: where does a value begin and end?
Method: one expression of a detector serves both uses. As a whole cell it is anchored at both ends. Inside text it is
enclosed by classes of characters that must not touch the value: a number next to a Han or Cyrillic word is a number,
one next to Latin letters is part of a code. RE2 has no look-around, so that its prefilter consumes these characters.
Limits: boundaries are classes of characters, not of scripts: letters of most scripts bound a value.
"""

from __future__ import annotations

import re
from functools import cache

from privaudit.detect.catalogue import wordlists


def whole(pattern: str) -> str:
    """Return the RE2 expression of cells that `pattern` matches as a whole."""
    return f"^(?:{pattern})$"


def inside(pattern: str, edges: str) -> str:
    """Return the expression, with look-around, that finds `pattern` inside text."""
    edge = wordlists.toml("edges")[edges]
    return f"{edge['before']}(?:{scoped(pattern)}){edge['after']}"


def loosely(pattern: str, edges: str, *, after_word: bool = False) -> str:
    """Return an RE2 expression that matches every text in which `inside` finds `pattern`, and few others.

    `after_word` omits the boundary on the left: the word before the value may end where the value begins.
    """
    before, after = around(edges)
    unnamed = re.sub(r"\?P<\w+>", "", pattern)  # one name may occur once in an expression
    return f"{'' if after_word else before}(?:{scoped(unnamed)}){after}"


def around(edges: str) -> tuple[str, str]:
    """Return RE2 expressions of the character before and of the one after a value; they consume it."""
    edge = wordlists.toml("edges")[edges]
    return _consumed(edge["before"], "^"), _consumed(edge["after"], "$")


def _consumed(edge: str, end: str) -> str:
    """Return an expression of a character that the first class of an edge lacks, or of the `end` of the text."""
    first = re.match(r"\(\?<?!\[([^]]*)\]\)", edge)
    return f"(?:{end}|[^{first[1]}])" if first else ""


def scoped(pattern: str) -> str:
    """Return `pattern` with a flag at its start applied to itself only, so that it can be part of another one.

    Examples
    --------
    >>> scoped("(?i)[a-z]")
    '(?i:[a-z])'
    """
    return f"(?i:{pattern[4:]})" if pattern.startswith("(?i)") else pattern


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return an RE2 expression compiled for single texts, with the classes of RE2: its digits are ASCII."""
    return re.compile(scoped(pattern), re.ASCII if pattern.isascii() else 0)
