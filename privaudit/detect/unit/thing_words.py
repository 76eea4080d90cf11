"""Read column names by the words for things in ``rules/headers/things.toml``.

Question: which words of a column name are about a kind of thing, and is every word of it?
Method: words without accents, in the singular as in the plural, alone or joined with the next one.
Limits: a word that is in no list is evidence for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from privaudit.base.records import dataclass
from privaudit.detect.unit.columns import UnitColumn
from privaudit.model.headers.lexicon import lines, read_file
from privaudit.model.headers.tokens import tokenise


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing with the words of its columns; `worded` are keys only where the cells are words of a language.

    Rows of a kind that `is_identified` have different keys; where it `is_concrete`, a different key in every row
    establishes the kind; where it `is_placed`, rows may have points with a time; where it `is_observed`, several things
    of it are read at common times; where it `is_personal`, a row may be one of the person who drives or plays it.
    """

    keys: frozenset[str]
    own: frozenset[str]
    shared: frozenset[str]
    worded: frozenset[str] = frozenset()
    is_identified: bool = False
    is_concrete: bool = False
    is_placed: bool = False
    is_observed: bool = False
    is_personal: bool = False

    @property
    def attributes(self) -> frozenset[str]:
        """All words of the kind."""
        return self.keys | self.own | self.shared | self.worded


@cache
def words_of(*groups: str) -> frozenset[str]:
    """Return the words of groups at the beginning of ``rules/headers/things.toml``."""
    return frozenset().union(*(lines(read_file("things")[group]) for group in groups))


@cache
def kinds() -> Mapping[str, Kind]:
    """Return the kinds of things in ``rules/headers/things.toml`` by name."""
    found: dict[str, Kind] = {}
    for name, listed in read_file("things")["kinds"].items():
        stated: dict[str, Any] = {
            key: frozenset(lines(of)) if isinstance(of, str) else of for key, of in listed.items()
        }
        found[name] = Kind(**stated)
    return found


def is_attribute(column: UnitColumn, words: frozenset[str]) -> bool:
    """Whether each word of a column name is one of `words`, alone, in the singular, or joined with the next one."""
    return _consists_of(column.name, words)


def is_word_of_thing(name: str) -> bool:
    """Whether each word of a column name is a word for things."""
    return _consists_of(name, words_of_things())


@cache
def words_of_things() -> frozenset[str]:
    """Return every word for things."""
    listed = (kind.attributes for kind in kinds().values())
    return words_of("qualifiers", "times", "places", "general", "quantities", "money").union(*listed)


def _consists_of(name: str, words: frozenset[str]) -> bool:
    tokens = tokenise(name)
    position = 0
    while position < len(tokens):
        if "".join(tokens[position : position + 2]) in words:
            position += 2
        elif tokens[position].isdigit() or _is_known(tokens[position], words):
            position += 1
        else:
            return False
    return not all(token.isdigit() for token in tokens)


def _is_known(token: str, words: frozenset[str]) -> bool:
    if token in words or token.removesuffix("s") in words:
        return True
    return any(token[:i] in words and token[i:] in words for i in range(3, len(token) - 2))


def has_word(column: UnitColumn, words: frozenset[str]) -> bool:
    """Whether a word of the column name is one of `words`."""
    return not words.isdisjoint(column.words)


def stem(column: UnitColumn) -> tuple[str, ...]:
    """Return the words of a column name without numbers: "item1" and "item2" have one."""
    return tuple(token for token in tokenise(column.name) if not token.isdigit())


@cache
def all_own() -> frozenset[str]:
    """Return the attributes that no person has, of every kind."""
    return frozenset().union({"mw", "mwh", "gwh", "kwh"}, *(kind.own for kind in kinds().values())) - words_of("body")


@cache
def all_keys() -> frozenset[str]:
    """Return the words that name a thing, of every kind."""
    return frozenset().union(*(kind.keys for kind in kinds().values()))
