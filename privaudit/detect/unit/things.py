"""Recognise a table about things: what a row is, and that every column is an attribute of it.

Question: are the rows things of a known kind, and is every other column about these?
Method: columns named after a kind of thing and after attributes that no person has establish the kind
(``rules/headers/things.toml``); values in a technical form (versions, colours, currencies) count as such an attribute.
Every other column must be recognised as an attribute of that thing, because a word that the lexicon does not know is
evidence for nothing; where two attributes that no person has are understood, and more than half of all columns, the
others may hold figures, two states, or words.
Limits: what identifies a person by its values (e-mail addresses, full names, numbers of an authority) is never an
attribute of a thing, whatever its name is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from privaudit.base.records import dataclass
from privaudit.detect.unit.areas import is_area, is_period, rows_key
from privaudit.detect.unit.cells import is_about_persons, is_in_words, share_of_given_names, tells_of_things
from privaudit.detect.unit.columns import (
    NEARLY_UNIQUE,
    UnitColumn,
    attributes_of_people,
    has_rare_names,
    is_sign,
    is_uninformative,
    may_be_about_people,
    names,
    whereabouts,
)
from privaudit.detect.unit.figures import measures_something
from privaudit.detect.unit.identifying import identifies_person, mistaken_names
from privaudit.detect.unit.keys import Things, rows_by
from privaudit.detect.unit.thing_words import Kind, has_word, is_attribute, kinds, stem, words_of
from privaudit.model import vocabulary
from privaudit.model.wording import Fact, fact
from privaudit.source.dataset import Dataset

_GIVEN_NAMES = 0.5
"""Share of the cells from which a column that is called a name holds given names (product default)."""
_LEAST_OWN = 2
"""Attributes that no person has, which establish a kind next to columns of unknown meaning (product default)."""
_NO_KEYS = frozenset({"decimal", "date", "timestamp", "time"})
"""Data types of quantities and times, which identify no thing."""


def find_kind(dataset: Dataset, table: Sequence[UnitColumn]) -> Things | None:
    """Return the kind of thing that the columns are about; None where there is none, or a column is left."""
    # What does not depend on the kind is asked once: a table may have thousands of columns, and there are many kinds.
    informative = [_Informative.of(c) for c in table if not is_uninformative(c)]
    is_placed = whereabouts(table) is not None
    for name, kind in kinds().items():
        if name == "organisation" or (not kind.is_placed and is_placed):
            continue
        unknown = [one.column for one in informative if not one.may_be_of_thing(*_words_and_meaning(name))]
        if (unknown and 2 * len(unknown) >= len(informative)) or _given_names(dataset, table, kind):
            continue
        evidence = _evidence_beside(dataset, table, kind, unknown)
        if evidence and (not kind.is_identified or _is_identified(dataset, table, kind)):
            named = [c for c in table if has_word(c, kind.keys) or is_attribute(c, words_of("qualifiers"))]
            reason = fact("unit.kind_of_thing", columns=names(evidence), **unknown_figures(unknown))
            return Things(tuple(c.name for c in named), (), (reason, fact("unit.no_person")))
    return None


@cache
def _words_and_meaning(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of which the names of columns of a kind consist, and those that have a meaning for it."""
    meaning = kinds()[name].attributes | words_of("general", "quantities", "money")
    return meaning | words_of("qualifiers", "times", "places"), meaning


def unknown_figures(columns: Sequence[UnitColumn]) -> dict[str, Fact]:
    """Return the part of a reason that names the columns whose meaning is not known; nothing where there are none."""
    return {"unknown": fact("unit.unknown_figures", columns=names(columns))} if columns else {}


def _evidence_beside(
    dataset: Dataset, table: Sequence[UnitColumn], kind: Kind, unknown: Sequence[UnitColumn]
) -> list[UnitColumn]:
    """Return the columns that establish the kind although some columns are `unknown`, none where they do not."""
    if not unknown:
        return _evidence(dataset, table, kind)
    if kind.is_personal or may_be_about_people(table) or any(map(is_sign, table)):
        return []
    if not all(tells_of_things(dataset, column) for column in unknown):
        return []
    own = by_stem(c for c in table if c not in unknown and has_word(c, kind.own))
    return own if len(own) >= _LEAST_OWN else []


@dataclass(frozen=True, slots=True)
class _Informative:
    """A column, with what decides whether it may be an attribute of a thing."""

    column: UnitColumn
    is_measured: bool
    has_rare_names: bool
    identifies: bool
    is_sign: bool

    @classmethod
    def of(cls, column: UnitColumn) -> _Informative:
        return cls(
            column,
            measures_something(column),
            has_rare_names(column),
            identifies_person(column),
            is_sign(column) and column.entity not in mistaken_names(),
        )

    def may_be_of_thing(self, words: frozenset[str], meaning: frozenset[str]) -> bool:
        """Whether it is an attribute of the thing, by its name; a sign of people needs a word with a meaning.

        A measurement may have any name but that of an attribute of people.
        """
        if not is_attribute(self.column, words):
            of_people = attributes_of_people() - vocabulary.with_trait("of_things_too")
            return self.is_measured and self.column.suggested.isdisjoint(of_people)
        if self.has_rare_names and has_word(self.column, meaning):
            return True  # composers and authors are attributes of their works, although their names are judged as names
        return not self.identifies and (not self.is_sign or has_word(self.column, meaning))


