"""A release, its original and people outside of it, as rows of codes and of points.

Question: which columns do the tables share, when are two rows equal, and how far apart are they?
Method: the columns that release and original have under the same name are brought to one form
(`attacks.values.comparable_values`). Equal values have equal codes, a missing cell is a value like any other. The
distance of two rows is Gower's sum: 1 for each category that differs, and for each number (or day) the difference
divided by the range over original and outsiders.
Limits: columns that only number the rows are not compared: they would make every row far from every other. A missing
number lies in the middle of the range, and 1 away from any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.attacks.inputs import AttackInputs
from privaudit.attacks.values.comparable_values import canonical
from privaudit.base.arrays import Flags, Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass
from privaudit.model import Limit, limit
from privaudit.model.wording import Columns
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.people import ordered_by_content
from privaudit.source.dataset import Dataset

Floats = npt.NDArray[np.float32]
Exact = npt.NDArray[np.float64]

NEAR_UNIQUE = 0.5
"""A column with more distinct values for each row than this distinguishes nearly all rows by itself."""
LEAST_TARGETS, MOST_TARGETS = 50, 2_000


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one table over the compared columns.

    Attributes
    ----------
    codes : int64 array of shape (n, d)
        Equal values have equal codes, over all tables.
    values : float64 array of shape (n, d)
        The numbers; NaN in columns of categories and where a cell is missing.
    """

    codes: Ints
    values: Exact

    @property
    def n(self) -> int:
        """Rows."""
        return len(self.codes)

    def take(self, rows: Ints) -> Rows:
        """Return some of the rows."""
        return Rows(self.codes[rows], self.values[rows])

    def select(self, columns: Sequence[int]) -> Rows:
        """Return some of the columns."""
        return Rows(self.codes[:, columns], self.values[:, columns])


@dataclass(frozen=True, slots=True)
class Compared:
    """The tables over the columns that they share.

    Attributes
    ----------
    columns : tuple of str
    is_number : tuple of bool
        Whether a column is compared as numbers.
    spans : float64 array of shape (d,)
        Largest minus smallest number of original and outsiders; 1 where that is 0.
    release, members : Rows
    outsiders : Rows or None
    threads : int, optional
        The setting: how many threads measure distances.
    """

    columns: tuple[str, ...]
    is_number: tuple[bool, ...]
    spans: Exact
    release: Rows
    members: Rows
    outsiders: Rows | None
    threads: int | None = None

    def select(self, columns: Sequence[int]) -> Compared:
        """Return the tables over some columns."""
        at = list(columns)
        return replace(
            self,
            columns=tuple(self.columns[i] for i in at),
            is_number=tuple(self.is_number[i] for i in at),
            spans=self.spans[at],
            release=self.release.select(at),
            members=self.members.select(at),
            outsiders=None if self.outsiders is None else self.outsiders.select(at),
        )

    def points(self, rows: Rows) -> Points:
        """Return `rows` as points between which `attacks.members.nearest` measures distances."""
        numeric = [i for i, number in enumerate(self.is_number) if number]
        low, _ = _extremes(self.tables()[1:])
        # From the smallest number on, because single precision has no digits left for a narrow range of large numbers.
        scaled = (rows.values[:, numeric] - low[numeric]) / self.spans[numeric]
        missing = np.isnan(scaled)
        has_missing = [np.isnan(table.values[:, numeric]).any(axis=0) for table in self.tables()]
        flags = missing[:, np.logical_or.reduce(has_missing)].astype(np.float32)
        categories = rows.codes[:, [i for i, number in enumerate(self.is_number) if not number]]
        return Points(np.where(missing, 0.5, scaled), np.hstack([categories.astype(np.float32), flags]), self.threads)

    def tables(self) -> list[Rows]:
        """Return release, members and, where there are some, outsiders."""
        return [self.release, self.members, *([] if self.outsiders is None else [self.outsiders])]

    def take(self, members: Ints, outsiders: Ints) -> tuple[Rows, Rows]:
        """Return some of the members, and of the outsiders, which are there."""
        assert self.outsiders is not None
        return self.members.take(members), self.outsiders.take(outsiders)

    def by_rank(self) -> Compared:
        """Return the tables with every number replaced by its rank, from 0 to 1.

        The release is ranked within itself. Members and outsiders are ranked together: ranks within two tables of
        different sizes would have different errors, and show a difference where there is none.
        """
        people = [rows.values for rows in self.tables()[1:]]
        ranked = np.split(_all_ranks(np.vstack(people)), [self.members.n])
        return replace(
            self,
            spans=np.ones(len(self.columns)),
            release=Rows(self.release.codes, _all_ranks(self.release.values)),
            members=Rows(self.members.codes, ranked[0]),
            outsiders=None if self.outsiders is None else Rows(self.outsiders.codes, ranked[1]),
        )

    def near_unique(self) -> list[int]:
        """Return the columns that distinguish nearly all rows of the original by themselves."""
        n = self.members.n
        return [i for i in range(len(self.columns)) if n and len(distinct(self.members.codes[:, i])) > NEAR_UNIQUE * n]


