"""Names and places of texts that no model of their language reads, by lists of names, titles and prepositions.

Question: which words of a sentence are a person or a town, as far as lists show?
Method: a listed given name with the capitalised words that follow it, a title with them, and in scripts without
capitals a listed given name next to another listed name, is a person. Three and more capitalised words are none where
the last one means a street, an organisation or an administrative area: "Rose Garden Street". A listed town after a
preposition of place, or before a postposition, is a place.
Limits: a person whose given name is not listed and has no title is missed, and so is a given name alone; a text that is
read by lists alone counts as not assessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from privaudit.detect.catalogue import wordlists
from privaudit.detect.catalogue.wordlists import word_list
from privaudit.detect.text.engines.interface import EngineInfo, Span, Unit

LISTS = EngineInfo("lists", "lists of names", "", "")
# Vowel signs of Indic and Arabic scripts are marks, which are part of their words.
_MARKS = r"\u0300-\u036f\u064b-\u065f\u0900-\u0963\u0980-\u09e3"
_WORD = re.compile(rf"[^\W\d_]+(?:[{_MARKS}'’-]+[^\W\d_]*)*")
_MOST_WORDS = 4
_LONGEST_TOWN = 3
_PREFIXES = "ولب"  # "and", "to", "by" of Arabic, written with the word


class ListedNames:
    """The reader of lists, with the interface of a language model."""

    unit: Unit = "all"
    info = LISTS

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, sorted by start."""
        return [sorted((*_people(text), *_places(text)), key=lambda span: span.start) for text in texts]


def _people(text: str) -> Iterator[Span]:
    words = list(_WORD.finditer(text))
    i = 0
    while i < len(words):
        n = _named(text, words, i)
        if n:
            yield Span("PERSON_NAME", None, words[i].start(), words[i + n - 1].end())
        i += n or 1


def _named(text: str, words: Sequence[re.Match[str]], i: int) -> int:
    """Return how many words from number `i` on are the name of a person, 0 if none."""
    first = words[i].group()
    has_title = i > 0 and _is_title(words[i - 1].group()) and _is_near(text, words, i, between=". ")
    if _is_title(first):
        return 0
    if not _has_case(first):
        pair = words[i + 1].group() if i + 1 < len(words) and _is_near(text, words, i + 1) else ""
        if _listed(first) and _listed(pair):
            return 2
        # Surnames of India are seldom ordinary words; adjectives of Arabic are often names.
        if _is_indic(first) and _fold(pair) in _surnames() and first not in word_list("place_in_text", "after_places"):
            return 2
        return int(has_title and _fold(first) in _given())
    run = _capitalised(text, words, i)
    if not run or has_title:
        return run
    # A surname names the capitalised word before it, but for the first word of a sentence, which is any word.
    opens = i == 0 or re.search(r"[.!?:]\s*$", text[: words[i].start()]) is not None
    rest = [_fold(word.group()) for word in words[i + 1 : i + run]]
    is_person = _fold(first) in _given() or (not opens and any(_is_surname(word) for word in rest))
    is_thing = run > 2 and _is_kind_of_thing(rest[-1])  # two words are a name: Ring and Plaza are surnames as well
    return run if run > 1 and is_person and not is_thing else 0


def _capitalised(text: str, words: Sequence[re.Match[str]], i: int) -> int:
    """Return how many words from number `i` on have a capital letter, with the small words that join names."""
    if not words[i].group()[0].isupper():
        return 0
    n = 1
    while i + n < len(words) and n < _MOST_WORDS and _is_near(text, words, i + n):
        word = words[i + n].group()
        joins = word in word_list("person_name", "joining") and i + n + 1 < len(words)
        if not (word[0].isupper() or (joins and words[i + n + 1].group()[0].isupper())):
            break
        n += 1
    return n


def _places(text: str) -> Iterator[Span]:
    words = list(_WORD.finditer(text))
    for i, first in enumerate(words):
        for n in range(min(_LONGEST_TOWN, len(words) - i), 0, -1):
            last = words[i + n - 1]
            if _is_place(text, words, i, n):
                yield Span("CITY", None, first.start(), last.end())
                break


def _is_place(text: str, words: Sequence[re.Match[str]], i: int, n: int) -> bool:
    first, last = words[i], words[i + n - 1]
    if _has_case(first.group()) and not first.group()[0].isupper():
        return False
    if _fold(text[first.start() : last.end()]) not in wordlists.towns():
        return False
    before = i > 0 and words[i - 1].group().lower() in word_list("place_in_text", "before_places")
    after = i + n < len(words) and words[i + n].group() in word_list("place_in_text", "after_places")
    return (before and _is_near(text, words, i)) or (after and not _has_case(first.group()))


def _is_near(text: str, words: Sequence[re.Match[str]], i: int, between: str = " ") -> bool:
    """Whether only blanks separate word number `i` from the one before it."""
    gap = text[words[i - 1].end() : words[i].start()]
    return 0 < len(gap) <= len(between) and not gap.strip(between)


def _has_case(word: str) -> bool:
    return word[0].lower() != word[0].upper()


def _is_indic(word: str) -> bool:
    return "\u0900" <= word[0] <= "\u0dff"


def _is_title(word: str) -> bool:
    return word.lower() in word_list("place_in_text", "titles")


def _listed(word: str) -> bool:
    return _fold(word) in _given() or _fold(word) in _surnames()


def _is_surname(word: str) -> bool:
    """Whether a folded word is a listed surname, and not a town as well: "Conseil de Paris"."""
    return word in _surnames() and word not in wordlists.towns()


def _is_kind_of_thing(word: str) -> bool:
    """Whether a folded word shows that the words before it are the name of a street, an organisation or an area."""
    kinds = (("street", "words"), ("organisation", "words"), ("organisation", "suffixes"), ("area", "endings"))
    return word not in _surnames() and any(word in word_list(*kind) for kind in kinds)


def _surnames() -> frozenset[str]:
    return wordlists.listed_words("surnames")


@cache
def _given() -> frozenset[str]:
    """Return the listed given names, with the prefixes of Arabic."""
    names = wordlists.listed_words("given_names")
    arabic = (name for name in names if "\u0600" <= name[0] <= "\u06ff")
    return names | {prefix + name for name in arabic for prefix in _PREFIXES}


_fold = cache(wordlists.fold)
