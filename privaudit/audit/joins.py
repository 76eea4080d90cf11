"""Tables that share a key: what does an attacker see who has both?

Question: which columns of two tables hold the same keys, and how risky are the tables joined?
Method: a key of one table has no value twice; its values occur in a column of the other. Each row of the other table is
extended by the row that its key names. Keys that are consecutive numbers contain other numbers by counting, so for them
both columns must have the same name.
Limits: keys of one column; most `MOST_JOINS` joins, those with the most shared keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.model import ColumnReport, Report, Risk
from privaudit.model.headers import read_header
from privaudit.source import Dataset

MOST_JOINS = 12
LEAST_KEYS, MOST_KEYS = 10, 2_000_000
LEAST_SHARED = 0.5
"""Share of the distinct values of a column that must occur among the keys."""
_KEY = "\0key"
_DENSE = 0.5
"""Share of their range that numbers fill when they are taken for consecutive numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyColumn:
    """The values of a column that may be a key, or refer to one.

    Attributes
    ----------
    table : int
        Number of the table in the run.
    values : pyarrow.StringArray
        The distinct values.
    is_key : bool
        Whether each value occurs in one row only.
    """

    table: int
    column: str
    values: pa.Array
    is_key: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Rows of one table, extended by the row of another that their key names."""

    rows: KeyColumn
    keys: KeyColumn
    n_shared: int


def possible_keys(reports: Sequence[Report]) -> list[list[ColumnReport]]:
    """Return the columns of each table that may be keys or refer to keys, by their counts alone.

    A table without one need not be read: no other table has a key with enough values, or a column with few enough.
    """
    columns = [[column for column in report.columns if _may_join(column)] for report in reports]
    return [
        [column for column in own if _has_partner(column, columns[:i] + columns[i + 1 :])]
        for i, own in enumerate(columns)
    ]


def _may_join(column: ColumnReport) -> bool:
    return LEAST_KEYS <= column.n_distinct <= MOST_KEYS and column.data_type in ("text", "integer")


def _is_key(column: ColumnReport) -> bool:
    return column.n_distinct == column.n_rows - column.n_missing


def _has_partner(column: ColumnReport, others: Sequence[Sequence[ColumnReport]]) -> bool:
    """Whether another table has a column that could refer to this key, or a key that this column could refer to."""
    n, is_key = column.n_distinct, _is_key(column)
    return any(
        (is_key and n >= LEAST_SHARED * other.n_distinct) or (_is_key(other) and other.n_distinct >= LEAST_SHARED * n)
        for of_table in others
        for other in of_table
    )


def key_columns(number: int, dataset: Dataset, columns: Iterable[ColumnReport]) -> list[KeyColumn]:
    """Return these columns of a table with their values."""
    return [
        KeyColumn(
            table=number, column=column.name, values=dataset.frequencies(column.name).values, is_key=_is_key(column)
        )
        for column in columns
    ]


def find_joins(columns: Sequence[KeyColumn]) -> list[Join]:
    """Return the best join of each ordered pair of tables, those with the most shared keys first."""
    found: dict[tuple[int, int], Join] = {}
    for keys in columns:
        for rows in columns:
            if not keys.is_key or keys.table == rows.table:
                continue
            n_shared = _shared(rows, keys)
            # Two keys are joined once; where the other direction holds too little in common, in this one.
            if n_shared and rows.is_key and rows.table > keys.table and _shared(keys, rows):
                continue
            place = (rows.table, keys.table)
            if n_shared and (place not in found or n_shared > found[place].n_shared):
                found[place] = Join(rows=rows, keys=keys, n_shared=n_shared)
    return sorted(found.values(), key=lambda join: (-join.n_shared, join.rows.table, join.keys.table))


def _shared(rows: KeyColumn, keys: KeyColumn) -> int:
    """Return how many values of `rows` are keys, 0 where the columns do not hold the same keys."""
    n = int(pc.sum(pc.is_in(rows.values, value_set=keys.values)).as_py() or 0)
    if n < LEAST_KEYS or n < LEAST_SHARED * len(rows.values):
        return 0
    same_name = read_header(rows.column).words == read_header(keys.column).words
    return n if same_name or not is_dense(keys.values) else 0


def is_dense(values: pa.Array) -> bool:
    """Whether the values are numbers that fill their range."""
    if not pc.all(pc.match_substring_regex(values, r"^[0-9]{1,15}$")).as_py():
        return False
    bounds = pc.min_max(values.cast(pa.int64())).as_py()
    return bool(len(values) >= _DENSE * (bounds["max"] - bounds["min"] + 1))


def joined(join: Join, rows: Dataset, keys: Dataset, name: str) -> pa.Table:
    """Return the rows of one table with the columns of the other; `name` precedes columns that both tables have."""
    others = [column for column in keys.columns if column != join.keys.column]
    names = {column: f"{name}.{column}" if column in rows.columns else column for column in others}
    left = rows.rows(rows.columns)
    right = keys.rows([join.keys.column, *others]).rename_columns([_KEY, *names.values()])
    return left.join(right, keys=join.rows.column, right_keys=_KEY, join_type="inner")


def is_worse(report: Report, alone: Report) -> bool:
    """Whether a joined table has a larger share of records below k, or a smaller k, than the table alone."""
    if report.risk is None or alone.risk is None:
        return report.risk is not None
    of_joined, of_alone = _share_below_k(report, report.risk), _share_below_k(alone, alone.risk)
    return of_joined > of_alone or report.risk.k_min < alone.risk.k_min


def _share_below_k(report: Report, risk: Risk) -> float:
    return (risk.n_below_k(report.policy.k) or 0) / max(1, report.n_units)