class Points(NamedTuple):
    """Rows as numbers in units of their range, and categories; `threads` is the setting."""

    numbers: Exact
    categories: Floats
    threads: int | None = None


def _all_ranks(values: Exact) -> Exact:
    return np.column_stack([_ranks(column) for column in values.T]) if len(values) else values


def _ranks(column: Exact) -> Exact:
    """Return the mean rank of each number divided by the count of numbers; NaN where it is missing."""
    known = ~np.isnan(column)
    found = np.full(len(column), np.nan)
    if known.any():
        _, index, counts = np.unique(column[known], return_inverse=True, return_counts=True)
        ends = np.cumsum(counts)
        found[known] = ((ends - (counts - 1) / 2) / known.sum())[index]
    return found


def read_compared(inputs: AttackInputs) -> tuple[Compared | None, tuple[Limit, ...]]:
    """Return the tables over their common columns; None where there are none or a table has no rows.

    The rows of each table are sorted by their codes, so that the order of a file changes no number.
    """
    release, original, outsiders = inputs.release, inputs.original, inputs.outsiders
    assert original is not None, "the registry runs these attacks only with an original table"
    tables = [release, original, *([] if outsiders is None else [outsiders])]
    shared = [name for name in original.columns if all(name in table.columns for table in tables)]
    limits = _not_shared(tables, shared)
    read = {name: read_column([table.rows([name])[name] for table in tables]) for name in shared}
    counters = tuple(name for name in shared if _numbers_rows(read[name], original.n_rows))
    if counters:
        limits.append(limit("attacks.counters_not_compared", columns=Columns(counters)))
    names = [name for name in shared if name not in counters]
    if not names or not all(table.n_rows for table in tables):
        return None, (*limits, limit("attacks.nothing_to_compare", incomplete=True))
    codes = [np.column_stack([read[name].codes[i] for name in names]) for i in range(len(tables))]
    values = [np.column_stack([read[name].values[i] for name in names]) for i in range(len(tables))]
    is_text = np.array([not read[name].is_number for name in names])
    codes[0] = _renumbered(codes[0], np.vstack(codes[1:]), is_text)
    parts = [_sorted(*part) for part in zip(codes, values, strict=True)]
    low, high = _extremes(parts[1:])
    spans = np.where(high > low, high - low, 1.0)
    return (
        Compared(
            tuple(names),
            tuple(read[name].is_number for name in names),
            spans,
            parts[0],
            parts[1],
            parts[2] if len(parts) > 2 else None,
            inputs.settings.threads,
        ),
        tuple(limits),
    )


def read_targets(inputs: AttackInputs, least_columns: int = 1) -> tuple[Compared, Ints, Ints] | None:
    """Return the tables, and rows of members and of outsiders, drawn at random; None where there are too few."""
    compared, _ = read_compared(inputs)
    if compared is None or compared.outsiders is None or len(compared.columns) < least_columns:
        return None
    # Equal numbers, so that both distributions are known equally well.
    n = min(compared.members.n, compared.outsiders.n, MOST_TARGETS)
    random = np.random.default_rng(inputs.settings.seed)
    members, outsiders = (random.permutation(rows.n)[:n] for rows in (compared.members, compared.outsiders))
    return (compared, members, outsiders) if n >= LEAST_TARGETS else None


