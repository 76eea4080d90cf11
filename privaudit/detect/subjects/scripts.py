"""Names that no list contains, recognised by the word formation of their script and language.

Question: does this word have the ending of a family name; is this run of Han or Hangul characters a name?
Method: endings of family names and patronymics in the scripts they are written in; names without blanks by their
length, their first character (a listed family name) and the characters common in given names.
Limits: ordinary words have such endings, too; the share of cells of a column decides.
"""

from __future__ import annotations

import re
from functools import cache

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists

_RAW = Expression(r"(?:[iouea]ć|ич|ić)$", re.IGNORECASE)
_SPLIT = Expression(r"[ ,、・·．.]+")


def has_family_name_ending(token: str, raw: str) -> bool:
    """Whether a folded word has the ending of a family name; `raw` is the cell as written."""
    ending = _endings("endings_of_six" if len(token) >= 6 else "endings_of_four")
    return len(token) >= 4 and (token.endswith(ending) or _RAW.search(raw) is not None)


@cache
def _endings(key: str) -> tuple[str, ...]:
    shorter = wordlists.word_list("family_name", "endings_of_four")
    return tuple(wordlists.word_list("family_name", key) | shorter)


@cache
def _one_script() -> re.Pattern[str]:
    return re.compile(r"[㐀-鿿豈-﫿々]+|[가-힣]+|[぀-ヿー]+")


def unspaced(text: str) -> frozenset[str]:
    """Return which parts a name in Han, Hangul or Kana has: ``given``, ``family``, both or none.

    Examples
    --------
    >>> sorted(unspaced("王小明")), sorted(unspaced("김, 민준")), sorted(unspaced("山田")), sorted(unspaced("東京駅前"))
    (['family', 'given'], ['family', 'given'], ['family'], [])
    """
    parts = [part for part in _SPLIT.split(text.strip()) if part]
    if not 1 <= len(parts) <= 2 or not all(_one_script().fullmatch(part) for part in parts):
        return frozenset()
    surnames = wordlists.listed_words("han_surnames")
    if len(parts) == 2:
        listed = any(wordlists.fold(part) in surnames for part in parts)
        return frozenset({"given", "family"}) if listed and max(map(len, parts)) <= 4 else frozenset()
    return _one(wordlists.fold(parts[0]), surnames)


def _one(name: str, surnames: frozenset[str]) -> frozenset[str]:
    if name in surnames:
        return frozenset({"family"})
    characters = wordlists.toml("words")["characters"]
    given = characters["hangul_given" if "가" <= name[0] <= "힣" else "han_given"]
    if len(name) > 5 or (len(name) >= 3 and name[-1] in characters["places"]):
        return frozenset()
    for size in (3, 2, 1):
        rest = name[size:]
        if name[:size] in surnames and 1 <= len(rest) <= 3 and any(char in given for char in rest):
            return frozenset({"given", "family"})
    if len(name) <= 3 and all(char in given for char in name):
        return frozenset({"given"})
    return frozenset()
