"""Decide whether cells are about people, in a table whose column names are about things.

Question: do remarks, codes, paths, measures or answers to items in the cells belong to people?
Method: what things do not have. A remark has a word for a person, or for a state, an act or a relative of one, or
several given names; an attribute consists of given names; codes and paths contain them, or lie in folders of users; a
length and a mass in each row are those of bodies; numbered columns have the steps of one scale, as answers to the items
of a questionnaire.
Limits: initials and codes of staff are like those of things, and so are nicknames that are words. Words of the
languages of the lists are known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from privaudit.base.arrow import pa, pc
from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.names_in_cells import LEAST, SHARE
from privaudit.detect.unit.columns import UnitColumn
from privaudit.detect.unit.thing_words import all_keys, has_word, stem, words_of, words_of_things
from privaudit.model.headers.lexicon import unit_words
from privaudit.model.headers.tokens import tokenise
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

_MOSTLY = 0.5
"""Share of the different values from which names make an attribute that of people (product default)."""
_NEARLY_ALL = 0.95
"""Share of the rows from which a length and a mass are those of bodies (product default)."""
_FEWEST_ROWS = 10
"""Rows from which measures may be those of bodies: fewer things can have such by chance (product default)."""
_SHORTEST_NAME = 3
"""Letters of a given name: shorter ones are syllables of codes (product default)."""
_STEPS = range(3, 12)
"""Steps of the scale of an item (a fact about questionnaires: 0 to 10 is the longest in use)."""
_BODY_MASS_INDEX = (13.0, 55.0)
_LENGTHS = (1.2, 2.2)
"""Kilograms for each square metre, and metres, of nearly all people who are not small children (facts)."""

_CODE = r"^[^\sA-Z]*[-._/\\@~:][^\sA-Z]*$"
_USERS = r"(?:^|[/\\])(?:users?|home|profiles?|members?|people|accounts?)[/\\]"
_FOLDER = Expression(rf"{_USERS}([^/\\?#]+)")
_LENGTH = Expression(r"(?<![\d.,])(\d+(?:[.,]\d+)?)\s*(c?m)\b")
_MASS = Expression(r"(?<![\d.,])(\d+(?:[.,]\d+)?)\s*kg\b")


def shows_persons(dataset: Dataset, table: Sequence[UnitColumn]) -> bool:
    """Whether the cells of a column, or of several together, are about people."""
    texts = [c for c in table if c.profile.data_type == "text"]
    if any(_are_answers(dataset, columns) for columns in _numbered(table)) or _have_bodies(dataset, texts):
        return True
    return any(_is_about_people(c, _values(dataset, c)) for c in texts)


def _is_about_people(column: UnitColumn, values: pa.Array) -> bool:
    if _speak_of_people(column, values):
        return True
    if column.entity is None and not has_word(column, all_keys() | words_of("names")) and _are_mostly_names(values):
        return True
    return _are_codes_with_names(values) or _lie_in_folders_of_users(values)


def _are_codes_with_names(values: pa.Array) -> bool:
    parts = [tokenise(cell) for cell in _matching(values, _CODE)]
    if 2 * len(parts) < len(values) or len(given_names(chain.from_iterable(parts))) < 2:  # most often
        return False
    return sum(bool(given_names(words)) for words in parts) >= _MOSTLY * len(values)


def _lie_in_folders_of_users(values: pa.Array) -> bool:
    folders = (found for cell in _matching(values, rf"(?i){_USERS}") for found in _FOLDER.findall(cell.casefold()))
    return len({folder for folder in folders if not _is_word(folder)}) >= LEAST


def _speak_of_people(column: UnitColumn, values: pa.Array) -> bool:
    """Whether remarks or descriptions are about people, or name several of them.

    The description of a thing states for whom or what it is ("for women", "asthma"), which is not about a person.
    """
    is_remark = has_word(column, words_of("remarks"))
    if not is_remark and not has_word(column, words_of("descriptions")):
        return False
    words = _words(values)
    of_persons = unit_words("persons_in_texts") | unit_words("states_of_persons")
    if words & (of_persons if is_remark else of_persons - unit_words("purposes")):
        return True
    return len(given_names(words)) >= max(LEAST, SHARE * len(words))


def _are_mostly_names(values: pa.Array) -> bool:
    if _MOSTLY * len(values) > len(wordlists.listed_words("given_names")):
        return False
    named = given_names(wordlists.fold_all(values).to_pylist())
    return len(named) >= LEAST and len(named) >= _MOSTLY * len(values)


def given_names(words: Iterable[str]) -> set[str]:
    """Return the given names, also in the genitive, that are not also other words."""
    listed = wordlists.listed_words("given_names")
    found = (word if word in listed else word.removesuffix("s") for word in words)
    return {name for name in found if len(name) >= _SHORTEST_NAME and name in listed and not _is_word(name)}


def _is_word(text: str) -> bool:
    return bool(wordlists.common_in(text)) or text in words_of_things()


def _values(dataset: Dataset, column: UnitColumn) -> pa.Array:
    """Return the different values of a text."""
    return dataset.frequencies(column.name).values


def _matching(values: pa.Array, expression: str) -> list[str]:
    return values.filter(pc.match_substring_regex(values, expression)).to_pylist()


def _words(values: pa.Array) -> frozenset[str]:
    """Return the different words of texts, folded: a table may have a million remarks, but not as many words."""
    words = pc.list_flatten(pc.split_pattern_regex(wordlists.fold_all(values), r"[^\p{L}\p{M}]+"))
    return frozenset(pc.unique(words).to_pylist())


def _have_bodies(dataset: Dataset, texts: Sequence[UnitColumn]) -> bool:
    """Whether nearly every row states the length and the mass of a body, with their units."""
    if not _FEWEST_ROWS <= dataset.n_rows <= ROWS_IN_MEMORY:
        return False
    stated = [c for c in texts if pc.any(pc.match_substring_regex(_values(dataset, c), r"\d\s*(?:c?m|kg)\b")).as_py()]
    if not stated:
        return False
    columns = [column.to_pylist() for column in dataset.rows([c.name for c in stated]).columns]
    rows = [" ".join(str(cell) for cell in row if cell is not None) for row in zip(*columns, strict=True)]
    return sum(map(_is_body, rows)) >= _NEARLY_ALL * len(rows)


def _is_body(text: str) -> bool:
    lengths, masses = _LENGTH.findall(text), _MASS.findall(text)
    if len(lengths) != 1 or len(masses) != 1:
        return False
    number, unit = lengths[0]
    metres = _number(number) / (100 if unit == "cm" else 1)
    if not _LENGTHS[0] <= metres <= _LENGTHS[1]:
        return False
    return _BODY_MASS_INDEX[0] <= _number(masses[0]) / metres**2 <= _BODY_MASS_INDEX[1]


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _numbered(table: Sequence[UnitColumn]) -> list[list[UnitColumn]]:
    """Return the columns of few whole numbers, together where only a number distinguishes their names."""
    groups: defaultdict[tuple[str, ...], list[UnitColumn]] = defaultdict(list)
    for column in table:
        if column.profile.data_type == "integer" and column.profile.n_distinct in _STEPS:
            groups[stem(column)].append(column)
    return [group for group in groups.values() if len(group) >= LEAST]


def _are_answers(dataset: Dataset, columns: Sequence[UnitColumn]) -> bool:
    """Whether columns have the steps of one scale, from 0 or 1 without a gap."""
    steps = {str(step) for c in columns for step in dataset.distinct_rows([c.name]).column(0).to_pylist()} - {"None"}
    scales = ({str(i) for i in range(first, first + len(steps))} for first in (0, 1))
    return len(steps) in _STEPS and steps in scales
