"""Plain-text lists of reference words under ``rules/reference``.

Question: which given names, surnames and towns are known?
Method: lines that begin with ``#`` are comments. Words are folded, all of a list at once.
Limits: lists are incomplete.
"""

from __future__ import annotations

from functools import cache

from privaudit import resources
from privaudit.headers.tokens import fold_lines


@cache
def listed_words(stem: str) -> frozenset[str]:
    """Return the folded words of a list such as ``given_names``, ``surnames`` or ``han_surnames``."""
    return frozenset(word for line in fold_lines(_text(stem)) for word in line.split())


@cache
def listed_lines(stem: str) -> frozenset[str]:
    """Return the folded lines of a list; one line may have several spellings, divided by ``|``."""
    return frozenset(line for line in fold_lines(_text(stem).replace("|", "\n")) if line)


def _text(stem: str) -> str:
    lines = resources.path("rules", "reference", f"{stem}.txt").read_text(encoding="utf-8").split("\n")
    return "\n".join(line for line in lines if not line.startswith("#"))
