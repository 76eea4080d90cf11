"""Coded records as a table: values inside bands, derived and invented columns, constraints.

Question: which table do drawn codes become?
Method: codes are decoded column by column; derived columns are looked up; records that violate a constraint are drawn
again, up to a bounded number of rounds; invented columns are filled in last.
Limits: where a constraint is rarely satisfied, fewer records than wanted come out, and the count of rejected records
shows it. Rejection changes the distribution: it becomes the one given that all constraints hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.releases.synthetic.domain import Constraint, Domain, Invented
from privaudit.releases.synthetic.engine.margins import CodedTable, Counts
from privaudit.releases.synthetic.engine.network import as_codes
from privaudit.releases.synthetic.invention import invented

Draw = Callable[[int], CodedTable]
ROUNDS = 20
_FUNCTIONS = {">=": "greater_equal", "<=": "less_equal", ">": "greater", "<": "less", "==": "equal", "!=": "not_equal"}


@dataclass(frozen=True, slots=True)
class Written:
    """A table, the codes it was made of, and how many records were drawn for it.

    Attributes
    ----------
    rejected : tuple of int
        For each constraint, the number of drawn records that violated it.
    """

    table: pa.Table
    codes: CodedTable
    n_drawn: int
    rejected: tuple[int, ...]


def written(
    domain: Domain, draw: Draw, n_rows: int, random: np.random.Generator, *, keep: list[Counts] | None = None
) -> Written:
    """Return a table of `n_rows` records that satisfy the constraints.

    Parameters
    ----------
    draw : callable
        Returns that many coded records.
    keep : list, optional
        Of arrays that `draw` appends, one for each call, with one entry for each record: entries of rejected records
        are removed.
    """
    parts: list[pa.Table] = []
    codes: list[CodedTable] = []
    rejected = np.zeros(len(domain.constraints), dtype=np.int64)
    n_drawn, missing = 0, n_rows
    # Rejection: in place of records that violate a constraint, others are drawn.
    for _ in range(ROUNDS if domain.constraints else 1):
        drawn = draw(missing)
        n_drawn += drawn.n_rows
        table = _decoded(domain, drawn, random)
        kept = np.ones(drawn.n_rows, dtype=bool)
        for i, constraint in enumerate(domain.constraints):
            holds = satisfied(table, constraint)
            rejected[i] += int((~holds).sum())
            kept &= holds
        parts.append(table.filter(pa.array(kept)) if not kept.all() else table)
        codes.append(drawn.take(kept))
        if keep is not None:
            keep[-1] = keep[-1][kept]
        missing = n_rows - sum(part.num_rows for part in parts)
        if missing <= 0:
            break
    table = pa.concat_tables(parts).combine_chunks()
    kept_codes = CodedTable(np.concatenate([each.codes for each in codes], axis=1), domain.sizes)
    table = _with_invented(domain, table, random)
    return Written(table, kept_codes, n_drawn, tuple(rejected.tolist()))


def _decoded(domain: Domain, codes: CodedTable, random: np.random.Generator) -> pa.Table:
    made = {
        column.name: column.decode(codes.codes[i].astype(np.int64), random) for i, column in enumerate(domain.columns)
    }
    for each in domain.derived:
        position = domain.position(each.source)
        labels = domain.columns[position].labels()
        texts = pa.array([*(each.values[label] for label in labels), None], pa.string())
        made[each.name] = texts.take(pa.array(np.minimum(codes.codes[position], len(labels)).astype(np.int64)))
    return pa.table(made)


def satisfied(table: pa.Table, constraint: Constraint) -> Flags:
    """Return which records satisfy a constraint; a record with a missing value does."""
    left, right = (table[name] for name in (constraint.left, constraint.right))
    if left.type != right.type:
        left, right = (_comparable(each) for each in (left, right))
    compared = pc.call_function(_FUNCTIONS[constraint.relation], [left, right])
    return np.asarray(pc.fill_null(compared, True))


def _comparable(column: Any) -> Any:
    is_number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    return column.cast(pa.float64() if is_number else pa.string())


def _with_invented(domain: Domain, table: pa.Table, random: np.random.Generator) -> pa.Table:
    """Add the invented columns, each after the column that it is made from, and put all in the declared order."""
    known: dict[str, Sequence[str]] = {}
    # Columns that are made from another one, such as an email from a name, come after it.
    for column in sorted(domain.invented, key=lambda each: each.source is not None):
        sexes = _sexes(column, table)
        known[column.name] = invented(column, sexes, known, int(random.integers(2**31)))
        table = table.append_column(column.name, pa.array(known[column.name], pa.string()))
    return table.select([name for name in domain.all_names if name in table.column_names])


def _sexes(column: Invented, table: pa.Table) -> Sequence[str | None]:
    if column.sex is None:
        return [None] * table.num_rows
    of = {column.female: "F", column.male: "M"}
    return [of.get(text) for text in table[column.sex].to_pylist()]


def joined(tables: Sequence[CodedTable]) -> CodedTable:
    """Return coded tables of the same records, side by side."""
    sizes = tuple(size for table in tables for size in table.sizes)
    return CodedTable(as_codes([row for table in tables for row in table.codes], sizes), sizes)
