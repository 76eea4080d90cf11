"""Recognise a table about things: what a row is, and that every column is an attribute of it.

Question: are the rows things of a known kind, or one for each area or period, and is every other column about these?
Method: two ways. Columns named after a kind of thing and after attributes that no person has establish the kind
(``rules/headers/things.toml``); values in a technical form (versions, colours, currencies) count as such an attribute.
Or areas and periods identify every row, alone or by half of their combinations. In both, every other column must be
recognised as an attribute of that thing: a word that the lexicon does not know is evidence for nothing.
Limits: what identifies a person by its values (e-mail addresses, full names, numbers of an authority) is never an
attribute of a thing, whatever its name is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.detect.catalogue import wordlists
from privaudit.detect.names_in_cells import LEAST
from privaudit.detect.unit.columns import NEARLY_UNIQUE, UnitColumn, has_rare_names, is_sign, names, whereabouts
from privaudit.detect.unit.keys import FULL, is_count, n_values, rows_by
from privaudit.model import Contained, DatasetUnit, Detection, Rejected, vocabulary
from privaudit.model.headers.lexicon import lines, read_file
from privaudit.model.headers.tokens import tokenise
from privaudit.model.wording import Fact, fact
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

_NAMES = 0.5
"""Share of the cells from which a column holds full names, or given or family names alone (product default)."""
_MOST_NAMES = 1000
"""Different values of a column that are compared with lists of names (product default)."""
_MOSTLY_WORDS = 0.5
"""Share of the meanings of codes that have a common word: names of rare things have none (product default)."""
_SHORTEST_WORD = 3
"""Letters of a common word: random texts contain shorter ones by chance (product default)."""
_WORD = Expression(r"[a-z]+")
_NO_KEYS = frozenset({"decimal", "date", "timestamp", "time"})
"""Data types of quantities and times, which identify no thing."""
_LONGEST_UNIT = 3
"""Letters of the abbreviation of a unit of measure (a fact about column names)."""
_MOST_DIGITS = 6
"""Digits of a period that is not a date, such as 202401 (a fact about the forms of periods)."""
MOST_STATES = 2
"""Different values of a text or whole number with an unknown name: more could be names or codes of people (product
default)."""
_MOST_KEYS = 3
"""Areas, periods and categories of which combinations are tried as the key of the rows (product default)."""


@dataclass(frozen=True, slots=True)
class Things:
    """What the rows are: the columns that name them, counts of an aggregate, and the reasons."""

    keys: tuple[str, ...]
    counts: tuple[str, ...]
    reasons: tuple[Fact, ...]


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


def _is_word_of_thing(name: str) -> bool:
    """Whether each word of a column name is a word for things."""
    return _consists_of(name, _words_of_things())


@cache
def _words_of_things() -> frozenset[str]:
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


def find_kind(dataset: Dataset, table: Sequence[UnitColumn]) -> Things | None:
    """Return the kind of thing that the columns are about; None where there is none, or a column is left."""
    common = words_of("qualifiers", "times", "places", "general", "quantities", "money")
    # What does not depend on the kind is asked once: a table may have thousands of columns, and there are many kinds.
    informative = [_Informative.of(c) for c in table if not is_uninformative(c)]
    is_placed = whereabouts(table) is not None
    for name, kind in kinds().items():
        if name == "organisation" or (not kind.is_placed and is_placed):
            continue
        words = common | kind.attributes
        meaning = kind.attributes | words_of("general", "quantities", "money")
        if all(one.may_be_of_thing(words, meaning) for one in informative) and not _given_names(dataset, table, kind):
            evidence = _evidence(dataset, table, kind)
            if evidence and (not kind.is_identified or _is_identified(dataset, table, kind)):
                named = [c for c in table if has_word(c, kind.keys) or is_attribute(c, words_of("qualifiers"))]
                reasons = fact("unit.kind_of_thing", columns=names(evidence)), fact("unit.no_person")
                return Things(tuple(c.name for c in named), (), reasons)
    return None


def is_organisation(table: Sequence[UnitColumn]) -> bool:
    """Whether every column is an attribute of organisations by its name."""
    words = words_of("qualifiers", "times", "places", "money", "statistics") | kinds()["organisation"].attributes
    return all(is_uninformative(c) or is_attribute(c, words) for c in table)


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
            is_sign(column) and column.entity not in _names(),
        )

    def may_be_of_thing(self, words: frozenset[str], meaning: frozenset[str]) -> bool:
        """Whether it is an attribute of the thing, by its name; a sign of people needs a word with a meaning."""
        if not is_attribute(self.column, words):
            return self.is_measured
        if self.has_rare_names and has_word(self.column, meaning):
            return True  # composers and authors are attributes of their works, although their names are judged as names
        return not self.identifies and (not self.is_sign or has_word(self.column, meaning))


def measures_something(column: UnitColumn) -> bool:
    """Whether a column holds measurements of unknown meaning, which an attacker cannot know to the last digit.

    Whole numbers of unknown meaning may be the codes of people, however many there are, unless the name states that
    they are quantities.
    """
    if column.profile.data_type == "integer":
        return _is_named_quantity(column)
    return has_many_numbers(column)


def _is_named_quantity(column: UnitColumn) -> bool:
    """Whether a column of no known entity type is called a quantity, whatever of, and neither a code nor a person."""
    if column.entity is not None or column.has("people") or has_word(column, words_of("identities", "names")):
        return False
    # The abbreviation of a unit is ambiguous: "us" is a country as well as microseconds.
    quantities = {word for word in words_of("quantities") if len(word) > _LONGEST_UNIT}
    return has_word(column, frozenset(quantities)) and not _is_named_like_a_person(column)


def has_many_numbers(column: UnitColumn) -> bool:
    """Whether a column of unknown meaning holds more numbers than a category has, and is not named after people."""
    return column.profile.is_measurement and column.entity is None and not column.has("people")


def _given_names(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> bool:
    """Whether a column that is called a name, not the name of a thing of the kind, holds given names that repeat."""
    called = [c for c in table if has_word(c, words_of("names")) and c.profile.data_type == "text"]
    named = [c for c in called if not has_word(c, kind.attributes)]
    return any(c.uniqueness < NEARLY_UNIQUE and _share_of_given_names(dataset, c) >= _NAMES for c in named)


def _share_of_given_names(dataset: Dataset, column: UnitColumn) -> float:
    given = wordlists.listed_words("given_names")
    values = dataset.distinct_rows([column.name]).column(0).to_pylist()[:_MOST_NAMES]
    return sum(wordlists.fold(str(value)) in given for value in values) / max(1, len(values))


def is_uninformative(column: UnitColumn) -> bool:
    """Whether the cells of a column state nothing about a row."""
    return column.profile.constant or column.entity == "ROW_NUMBER"


@cache
def _names() -> frozenset[str]:
    """Return the entity types that the name or the code of a thing is mistaken for."""
    return vocabulary.with_trait("person_name") | {"STREET_ADDRESS"}


def identifies_person(column: UnitColumn) -> bool:
    """Whether the values identify a person, whatever the column is called.

    Names of things contain names of people, too: a column that is named after a kind of thing holds people only where
    its cells are full names, and one that is called a name, where its cells are nothing but given or family names.
    """
    if column.entity in _names():
        if column.suggested & _names() - {"PERSON_NAME"} or column.full_names >= _NAMES or column.has_listed_names:
            return True
        is_named = has_word(column, _all_keys())
        return not is_named and (column.single_names >= _NAMES or column.uniqueness < NEARLY_UNIQUE)
    if column.entity == "UNRESOLVED_ID":
        return not is_attribute(column, words_of("qualifiers") | _all_keys())
    identifying = vocabulary.with_trait("implies_person") | vocabulary.with_trait("identifies_alone")
    return column.entity in identifying & vocabulary.with_role("direct") or column.entity == "DATE_OF_BIRTH"


@cache
def _all_own() -> frozenset[str]:
    return frozenset().union({"mw", "mwh", "gwh", "kwh"}, *(kind.own for kind in kinds().values())) - words_of("body")


@cache
def _all_keys() -> frozenset[str]:
    return frozenset().union(*(kind.keys for kind in kinds().values()))


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
    both = by_stem((*keys, *own))
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
    return _code_list(table, kind)


def _worded_keys(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> list[UnitColumn]:
    """Return the columns that are keys of a kind because the cells of one of them are words of a language.

    Lists have the common words of some languages: rarer words and other languages are known by what they translate.
    Words that repeat translate nothing: how well people know a language is stated in a few words.
    """
    texts = [c for c in key_columns(table, kind.worded) if c.profile.data_type == "text"]
    named = [c for c in texts if c.uniqueness >= NEARLY_UNIQUE]
    return named if any(_is_in_words(dataset, c) for c in named) else []


def _stem(column: UnitColumn) -> tuple[str, ...]:
    return tuple(token for token in tokenise(column.name) if not token.isdigit())


def key_columns(table: Sequence[UnitColumn], words: frozenset[str]) -> list[UnitColumn]:
    """Return the columns with one of `words` in the name that can identify a thing.

    A quantity with decimals or a date cannot, and neither can columns that only a number distinguishes: "item1" and
    "item2" name no item.
    """
    named = [column for column in table if has_word(column, words)]
    stems = Counter(map(_stem, named))
    return [c for c in named if stems[_stem(c)] == 1 and c.profile.data_type not in _NO_KEYS]


def by_stem(columns: Iterable[UnitColumn]) -> list[UnitColumn]:
    """Return one of several columns that only a number distinguishes."""
    return list({_stem(column): column for column in reversed(list(columns))}.values())[::-1]


def release_names_of_things(detections: Iterable[Detection], unit: DatasetUnit) -> tuple[Detection, ...]:
    """Return the detections, without the names of people and addresses that the names and codes of things look like."""
    if unit.declared or unit.is_about_people:
        return tuple(detections)
    called = _with_names_of_things if unit.kind == "object" else _explained
    return tuple(_released(called(found)) if found.column in unit.keys else _explained(found) for found in detections)


def _explained(found: Detection) -> Detection:
    """Return the detection of an attribute of a thing, which needs no other explanation of its name."""
    unproven = found.unassessed is not None and found.unassessed.code == "detect.name_unproven"
    return replace(found, unassessed=None) if unproven and _is_word_of_thing(found.column) else found


def _released(found: Detection) -> Detection:
    found = _explained(found)
    if found.is_ is None or found.is_.entity not in _names():
        return found
    contains = tuple(item for item in found.contains if item.entity not in vocabulary.with_trait("person_name"))
    return replace(found, is_=None, rejected=(*found.rejected, _named(found.is_.entity)), contains=contains)


def _with_names_of_things(found: Detection) -> Detection:
    """Return the detection of a column with the names of things, without those that a model takes for people's."""
    others = [item for item in found.contains if not _may_name_a_thing(item)]
    words = tokenise(found.column)
    is_name = any(word in words_of("names") | _all_keys() or word.removesuffix("s") in _all_keys() for word in words)
    if not is_name or len(others) == len(found.contains):
        return found
    entities = sorted({item.entity for item in found.contains if item not in others})
    return replace(found, contains=tuple(others), rejected=(*found.rejected, *map(_named, entities)))


