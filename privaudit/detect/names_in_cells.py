"""Names of people inside cells that were taken as something else: categories, paths, addresses of pages, markup.

Question: does a column name people, although it is a category, a path or a code?
Method: cells are cut into words at blanks, punctuation and capitals. Two neighbouring words name a person if one is a
listed given name and the other a listed surname; they are capitalised, or joined by a point, a hyphen or an underscore
as in paths and logins. One such name in a cell that is unlike all others of a column of codes or numbers is enough. A
login is a listed surname with a listed given name or an initial, in either order, joined or
with a sign between them, and with or without a number behind it.
Limits: names on no list are not found. Companies that are named like people are; columns of companies are not read.
"""

from __future__ import annotations

import re

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.catalogue.full_names import full_names
from privaudit.detect.column import SAMPLE, VARIOUS, Column

LEAST = 3
"""Different names below which chance may explain them in a part of the cells."""
SHARE = 0.01
"""Share of the cells from which names are reported."""
_MOSTLY = 0.5
_SHORTEST, _SHORTEST_ALONE = 3, 4  # letters of a name of a login, and of a surname next to a letter
_SIGN = Expression(r"[._\-]")
_WITH_INITIAL = Expression(r"^([^\W\d_])\. ?([^\W\d_]{4,})$|^([^\W\d_]{4,}),? ([^\W\d_])\.$")


def names_people(column: Column) -> bool:
    """Whether some of the cells contain full names, or most of them are a surname with an initial, or logins."""
    if column.data_type not in ("text", "nested") or not column.has_letters:
        return False
    texts, counts = column.chosen(SAMPLE)
    total = int(counts.sum())
    found: set[str] = set()
    named = logins = 0
    for text, n in zip(texts, counts.tolist(), strict=True):
        pairs = full_names(text)
        found |= pairs
        named += n if pairs else 0
        logins += n if is_login(_WITH_INITIAL.sub(_as_login, text)) else 0
    if (len(found) >= LEAST and named >= SHARE * total) or (len(found) > 1 and named >= _MOSTLY * total):
        return True
    return column.n_distinct >= VARIOUS and logins >= _MOSTLY * total


def _as_login(found: re.Match[str]) -> str:
    """Return a surname with an initial, "A. Miller" or "Miller, A.", as a login has it."""
    return ".".join(wordlists.fold(part) for part in found.groups() if part)


def is_login(text: str) -> bool:
    """Whether a text in small letters consists of the names of a person.

    Examples
    --------
    >>> [is_login(text) for text in ("jsmith", "anna.miller2", "wilsonjohn", "keyboard", "anna")]
    [True, True, True, False, False]
    """
    letters = text.rstrip("0123456789")
    parts = _SIGN.split(letters)
    if len(parts) > 1:
        return len(parts) == 2 and _is_pair(*parts)
    return any(_is_pair(letters[:i], letters[i:]) for i in range(1, len(letters)))


def _is_pair(one: str, other: str) -> bool:
    """Whether one word is a surname, and the other a given name or an initial."""
    given, family = wordlists.listed_words("given_names"), wordlists.listed_words("surnames")
    for first, last in ((one, other), (other, one)):
        whole = len(first) >= _SHORTEST and len(last) >= _SHORTEST and first in given
        initial = len(first) == 1 and len(last) >= _SHORTEST_ALONE
        if (whole or initial) and last in family:
            return True
    return False
