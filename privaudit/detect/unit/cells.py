"""Read the cells of a column: do they consist of words of a language, of names of people, or of codes?

Question: do the values state what they are, where the column name does not?
Method: at most `MOST_VALUES` different values are compared with lists of common words and names.
Limits: rarer words and other languages than those of the lists are not known.
"""

from __future__ import annotations

from functools import cache

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.unit.columns import UnitColumn
from privaudit.detect.unit.figures import MOST_STATES, MOST_VALUES, different_values, is_figure_or_state
from privaudit.detect.unit.persons import given_names
from privaudit.detect.unit.thing_words import has_word, kinds, words_of, words_of_things
from privaudit.model import vocabulary
from privaudit.model.headers.lexicon import unit_words
from privaudit.model.headers.tokens import tokenise
from privaudit.source.dataset import Dataset

_MOSTLY_WORDS = 0.5
"""Share of the meanings of codes that have a common word: names of rare things have none (product default)."""

_NEARLY_ALL = 0.9
"""Share of the cells in small letters from which a column that is called a name holds none of people."""
_SHORTEST_WORD = 3
"""Letters of a common word: random texts contain shorter ones by chance (product default)."""

_WORD = Expression(r"[a-z]+")


def is_in_words(dataset: Dataset, column: UnitColumn, *, small: bool = False) -> bool:
    """Whether most values contain a common word of a language, or letters that no code is made of.

    With `small`, nearly all must be written in small letters as well, as names of people are not.
    """
    values = different_values(dataset, column)
    if small and sum(map(str.islower, values)) < _NEARLY_ALL * len(values):
        return False
    return sum(map(_has_common_word, values)) >= _MOSTLY_WORDS * len(values)


def _has_common_word(text: str) -> bool:
    if any(letter.isalpha() and not letter.isascii() for letter in text):
        return True
    words = (word for word in _WORD.findall(wordlists.fold(text)) if len(word) >= _SHORTEST_WORD)
    return any(wordlists.common_in(word) or word in words_of_things() for word in words)


def share_of_given_names(dataset: Dataset, column: UnitColumn) -> float:
    """Return the share of the different values that are given names."""
    given = wordlists.listed_words("given_names")
    values = different_values(dataset, column)
    return sum(wordlists.fold(value) in given for value in values) / max(1, len(values))


def tells_of_things(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether a column of unknown meaning, next to attributes of things, holds what no person has as a name or code.

    These are figures, two states, and texts of which most have a common word, and none a given name or a word for
    people. A column that is named after those who run or use things may be about them.
    """
    if column.has("people") or column.has("roles"):
        return False
    is_text = column.profile.data_type == "text"
    if is_text and (
        column.profile.n_distinct > MOST_VALUES or any(map(_names_person, different_values(dataset, column)))
    ):
        return False  # a text that is not read may name a person
    if is_figure_or_state(dataset, column):
        return True
    return is_text and column.entity in (None, "FREE_TEXT") and is_in_words(dataset, column)


def is_about_persons(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether a text has a word such as "he" or "woman": it describes a person, not the meaning of a code."""
    values = dataset.distinct_rows([column.name]).column(0).to_pylist()
    return any(_has_word_of(str(value), "persons_in_texts") for value in values)


def _names_person(text: str) -> bool:
    has_word_of_person = _has_word_of(text, "people") or _has_word_of(text, "persons_in_texts")
    return has_word_of_person or bool(given_names(wordlists.fold(text).split()))


def _has_word_of(text: str, group: str) -> bool:
    words = set(tokenise(text))
    return not (words | {word.removesuffix("s") for word in words}).isdisjoint(unit_words(group))


def may_be_codes_of_people(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether whole numbers or codes are what people may have, because neither name nor cells state what they are.

    Such a key makes no cell of an aggregate: a count for each code of unknown meaning may be one for each person.
    """
    if column.entity not in {None} | vocabulary.with_trait("provisional") | vocabulary.with_trait("record_key"):
        return False
    if column.profile.data_type not in ("integer", "text") or column.profile.n_distinct <= MOST_STATES:
        return False
    if any(has_word(column, words) for words in _meaningful()):
        return False
    return column.profile.data_type == "integer" or not is_in_words(dataset, column)


@cache
def _meaningful() -> tuple[frozenset[str], ...]:
    """Return the words that state what a column is; those of lists of codes and qualifiers do not."""
    general = words_of("times", "places", "statistics", "general", "quantities", "money", "body")
    others = (kind.attributes for name, kind in kinds().items() if name != "code_list" and not kind.is_personal)
    return (frozenset().union(general, *others) - words_of("qualifiers", "names"),)
