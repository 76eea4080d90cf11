"""The word of a sentence that names a number, before or after it.

Question: a number has no word right before it; does another word of its sentence name it?
Method: the sentence ends at a full stop, a semicolon or a line end, and on each side at another number of four digits
or more, because the words beyond name that one. The word nearest to the number counts, among the words of all detectors
and technical labels such as "order". After the number, a word that is nearer to the next number names that one.
Limits: at most `REACH` characters on each side are read. Only a value with a check digit is named from so far; any
other one by a word that a verb such as "is" or a bracket links to it.
"""

from __future__ import annotations

import re
from functools import cache

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue.wordlists import fold, word_list

REACH = 120
_NEAR = 20
# "no. 5" continues a sentence.
_END = Expression(r"\n|(?<!\bno)(?<!\bnr)(?<!\bnum)(?<!\bref)[.!?](?=\s)|;\s|[。！？।]", re.IGNORECASE)
_NUMBER = Expression(r"\d(?:[ .,/-]?\d){3,}")
_LETTERS = Expression(r"[^\W\d_]+")
_VERBS = "is was are ist war es era è era est était é foi ni ilikuwa adalah ialah это является 是 है था هو هي كان ہے"
_POSTPOSITIONS = "पर को का پر کو کا নম্বরে কে に へ を まで".replace(" ", "|")
_LINK = Expression(
    rf"[\s,]{{0,2}}(?:[(\[=:]\s?(?:[^\W\d]{{1,5}}\s)?|(?:{_POSTPOSITIONS})\s?|(?:{'|'.join(_VERBS.split())})(?!\w)[^\n\d;.!?()]{{0,{_NEAR}}})$",
    re.IGNORECASE,
)


def sides(text: str, start: int, end: int) -> tuple[str, str, bool]:
    """Return what precedes and follows a value in its sentence, and whether another number ends what follows."""
    left = text[max(0, start - REACH) : start]
    right = text[end : end + REACH]
    left = left[max((stop.end() for stop in _END.finditer(left)), default=0) :]
    stop = _END.search(right)
    right = right[: stop.start()] if stop else right
    left = left[max((number.end() for number in _NUMBER.finditer(left)), default=0) :]
    number = _NUMBER.search(right)
    return left, right[: number.start()] if number else right, number is not None


def is_named(text: str, start: int, end: int, words: re.Pattern[str], all_words: re.Pattern[str]) -> bool:
    """Whether the word nearest to a value in its sentence is one of `words`; `all_words` are those of all detectors."""
    left, right, is_cut = sides(text, start, end)
    own = _nearest(left, right, words, is_cut=is_cut)
    if own is None:
        return False
    other = _nearest(left, right, all_words, is_cut=is_cut)
    return (other is None or own <= other) and own <= _nearest_label(left, right)


def is_linked(text: str, start: int, end: int, words: re.Pattern[str]) -> bool:
    """Whether one of `words` follows a value after a verb or a bracket: "AB1234567 is her passport"."""
    _, right, is_cut = sides(text, start, end)
    distance = _nearest("", right, words, is_cut=is_cut)
    return distance is not None and _LINK.match(right[:distance]) is not None


def _nearest(left: str, right: str, words: re.Pattern[str], *, is_cut: bool) -> int | None:
    """Return the characters between a value and the nearest of `words`, None without any."""
    before = max((word.end() for word in words.finditer(left)), default=None)
    after = words.search(right)
    found = [] if before is None else [len(left) - before]
    if after is not None and not (is_cut and len(right) - after.end() <= after.start()):
        found.append(after.start())
    return min(found, default=None)


def _nearest_label(left: str, right: str) -> int:
    """Return the characters between a value and the nearest technical label, `REACH` without any."""
    labels = _labels()
    before = [len(left) - word.end() for word in _LETTERS.finditer(left) if fold(word.group()) in labels]
    after = [word.start() for word in _LETTERS.finditer(right) if fold(word.group()) in labels]
    return min((*before, *after), default=REACH)


@cache
def _labels() -> frozenset[str]:
    return frozenset(word_list("label"))