def _named(entity: str) -> Rejected:
    return Rejected(entity=entity, because=fact("detect.names_a_thing"))


def _may_name_a_thing(item: Contained) -> bool:
    """Whether only a model reads names, as things have them."""
    named = any(clue.because.code == "detect.text_names_of_things" for clue in item.evidence)
    return named and {clue.kind for clue in item.evidence} == {"model", "shape"}


def _meanings(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> list[UnitColumn]:
    """Return the columns that state in words what the codes of a list mean.

    Codes alone, or next to other codes, may be the pseudonyms of people, whatever both columns are called.
    """
    codes = vocabulary.in_group("key") | vocabulary.with_trait("opaque_code")
    texts = [c for c in table if c.profile.data_type == "text" and has_word(c, kind.attributes)]
    return [c for c in texts if c.entity not in codes and not is_uninformative(c) and _is_in_words(dataset, c)]


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
    return column.profile.data_type == "integer" or not _is_in_words(dataset, column)


@cache
def _meaningful() -> tuple[frozenset[str], ...]:
    """Return the words that state what a column is; those of lists of codes and qualifiers do not."""
    general = words_of("times", "places", "statistics", "general", "quantities", "money", "body")
    others = (kind.attributes for name, kind in kinds().items() if name != "code_list" and not kind.is_personal)
    return (frozenset().union(general, *others) - words_of("qualifiers", "names"),)


def are_columns_of_people(table: Sequence[UnitColumn]) -> bool:
    """Whether most columns with a figure are named after people: each of these columns is about another person."""
    figures = [c for c in table if c.profile.data_type in ("integer", "decimal")]
    named = [c for c in figures if c.entity is None and _is_named_like_a_person(c)]
    return len(named) >= LEAST and len(named) >= _MOSTLY_WORDS * len(figures)


def _is_named_like_a_person(column: UnitColumn) -> bool:
    listed = wordlists.listed_words("surnames") | wordlists.listed_words("given_names")
    words = {word for word in tokenise(column.name) if len(word) >= _SHORTEST_WORD and word in listed}
    return any(not wordlists.common_in(word) and word not in _words_of_things() for word in words)


def _code_list(table: Sequence[UnitColumn], kind: Kind) -> list[UnitColumn]:
    """Return the key of a list of codes with what each means: nothing else, and each text once."""
    if kind is not kinds()["code_list"] or len(table) == 1 or any(map(is_sign, table)):
        return []
    texts = [c for c in table if c.profile.data_type == "text" and has_word(c, kind.attributes)]
    return texts[:1] if all(c.uniqueness == 1 or is_uninformative(c) for c in table) else []


def _is_in_words(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether most values contain a common word of a language, or letters that no code is made of."""
    values = [str(value) for value in dataset.distinct_rows([column.name]).column(0).to_pylist()[:_MOST_NAMES]]
    return sum(map(_has_common_word, values)) >= _MOSTLY_WORDS * len(values)


def _has_common_word(text: str) -> bool:
    if any(letter.isalpha() and not letter.isascii() for letter in text):
        return True
    words = (word for word in _WORD.findall(wordlists.fold(text)) if len(word) >= _SHORTEST_WORD)
    return any(wordlists.common_in(word) or word in _words_of_things() for word in words)


def _is_identified(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> bool:
    """Whether each row has a different key of the kind, alone or with periods and areas, or a different name."""
    keys = [*(c for c in table if has_word(c, kind.keys)), *_worded_keys(dataset, table, kind)]
    named = keys or [c for c in table if c.profile.data_type == "text" and is_attribute(c, words_of("qualifiers"))]
    if any(c.uniqueness >= NEARLY_UNIQUE for c in named):
        return True
    if len(keys) >= 2 and rows_by(dataset, keys) >= NEARLY_UNIQUE * dataset.n_rows:
        return True
    return any(key in keys or is_area(key) for key in rows_key(dataset, table, extra=keys))


def rows_key(dataset: Dataset, table: Sequence[UnitColumn], *, extra: Iterable[UnitColumn] = ()) -> list[UnitColumn]:
    """Return the areas, periods and `extra` columns that identify every row; the fewest, none where none do.

    One alone has a different value in every row; several cover at least half of their possible combinations.
    """
    n = dataset.n_rows
    if not 2 <= n <= ROWS_IN_MEMORY:
        return []
    possible = [c for c in table if (is_area(c) or is_period(c)) and not c.profile.constant]
    possible += [c for c in extra if c not in possible and not c.profile.constant]
    for size in range(1, min(_MOST_KEYS, len(possible)) + 1):
        for chosen in combinations(possible, size):
            cells = math.prod(map(n_values, chosen))
            if cells >= n >= FULL * cells and rows_by(dataset, chosen) == n:
                return list(chosen)
    return []


def is_area(column: UnitColumn) -> bool:
    """Whether a column names areas: countries, states, counties, towns, or codes of them."""
    if column.entity in _areas():
        return True
    return (
        column.entity is None
        and is_attribute(column, words_of("places", "qualifiers"))
        and has_word(column, words_of("places"))
        and column.profile.data_type == "text"
    )


@cache
def _areas() -> frozenset[str]:
    return vocabulary.with_trait("large_area") | {"CITY", "GEO_CODE"}


def is_period(column: UnitColumn) -> bool:
    """Whether a column names days, months, years or other periods."""
    if column.entity == "DATE_EVENT":
        return True
    # Longer whole numbers that were not recognised as dates state no period: they may be numbers of anything.
    is_long = column.profile.data_type == "integer" and (column.profile.length_mean or 0) > _MOST_DIGITS
    return is_attribute(column, words_of("times")) and column.profile.data_type != "decimal" and not is_long


def find_areas(dataset: Dataset, table: Sequence[UnitColumn]) -> Things | None:
    """Return that each row is an area or a period, with counts or other figures of it; None otherwise."""
    categories = [c for c in table if has_word(c, words_of("statistics")) and c.profile.data_type == "text"]
    keys = rows_key(dataset, table, extra=categories)
    areas = [c for c in keys if is_area(c)]
    if not any(is_area(c) or is_period(c) for c in keys) or (whereabouts(table) and not areas):
        return None
    totals = _totals(dataset, table)
    rest = [c for c in table if c not in keys and not is_uninformative(c)]
    if not rest or any(map(is_sign, keys)) or not all(_is_figure(c, areas, totals) for c in rest if not is_area(c)):
        return None
    stated = [c for c in rest if is_count(c) or has_word(c, words_of("statistics") | {"total", "rate"})]
    if not areas:
        stated += [c for c in rest if has_word(c, _all_own())]
    elif all(is_area(c) or is_named_figure(c, areas) for c in rest) or _is_panel(keys, rest):
        stated = rest
    if not stated:
        return None
    counts = [c.name for c in rest if is_count(c) or c in totals]
    reasons = (fact("unit.row_of_area" if areas else "unit.row_of_period", columns=names(keys)),)
    named = (c.name for c in (*keys, *filter(is_area, rest)))
    return Things(tuple(named), tuple(counts), (*reasons, fact("unit.no_person")))


def _is_panel(keys: Sequence[UnitColumn], rest: Sequence[UnitColumn]) -> bool:
    """Whether each row is a large area in a period, and all else are measurements: people have no such grid of rows."""
    large = are_large(c for c in keys if is_area(c))
    figures = [c for c in rest if not is_area(c)]
    if not large or not any(map(is_period, keys)) or any(map(_is_named_like_a_person, figures)):
        return False
    return all(map(measures_something, figures))


def _is_figure(column: UnitColumn, areas: Sequence[UnitColumn], totals: Sequence[UnitColumn]) -> bool:
    """Whether a column is a figure, a name or a code of an area or a period."""
    if identifies_person(column) or column.entity in vocabulary.with_trait("person_name"):
        return False
    shows = vocabulary.with_trait("shows_people")
    if areas and column in totals and column.entity not in shows:
        return True
    if is_sign(column):
        return column.entity not in shows and has_word(column, words_of("statistics"))
    if is_named_figure(column, areas):
        return True
    if not areas:
        return measures_something(column) and has_word(column, _all_own())
    return are_large(areas) and column.profile.is_measurement and column.entity in (None, "FINANCIAL")


def are_large(areas: Iterable[UnitColumn]) -> bool:
    """Whether a column names areas that are larger than a county."""
    return any(c.entity in _areas() - {"CITY"} or has_word(c, words_of("large_places")) for c in areas)


def is_named_figure(column: UnitColumn, areas: Sequence[UnitColumn]) -> bool:
    """Whether a column is named after a figure of areas, or of periods where there are no `areas`."""
    by_name = kinds()
    words = words_of("qualifiers", "times", "places", "statistics") | by_name["weather"].attributes
    words |= by_name["market"].attributes if not areas else _figures_of_areas()
    return is_attribute(column, words)


@cache
def _figures_of_areas() -> frozenset[str]:
    return words_of("general", "quantities", "money") - words_of("body") | kinds()["airport_or_station"].own


def _totals(dataset: Dataset, table: Sequence[UnitColumn]) -> list[UnitColumn]:
    """Return the columns of whole numbers that are parts of a column called total: none of them is ever larger."""
    whole = [c for c in table if c.profile.data_type == "integer" and not c.profile.constant]
    total = [c for c in whole if has_word(c, frozenset(lines(read_file("units")["totals"])))]
    if len(total) != 1 or len(whole) < 2 or dataset.n_rows > ROWS_IN_MEMORY:
        return []
    columns = dataset.rows([c.name for c in whole])
    values = [columns.column(i).to_pylist() for i in range(len(whole))]
    most = [_number(value) for value in values[whole.index(total[0])]]
    found = [
        c
        for c, cells in zip(whole, values, strict=True)
        if all(_number(value) <= limit for value, limit in zip(cells, most, strict=True))
    ]
    return found if len(found) >= 2 else []


def _number(value: object) -> float:
    try:
        return float(str(value).replace(",", ""))
    except ValueError:
        return 0.0
