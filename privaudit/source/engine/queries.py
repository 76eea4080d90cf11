"""The SQL of the questions that are asked of an engine, for every dialect.

Question: how does an engine compute frequencies, distinct rows, class sizes and a sample?
Method: one statement for each question over a relation named ``source`` with columns ``c0, c1, ...``; SQLGlot writes it
in the dialect of the engine. Which plan pays is decided by an estimate of the distinct rows (`about_distinct`). The
relation is a table of the engine or a query that gives its columns these names. Of a column with more values than are
read, the statement counts the groups and keeps those that `source.engine.bounded_values` describes. The totals are
joined with the groups: window functions would sort all of them, in twice the time. Then it keeps those that match what
detection found in this part.
Limits: no statement contains a cell value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass
from privaudit.base.sql_text import sql_text
from privaudit.source.engine.bounded_values import FORMS, FREQUENT, SHARE_OF_FORM
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
        """Select `frequencies`, of columns with more than `most` values a part (`bounded_frequencies`)."""
        return self._written(bounded_frequencies(_grouped(columns), columns, most, seed, whole))

    def matching(self, asked: Sequence[tuple[str, str]], most: int) -> str:
        """Select the cells that match expressions (`privaudit.source.engine.queries.matching`)."""
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
        found.append(distinct(hashes[hashes <= below]))
    return min(n_rows, len(distinct(np.concatenate(found))) * every)


_OVER = "OVER (PARTITION BY part)"
_TOTALS = "n_values, n_cells, n_once, logs"
_FLAGS = tuple(f"f{k}" for k in range(len(FORMS)))


def bounded_frequencies(grouped: str, columns: Sequence[str], most: int, seed: int, whole: Sequence[int]) -> str:
    """Return the statement over `grouped`, the distinct cells of every column with ``part`` and ``weight``.

    Columns whose numbers are in `whole` are read whole. Every row has the totals of its column: ``n_values``,
    ``n_cells``, ``n_once``, ``logs`` and ``common``; ``drawn`` is 1 where the hash chose a value, ``sought`` where it
    has a form that few values have.
    """
    keys, few = ", ".join(columns), most // SHARE_OF_FORM
    is_large = f"n_values > {most}" + "".join(f" AND part <> {i}" for i in whole)
    value = f"COALESCE({', '.join([*(f'CAST({name} AS VARCHAR)' for name in columns), 'NULL'])})"
    is_sought = " OR ".join(f"({flag} AND n_{flag} <= {few})" for flag in _FLAGS)
    common = " + ".join(f"CASE WHEN n_{flag} > {few} THEN 1 ELSE 0 END" for flag in _FLAGS)
    return (
        f"WITH counted AS ({grouped}), totals AS ({_TOTALS_OF_PARTS}), "
        f"flagged AS ({_flagged(keys, value, is_large, most, seed)}), "
        f"sums AS ({_SUMS_OF_PARTS}) "
        f"SELECT {keys}, part, weight, {_TOTALS}, CASE WHEN drawn THEN 1 ELSE 0 END AS drawn, "
        f"CASE WHEN {is_sought} THEN 1 ELSE 0 END AS sought, {common} AS common "
        f"FROM flagged JOIN totals USING (part) JOIN sums USING (part) WHERE NOT ({is_large}) OR drawn "
        f"OR weight * {FREQUENT} >= n_cells OR {_special(value)} OR {is_sought}"
    )


def matching(grouped: Callable[[Sequence[str], str], str], asked: Sequence[tuple[str, str]], most: int) -> str:
    """Return the statement for the distinct cells of columns that match expressions, where these are at most `most`.

    Parameters
    ----------
    grouped : callable
        Returns the statement that groups columns of a relation, as `privaudit.source.engine.queries` does.
    asked : sequence of (column, expression)
        The answer has the cells for the i-th in column ``p{i}`` of the rows whose ``part`` is i; it has no such row
        where more cells match.
    most : int
    """
    names = [f"p{i}" for i in range(len(asked))]
    cells = ", ".join(_matching_cell(*one, name) for name, one in zip(names, asked, strict=True))
    groups = grouped(names, f"(SELECT {cells} FROM source) AS cells")
    counted = f"SELECT *, COUNT(*) {_OVER} AS n_values FROM ({groups}) AS grouped"
    # Too many matches are refused by the engine, before they cross to this process.
    return f"SELECT {', '.join(names)}, part, weight FROM ({counted}) AS counted WHERE n_values <= {most + 1}"


def _matching_cell(column: str, form: str, name: str) -> str:
    text = f"CAST({column} AS VARCHAR)"
    return f"CASE WHEN REGEXP_MATCHES({text}, {sql_text(form)}) THEN {text} END AS {name}"


SPACES = (
    " \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What a blank cell consists of, as Arrow defines it."""

_TOTALS_OF_PARTS = (
    "SELECT part, COUNT(*) AS n_values, SUM(weight) AS n_cells, SUM(CASE WHEN weight = 1 THEN 1 ELSE 0 END) AS n_once, "
    "SUM(weight * LN(CAST(weight AS DOUBLE))) AS logs FROM counted GROUP BY part"
)
_SUMS = ", ".join(f"SUM(CASE WHEN {flag} THEN 1 ELSE 0 END) AS n_{flag}" for flag in _FLAGS)
_SUMS_OF_PARTS = f"SELECT part, {_SUMS} FROM flagged GROUP BY part"


def _special(value: str) -> str:
    """Return the condition of cells that are missing here, or equal to another cell as text."""
    # Read whatever their hash is: the counts of missing cells, and of cells whose text becomes equal, are exact only
    # if all are seen.
    return f"{value} IS NULL OR TRIM({value}, '{SPACES}') = '' OR LOWER({value}) IN ('nan', '0', '-0', '0.0', '-0.0')"


def _flagged(keys: str, value: str, is_large: str, most: int, seed: int) -> str:
    """Return the counted groups with their forms, and whether the hash chose them."""
    matched = ", ".join(
        f"CASE WHEN {is_large} THEN REGEXP_MATCHES({value}, '{form}') ELSE FALSE END AS {flag}"
        for flag, form in zip(_FLAGS, FORMS, strict=True)
    )
    # The share is halved until the column fits: a value that is read at one share is read at every larger one, so
    # that samples of two runs contain each other.
    thresholds = " ".join(f"WHEN n_values <= {most << j} THEN '{1 << 32 - j:08x}'" for j in range(1, 32))
    digest = f"SUBSTR(MD5('{seed}' || '{SEPARATOR}' || {value}), 1, 8)"
    return (
        f"SELECT {keys}, part, weight, {matched}, CASE WHEN {is_large} THEN {digest} < "
        f"CASE {thresholds} ELSE '00000001' END ELSE FALSE END AS drawn FROM counted JOIN totals USING (part)"
    )
