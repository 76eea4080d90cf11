"""Apply the steps of a plan to a table of texts.

Question: what is the table after the plan?
Method: one step after the other. A technique that maps values is applied to the distinct values of its column and
gathered by code, so its cost hardly depends on the number of rows; other techniques take the whole table. A population
gets the same new values, so that the classes of the table can be counted in it.
Limits: nothing is written here. The table stays in memory, as codes. A technique that takes the whole table leaves the
population as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique import Context, Technique, technique
from privaudit.advice.technique.columns import ROW, one_column
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.releases.remedy.plan import Plan, Step
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source.cells.coded_tables import coded_cells, coded_column


@dataclass(frozen=True, slots=True)
class Applied:
    """The table after a plan, for each of its rows the row of the source, and the recoded population."""

    table: pa.Table
    rows: npt.NDArray[np.int64]
    population: pa.Table | None = None


def apply(table: pa.Table, plan: Plan, context: Context) -> Applied:
    """Return `table` after the steps of `plan`, rows in the order that the plan states.

    Parameters
    ----------
    table : pyarrow.Table of text columns, or dictionaries of text, missing cells null
    plan : Plan
    context : Context
        A population gets the new values that the table gets, column by column; no row of it is suppressed.
    """
    population = context.population
    # The row of the source is a column during the steps, so that each may suppress or reorder rows.
    table = table.append_column(ROW, pa.array(np.arange(table.num_rows)))
    for step in plan.steps:
        context = replace(context, population=population)
        table, population = _applied(table, step, technique(step.technique), context)
    rows = table[ROW].to_numpy()
    table = table.drop_columns([ROW])
    order = _order(table, plan, context)
    if population is not None:
        names = plan.renamed
        population = population.rename_columns([names.get(name, name) for name in population.column_names])
    return Applied(table.take(order), rows[order], population)


def _applied(table: pa.Table, step: Step, how: Technique, context: Context) -> tuple[pa.Table, pa.Table | None]:
    """Return the table and the population after one step."""
    population = context.population
    shared = [] if population is None else [name for name in step.columns if name in population.column_names]
    if step.technique == "drop":
        rest = population if population is None else population.drop_columns(shared)
        return table.drop_columns(list(step.columns)), rest
    if how.recode is None:
        assert how.apply is not None, "a technique has one of the two functions"
        made = how.apply(table, {**step.parameters, "columns": step.columns}, context)
        return _coded(made, step, has_fewer=made.num_rows < table.num_rows), population
    for name in step.columns:
        both = [each[name] for each in (table, *([population] if name in shared else ()))]
        made, codes = _recoded(both, name, step, how, context)
        table = _with(table, name, step, coded_cells(codes[: table.num_rows], made))
        if population is not None and name in shared:
            population = _with(population, name, step, made.take(codes[table.num_rows :]))
    return table, population


def _coded(table: pa.Table, step: Step, *, has_fewer: bool) -> pa.Table:
    """Return the table after a step, each column with a dictionary of the texts that its rows have."""

    for i, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        is_other = has_fewer or name in step.columns or not pa.types.is_dictionary(column.type)
        if name != ROW and is_other:
            table = table.set_column(i, name, coded_column(column))
    return table


def _with(table: pa.Table, name: str, step: Step, cells: pa.Array) -> pa.Table:
    """Return the table with new cells in the place of a column, or next to it where the step makes a column."""
    at = table.column_names.index(name)
    return table.add_column(at + 1, step.made[0], cells) if step.made else table.set_column(at, name, cells)


def _recoded(
    cells: Sequence[pa.ChunkedArray], name: str, step: Step, how: Technique, context: Context
) -> tuple[pa.Array, npt.NDArray[np.int32]]:
    """Return the new texts of a column, and the text of each cell of the table, then of the population.

    Both tables have one dictionary, so that equal values get equal texts; only records of the table are counted.
    """
    # Suppression markers are missing cells in every scan, and so in what a plan promises.
    codes, values = encode_values(one_column(cells))
    column = context.column(name, codes[: len(cells[0])], values)
    assert how.recode is not None
    made = how.recode(column, step.parameters)
    context.facts.extend(made.notes)
    texts = made.labels()
    if texts.take(made.lookup[:-1]).equals(values.cast(texts.type)):
        # So it is where a plan is applied again, or where numbers are expected in a column of words.
        context.notes.append({"technique": step.technique, "column": name, "unchanged": True})
    return texts, made.lookup[codes]


def _order(table: pa.Table, plan: Plan, context: Context) -> npt.NDArray[np.int64]:
    """Return the rows of `table` in the order in which they are written."""
    if plan.order == "kept" or not table.num_columns:
        return np.arange(table.num_rows)
    if plan.order == "shuffled":
        return context.random.permutation(table.num_rows)
    codes, widths = [], []
    # A column that differs in every row comes last: its order would be that of the rows.
    encoded = sorted(map(encode_column, table.columns), key=lambda each: len(each[1]) == table.num_rows)
    for code, dictionary in encoded:
        codes.append(code)
        widths.append(len(dictionary) + 1)
    # Sorted by what is released alone: the order of the source may be that of arrival, or of a surname.
    labels, _ = dense_labels(codes, widths, length=table.num_rows)
    return np.argsort(labels, kind="stable")
