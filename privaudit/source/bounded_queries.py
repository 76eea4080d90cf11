"""The statement that counts the values of columns and hands over a part of them.

Question: how does an engine read every value of a column in one scan, and hand over no more than fit in the memory?
Method: it groups, counts the groups of each column, and keeps those that `privaudit.source.bounded_values` describes.
Then it keeps those that match what detection found in this part.
Limits: written in the dialect of DuckDB; `privaudit.source.queries` writes it in that of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from privaudit.source.bounded_values import FORMS, FREQUENT, SHARE_OF_FORM
from privaudit.source.row_sample import SEPARATOR

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
    sums = ", ".join(f"SUM({flag}) {_OVER} AS n_{flag}" for flag in _FLAGS)
    kept = ", ".join((keys, "part", "weight", "value", _TOTALS, "drawn", *_FLAGS))
    flagged = _flagged(_counted(grouped, columns), keys, is_large, most, seed)
    summed = f"SELECT {kept}, {sums} FROM ({flagged}) AS flagged"
    is_sought = " OR ".join(f"({flag} = 1 AND n_{flag} <= {few})" for flag in _FLAGS)
    common = " + ".join(f"CASE WHEN n_{flag} > {few} THEN 1 ELSE 0 END" for flag in _FLAGS)
    return (
        f"SELECT {keys}, part, weight, {_TOTALS}, drawn, CASE WHEN {is_sought} THEN 1 ELSE 0 END AS sought, "
        f"{common} AS common FROM ({summed}) AS summed WHERE NOT ({is_large}) OR drawn = 1 "
        f"OR weight * {FREQUENT} >= n_cells OR {_IS_SPECIAL} OR {is_sought}"
    )


def matching(grouped: Callable[[Sequence[str], str], str], asked: Sequence[tuple[str, str]], most: int) -> str:
    """Return the statement for the distinct cells of columns that match expressions, where these are at most `most`.

    Parameters
    ----------
    grouped : callable
        Returns the statement that groups columns of a relation, as `privaudit.source.queries` does.
    asked : sequence of (column, expression)
        The answer has the cells for the i-th in column ``p{i}`` of the rows whose ``part`` is i; it has no such row
        where more cells match.
    most : int
    """
    names = [f"p{i}" for i in range(len(asked))]
    cells = ", ".join(_matching_cell(*one, name) for name, one in zip(names, asked, strict=True))
    groups = grouped(names, f"(SELECT {cells} FROM source) AS cells")
    counted = f"SELECT *, COUNT(*) {_OVER} AS n_values FROM ({groups}) AS grouped"
    return f"SELECT {', '.join(names)}, part, weight FROM ({counted}) AS counted WHERE n_values <= {most + 1}"


def _matching_cell(column: str, form: str, name: str) -> str:
    text = f"CAST({column} AS VARCHAR)"
    return f"CASE WHEN REGEXP_MATCHES({text}, {_quoted(form)}) THEN {text} END AS {name}"


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


SPACES = (
    " \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What a blank cell consists of, as Arrow defines it."""
# Cells that are missing here, or equal to another cell as text.
_IS_SPECIAL = f"value IS NULL OR TRIM(value, '{SPACES}') = '' OR LOWER(value) IN ('nan', '0', '-0', '0.0', '-0.0')"


def _counted(grouped: str, columns: Sequence[str]) -> str:
    """Return the groups with their text and the totals of their column."""
    text = ", ".join([*(f"CAST({name} AS VARCHAR)" for name in columns), "NULL"])
    return (
        f"SELECT {', '.join(columns)}, part, weight, COALESCE({text}) AS value, COUNT(*) {_OVER} AS n_values, "
        f"SUM(weight) {_OVER} AS n_cells, SUM(CASE WHEN weight = 1 THEN 1 ELSE 0 END) {_OVER} AS n_once, "
        f"SUM(weight * LN(CAST(weight AS DOUBLE))) {_OVER} AS logs FROM ({grouped}) AS grouped"
    )


def _flagged(counted: str, keys: str, is_large: str, most: int, seed: int) -> str:
    """Return the counted groups with their forms, and whether the hash chose them."""
    matched = ", ".join(
        f"CASE WHEN {is_large} AND REGEXP_MATCHES(value, '{form}') THEN 1 ELSE 0 END AS {flag}"
        for flag, form in zip(_FLAGS, FORMS, strict=True)
    )
    thresholds = " ".join(f"WHEN n_values <= {most << j} THEN '{1 << 32 - j:08x}'" for j in range(1, 32))
    digest = f"SUBSTR(MD5('{seed}' || '{SEPARATOR}' || value), 1, 8)"
    return (
        f"SELECT {keys}, part, weight, value, {_TOTALS}, {matched}, CASE WHEN {is_large} AND {digest} < "
        f"CASE {thresholds} ELSE '00000001' END THEN 1 ELSE 0 END AS drawn FROM ({counted}) AS counted"
    )
