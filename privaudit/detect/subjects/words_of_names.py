"""The words of one name: given names, surnames, and words of companies.

Question: what do the words of a cell show about whom or what it names?
Method: a cell is cut at blanks and commas; its words are compared with the lists of given names, surnames, titles and
legal forms. Joined names ("Smith & Sons") and a quoted name after a short word ("UAB „Gagys“") are companies.
Limits: the lists contain a part of the world's names.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.subjects import scripts

_QUOTED_NAME = Expression(r"^[^\W\d_]{2,5} ?[\"“„«].+[\"”“»]$")
_INITIALS = Expression(r"\w(?:\.\w)*")


def words_of(folded: str) -> list[str]:
    """Return the words of a folded text without punctuation."""
    cleaned = folded.replace("’", "'").replace("´", "'").replace("`", "'").replace(",", " ").replace("/", " ")
    return [token.strip(".'\"()&") for token in cleaned.split() if token.strip(".'\"()&-")]


def content_of(text: str, tokens: Sequence[str]) -> list[str]:
    """Return the words of a name but particles, titles and initials; those before a single comma are the last."""
    last = len(words_of(wordlists.fold(text).partition(",")[0])) if text.count(",") == 1 else 0  # "Smith, John"
    particles, titles = (wordlists.word_list("person_name", key) for key in ("particles", "titles"))
    whole = [t for t in (*tokens[last:], *tokens[:last]) if not _INITIALS.fullmatch(t)]
    return [t for t in whole if t not in particles and t not in titles]


def is_given_name(word: str) -> bool:
    """Whether a folded word is a listed given name, or begins with one and does not end as a street.

    Examples
    --------
    >>> [is_given_name(word) for word in ("anna", "jean-pierre", "anna-seghers-strasse")]
    [True, True, False]
    """
    given = wordlists.listed_words("given_names")
    first, *rest = word.split("-")
    return word in given or (first in given and not (rest and rest[-1] in wordlists.word_list("street")))


def is_surname(content: Sequence[str], text: str) -> bool:
    """Whether the last word of `content` is a listed surname, or it or the word before a comma ends as they do."""
    family = wordlists.listed_words("surnames")
    return content[-1].replace("'", "") in family or content[-1] in family or _has_suffix(content, text)


def is_company(text: str, tokens: Sequence[str]) -> bool:
    """Whether a text ends as companies do, has a word of companies, or is a short word before a quoted name.

    Examples
    --------
    >>> texts = ("Kiss s.r.o.", "UAB „Gagys“", "Smith & Sons", "Ann & Joe Lee", "Ann Lee")
    >>> [is_company(text, words_of(wordlists.fold(text))) for text in texts]
    [True, True, True, False, False]
    """
    if not tokens[1:]:
        return False
    known = wordlists.word_list("organisation")
    return (
        tokens[-1] in wordlists.word_list("organisation", "suffixes")
        or not known.isdisjoint(tokens[1:])
        or _has_name_of_company(text)
    )


def _has_name_of_company(text: str) -> bool:
    """Whether a text is a quoted name after its legal form, or joined names other than given names and a full one."""
    if "&" not in text:
        return _QUOTED_NAME.match(text) is not None
    given = wordlists.listed_words("given_names")
    joined = [words_of(wordlists.fold(name)) for name in text.split("&")]
    return len(joined[-1]) < 2 or any(given.isdisjoint(words) for words in joined)


def _has_suffix(content: Sequence[str], text: str) -> bool:
    """Whether the last word, or the word before a comma, has the ending of a family name."""
    if "," in text and scripts.has_family_name_ending(content[0], text.split(",")[0]):
        return True
    return scripts.has_family_name_ending(content[-1], text.rstrip(". "))
