"""The categories of a table: values with their counts, or bands of numbers.

Question: into which categories do the records fall, column by column?
Method: a column with few values has one category for each; numbers with many values are cut into five bands with
equally many records. Codes are numbered by frequency, bands in ascending order.
Limits: a column with many values that are not numbers, such as free text, has no categories. Missing cells have none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.base import resources
from privaudit.base.records import dataclass
from privaudit.model import ColumnReport, vocabulary
from privaudit.risk.codes.row_keys import text_order

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source import Dataset

Codes = npt.NDArray[np.int32]
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
    dataset: Dataset, columns: Sequence[ColumnReport], records: pa.Table, stated: Mapping[str, Collection[str]] = EMPTY
) -> Iterator[Coded]:
    """Yield columns of `records` by categories; `stated` are levels of hierarchies, by column, which are public."""
    for column in columns:
        values, codes = _codes(dataset, column.name, records)
        yield _coded(column, values, codes, stated.get(column.name, ()))


def people_of(dataset: Dataset, subject: str, records: pa.Table) -> npt.NDArray[np.int64]:
    """Return the person of each record, numbered from 0; a record without a person is a person."""
    _, codes = _codes(dataset, subject, records)
    nobody = codes == MISSING
    found = codes.astype(np.int64)
    found[nobody] = found.max(initial=-1) + 1 + np.arange(int(nobody.sum()))
    return found


def one_of_each(columns: Sequence[Coded], person: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Return the middle record of each person, in an order of values that the order of the rows does not change."""
    codes = np.array([*(column.value for column in columns), person])
    order: npt.NDArray[np.intp] = np.lexsort(codes)
    starts = np.flatnonzero(np.append(True, np.diff(person[order]) != 0))
    counts = np.diff(np.append(starts, len(order)))
    middle: npt.NDArray[np.intp] = order[starts + counts // 2]
    return middle


def _codes(dataset: Dataset, column: str, records: pa.Table) -> tuple[pa.Array, Codes]:
    """Return the distinct values by frequency, then by text, and the position of the value of each record."""
    import pyarrow as pa

    found = dataset.frequencies(column)
    texts = found.values.cast(pa.large_string())
    by_text = text_order(texts)
    values = texts.take(by_text[np.argsort(-found.counts[by_text], kind="stable")])
    parts = [_places(chunk, values) for chunk in records[column].chunks]
    return values, np.concatenate([np.zeros(0, np.int32), *parts])


def _places(cells: pa.Array, values: pa.Array) -> Codes:
    """Return the position of each cell among `values`; of a column that is encoded, each value is sought once."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(cells.type):
        places = np.append(_places(cells.dictionary, values), np.int32(MISSING))
        absent = len(cells.dictionary)
        found: Codes = places[cells.indices.cast(pa.int64()).fill_null(absent).to_numpy(zero_copy_only=False)]
        return found
    return np.asarray(pc.index_in(cells.cast(values.type), value_set=values).fill_null(MISSING), dtype=np.int32)


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
    bands = np.where(codes == MISSING, MISSING, np.searchsorted(edges, of_rows, side="left")).astype(np.int32)
    made = tuple(Category(column.name, i + 1, None) for i in range(len(edges) + 1))
    return Coded(column.name, made, bands, codes)


def _is_measured(column: ColumnReport) -> bool:
    """Whether a column holds numbers with so many values that each is rare."""
    return column.data_type in ("integer", "decimal") and column.n_distinct > 2 * BANDS


def _numbers(values: pa.Array) -> npt.NDArray[np.float64] | None:
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
