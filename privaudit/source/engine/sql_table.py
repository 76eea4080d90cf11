"""A table on an engine that reads SQL, in this process or on a server.

Question: how do the answers of an engine become the same canonical text as a table in memory?
Method: the engine groups the cells as it holds them; each distinct cell of an answer becomes text in this process, by
the functions that read files, and rows that the text makes equal (blank and missing, -0.0 and 0.0) are added up.
Limits: an engine that fails is an error without the engine's message, which would quote cells.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from privaudit.base.arrow import pa, pc
from privaudit.base.errors import foreign_errors_as
from privaudit.source.cells.cell_text import blank_to_null, depends_on_others, is_bytes, to_text
from privaudit.source.cells.dictionaries import can_be_coded, text_of, written_out
from privaudit.source.engine.bounded_values import Totals, part_of, scale_of
from privaudit.source.engine.engine_errors import changed, failed
from privaudit.source.engine.pushed_down import Asked, answered
from privaudit.source.engine.queries import Queries, Run

WIDEST = 5_000_000
"""Most distinct rows of a server that are collected for questions that will follow."""


class SqlTable:
    """A table on an engine.

    It answers five aggregates over columns with internal names ``c0, c1, ...``: frequencies of a column, distinct rows
    of some columns with counts, the histogram of their counts, rows, and a sample of rows by hash. All searches and
    attacks work on these answers in this process. They are exact; the order of groups means nothing.

    Parameters
    ----------
    run : callable
        Runs a statement and returns a pyarrow.Table.
    queries : Queries
    columns : sequence of str
        Every internal column.
    types : mapping of column to Arrow type, optional
        The types of the source where the engine holds a column as another type.
    declared : mapping of column to str, optional
        Logical types where the engine hands over text.
    one_scan : bool, default False
        Whether all frequencies are read in one scan, for engines on which a scan costs more than memory here.
    counts_first : bool, default False
        Whether the rows are counted first, for engines that compute a part of a statement again wherever it is used:
        they are not asked for a part of the values where there are fewer rows than values that are read.
    close : callable, optional
    most_values : int, optional
        Distinct values of a column above which a part of them is read (`privaudit.source.engine.bounded_values`).
    seed : int
        Seed of the hash that chooses them.
    stream : callable
        Runs a statement and yields its rows as record batches.
    rows_at_once : int, optional
        Rows that `stream` hands over at once, where it cannot hand over fewer than a statement returns.
    most_groups : int, optional
        Classes above which the engine counts them part by part.
    tried : callable, optional
        Runs a statement that may fail, where `run` answers no other after one that failed.
    """

    def __init__(
        self,
        run: Run,
        queries: Queries,
        columns: Sequence[str],
        *,
        types: Mapping[str, Any] | None = None,
        declared: Mapping[str, str] | None = None,
        one_scan: bool = False,
        counts_first: bool = False,
        close: Callable[[], None] | None = None,
        most_values: int | None = None,
        seed: int = 0,
        stream: Callable[[str], Iterable[pa.RecordBatch]],
        rows_at_once: int = sys.maxsize,
        most_groups: int | None = None,
        tried: Run | None = None,
    ) -> None:
        self._run, self._queries, self._columns, self._one_scan = run, queries, tuple(columns), one_scan
        self._types, self._close, self._stream = dict(types or {}), close, stream
        self._most, self._seed, self._rows_at_once, self._tried = most_values, seed, rows_at_once, tried or run
        self._most_groups, self._counts_first = most_groups, counts_first
        self._totals: dict[str, Totals] = {}
        self._frequencies: dict[str, tuple[pa.Array, pa.Array]] = {}
        self._forms: dict[str, tuple[pa.Array, pa.Array]] = {}
        self._injective: dict[str, bool] = {}
        self._blank: set[str] = set()
        self._expected: tuple[str, ...] = ()
        self._collapsed: pa.Table | None = None
        with foreign_errors_as(failed):
            held = run(queries.schema(columns))
        self._held = {name: held[name].type for name in columns}
        empty = self._restored(held)
        self.arrow_types = {name: empty[name].type for name in columns}
        kinds = {name: to_text(empty[name])[1] for name in columns} | dict(declared or {})
        self.declared = {name: kind for name, kind in kinds.items() if kind is not None}
        self.n_rows = self._count()
        for name in columns:
            if is_bytes(self.arrow_types[name]):  # the values decide whether they are text
                self.frequencies(name)

    def _count(self) -> int:
        """Return the number of rows; that of a server follows from the frequencies, without another scan."""
        if self._one_scan:
            column = self._columns[0]
            found, weights = self.frequencies(column)
            totals = self.totals(column)
            if totals is None:
                return pc.sum(weights).as_py() or 0
            return totals.n_present + int(pc.sum(weights.filter(pc.is_null(found))).as_py() or 0)
        return self._rows()

    def _rows(self) -> int:
        """Ask the engine for the number of rows."""
        return int(self._answer(self._queries.count())["weight"][0].as_py())

    def _answer(self, statement: str, wanted: pa.Array | None = None) -> pa.Table:
        """Run a statement and return its rows, each column with the type of the source."""
        with foreign_errors_as(failed):
            return self._restored(self._run(statement, wanted))

    def _restored(self, found: pa.Table) -> pa.Table:
        for i, name in enumerate(found.column_names):
            if name in self._types:
                found = found.set_column(i, name, found.column(i).cast(self._types[name]))
        return found

    def frequencies(self, column: str) -> tuple[pa.Array, pa.Array]:
        """Return every distinct cell of `column` as text, null among them, and the number of rows of each."""
        if self._one_scan:
            if not self._frequencies:
                self._read_frequencies()
            return self._frequencies[column]
        if self._most is not None and self.n_rows > self._most and not depends_on_others(self._held[column]):
            return self._bounded([column])[column]
        found = self._answer(self._queries.distinct([column]))
        return self._counted(column, found[column], found["weight"])

    def totals(self, column: str) -> Totals | None:
        """Return what is exact about a column whose frequencies are those of a part of its values."""
        return self._totals.get(column)

    def matching(self, asked: Asked) -> Iterator[tuple[pa.Array, pa.Array] | Literal["refused"] | None]:
        """Yield, for each column read in part and expression, all distinct cells that match, and the rows of each.

        One scan answers some of `asked` together. None stands for so many cells that they are not read: all together
        are as many as are read of a column. DuckDB, PostgreSQL and Spark must read the expressions in the same way
        (`privaudit.detect.catalogue.expressions`); ``"refused"`` stands for one that the engine cannot run.
        """
        assert self._most is not None
        check, most = self._queries.schema(self._columns), self._most // max(len(asked), 1)
        return answered(self._tried, lambda part: self._queries.matching(part, most), check, asked)

    def _bounded(self, columns: Sequence[str]) -> dict[str, tuple[pa.Array, pa.Array]]:
        """Return the frequencies of columns, of which those with many values are read in part."""
        assert self._most is not None
        whole = [i for i, name in enumerate(columns) if depends_on_others(self._held[name])]
        found = self._answer(self._queries.bounded_frequencies(columns, self._most, self._seed, whole))
        frequencies = {}
        for i, name in enumerate(columns):
            own = found.filter(pc.equal(found["part"], i))
            scale = scale_of(own["n_values"][0].as_py(), self._most) if own.num_rows and i not in whole else 1
            if scale == 1:
                frequencies[name] = self._counted(name, own[name], own["weight"])
            else:
                frequencies[name] = self._counted_in_part(name, own, scale)
        return frequencies

    def _counted_in_part(self, name: str, own: pa.Table, scale: int) -> tuple[pa.Array, pa.Array]:
        texts, _ = self._counted(name, own[name], own["weight"])  # equal texts of several cells are among those read
        text = blank_to_null(to_text(own[name])[0]).combine_chunks()
        self._totals[name], part = part_of(own, text, n_merged=own.num_rows - len(texts), scale=scale)
        added = added_up(part.rename_columns([name, "weight"]), [name])
        return added[name].combine_chunks(), added["weight"].combine_chunks()

    def _read_frequencies(self) -> None:
        """Read the frequencies of all columns in one scan, or of as many as a statement of the engine may group by."""
        most, fits = self._queries.most_sets, self._most is None or (self._counts_first and self._rows() <= self._most)
        for start in range(0, len(self._columns), most):
            columns = self._columns[start : start + most]
            if not fits:
                self._frequencies |= self._bounded(columns)
                continue
            found = self._answer(self._queries.frequencies(columns))
            for i, name in enumerate(columns):
                own = found.filter(pc.equal(found["part"], i))
                self._frequencies[name] = self._counted(name, own[name], own["weight"])

    def _counted(self, name: str, cells: pa.ChunkedArray, weights: pa.ChunkedArray) -> tuple[pa.Array, pa.Array]:
        text, kind = to_text(cells)
        text = blank_to_null(text)
        if text.null_count > cells.null_count:
            self._blank.add(name)
        if kind is not None:
            self.declared.setdefault(name, kind)
        if depends_on_others(cells.type):
            self._forms[name] = (cells.combine_chunks(), text.combine_chunks())
        merged = pa.table({name: text, "weight": weights})
        if self._is_injective(name, text):
            return merged[name].combine_chunks(), merged["weight"].combine_chunks()
        merged = added_up(merged, [name])
        return merged[name].combine_chunks(), merged["weight"].combine_chunks()

    def _is_injective(self, name: str, text: pa.ChunkedArray) -> bool:
        """Note and return whether distinct cells of a column on the engine have distinct texts."""
        self._injective[name] = pc.count_distinct(text, mode="all").as_py() == len(text)
        return self._injective[name]

    def expect(self, columns: Sequence[str]) -> None:
        """Note that later questions about distinct rows are about some of `columns`."""
        self._expected = tuple(columns)

    def distinct(self, columns: Sequence[str]) -> pa.Table:
        """Return the distinct rows over `columns`, text or dictionaries of text, and their ``weight``."""
        if not self._one_scan:
            return self._collapse(columns)
        if not self._is_collapsed(columns):
            every = tuple(dict.fromkeys((*columns, *self._expected)))
            wanted = every if self._most_distinct(every) <= WIDEST else tuple(columns)
            self._collapsed = self._collapse(wanted)
        assert self._collapsed is not None
        if self._collapsed.column_names == [*columns, "weight"]:
            return self._collapsed
        return added_up(self._collapsed, columns)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield `columns` of every row, text or dictionaries of text, batch by batch."""
        n_rows = 0
        with foreign_errors_as(failed):
            for statement in self._queries.all_rows(columns, -(-self.n_rows // self._rows_at_once)):
                for batch in self._stream(statement):
                    n_rows += len(batch)
                    yield self._texts(self._restored(pa.Table.from_batches([batch])), in_part=True)
        if n_rows != self.n_rows:
            raise changed()

    def about_distinct(self, columns: Sequence[str]) -> int:
        """Return about how many distinct rows there are over `columns`."""
        return int(self._answer(self._queries.about_distinct(columns, self.n_rows))["weight"][0].as_py())

    def _is_collapsed(self, columns: Sequence[str]) -> bool:
        """Whether the distinct rows of a server that are here already answer a question about `columns`."""
        return self._collapsed is not None and set(columns) <= set(self._collapsed.column_names)

    def _most_distinct(self, columns: Sequence[str]) -> int:
        """Return a bound of the number of distinct rows over `columns`."""
        return min(self.n_rows, math.prod(self._n_values(name) for name in columns))

    def _n_values(self, name: str) -> int:
        found = self.frequencies(name)[0]
        totals = self.totals(name)
        return len(found) if totals is None else totals.n_distinct + 1

    def _collapse(self, columns: Sequence[str]) -> pa.Table:
        found = self._answer(self._queries.distinct(columns))
        if (pc.sum(found["weight"]).as_py() or 0) != self.n_rows:
            raise changed()
        answer = self._texts(found.select(columns)).append_column("weight", found["weight"])
        answer = answer if self._groups_as_text(columns) else added_up(answer, columns)
        for name in columns if self._one_scan else ():
            if self.totals(name) is None and not has_frequencies(answer, name, *self.frequencies(name)):
                raise changed()
        return answer

    def _groups_as_text(self, columns: Sequence[str]) -> bool:
        """Whether cells of `columns` are equal on the engine exactly where their texts are."""
        for name in columns:
            if name not in self._injective:
                self.frequencies(name)
        return all(self._injective[name] for name in columns)

    def class_sizes(self, columns: Sequence[str]) -> pa.Table:
        """Return each size of a class over `columns` as ``weight`` and the number of classes of it as ``classes``."""
        if self._groups_as_text(columns) and not self._is_collapsed(columns):
            return self._class_sizes(columns)
        sizes = self.distinct(columns).group_by("weight").aggregate([([], "count_all")])
        return sizes.rename_columns(["weight", "classes"]).sort_by("weight")

    def _class_sizes(self, columns: Sequence[str]) -> pa.Table:
        """Return `class_sizes` as the engine counts them, in parts where it cannot hold all classes."""
        n_parts = 1
        if self._most_groups is not None and self.n_rows > self._most_groups:
            n_parts = -(-self.about_distinct(columns) // self._most_groups)
        parts = [self._answer(statement) for statement in self._queries.class_sizes(columns, n_parts)]
        added = pa.concat_tables(parts).group_by("weight").aggregate([("classes", "sum")])
        return added.rename_columns(["weight", "classes"]).sort_by("weight")

    def rows(self, columns: Sequence[str]) -> pa.Table:
        """Return `columns` of every row, text or dictionaries of text."""
        return self._texts(self._answer(self._queries.rows(columns)))

    def rows_holding(self, columns: Sequence[str], column: str, values: Sequence[str]) -> pa.Table:
        """Return `columns` of the rows whose cell in `column` is one of `values`.

        A server gets no cell values, which its log would show: it hands over the distinct rows.
        """
        import numpy as np

        wanted = pa.array(values, pa.string())
        if not self._one_scan:
            cells = self._cells(column, wanted)
            return self._texts(self._answer(self._queries.rows_holding(columns, column), cells), in_part=True)
        found = self.distinct(list(dict.fromkeys([*columns, column])))
        found = found.filter(pc.is_in(written_out(found[column]), value_set=wanted))
        repeated = np.repeat(np.arange(found.num_rows), found["weight"].to_numpy())
        return found.select(columns).take(pa.array(repeated))

    def _cells(self, column: str, wanted: pa.Array) -> pa.Array:
        """Return the cells of the engine whose texts are `wanted`."""
        kind = self.arrow_types[column]
        if depends_on_others(kind):
            self.frequencies(column)
            cells, text = self._forms[column]
            return cells.filter(pc.is_in(text, value_set=wanted)).cast(self._held[column])
        return wanted.cast(self._held[column])

    def sample(self, columns: Sequence[str], below: str, seed: int) -> pa.Table:
        """Return `columns` of the rows whose hash is below `below`."""
        for name in self._columns:
            if name not in self._injective:
                self.frequencies(name)
        kinds = {name: self.declared.get(name) for name in self._columns}
        statement = self._queries.sample(columns, kinds, below, seed, frozenset(self._blank))
        return self._texts(self._answer(statement), in_part=True)

    def close(self) -> None:
        """Free the engine and what was kept of its answers."""
        self._frequencies.clear()
        self._forms.clear()
        self._collapsed = None
        if self._close is not None:
            self._close()
            self._close = None

    def _texts(self, found: pa.Table, *, in_part: bool = False) -> pa.Table:
        """Return an answer with all cells as text; `in_part` if it does not have every cell of its columns."""
        return pa.table({name: self._text(name, found[name], in_part) for name in found.column_names})

    def _text(self, name: str, cells: pa.ChunkedArray, in_part: bool) -> pa.ChunkedArray:
        if in_part and depends_on_others(cells.type):
            if name not in self._forms:
                self.frequencies(name)
            known, text = self._forms[name]
            return text.take(pc.index_in(cells, value_set=known))
        if can_be_coded(cells.type):
            return text_of(cells.dictionary_encode())[0]
        return blank_to_null(to_text(cells)[0])


def added_up(table: pa.Table, columns: Sequence[str]) -> pa.Table:
    """Return the distinct rows over text columns with the sums of their weights."""
    plain = pa.table([written_out(table[name]) for name in columns], names=list(columns))
    found = plain.append_column("weight", table["weight"]).group_by(list(columns)).aggregate([("weight", "sum")])
    return found.rename_columns([*columns, "weight"])


def has_frequencies(table: pa.Table, column: str, values: pa.Array, weights: pa.Array) -> bool:
    """Return whether a text column of weighted rows has each of `values`, and nothing else, as often as stated."""
    found = added_up(table, [column])
    if len(found) != len(values):
        return False
    stated = weights.take(pc.index_in(found[column].combine_chunks(), value_set=values))  # a missing cell is found too
    return bool(pc.all(pc.fill_null(pc.equal(found["weight"], stated), False), min_count=0).as_py())
