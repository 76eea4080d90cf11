"""The categories of a table: values with their counts, or bands of numbers.

Question: into which categories do the records fall, column by column?
Method: a column with few values has one category for each; numbers with many values are cut into five bands with
equally many records. Codes are numbered by frequency, bands in ascending order.
Limits: a column with many values that are not numbers, such as free text, has no categories. Missing cells have none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.base import resources
from privaudit.base.arrays import Codes, Floats, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.parallel import each
from privaudit.base.records import dataclass
from privaudit.model import ColumnReport, vocabulary
from privaudit.risk.codes.row_keys import Order, text_order
from privaudit.source.cells.dictionaries import codes_of

if TYPE_CHECKING:
    from privaudit.source import Dataset

Counts = Ints
MISSING = -1
MOST_VALUES = 60
BANDS = 5
EMPTY: Mapping[str, Collection[str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Category:
    """A value or band of a column: its number from 1 and, where the vocabulary is public, the value."""

    column: str
    number: int
    value: str | None


@dataclass(frozen=True, slots=True)
class Coded:
    """A column by categories.

    Attributes
    ----------
    categories : tuple of Category
    category : int32 array of shape (n,)
        Position in `categories` of each record; -1 for a missing cell, or where the column has no categories.
    value : int32 array of shape (n,)
        A code of the value itself, for classes; -1 for a missing cell.
    """

    name: str
    categories: tuple[Category, ...]
    category: Codes
    value: Codes

    def rows(self, chosen: npt.NDArray[np.intp]) -> Coded:
        """Return the column of some records."""
        return replace(self, category=self.category[chosen], value=self.value[chosen])


def records_of(dataset: Dataset, columns: Sequence[str]) -> pa.Table:
    """Return some columns of every record, all in one order.

    A table that is not in memory is asked for its distinct rows: a query for each column could return the records in
    another order each time, and the assessment of risk has these rows already.
    """
    if dataset.in_memory:
        return dataset.stored(columns)
    found = dataset.collapsed(columns)
    weights = found["weight"].to_numpy()
    return found.select(list(columns)).take(np.repeat(np.arange(len(weights)), weights))


def coded_columns(
    columns: Sequence[ColumnReport],
    records: pa.Table,
    stated: Mapping[str, Collection[str]] = EMPTY,
    *,
    is_ordered: bool = False,
    threads: int = 1,
) -> list[Coded]:
    """Return columns of `records` by categories.

    Parameters
    ----------
    columns : sequence of ColumnReport
    records : pyarrow.Table
    stated : mapping of column to texts
        Levels of hierarchies, which are public.
    is_ordered : bool
        Whether all values are numbered by frequency, then by text, as `one_of_each` requires; otherwise only the
        `MOST_VALUES` most frequent are.
    """

    def coded(column: ColumnReport) -> Coded:
        values, codes = _codes(records[column.name], None if is_ordered else MOST_VALUES)
        return _coded(column, values, codes, stated.get(column.name, ()))

    return each(coded, columns, threads)


def people_of(subject: str, records: pa.Table) -> Ints:
    """Return the person of each record, numbered from 0; each record without a person ID counts as one person."""
    codes, texts = codes_of(records[subject])
    found: Ints = codes.fill_null(len(texts)).to_numpy(zero_copy_only=False).astype(np.int64)
    has_no_person = found == len(texts)
    found[has_no_person] += np.arange(int(has_no_person.sum()))
    return found


def one_of_each(columns: Sequence[Coded], person: Ints) -> npt.NDArray[np.intp]:
    """Return the middle record of each person, in an order of values that the order of the rows does not change."""
    codes = np.array([*(column.value for column in columns), person])
    order: npt.NDArray[np.intp] = np.lexsort(codes)
    starts = np.flatnonzero(np.append(True, np.diff(person[order]) != 0))
    counts = np.diff(np.append(starts, len(order)))
    return order[starts + counts // 2]


def _codes(cells: pa.ChunkedArray, n_ordered: int | None) -> tuple[pa.Array, Codes]:
    """Return the distinct values, and the position of the value of each cell.

    The `n_ordered` most frequent values, or all, are in the order of their frequency, then of their text.
    """
    codes, texts = codes_of(cells)
    places = codes.fill_null(len(texts)).to_numpy(zero_copy_only=False)
    counts = np.bincount(places, minlength=len(texts) + 1)[:-1]
    if n_ordered is None or n_ordered >= len(texts):
        order = _by_frequency(texts, counts)
    else:
        order = _most_frequent_first(texts, counts, n_ordered)
    rank = np.full(len(texts) + 1, MISSING, dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return texts.take(pa.array(order)), rank[places]


def _by_frequency(texts: pa.Array, counts: Counts) -> Order:
    """Return the order of values by frequency, then by text."""
    by_text = text_order(texts)
    return by_text[np.argsort(-counts[by_text], kind="stable")]


def _most_frequent_first(texts: pa.Array, counts: Counts, n: int) -> Order:
    """Return the positions of the `n` most frequent values by frequency, then text, and of the others in any order.

    Sorting millions of texts is slow.
    """
    least = np.partition(counts, -n)[-n]
    above, tied = np.flatnonzero(counts > least), np.flatnonzero(counts == least)
    chosen = pc.bottom_k_unstable(texts.take(pa.array(tied)), n - len(above)).to_numpy()
    first = np.append(above, tied[chosen])
    first = first[_by_frequency(texts.take(pa.array(first)), counts[first])]
    is_other = np.ones(len(texts), dtype=bool)
    is_other[first] = False
    return np.append(first, np.flatnonzero(is_other))


def _coded(column: ColumnReport, values: pa.Array, codes: Codes, stated: Collection[str]) -> Coded:
    entity = "" if column.is_ is None else column.is_.entity
    if len(values) <= MOST_VALUES and not _is_measured(column):
        made = tuple(
            Category(column.name, i + 1, value if value in stated or _is_public(entity, value) else None)
            for i, value in enumerate(values.to_pylist())
        )
        return Coded(column.name, made, codes, codes)
    numbers = _numbers(values)
    if numbers is None:
        return Coded(column.name, (), np.full(len(codes), MISSING, np.int32), codes)
    of_rows = np.append(numbers, np.nan)[codes]
    known = of_rows[np.isfinite(of_rows)]
    edges = np.unique(np.quantile(known, np.arange(1, BANDS) / BANDS)) if len(known) else np.zeros(0)
    bands = np.append(np.searchsorted(edges, numbers, side="left"), MISSING).astype(np.int32)
    made = tuple(Category(column.name, i + 1, None) for i in range(len(edges) + 1))
    return Coded(column.name, made, bands[codes], codes)


def _is_measured(column: ColumnReport) -> bool:
    """Whether a column holds numbers with so many values that each is rare."""
    return column.data_type in ("integer", "decimal") and column.n_distinct > 2 * BANDS


def _numbers(values: pa.Array) -> Floats | None:
    try:
        for value in values[:1].to_pylist():
            float(value)  # of many texts the first shows that they are none
        return np.array([float(value) for value in values.to_pylist()])
    except ValueError:
        return None


def _is_public(entity: str, value: str) -> bool:
    """Whether a value is in the public vocabulary of its entity type, so that it names a category and no person."""
    return value.strip().casefold() in _vocabulary().get(entity, frozenset())


@cache
def _vocabulary() -> dict[str, frozenset[str]]:
    lists = resources.read_toml(resources.path("rules", "reference", "values.toml"))
    return {
        entity: frozenset("|".join(text for text in parts.values() if isinstance(text, str)).split("|"))
        for entity, parts in lists.items()
        if "public_vocabulary" in vocabulary.entity_type(entity).traits
    }


def is_public_word(value: str) -> bool:
    """Whether a value is in the public vocabulary of some entity type, such as a sex or a country."""
    return any(value.strip().casefold() in words for words in _vocabulary().values())
