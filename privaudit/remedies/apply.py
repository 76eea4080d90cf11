"""Apply the steps of a plan to a table of texts.

Question: what is the table after the plan?
Method: one step after the other. A technique that maps values is applied to the distinct values of its column and
gathered by code, so its cost hardly depends on the number of rows; other techniques take the whole table.
Limits: nothing is written here. The table stays in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.remedies.plan import Plan, Step
from privaudit.risk.coded import dense_labels, encode_column
from privaudit.technique import Column, Context, Technique, technique

if TYPE_CHECKING:
    import pyarrow as pa


ROW = "\0row"
"""Name of the column that holds the row of the source while a plan is applied; no column of a table has this name."""


@dataclass(frozen=True, slots=True)
class Applied:
    """The table after a plan, and for each of its rows the row of the source."""

    table: pa.Table
    rows: npt.NDArray[np.int64]


def apply(table: pa.Table, plan: Plan, context: Context) -> Applied:
    """Return `table` after the steps of `plan`, rows in the order that the plan states.

    Parameters
    ----------
    table : pyarrow.Table of text columns, missing cells null
    """
    import pyarrow as pa

    table = table.append_column(ROW, pa.array(np.arange(table.num_rows)))
    for step in plan.steps:
        table = _applied(table, step, technique(step.technique), context)
    rows = table[ROW].to_numpy()
    table = table.drop_columns([ROW])
    order = _order(table, plan, context)
    return Applied(table.take(order), rows[order])


def _applied(table: pa.Table, step: Step, how: Technique, context: Context) -> pa.Table:
    if step.technique == "drop":
        return table.drop_columns(list(step.columns))
    if how.recode is None:
        assert how.apply is not None, "a technique has one of the two functions"
        return how.apply(table, {**step.parameters, "columns": step.columns}, context)
    for name in step.columns:
        codes, dictionary = encode_column(table[name])
        counts = np.bincount(codes, minlength=len(dictionary) + 1).astype(np.int64)
        column = Column(name, dictionary, counts, context.hierarchies.get(name), context.key)
        made = how.recode(column, step.parameters)
        texts = made.labels()
        if texts.take(made.lookup[:-1]).equals(dictionary.cast(texts.type)):
            # So it is where a plan is applied again, or where numbers are expected in a column of words.
            context.notes.append({"technique": step.technique, "column": name, "unchanged": True})
        labels = texts.take(made.lookup[codes])
        table = table.set_column(table.column_names.index(name), name, labels)
    return table


def _order(table: pa.Table, plan: Plan, context: Context) -> npt.NDArray[np.int64]:
    """Return the rows of `table` in the order in which they are written."""
    if plan.order == "kept" or not table.num_columns:
        return np.arange(table.num_rows)
    if plan.order == "shuffled":
        return context.random.permutation(table.num_rows)
    codes, widths = [], []
    for column in table.columns:
        code, dictionary = encode_column(column)
        codes.append(code)
        widths.append(len(dictionary) + 1)
    labels, _ = dense_labels(codes, widths, length=table.num_rows)
    return np.argsort(labels, kind="stable")
