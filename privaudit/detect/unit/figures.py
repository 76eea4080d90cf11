"""Decide whether a column holds figures, which nobody knows exactly, rather than names, codes or categories.

Question: is a column of unknown meaning a measurement or a quantity?
Method: decimals of many values are measurements, and so are texts that are numbers with a unit, ranges or decimals
("5 mm", "60-85", "1,433.5"). Whole numbers may be the codes of people, however many there are, unless the name states
that they are quantities, some are negative, or they are spread over orders of magnitude: numbers that are assigned one
after the other have as many digits as the largest, or one fewer, in at least nine of ten cases.
Limits: a column that is named after a person is never a figure here. Amounts of one order of magnitude look like codes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from privaudit.base.arrow import pa
from privaudit.base.patterns import Expression
from privaudit.base.sampling import keyed_hashes
from privaudit.detect.catalogue import wordlists
from privaudit.detect.names_in_cells import LEAST
from privaudit.detect.unit.columns import UnitColumn
from privaudit.detect.unit.thing_words import has_word, words_of, words_of_things
from privaudit.model.headers.tokens import tokenise
from privaudit.source.dataset import Dataset

_MOSTLY_PEOPLE = 0.5
"""Share of the columns of figures from which a table has one column for each person (product default)."""
_SHORTEST_NAME = 3
"""Letters of a name of a person in a column name: fewer are abbreviations (product default)."""
_LONGEST_UNIT = 3
"""Letters of the abbreviation of a unit of measure (a fact about column names)."""

_QUANTITY = Expression(
    r"[<>~±≤≥]?\s*(?P<from>[-+]?\d+(?:\.\d+)?)(?:\s*(?:-|–|to|\.\.)\s*(?P<to>\d+(?:\.\d+)?))?"
    r"\s*(?P<unit>[%°]?[a-zµ²³]{0,4})(?:/[a-z]+)?"
)
_MOSTLY_QUANTITIES = 0.9
"""Share of the different values from which texts are quantities (product default)."""
_FEWEST_NUMBERS = 10
"""Different whole numbers from which their lengths show whether they were assigned (product default)."""
_ALIKE_LENGTHS = 0.75
"""Share of the two greatest lengths up to which whole numbers are amounts; assigned numbers have .9 of them."""
MOST_VALUES = 1000
"""Different values of a column that are read (product default)."""
MOST_STATES = 2
"""Different values of a text or whole number with an unknown name: more could be names or codes of people (product
default)."""


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
    return has_word(column, frozenset(quantities)) and not is_named_like_a_person(column)


def has_many_numbers(column: UnitColumn) -> bool:
    """Whether a column of unknown meaning holds more numbers than a category has, and is not named after people."""
    return column.profile.is_measurement and column.entity is None and not column.has("people")


def is_figure_or_state(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether a column of unknown meaning holds figures, or has two states, and is not named after people."""
    if column.entity is not None or column.has("people") or is_named_like_a_person(column):
        return False
    if column.profile.data_type in ("decimal", "boolean") or column.profile.n_distinct <= MOST_STATES:
        return True
    if column.profile.data_type == "integer":
        return measures_something(column) or _are_amounts(dataset, column)
    return column.profile.data_type == "text" and _are_quantities(dataset, column)


def _are_amounts(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether whole numbers are negative or spread over orders of magnitude, as numbers that are assigned are not."""
    numbers = different_values(dataset, column)
    if any(number.startswith("-") and number[1:].isdigit() for number in numbers):
        return True
    lengths = sorted({len(number) for number in numbers})
    if len(numbers) < _FEWEST_NUMBERS or len(lengths) < 3 or not all(number.isdigit() for number in numbers):
        return False
    return sum(len(number) in lengths[-2:] for number in numbers) <= _ALIKE_LENGTHS * len(numbers)


def _are_quantities(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether texts are numbers, and most of them with a unit of measure, as ranges or with decimals."""
    values = different_values(dataset, column)
    numbers = [found for found in (_QUANTITY.fullmatch(v.casefold().replace(",", "")) for v in values) if found]
    enough = len(numbers) >= _MOSTLY_QUANTITIES * max(1, len(values))
    return enough and 2 * sum(map(_is_quantity, numbers)) >= len(numbers)


def _is_quantity(found: re.Match[str]) -> bool:
    is_range = found["to"] is not None and float(found["from"]) < float(found["to"])
    has_unit = found["unit"][:1] in ("%", "°") or found["unit"] in words_of("quantities")
    return is_range or has_unit or (not found["unit"] and "." in found["from"])


def different_values(dataset: Dataset, column: UnitColumn) -> list[str]:
    """Return at most `MOST_VALUES` different values as texts, without the missing one, for any order of the rows."""
    values = dataset.distinct_rows([column.name]).column(0).drop_null()
    if len(values) > MOST_VALUES:
        values = values.take(pa.array(np.argsort(keyed_hashes(values, 0))[:MOST_VALUES]))
    return [value.strip() for value in values.to_pylist()]


def are_columns_of_people(table: Sequence[UnitColumn]) -> bool:
    """Whether most columns with a figure are named after people: each of these columns is about another person."""
    figures = [c for c in table if c.profile.data_type in ("integer", "decimal")]
    named = [c for c in figures if c.entity is None and is_named_like_a_person(c)]
    return len(named) >= LEAST and len(named) >= _MOSTLY_PEOPLE * len(figures)


def is_named_like_a_person(column: UnitColumn) -> bool:
    """Whether a word of the column name is a name of people that is not another word."""
    listed = wordlists.listed_words("surnames") | wordlists.listed_words("given_names")
    words = {word for word in tokenise(column.name) if len(word) >= _SHORTEST_NAME and word in listed}
    return any(not wordlists.common_in(word) and word not in words_of_things() for word in words)
