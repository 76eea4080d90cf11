"""Test which columns of a table identify its rows together, as keys of cells, of things or of periods do.

Question: is the table an aggregate, a list of links between things, or a hierarchy?
Method: counts of distinct rows. Keys of an aggregate identify every row and cover at least half of their possible
combinations. Keys of things identify nearly every row together. In a hierarchy each column
is a function of the column before it, and the last one is suppressed.
Limits: tables of up to `ROWS_IN_MEMORY` rows; above that no structure is stated.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import pairwise

from privaudit.base.records import dataclass
from privaudit.detect.unit.columns import UnitColumn, names
from privaudit.model import vocabulary
from privaudit.model.headers.lexicon import unit_words
from privaudit.model.headers.tokens import tokenise
from privaudit.model.wording import Count, Fact, Number, fact
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

FULL = 0.5
"""Share of the possible combinations of keys that the rows cover at least (product default)."""
_LEVELS = 3
"""Columns from which a table can be recognised as a hierarchy: values, one grouping of them, and the root."""


@dataclass(frozen=True, slots=True)
class Things:
    """What the rows are: the columns that name them, counts of an aggregate, and the reasons."""

    keys: tuple[str, ...]
    counts: tuple[str, ...]
    reasons: tuple[Fact, ...]


def aggregate(
    dataset: Dataset, table: Sequence[UnitColumn]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Fact, ...]]:
    """Return keys and counts of an aggregate with the reasons; no reasons where the table is not one."""
    if any(c.entity in vocabulary.with_role("direct") for c in table):
        return (), (), ()
    return cells(dataset, table)


def cells(dataset: Dataset, table: Sequence[UnitColumn]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Fact, ...]]:
    """Return keys and counts of the cells of an aggregate with the reasons, whatever the columns hold."""
    counts = [c for c in table if is_count(c)]
    keys = [c for c in table if c not in counts and c.profile.data_type != "decimal" and not c.profile.constant]
    keys = [c for c in keys if c.entity != "ROW_NUMBER"]
    n = dataset.n_rows
    if not counts or not keys or n > ROWS_IN_MEMORY or n < 2:
        return (), tuple(c.name for c in counts), ()
    if len(keys) > 1 and any(n_values(c) == n for c in keys):
        return (), tuple(c.name for c in counts), ()  # one of them is a key of the rows, the others are attributes
    possible = math.prod(n_values(c) for c in keys)
    if n < FULL * possible or rows_by(dataset, keys) < n:
        return (), tuple(c.name for c in counts), ()
    reasons = (
        fact("unit.count_column", columns=names(counts)),
        fact("unit.cell_keys", columns=names(keys), rows=Count(n, unit="row"), possible=Number(possible)),
    )
    return tuple(c.name for c in keys), tuple(c.name for c in counts), reasons


def is_count(column: UnitColumn) -> bool:
    """Whether a column is named as a count, after what is counted, or as a count of it, and holds whole numbers."""
    words = set(tokenise(column.name))
    named = bool(words) and words <= unit_words("counts") | unit_words("counted") | {"of"} and words != {"of"}
    of_people = column.words & unit_words("counted") or column.has("people")
    named = named or bool(words & (unit_words("counts") - {"of"}) and of_people)
    if words <= unit_words("counted") - unit_words("counts"):
        named = named and column.entity is None
    whole = column.profile.data_type == "integer" or column.profile.n_suppressed > 0
    return named and whole


def is_hierarchy(dataset: Dataset, table: Sequence[UnitColumn], codes: Collection[str]) -> bool:
    """Whether each column is a coarser grouping of the one before, from one row for each value to a suppressed root.

    A list of `codes` that people may have is none where the next column masks their characters, unless every code with
    the same first characters is in it: then it lists what can occur, not whose codes occurred.
    """
    if len(table) < _LEVELS or not 2 <= dataset.n_rows <= ROWS_IN_MEMORY or any(c.has("people") for c in table):
        return False
    first, *levels, root = table
    if n_values(first) < dataset.n_rows or root.profile.n_suppressed < dataset.n_rows:
        return False
    if first.name in codes and any("*" in str(cell) for cell in _cells(dataset, table[1])):
        masked = enumerate((first, *levels))
        if any(n_values(first) != 10**n * n_values(level) for n, level in masked):
            return False
    return all(
        n_values(coarse) <= n_values(fine) == rows_by(dataset, (fine, coarse)) for fine, coarse in pairwise(table)
    )


def _cells(dataset: Dataset, column: UnitColumn) -> list[object]:
    return dataset.distinct_rows([column.name]).column(0).to_pylist()


def n_values(column: UnitColumn) -> int:
    """Return the values of a column, a missing one included."""
    return column.profile.n_distinct + bool(column.profile.n_missing)


def rows_by(dataset: Dataset, columns: Sequence[UnitColumn]) -> int:
    """Return the number of different rows of `columns`."""
    return int(dataset.distinct_rows([column.name for column in columns]).num_rows)
