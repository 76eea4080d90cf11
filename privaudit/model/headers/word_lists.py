"""Plain-text lists of reference words under ``rules/reference``.

Question: which given names, surnames and towns are known?
Method: lines at the start that begin with ``#`` are comments. The words are in lower case without accents, as `fold`
returns them.
Limits: lists are incomplete.
"""

from __future__ import annotations

from functools import cache
from itertools import filterfalse

from privaudit.base import resources


@cache
def listed_words(stem: str) -> frozenset[str]:
    """Return the words of a list such as ``given_names``, ``surnames`` or ``han_surnames``."""
    return frozenset(_text(stem).split())


@cache
def listed_lines(*stems: str, without: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the lines of lists; one line may have several spellings, divided by ``|``."""
    lines = "\n".join(map(_text, stems)).replace("|", "\n").split("\n")
    return frozenset(filterfalse((without | {""}).__contains__, lines))


def _text(stem: str) -> str:
    text = resources.path("rules", "reference", f"{stem}.txt").read_text(encoding="utf-8")
    while text.startswith("#"):
        text = text.partition("\n")[2]
    return text
