"""Recognise a series: each row is another year or quarter, and none between the first and the last is missing.

Question: do the rows follow each other in time without a gap, and are all else figures?
Method: whole numbers called years that follow each other without a gap; quarters or months next to them. Everything
else is a measurement or a figure of periods.
Limits: asked only where no column identifies or describes a person, or is named as if it did. Days are not evidence: a
person keeps a diary.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.detect.unit.areas import is_named_figure
from privaudit.detect.unit.columns import UnitColumn, is_uninformative, may_be_about_people, names
from privaudit.detect.unit.figures import has_many_numbers
from privaudit.detect.unit.keys import Things, rows_by
from privaudit.detect.unit.thing_words import is_attribute, words_of
from privaudit.model.wording import fact
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

_FEWEST_YEARS = 10
"""Years of a series: the years of fewer rows can follow each other by chance (product default)."""
_NUMBERS = frozenset({"integer", "decimal", "boolean"})


def find_series(dataset: Dataset, table: Sequence[UnitColumn]) -> Things | None:
    """Return that each row is another year or quarter of a series without a gap; None otherwise."""
    periods = [c for c in table if is_attribute(c, words_of("years")) and c.profile.data_type == "integer"]
    years = [c for c in periods if _are_consecutive(dataset, c)]
    rest = [c for c in table if c not in periods and not is_uninformative(c)]
    if not years or not rest or rows_by(dataset, periods) < dataset.n_rows:
        return None
    if may_be_about_people(table) or not all(c.profile.data_type in _NUMBERS for c in rest):
        return None
    if not all(has_many_numbers(c) or (is_named_figure(c, ()) and c.entity is None) for c in rest):
        return None
    return Things((), (), (fact("unit.row_of_series", columns=names(periods)), fact("unit.no_person")))


def _are_consecutive(dataset: Dataset, column: UnitColumn) -> bool:
    """Whether whole numbers follow each other without a gap, at least `_FEWEST_YEARS` of them."""
    if column.profile.n_distinct < _FEWEST_YEARS or column.profile.n_missing or dataset.n_rows > ROWS_IN_MEMORY:
        return False
    values = [str(value) for value in dataset.distinct_rows([column.name]).column(0).to_pylist()]
    if not all(value.isdigit() for value in values):
        return False
    numbers = [int(value) for value in values]
    return max(numbers) - min(numbers) + 1 == len(set(numbers))
