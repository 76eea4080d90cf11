"""User names that are made of the names of people: ``jsmith``, ``anna.miller``, ``millera2``.

Question: do the cells of a column name people, although they are codes in small letters?
Method: a cell is a login if it is a listed given name and a listed surname, joined or with a sign between them, or a
letter with a listed surname, each in either order and with or without a number behind it. Of common words, towns and
pairs of words at most 1 in 40 is; a column is one of user names if a quarter of its cells are and chance does not
explain how many different ones.
Limits: names on no list are not found, so that fewer logins are found in some languages than in others. A given name
alone is a word like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import SAMPLE, VARIOUS, Column
from privaudit.detect.ledger import Entry, claim_for
from privaudit.model.wording import fact

_FORM = r"^[a-z][a-z0-9]*(?:[._\-][a-z0-9]+){0,2}$"
_SHARE = 0.25  # ten times that of words and towns (measured on 10,000 words and 35,000 towns)
_STRENGTH = 0.72  # by hand: just more than a generic claim has
_SHORTEST, _SHORTEST_ALONE = 3, 4  # letters of a name, and of a surname next to a letter
_SIGN = re.compile(r"[._\-]")


def run(column: Column) -> Iterator[Entry]:
    """Yield the claim on user names."""
    if column.data_type != "text" or column.n_distinct < VARIOUS or not column.at_least(_FORM):
        return
    texts, counts = column.chosen(SAMPLE)
    named = [is_login(text) for text in texts]
    share = sum(n for n, one in zip(counts.tolist(), named, strict=True) if one) / int(counts.sum())
    if share >= _SHARE and sum(named) >= _SHARE * len(texts):
        because = fact("detect.logins", share=column.cell_share(share))
        yield claim_for(column, "USERNAME", _STRENGTH, "list", because, cells=column.matches(_FORM))


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
