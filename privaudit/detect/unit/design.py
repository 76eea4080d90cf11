"""Recognise the results of a designed experiment: one row for each combination of conditions.

Question: are the rows runs of an experiment or a simulation, rather than people?
Method: two or more conditions of which every combination occurs in exactly one row, while all other columns are
measurements. The attributes of people do not occur so. The people in an experiment do, if each is observed under every
condition: a condition is therefore a text of common words, a number with decimals or in steps that no numbering has, or
one of two states. Where equal groups of people are each under another condition, combinations occur in several rows.
Limits: asked only where no column identifies or describes a person, or is named as if it did. Codes, and numbers
without a gap or at random, may be people, whatever else the table holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from privaudit.detect.unit.cells import tells_of_things
from privaudit.detect.unit.columns import UnitColumn, is_sign, is_uninformative, may_be_about_people, names, whereabouts
from privaudit.detect.unit.figures import MOST_STATES, measures_something
from privaudit.detect.unit.keys import Things, n_values, rows_by
from privaudit.detect.unit.thing_words import has_word, words_of
from privaudit.model.wording import fact
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

_LEAST_CONDITIONS = 2
"""Conditions that are combined: a single one is a key of the rows."""
_FEWEST_ROWS = 10
"""Rows of an experiment: in fewer, every combination of two attributes can occur by chance (product default)."""


def find_design(dataset: Dataset, table: Sequence[UnitColumn]) -> Things | None:
    """Return that each row is a run under a combination of conditions; None otherwise."""
    if not _FEWEST_ROWS <= dataset.n_rows <= ROWS_IN_MEMORY or may_be_about_people(table) or whereabouts(table):
        return None
    informative = [c for c in table if not is_uninformative(c)]
    conditions = [c for c in informative if not measures_something(c)]
    if len(conditions) < _LEAST_CONDITIONS or len(conditions) == len(informative) or any(map(is_sign, table)):
        return None
    if math.prod(map(n_values, conditions)) != dataset.n_rows or rows_by(dataset, conditions) != dataset.n_rows:
        return None
    if not all(_is_condition(dataset, c) for c in conditions):
        return None
    return Things((), (), (fact("unit.designed", columns=names(conditions)), fact("unit.no_person")))


def _is_condition(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether a column with few values cannot be the people of an experiment, or what each of them has."""
    if column.entity is not None or column.has("roles") or has_word(column, words_of("personal")):
        return False
    if column.profile.data_type in ("text", "integer") and tells_of_things(dataset, column):
        return True
    return column.profile.data_type != "text" and (n_values(column) <= MOST_STATES or _is_progression(dataset, column))


def _is_progression(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether numbers have fractions, or are chosen in equal ratios, or in equal steps from 0 or of a named quantity.

    People and their rooms are numbered without a gap, in steps from a first number, or at random.
    """
    values = [str(value) for value in dataset.distinct_rows([column.name]).column(0).to_pylist() if value is not None]
    try:
        numbers = sorted(float(value.replace(",", ".")) for value in values)
    except ValueError:
        return False
    steps = {later - earlier for earlier, later in pairwise(numbers)}
    ratios = {later / earlier for earlier, later in pairwise(numbers) if earlier}
    is_chosen = numbers[0] == 0 or has_word(column, words_of("quantities", "times"))
    return any(n % 1 for n in numbers) or len(ratios) == 1 or (is_chosen and len(steps) == 1 and steps != {1.0})