def _given_names(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> bool:
    """Whether a column that is called a name, not the name of a thing of the kind, holds given names that repeat."""
    called = [c for c in table if has_word(c, words_of("names")) and c.profile.data_type == "text"]
    named = [c for c in called if not has_word(c, kind.attributes)]
    return any(c.uniqueness < NEARLY_UNIQUE and share_of_given_names(dataset, c) >= _GIVEN_NAMES for c in named)


def _evidence(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> list[UnitColumn]:
    """Return the columns that establish the kind, none where they do not.

    Two columns with attributes of its own; one, with a column that names the kind or with another attribute; keys that
    identify the rows, of things that are concrete alone, of all kinds together; or one column where areas and periods
    identify the rows.
    """
    forms = vocabulary.with_trait("of_things")
    if kind is kinds()["code_list"] and not _meanings(dataset, table, kind):
        return []
    own = [c for c in table if has_word(c, kind.own) or (c.entity in forms and has_word(c, kind.attributes))]
    keys = [*key_columns(table, kind.keys), *_worded_keys(dataset, table, kind)]
    dated = any(map(is_period, table))
    both = by_stem((*(c for c in keys if not (dated and _is_of_user(c))), *own))
    shared = [c for c in table if c not in both and has_word(c, kind.shared)]
    if own and (len(both) >= 2 or shared):
        return both
    if kind.is_concrete and len(table) > 1 and any(c.uniqueness == 1 for c in keys) and not any(map(is_sign, table)):
        return keys
    if len(keys) >= 2 and rows_by(dataset, keys) >= NEARLY_UNIQUE * dataset.n_rows:
        return keys
    placed = rows_key(dataset, table, extra=both) if both and not any(map(is_sign, table)) else []
    if any(is_area(c) or is_period(c) for c in placed) and any(c in both or is_area(c) for c in placed):
        return both
    return _code_list(dataset, table, kind)


def _is_of_user(column: UnitColumn) -> bool:
    """Whether a thing that somebody uses or works at has several rows: by time, they may be those of that person."""
    return has_word(column, words_of("personal")) and column.uniqueness < NEARLY_UNIQUE


def _worded_keys(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> list[UnitColumn]:
    """Return the columns that are keys of a kind because the cells of one of them are words of a language.

    Lists have the common words of some languages: rarer words and other languages are known by what they translate.
    Words that repeat translate nothing: how well people know a language is stated in a few words.
    """
    texts = [c for c in key_columns(table, kind.worded) if c.profile.data_type == "text"]
    named = [c for c in texts if c.uniqueness >= NEARLY_UNIQUE]
    return named if any(is_in_words(dataset, c) for c in named) else []


def key_columns(table: Sequence[UnitColumn], words: frozenset[str]) -> list[UnitColumn]:
    """Return the columns with one of `words` in the name that can identify a thing.

    A quantity with decimals or a date cannot, and neither can columns that only a number distinguishes: "item1" and
    "item2" name no item.
    """
    named = [column for column in table if has_word(column, words)]
    stems = Counter(map(stem, named))
    return [c for c in named if stems[stem(c)] == 1 and c.profile.data_type not in _NO_KEYS]


def by_stem(columns: Iterable[UnitColumn]) -> list[UnitColumn]:
    """Return one of several columns that only a number distinguishes."""
    return list({stem(column): column for column in reversed(list(columns))}.values())[::-1]


def _meanings(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> list[UnitColumn]:
    """Return the columns that state in words what the codes of a list mean.

    Codes alone, or next to other codes, may be the pseudonyms of people, whatever both columns are called. A column
    that is called a name must hold words in small letters, as names of people have a capital.
    """
    codes = vocabulary.in_group("key") | vocabulary.with_trait("opaque_code")
    texts = [c for c in table if c.profile.data_type == "text" and c.entity not in codes and not is_uninformative(c)]
    meanings = [c for c in texts if has_word(c, kind.attributes) and is_in_words(dataset, c)]
    named = [c for c in texts if c not in meanings and has_word(c, words_of("names"))]
    found = [*meanings, *(c for c in named if is_in_words(dataset, c, small=True))]
    return [] if any(is_about_persons(dataset, column) for column in found) else found


def _code_list(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> list[UnitColumn]:
    """Return the key of a list of codes with what each means: nothing else, and each text once."""
    if kind is not kinds()["code_list"] or len(table) == 1 or any(map(is_sign, table)):
        return []
    texts = _meanings(dataset, table, kind)
    return texts[:1] if all(c.uniqueness == 1 or is_uninformative(c) for c in table) else []


def _is_identified(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> bool:
    """Whether each row has a different key of the kind, alone or with periods and areas, or a different name."""
    keys = [*(c for c in table if has_word(c, kind.keys)), *_worded_keys(dataset, table, kind)]
    named = keys or [c for c in table if c.profile.data_type == "text" and is_attribute(c, words_of("qualifiers"))]
    if any(c.uniqueness >= NEARLY_UNIQUE for c in named):
        return True
    if len(keys) >= 2 and rows_by(dataset, keys) >= NEARLY_UNIQUE * dataset.n_rows:
        return True
    return any(key in keys or is_area(key) for key in rows_key(dataset, table, extra=keys))