def _not_shared(tables: Sequence[Dataset], shared: Sequence[str]) -> list[Limit]:
    apart = sorted({name for table in tables for name in table.columns} - set(shared))
    return [limit("attacks.columns_not_shared", columns=Columns(tuple(apart)))] if apart else []


def _extremes(tables: Sequence[Rows]) -> tuple[Exact, Exact]:
    """Return the smallest and largest number of each column; 0 where there is none."""
    values = np.vstack([rows.values for rows in tables])
    none = np.isnan(values).all(axis=0)
    low = np.where(np.isnan(values), np.inf, values).min(axis=0, initial=np.inf)
    high = np.where(np.isnan(values), -np.inf, values).max(axis=0, initial=-np.inf)
    return np.where(none, 0.0, low), np.where(none, 0.0, high)


def _renumbered(release: Ints, people: Ints, is_text: Flags) -> Ints:
    """Return the codes of a release, texts that nobody has numbered by the rows that have them.

    Such texts may be random tokens: another draw of them must not change the order of the rows.
    """
    columns = zip(release.T, people.T, is_text, strict=True)
    is_new = np.column_stack([text & (mine >= 0) & ~np.isin(mine, theirs) for mine, theirs, text in columns])
    _, rows = np.unique(np.where(is_new, -2, release), axis=0, return_inverse=True)
    found = release.copy()
    for column in np.flatnonzero(is_new.any(axis=0)):
        here = is_new[:, column]
        _, token = np.unique(release[here, column], return_inverse=True)
        number = np.argsort(ordered_by_content(token, rows.reshape(-1)[here]))
        found[here, column] = number[token] + max(release.max(), people.max()) + 1
    return found


def _sorted(codes: Ints, values: Exact) -> Rows:
    # An order of the content, so that the order of the file decides no sample.
    order = np.lexsort(codes.T[::-1])
    return Rows(codes[order], values[order])


class OneColumn(NamedTuple):
    """One column of all tables: codes and numbers of each."""

    codes: list[Ints]
    values: list[Exact]
    is_number: bool


def read_column(cells: Sequence[pa.ChunkedArray]) -> OneColumn:
    """Bring the cells of one column to one form over all tables."""
    encoded = [encode_column(column, is_ordered=False) for column in cells]
    rest = pa.concat_arrays([values for _, values in encoded[1:]])
    release, others, comparison = canonical(encoded[0][1], rest, is_origin=True)
    texts = pa.concat_arrays([release.cast(pa.string()), others.cast(pa.string())])
    numbers = _as_numbers(texts, comparison)
    known = np.full(len(texts), np.nan) if numbers is None else numbers
    of_text, sorted_texts = encode_column(texts, order=lambda distinct: pc.array_sort_indices(distinct).to_numpy())
    of_text = np.where(of_text < len(sorted_texts), of_text, -1).astype(np.int64)
    ends = np.cumsum([len(values) for _, values in encoded])[:-1]
    tables = zip(encoded, np.split(of_text, ends), np.split(known, ends), strict=True)
    # A missing cell has the code after the last.
    made = [(np.append(own, -1)[codes], np.append(values, np.nan)[codes]) for (codes, _), own, values in tables]
    return OneColumn([codes for codes, _ in made], [values for _, values in made], numbers is not None)


def _as_numbers(texts: pa.Array, comparison: str) -> Exact | None:
    """Return canonical texts as numbers, days as their number; None for what is compared as text."""
    known = texts.drop_null().to_pylist()
    if comparison == "numbers" and not any(len(text) > 1 and text[0] == "0" and text[1] != "." for text in known):
        found = np.array([np.nan if text is None else _number(text) for text in texts.to_pylist()])
    elif comparison in ("dates", "days"):
        try:
            days = texts.cast(pa.timestamp("s")).cast(pa.int64())
        except pa.ArrowInvalid:
            return None
        found = days.cast(pa.float64()).to_numpy(zero_copy_only=False) / 86_400
    else:
        return None
    return found if np.isfinite(found).any() else None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def _numbers_rows(column: OneColumn, n_original: int) -> bool:
    """Return whether a column numbers the rows of the original: as many whole numbers in a row as there are rows."""
    values = column.values[1]
    if not column.is_number or n_original < 3 or np.isnan(values).any():
        return False
    ordered = np.sort(values)
    return bool((np.diff(ordered) == 1).all())
