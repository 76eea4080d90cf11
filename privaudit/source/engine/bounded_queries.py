"""The statement that counts the values of columns and hands over a part of them.

Question: how does an engine read every value of a column in one scan, and hand over no more than fit in the memory?
Method: it groups, counts the groups of each column, and keeps those that `source.engine.bounded_values` describes.
The totals are joined with the groups: window functions would sort all of them, in twice the time.
Then it keeps those that match what detection found in this part.
Limits: written in the dialect of DuckDB; `privaudit.source.engine.queries` writes it in that of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from privaudit.source.engine.bounded_values import FORMS, FREQUENT, SHARE_OF_FORM
from privaudit.source.engine.row_sample import SEPARATOR

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
    return f"CASE WHEN REGEXP_MATCHES({text}, {_quoted(form)}) THEN {text} END AS {name}"


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


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
