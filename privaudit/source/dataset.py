"""One table, whatever it came from: the few questions the later stages ask of it.

Question: what do profile, detect, risk and attack need to know of a table?
Method: a table whose columns are all text (typed sources are cast once, to one canonical text) under internal names
``c0, c1, ...``, so that no column name can upset an engine. Every answer is an aggregate of it: computed by Arrow
where the table is in memory, by the engine where it is large or lives there. Both give the same numbers, and text of
one Arrow type: `string`. A column in memory may be a dictionary of text; only `stored` hands it out as it is.
Limits: an empty or blank cell is missing; no other text is. The order of rows and of groups means nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np

from privaudit.base.arrays import Codes, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ColumnNotFound
from privaudit.base.extras import can_import
from privaudit.base.records import dataclass
from privaudit.model import Limit
from privaudit.source.cells.cell_text import one_type
from privaudit.source.cells.coded_tables import as_text, coded_table, grouped
from privaudit.source.cells.dictionaries import codes_of, counts_of, encoded
from privaudit.source.engine.bounded_values import Totals
from privaudit.source.engine.pushed_down import Asked
from privaudit.source.engine.queries import about_distinct
from privaudit.source.engine.row_sample import is_sampled, threshold
from privaudit.source.input.table import Outside

if TYPE_CHECKING:
    from privaudit.source.engine.sql_table import SqlTable
    from privaudit.source.places.location import Location

T = TypeVar("T")
CACHE_BYTES = 1 << 29
FEW_ROWS = 20_000
"""Rows up to which sorting them takes less time than importing what else groups them."""
ROWS_IN_MEMORY = 4_000_000
"""Rows above which the engine groups, where it is installed: it can spill to its private folder, Arrow cannot."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Every distinct value of a column and how many rows hold it.

    Attributes
    ----------
    values : pyarrow.StringArray of length d
        The distinct non-missing values, in no particular order.
    counts : int64 array of length d, each at least 1
    n_missing : int
        Rows without a value; ``counts.sum() + n_missing == n_rows`` where all values were read.
    totals : Totals, optional
        What is exact about the column, where `values` are a part of its values.
    """

    values: pa.Array
    counts: Ints
    n_missing: int
    totals: Totals | None = None

    @property
    def n_present(self) -> int:
        """Rows with a value."""
        return int(self.counts.sum()) if self.totals is None else self.totals.n_present

    @property
    def n_distinct(self) -> int:
        """Distinct values."""
        return len(self.counts) if self.totals is None else self.totals.n_distinct

    @property
    def n_held_once(self) -> int:
        """Values of one row."""
        return int((self.counts == 1).sum()) if self.totals is None else self.totals.n_held_once


class Dataset:
    """A table, independent of its source.

    Parameters
    ----------
    table : SqlTable or callable that returns one
        The table on an engine, with columns named ``c0`` to ``c{n-1}``. A callable is called when the engine is first
        needed, so that a small table never waits for one.
    columns : sequence of str
        The column names of the source, in order; all different.
    name, format, engine : str
        The source as the report shows it.
    declared : mapping of column to str
        Logical type where the source had types (integer, decimal, date, ...); absent for text sources.
    limits : sequence of Limit
        What was skipped or assumed while reading.
    on_close : callable, optional
        Frees the engine.
    arrow : pyarrow.Table, optional
        The same table, all columns of type string or dictionaries of distinct strings, where it is in memory.
    """

    def __init__(
        self,
        table: SqlTable | Callable[[], SqlTable],
        *,
        columns: Sequence[str],
        name: str,
        format: str,
        engine: str = "duckdb",
        declared: Mapping[str, str] | None = None,
        limits: Sequence[Limit] = (),
        on_close: Callable[[], None] | None = None,
        arrow: pa.Table | None = None,
    ) -> None:
        self._table = table
        # By column: replacing a column of a table copies the list of all its columns.
        self._arrow = None if arrow is None else dict(zip(arrow.column_names, arrow.columns, strict=True))
        self.columns = tuple(columns)
        self.name = name
        self.format = format
        self.engine = engine
        self.declared = dict(declared or {})
        self.limits = tuple(limits)
        self.outside: tuple[Outside, ...] = ()
        """Text that the file holds besides the table."""
        self.stated: tuple[tuple[str, str, str], ...] = ()
        """Column, key and text of what the metadata of the fields states for privaudit."""
        self.parts: tuple[Location, ...] = ()
        """The files of the table, where it was read from a folder or pattern."""
        self.types: dict[str, Any] = {}
        """The Arrow type of each column as the reader hands it over."""
        self.in_part: dict[str, tuple[Totals, int]] = {}
        """Columns of which a part of the values was read, and how many values that are."""
        self.not_counted: set[tuple[str, str]] = set()
        """Entity types in these columns whose expressions the engine refused to run."""
        self._on_close = on_close
        self._internal = {column: f"c{i}" for i, column in enumerate(self.columns)}
        self._cache: OrderedDict[str, Frequencies] = OrderedDict()
        self._cached_bytes = 0
        self._kept: dict[str, Any] = {}
        self._lock = Lock()  # columns are read by several threads
        self._one_query = Lock()
        self.n_rows: int = arrow.num_rows if arrow is not None else self.table.n_rows

    @property
    def table(self) -> SqlTable:
        """The table on the engine, its columns named ``c0`` to ``c{n-1}``."""
        if callable(self._table):
            self._table = self._table()
        return self._table

    @property
    def held(self) -> pa.Table | None:
        """The table in memory, under internal names; None where an engine has it."""
        return None if self._arrow is None else self._select(list(self._arrow))

    def _select(self, names: Sequence[str]) -> pa.Table:
        assert self._arrow is not None
        return pa.table({name: self._arrow[name] for name in names})

    def is_blank(self) -> bool:
        """Whether the table has no cell with a value."""
        if self._arrow is not None:
            return all(column.null_count == len(column) for column in self._arrow.values())
        return not any(self.frequencies(column).n_present for column in self.columns)

    @property
    def in_memory(self) -> bool:
        """Whether `rows` hands out the table without a copy, so that grouping first would cost more."""
        return self._arrow is not None

    def __enter__(self) -> Dataset:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the engine, the table in memory and what was cached."""
        self._forget()
        self._arrow = None
        if self._on_close is not None:
            self._on_close()
            self._on_close = None

    def _forget(self) -> None:
        self._cache.clear()
        self._kept.clear()
        self._cached_bytes = 0

    def once(self, key: str, compute: Callable[[], T]) -> T:
        """Return ``compute()`` over a small table in memory, kept for each `key` until columns are freed."""
        if self._arrow is None or self.n_rows > FEW_ROWS:
            return compute()
        if key not in self._kept:
            self._kept[key] = compute()
        return cast(T, self._kept[key])

    def keep(self, columns: Collection[str]) -> None:
        """Free all columns but some: nothing is asked of the others any more."""
        with self._lock:
            self._forget()
            if self._arrow is not None:
                kept = [self.internal(c) for c in self.columns if c in columns]
                self._arrow = {name: self._arrow[name] for name in kept}

    def internal(self, column: str) -> str:
        """Return the name `column` has in `table`."""
        try:
            return self._internal[column]
        except KeyError:
            raise ColumnNotFound.among(column, self.name, self.columns) from None

    def frequencies(self, column: str) -> Frequencies:
        """Return every distinct value of `column` with its number of rows: one group-by, exact."""
        with self._lock:
            if column in self._cache:
                self._cache.move_to_end(column)
                kept = self._cache[column]
                return replace(kept, counts=kept.counts.astype(np.int64))
        found = self._group(column)
        self._remember(column, found)
        return found

    def _group(self, column: str) -> Frequencies:
        name = self.internal(column)
        if self._arrow is not None:
            texts, n = counts_of(self._encoded(name))
            return Frequencies(texts, n, self.n_rows - int(n.sum()))
        with self._one_query:
            found, weights = self.table.frequencies(name)
        values = one_type(found).combine_chunks()
        counts: Ints = weights.to_numpy(zero_copy_only=False).astype(np.int64)
        missing = pc.is_null(values).to_numpy(zero_copy_only=False)
        n_missing = int(counts[missing].sum())
        if missing.any():
            values = values.filter(pc.is_valid(values))
            counts = counts[~missing]
        totals = self.table.totals(name)
        assert (int(counts.sum()) if totals is None else totals.n_present) + n_missing == self.n_rows
        if totals is not None:
            self.in_part[column] = totals, len(values) + len(totals.sought)
        return Frequencies(values, counts, n_missing, totals)

    def matching(self, asked: Asked) -> list[tuple[pa.Array, Ints] | Literal["refused"] | None]:
        """Return what `source.engine.sql_table.SqlTable.matching` does, with the rows as an array of numbers."""
        with self._one_query:
            found = list(self.table.matching([(self.internal(column), form) for column, form in asked]))
        return [(x[0].cast("string"), x[1].to_numpy().astype(np.int64)) if isinstance(x, tuple) else x for x in found]

    def _encoded(self, name: str) -> pa.ChunkedArray:
        """Return a column in memory as a dictionary, and keep it so: the stages share its codes."""
        assert self._arrow is not None
        column = self._arrow[name] = encoded(self._arrow[name])
        return column

    def _codes(self, name: str) -> Codes:
        """Return the code of each cell of a column in memory; a missing cell has the code after the last."""
        codes, texts = codes_of(self._encoded(name))
        return codes.fill_null(len(texts)).to_numpy(zero_copy_only=False)

    def _remember(self, column: str, found: Frequencies) -> None:
        found = replace(found, counts=found.counts.astype(np.min_scalar_type(int(found.counts.max(initial=0)))))
        if _bytes_of(found) > CACHE_BYTES:
            return
        with self._lock:
            if column not in self._cache:  # another thread may have grouped it meanwhile
                self._cache[column] = found
                self._cached_bytes += _bytes_of(found)
            while self._cached_bytes > CACHE_BYTES:
                self._cached_bytes -= _bytes_of(self._cache.popitem(last=False)[1])

    def expect(self, columns: Sequence[str]) -> None:
        """State that later questions about distinct rows concern some of `columns`: a server reads them in one scan."""
        if self._arrow is None:
            self.table.expect([self.internal(column) for column in columns])

    def distinct_rows(self, columns: Sequence[str]) -> pa.Table:
        """Return the distinct rows over `columns` as text, missing cells kept as null, with their int64 ``weight``.

        Returns
        -------
        pyarrow.Table with the columns as named by people, then ``weight``; ``sum(weight) == n_rows``.
        """
        return as_text(self.collapsed(columns))

    def collapsed(self, columns: Sequence[str]) -> pa.Table:
        """Return `distinct_rows` as they are held: text, or dictionaries of distinct text."""
        names = [self.internal(column) for column in columns]
        if self._arrow is not None and self.n_rows <= FEW_ROWS:
            for name in names:
                self._encoded(name)
            groups = grouped(self._select(names))
        elif self._arrow is not None and (self.n_rows <= ROWS_IN_MEMORY or not can_import("duckdb")):
            groups = self._select(names).group_by(names).aggregate([([], "count_all")])
        else:
            groups = self.table.distinct(names)
        return groups.rename_columns([*columns, "weight"])

    def batches(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield `columns` of every row, as `stored` returns them: a table in memory at once, another batch by batch."""
        if self._arrow is not None:
            for column in columns:
                self._encoded(self.internal(column))
            yield self.stored(columns)
            return
        with self._one_query:
            for batch in self.table.batches([self.internal(column) for column in columns]):
                yield batch.rename_columns(list(columns))

    def about_distinct(self, columns: Sequence[str]) -> int:
        """Return about how many distinct rows there are over `columns`, to choose a plan; never a reported number."""
        names = [self.internal(column) for column in columns]
        if self._arrow is not None:
            n_codes = [len(self.frequencies(column).values) + 1 for column in columns]
            return about_distinct([map(self._codes, names)], n_codes, self.n_rows)
        with self._one_query:
            return self.table.about_distinct(names)

    def class_sizes(self, columns: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return the sizes of the equivalence classes over `columns`, ascending, and how many classes have each."""
        found = self.table.class_sizes([self.internal(column) for column in columns])
        return found["weight"].to_pylist(), found["classes"].to_pylist()

    def sample(self, n: int, columns: Sequence[str], seed: int) -> pa.Table:
        """Return `columns` of about `n` rows as text, the same rows on every engine (`source.engine.row_sample`)."""
        below = threshold(n, self.n_rows)
        if below is None:
            return self.rows(columns)
        names = [self.internal(column) for column in columns]
        if self._arrow is None:
            return as_text(self.table.sample(names, below, seed)).rename_columns(list(columns))
        chosen = is_sampled(self.rows(self.columns), self.declared, below, seed)
        return self.rows(columns).filter(pa.array(chosen))

    def rows(self, columns: Sequence[str]) -> pa.Table:
        """Return `columns` of every row as text, in the order of the source, for linkage and per-record scores."""
        return as_text(self.stored(columns))

    def coded(self, columns: Sequence[str]) -> pa.Table:
        """Return `columns` of every row, in the order of the source, each as one dictionary of the texts it has."""
        return coded_table(self.batches(columns))

    def stored(self, columns: Sequence[str]) -> pa.Table:
        """Return `columns` of every row as they are held: text, or dictionaries of distinct text."""
        names = [self.internal(column) for column in columns]
        rows = self.table.rows(names) if self._arrow is None else self._select(names)
        return rows.rename_columns(list(columns))

    def stored_bytes(self, column: str) -> int:
        """Return the memory of a column; 0 where the table is not in memory."""
        return 0 if self._arrow is None else int(self._arrow[self.internal(column)].nbytes)

    def rows_holding(self, columns: Sequence[str], column: str, values: Sequence[str]) -> pa.Table:
        """Return `columns` of the rows whose cell in `column` is one of `values`, in no particular order."""
        names, wanted = [self.internal(name) for name in columns], self.internal(column)
        if self._arrow is not None:
            wanted_cells = pc.is_in(self._arrow[wanted], value_set=pa.array(values, pa.string()))
            rows = as_text(self._select(names).filter(wanted_cells))
        else:
            rows = as_text(self.table.rows_holding(names, wanted, values))
        return rows.rename_columns(list(columns))


def _bytes_of(found: Frequencies) -> int:
    return int(found.values.nbytes + found.counts.nbytes)
