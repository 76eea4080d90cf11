"""Recognise the record of one person, written as attributes and their values, one in each row.

Question: does a table state attributes of a person in its cells, where others have them as columns?
Method: a text that is different in each row is read as column names are; at least two of them suggest attributes of
people. Next to it is what they are worth: numbers next to words in one column, or nothing but one column of numbers.
Limits: a data dictionary of a table about people names the same attributes, but states no values of them. The names of
attributes are understood in the languages of column names.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.detect.unit.columns import UnitColumn, attributes_of_people, suggested_by
from privaudit.detect.unit.keys import n_values
from privaudit.source.dataset import Dataset

_MOST_ATTRIBUTES = 1000
"""Rows of a record: more are not the attributes of one person (product default)."""
_LEAST_ATTRIBUTES = 2
"""Attributes of people that a record states: one alone may be that of a thing, as an age is (product default)."""
_NUMBERS = frozenset({"integer", "decimal"})


def is_record_of_person(dataset: Dataset, table: Sequence[UnitColumn]) -> bool:
    """Whether the rows are the attributes of one person with their values."""
    n = dataset.n_rows
    if not 2 <= n <= _MOST_ATTRIBUTES:
        return False
    texts = [c for c in table if c.profile.data_type == "text"]
    named = [c for c in texts if n_values(c) == n]
    if not named:
        return False
    if len(table) == 2 and any(c.profile.data_type in _NUMBERS for c in table):
        return _names_attributes(dataset, named[0])
    values = [c for c in texts if _is_mixed(_cells(dataset, c))]
    return any(_names_attributes(dataset, key) for key in named if any(c is not key for c in values))


def _names_attributes(dataset: Dataset, column: UnitColumn) -> bool:
    found = (suggested_by(cell) & attributes_of_people() for cell in _cells(dataset, column))
    return sum(map(bool, found)) >= _LEAST_ATTRIBUTES


def _is_mixed(cells: Sequence[str]) -> bool:
    """Whether some cells are numbers and others are words."""
    numbers = [cell.replace(".", "", 1).replace(",", "", 1).isdecimal() for cell in cells]
    return any(numbers) and any(cell.isalpha() for cell in cells)


def _cells(dataset: Dataset, column: UnitColumn) -> list[str]:
    return [str(cell) for cell in dataset.frequencies(column.name).values.to_pylist()]
