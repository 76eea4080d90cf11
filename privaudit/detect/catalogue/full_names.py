"""Full names of people inside a text, by the lists of given and family names.

Question: does a text contain a given name next to a family name?
Method: the text is cut at blanks and capitals, without markup; neighbouring words are a full name if one is a listed
given name and the other a listed family name.
Limits: names on no list are not found; towns are not names.
"""

from __future__ import annotations

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.model.headers import is_person

_MARKUP = Expression(r"<[^<>]*>|\u00ad")
_CAPITALS = Expression(r"(?<=[^\W\d_a-z][a-z])(?<=[a-z])(?=[A-Z])|(?<=[a-z]{3})(?=[A-Z][a-z])")
_FIRST, _WORD = r"[^\W\d_a-z][^\W\d_A-Z]{2,}", r"[^\W\d_][^\W\d_A-Z]{2,}"  # letters of all alphabets
_PAIR = Expression(rf"(?=(?<![^\W\d_])(?:({_FIRST}),? ({_FIRST})|({_WORD})[._\-]({_WORD}))(?![^\W\d_]))")


def full_names(text: str) -> set[str]:
    """Return the full names in a text, folded."""
    plain = _CAPITALS.sub(" ", _MARKUP.sub(" ", _unescaped(text)))
    pairs = (" ".join(word for word in match if word) for match in _PAIR.findall(" ".join(plain.split())))
    folded = ((wordlists.fold(pair), pair) for pair in pairs)
    return {name for name, pair in folded if _is_full(name) and is_person(pair) and name not in wordlists.towns()}


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    import html  # with its table of 2,200 characters

    return html.unescape(text)


def _is_full(name: str) -> bool:
    given, family = wordlists.listed_words("given_names"), wordlists.listed_words("surnames")
    first, _, last = name.partition(" ")
    return (first in given and last in family) or (first in family and last in given)
