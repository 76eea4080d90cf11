"""One table, whatever it came from: the few questions the later stages ask of it.

Question: what do profile, detect, risk and attack need to know of a table?
Method: a table whose columns are all text (typed sources are cast once, to one canonical text) under internal names
``c0, c1, ...``, so that no column name can upset an engine. Every answer is an aggregate of it: computed by Arrow
where the table is in memory, by the engine where it is large or lives there. Both give the same numbers, and text of
one Arrow type: `string`.
Limits: an empty or blank cell is missing; no other text is. The order of rows and of groups means nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.errors import ColumnNotFound
from privaudit.model import Limit
from privaudit.source.cell_text import one_type
from privaudit.source.surroundings import Outside

if TYPE_CHECKING:
    import pyarrow as pa

CACHE_BYTES = 1 << 29
ROWS_IN_MEMORY = 4_000_000
"""Rows above which the engine groups, since it can spill to its private folder and Arrow cannot."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Every distinct value of a column and how many rows hold it.

    Attributes
    ----------
    values : pyarrow.StringArray of length d
        The distinct non-missing values, in no particular order.
    counts : int64 array of length d, each at least 1
    n_missing : int
        Rows without a value; ``counts.sum() + n_missing == n_rows``.
    """

    values: pa.Array
    counts: npt.NDArray[np.int64]
    n_missing: int

    @property
    def n_present(self) -> int:
        """Rows with a value."""
        return int(self.counts.sum())


class Dataset:
    """A table, independent of its source.

    Parameters
    ----------
    table : ibis.expr.types.Table or callable that returns one
        All columns of type string, named ``c0`` to ``c{n-1}``, missing cells null. A callable is called when the
        engine is first needed, so that a small table never waits for one.
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
        The same table, all columns of type string, where it is in memory.
    """

    def __init__(
        self,
        table: Any,
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
        self._arrow = arrow
        self.columns = tuple(columns)
        self.name = name
        self.format = format
        self.engine = engine
        self.declared = dict(declared or {})
        self.limits = tuple(limits)
        self.outside: tuple[Outside, ...] = ()
        """Text that the file holds besides the table."""
        self._on_close = on_close
        self._internal = {column: f"c{i}" for i, column in enumerate(self.columns)}
        self._cache: OrderedDict[str, Frequencies] = OrderedDict()
        self._cached_bytes = 0
        self.n_rows: int = (
            arrow.num_rows if arrow is not None else int(self.table.count().to_pyarrow().as_py())
        )

    @property
    def table(self) -> Any:
        """The Ibis table; all columns text, named ``c0`` to ``c{n-1}``."""
        if callable(self._table):
            self._table = self._table()
        return self._table

    def is_blank(self) -> bool:
        """Whether a table in memory has no cell with a value."""
        return self._arrow is not None and all(c.null_count == len(c) for c in self._arrow.columns)

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
        self._cache.clear()
        self._cached_bytes = 0
        self._arrow = None
        if self._on_close is not None:
            self._on_close()
            self._on_close = None

    def internal(self, column: str) -> str:
        """Return the name `column` has in `table`."""
        try:
            return self._internal[column]
        except KeyError:
            raise ColumnNotFound.among(column, self.name, self.columns) from None

    def frequencies(self, column: str) -> Frequencies:
        """Return every distinct value of `column` with its number of rows: one group-by, exact."""
        if column in self._cache:
            self._cache.move_to_end(column)
            return self._cache[column]
        found = self._group(column)
        self._remember(column, found)
        return found

    def _group(self, column: str) -> Frequencies:
        import pyarrow.compute as pc

        values, weights = self._counted(self.internal(column))
        counts: npt.NDArray[np.int64] = weights.to_numpy(zero_copy_only=False).astype(np.int64)
        missing = pc.is_null(values).to_numpy(zero_copy_only=False)
        n_missing = int(counts[missing].sum())
        if missing.any():
            values = values.filter(pc.is_valid(values))
            counts = counts[~missing]
        assert int(counts.sum()) + n_missing == self.n_rows
        return Frequencies(values, counts, n_missing)

    def _counted(self, name: str) -> tuple[pa.Array, pa.Array]:
        """Return every distinct cell of a column, null among them, and how many rows hold it."""
        import pyarrow.compute as pc

        if self._arrow is not None:
            found = pc.value_counts(self._arrow[name])
            return found.field("values"), found.field("counts")
        cell = self.table[name]
        groups = self.table.group_by(value=cell).agg(weight=cell.isnull().sum() + cell.count()).to_pyarrow()
        return one_type(groups["value"]).combine_chunks(), groups["weight"].combine_chunks()

    def _remember(self, column: str, found: Frequencies) -> None:
        size = found.values.nbytes + found.counts.nbytes
        if size > CACHE_BYTES:
            return
        self._cache[column] = found
        self._cached_bytes += size
        while self._cached_bytes > CACHE_BYTES:
            _, old = self._cache.popitem(last=False)
            self._cached_bytes -= old.values.nbytes + old.counts.nbytes

    def distinct_rows(self, columns: Sequence[str]) -> pa.Table:
        """Return the distinct rows over `columns`, missing cells kept as null, with their int64 ``weight``.

        Returns
        -------
        pyarrow.Table with the columns as named by people, then ``weight``; ``sum(weight) == n_rows``.
        """
        names = [self.internal(column) for column in columns]
        if self._arrow is not None and self.n_rows <= ROWS_IN_MEMORY:
            groups = self._arrow.group_by(names).aggregate([([], "count_all")])
        else:
            groups = _one_type(self.table.group_by(names).agg(weight=self.table.count()).to_pyarrow(), names)
        return groups.rename_columns([*columns, "weight"])

    def rows(self, columns: Sequence[str]) -> pa.Table:
        """Return `columns` of every row as text, in the order of the source, for linkage and per-record scores."""
        names = [self.internal(column) for column in columns]
        if self._arrow is not None:
            rows = self._arrow.select(names)
        else:
            rows = _one_type(self.table.select(names).to_pyarrow(), names)
        return rows.rename_columns(list(columns))

    def rows_holding(self, columns: Sequence[str], column: str, values: Sequence[str]) -> pa.Table:
        """Return `columns` of the rows whose cell in `column` is one of `values`, in no particular order."""
        import pyarrow as pa
        import pyarrow.compute as pc

        names, wanted = [self.internal(name) for name in columns], self.internal(column)
        if self._arrow is not None:
            cells = self._arrow[wanted]
            rows = self._arrow.select(names).filter(pc.is_in(cells, value_set=pa.array(values, pa.string())))
        else:
            found = self.table.filter(self.table[wanted].isin(list(values))).select(names).to_pyarrow()
            rows = _one_type(found, names)
        return rows.rename_columns(list(columns))


def _one_type(rows: pa.Table, columns: Sequence[str]) -> pa.Table:
    """Return a table that an engine computed with `columns` as `string`."""
    for name in columns:
        rows = rows.set_column(rows.column_names.index(name), name, one_type(rows[name]))
    return rows
