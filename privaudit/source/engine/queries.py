"""The SQL of the questions that are asked of an engine, for every dialect.

Question: how does an engine compute frequencies, distinct rows, class sizes and a sample?
Method: one statement for each question over a relation named ``source`` with columns ``c0, c1, ...``; SQLGlot writes it
in the dialect of the engine. Which plan pays is decided by an estimate of the distinct rows (`about_distinct`).
The relation is a table of the engine or a query that gives its columns these names.
Limits: no statement contains a cell value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.source.engine.bounded_queries import SPACES, bounded_frequencies, matching
from privaudit.source.engine.row_sample import MISSING, RANGE, SEPARATOR, WHOLE, hashed_kind


class Run(Protocol):
    """Runs a statement and returns its rows."""

    def __call__(self, statement: str, wanted: pa.Array | None = None, /) -> pa.Table:
        """Run `statement`; an engine in this process knows `wanted` as column ``value`` of a table ``wanted``."""
        ...


@dataclass(frozen=True, slots=True)
class Queries:
    """The statements for one table.

    Attributes
    ----------
    dialect : str
        Name of the dialect in SQLGlot.
    relation : str, optional
        A query of the engine, in its dialect, that gives the columns their internal names; a table named
        ``source`` where there is none.
    """

    dialect: str
    relation: str | None = None

    @property
    def most_sets(self) -> int:
        """Most columns of which one statement counts the frequencies: Spark groups by 64 columns at most."""
        return 64 if self.dialect in ("spark", "databricks") else 1000

    def count(self) -> str:
        """Count the rows."""
        return self._written("SELECT COUNT(*) AS weight FROM source")

    def rows(self, columns: Sequence[str]) -> str:
        """Select columns of every row."""
        return self._written(f"SELECT {', '.join(columns)} FROM source")

    def all_rows(self, columns: Sequence[str], n_parts: int) -> list[str]:
        """Select columns of every row, in statements of which each reads about as many rows, chosen by their hash.

        Only Spark needs more than one: its answers arrive whole.
        """
        if n_parts <= 1:
            return [self.rows(columns)]
        keys = ", ".join(columns)
        part = f"PMOD(XXHASH64({keys}), {n_parts})"
        return [self._written(f"SELECT {keys} FROM source WHERE {part} = {i}") for i in range(n_parts)]

    def rows_holding(self, columns: Sequence[str], column: str) -> str:
        """Select columns of the rows whose cell in `column` is in ``wanted``, a table of an engine in this process."""
        return f"SELECT {', '.join(columns)} FROM source WHERE {column} IN (SELECT value FROM wanted)"

    def schema(self, columns: Sequence[str]) -> str:
        """Select columns of no row."""
        return self._written(f"SELECT {', '.join(columns)} FROM source WHERE 1 = 0")

    def distinct(self, columns: Sequence[str]) -> str:
        """Select the distinct rows over some columns and how many rows have each."""
        keys = ", ".join(columns)
        return self._written(f"SELECT {keys}, COUNT(*) AS weight FROM source GROUP BY {keys}")

    def about_distinct(self, columns: Sequence[str], n_rows: int) -> str:
        """Estimate the number of distinct rows: by a sketch, or by those whose MD5 is below a threshold on a server."""
        if self.relation is None:
            return f"SELECT APPROX_COUNT_DISTINCT(HASH({', '.join(columns)})) AS weight FROM source"
        every = max(1, n_rows // SAMPLED)
        # With a separator, "a" next to "bc" is not "ab" next to "c"; a missing cell is not an empty one.
        text = f" || '{SEPARATOR}' || ".join(f"COALESCE(CAST({name} AS VARCHAR), '{MISSING}')" for name in columns)
        hashed, last = f"SELECT MD5({text}) AS digest FROM source", f"{RANGE // every - 1:08x}"
        return self._written(
            f"SELECT COUNT(DISTINCT digest) * {every} AS weight FROM ({hashed}) AS hashed "
            f"WHERE SUBSTR(digest, 1, 8) <= '{last}'"
        )

    def class_sizes(self, columns: Sequence[str], n_parts: int = 1) -> list[str]:
        """Select each size of a class and the number of classes that have it, in statements of whole classes each.

        Only the embedded engine needs more than one: its memory is bounded.
        """
        keys = ", ".join(columns)
        chosen = [""] if n_parts <= 1 else [f" WHERE HASH({keys}) % {n_parts} = {i}" for i in range(n_parts)]
        groups = [f"SELECT COUNT(*) AS weight FROM source{part} GROUP BY {keys}" for part in chosen]
        counted = [f"SELECT weight, COUNT(*) AS classes FROM ({each}) AS sizes GROUP BY weight" for each in groups]
        return [self._written(statement) for statement in counted]

    def frequencies(self, columns: Sequence[str]) -> str:
        """Select the distinct cells of every column in one scan: ``part`` is the number of the column they are of."""
        return self._written(_grouped(columns))

    def bounded_frequencies(self, columns: Sequence[str], most: int, seed: int, whole: Sequence[int]) -> str:
        """Select `frequencies`, of columns with more than `most` values a part (`source.engine.bounded_queries`)."""
        return self._written(bounded_frequencies(_grouped(columns), columns, most, seed, whole))

    def matching(self, asked: Sequence[tuple[str, str]], most: int) -> str:
        """Select the cells that match expressions (`privaudit.source.engine.bounded_queries.matching`)."""
        return self._written(matching(_grouped, asked, most))

    def sample(
        self, columns: Sequence[str], kinds: Mapping[str, str | None], below: str, seed: int, blank: frozenset[str]
    ) -> str:
        """Select the rows whose hash over the columns of `kinds`, their logical types, is below `below`.

        Cells of a column in `blank` may be blank, and then count as missing.
        """
        hashed = [_hashed(name, hashed_kind(kind), name in blank) for name, kind in kinds.items()]
        # Joined by an operator: functions of PostgreSQL take 100 arguments.
        text = f" || '{SEPARATOR}' || ".join([f"'{seed}'", *(part for part in hashed if part is not None)])
        return self._written(f"SELECT {', '.join(columns)} FROM source WHERE SUBSTR(MD5({text}), 1, 8) < '{below}'")

    def _written(self, statement: str) -> str:
        """Return a statement, given in the dialect of DuckDB, in the dialect of the engine."""
        import sqlglot

        if self.relation is None and self.dialect == "duckdb":
            return statement
        parsed: Any = sqlglot.parse_one(statement, read="duckdb")
        if self.relation is not None:
            table = next(found for found in parsed.find_all(sqlglot.exp.Table) if found.name == "source")
            query: Any = sqlglot.parse_one(self.relation, read=self.dialect)
            table.replace(query.subquery("source"))
        return str(parsed.sql(dialect=self.dialect))


def _grouped(columns: Sequence[str], relation: str = "source") -> str:
    keys = ", ".join(columns)
    parts = " ".join(f"WHEN GROUPING({name}) = 0 THEN {i}" for i, name in enumerate(columns))
    sets = ", ".join(f"({name})" for name in columns)
    selected = f"{keys}, CASE {parts} END AS part, COUNT(*) AS weight"
    return f"SELECT {selected} FROM {relation} GROUP BY GROUPING SETS ({sets})"


def _hashed(column: str, kind: str | None, has_blanks: bool) -> str | None:
    """Return the text by which a cell counts in the hash of its row; None where it does not count."""
    if kind is None:
        return None
    if kind == "text" and has_blanks:
        return f"CASE WHEN {column} IS NULL OR TRIM({column}, '{SPACES}') = '' THEN '{MISSING}' ELSE {column} END"
    if kind == "boolean":
        return f"CASE WHEN {column} THEN 'true' WHEN NOT {column} THEN 'false' ELSE '{MISSING}' END"
    if kind == "decimal":
        whole = f"CAST(CAST(FLOOR({column}) AS BIGINT) AS VARCHAR)"
        return f"CASE WHEN ABS({column}) < {WHOLE} THEN {whole} ELSE '{MISSING}' END"
    text = column if kind == "text" else f"CAST({column} AS VARCHAR)"
    return f"COALESCE({text}, '{MISSING}')"


SAMPLED = 100_000
"""Rows of a table of distinct rows that are below the threshold, about."""


def about_distinct(
    blocks: Iterable[Iterable[npt.NDArray[np.integer[Any]]]], cardinalities: Sequence[int], n_rows: int
) -> int:
    """Return about how many distinct rows the codes of some columns form.

    Parameters
    ----------
    blocks : iterable of iterables of integer arrays
        The rows, block by block: one array of codes for each column, which may be made when it is read.
    cardinalities : sequence of int
        Every code of column i is below ``cardinalities[i]``.
    n_rows : int
    """
    rng = np.random.default_rng(0)
    words = [rng.integers(0, 1 << 64, n, dtype=np.uint64) for n in cardinalities]
    every = max(1, n_rows // SAMPLED)
    below = np.uint64((1 << 64) // every - 1)
    found = [np.zeros(0, np.uint64)]
    for codes in blocks:
        hashes = np.zeros(1, dtype=np.uint64)
        for word, code in zip(words, codes, strict=True):
            hashes = hashes + word[code]
        found.append(np.unique(hashes[hashes <= below]))
    return min(n_rows, len(np.unique(np.concatenate(found))) * every)
