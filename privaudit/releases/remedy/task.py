"""What is to be done to a table, and what a plan makes of it.

Question: which table, which settings and which plan does a remedy run have, and what is the table after the plan?
Method: one record, `Task`. The steps of a plan are applied one after the other. A technique that maps values is applied
to the distinct values of its column and gathered by code, so its cost hardly depends on the number of rows; other
techniques take the whole table. A population gets the same new values in the columns that are compared with it, so that
the classes of the table can be counted in it.
Limits: nothing is written here. The table stays in memory, as codes. A technique that takes the whole table leaves the
population as it is.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from privaudit.advice.recodings.hierarchy import read_hierarchies
from privaudit.advice.technique import Context, Technique, technique
from privaudit.advice.technique.columns import ROW, one_column
from privaudit.audit.pipeline import STAGES, Stage, run_stages
from privaudit.audit.stages import Unread, measure_remedies
from privaudit.base.arrays import Codes, Ints
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.model import Report
from privaudit.model.wording import SMALL_CELL, Edition, Fact
from privaudit.releases.remedy.plan import Plan, Step
from privaudit.releases.remedy.types import typed
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.risk.population.population_risk import stated_size
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source import open_dataset
from privaudit.source.cells.coded_tables import coded_cells, coded_column


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is to be done.

    Attributes
    ----------
    source : path or table
    settings : Settings
    auxiliary : path or table, optional
    control : path or table, optional
        People of the same population who are not in the source, for attacks on the remedied table.
    population : table, optional
        The population, where it is not the one of the settings.
    plan : Plan, optional
        The plan of the first scan where there is none.
    drop : tuple of str
        Columns that the plan drops in any case.
    key : bytes, optional
    target : str, optional
        The column whose prediction shows what is left of the table.
    config : path, optional
        The settings file.
    progress : callable
    edition : {"full", "public"}
        Of the certificate. From a public remedy no count of 1 to 10 records follows.
    reports : bool
        Whether the reports of the scans are shown: only these need pictures, and remedies that are not applied.
    is_described : bool
        Whether somebody reads how the plan was searched; where not, nothing is measured for that alone. What is
        released is the same.
    """

    source: Any
    settings: Settings
    auxiliary: Any = None
    control: Any = None
    population: Any = None
    plan: Plan | None = None
    drop: tuple[str, ...] = ()
    key: bytes | None = field(default=None, repr=False)
    target: str | None = None
    config: Path | None = None
    progress: Progress = silent
    edition: Edition = "full"
    reports: bool = True
    is_described: bool = True

    @property
    def population_table(self) -> Any:
        """The population, where it is a table or the path of one; None where there is none, or a number of people."""
        given = self.settings.population if self.population is None else self.population
        return None if given is None or stated_size(given) is not None else given


def scan(
    task: Task,
    source: Any,
    settings: Settings,
    population: Any = None,
    plan: Plan | None = None,
    *,
    advice: bool,
    is_shown: bool,
    unread: Unread | None = None,
) -> Report:
    """Scan a table of the run: the source, or what `plan` made of it and of the population.

    Findings about columns that the plan invented are not open, and rows may be in the order of the source. Without
    `advice` no remedy is measured. A report that is not shown needs no pictures. With `unread` nobody reads how
    the plan was searched.
    """
    wanted = {"advice": advice, "pictures": is_shown}
    how: dict[str, Stage] = {"advice": partial(measure_remedies, unread=unread)}
    return run_stages(
        source,
        settings,
        stages=tuple((name, how.get(name, stage)) for name, stage in STAGES if wanted.get(name, True)),
        auxiliary=task.auxiliary,
        population=task.population if population is None else population,
        progress=task.progress,
        config=task.config,
        in_order=plan is not None and plan.order == "kept",
        invented=() if plan is None else tuple(sorted(plan.invented)),
    )


@dataclass(frozen=True, slots=True)
class Result:
    """The remedied table in the types of the source, as texts, and what it was made of.

    ``table`` has the new names of columns, ``texts`` those of the source. Their columns and those of ``original`` are
    dictionaries (`privaudit.source.cells.coded_tables`). ``population`` is recoded as the table is.
    """

    table: pa.Table
    texts: pa.Table
    original: pa.Table
    rows: Ints
    notes: tuple[Mapping[str, Any], ...]
    facts: tuple[Fact, ...] = ()
    population: pa.Table | None = None


def apply_plan(task: Task, plan: Plan, before: Report) -> Result:
    """Apply `plan` to the source.

    Raises
    ------
    ConfigError
        If no record is left.
    """
    settings = task.settings
    with open_dataset(task.source, settings, progress=task.progress) as dataset:
        names, shown, types = dataset.columns, dataset.name, dataset.types
        original = dataset.coded(names)
        trees = read_hierarchies({**settings.hierarchy, **plan.hierarchies}, names, settings, table=shown)
    random = np.random.default_rng(plan.seed if plan.seed is not None else secrets.randbits(256))
    population = _population(task, plan, before)
    least = SMALL_CELL if task.edition == "public" else 0
    context = Context(random=random, hierarchies=trees, key=task.key, population=population, least_suppressed=least)
    applied, rows, population = apply(original, plan, context)
    if applied.num_rows == 0:
        raise ConfigError(
            "The plan suppresses every record.", hint="generalise more, or suppress classes below a smaller size"
        )
    _check_left(applied, plan, before)
    kinds = {column.name: column.data_type for column in before.columns}
    old_names = {new: old for old, new in plan.renamed.items()}
    texts = applied.rename_columns([old_names.get(name, name) for name in applied.column_names])
    table = typed(texts, types, kinds).rename_columns(applied.column_names)
    return Result(table, texts, original, rows, tuple(context.notes), tuple(context.facts), population)


def _check_left(table: pa.Table, plan: Plan, before: Report) -> None:
    """Check that a quasi-identifier that is written has a value.

    Raises
    ------
    ConfigError
        If all of them are empty: the smallest class would be the whole table.
    """
    names = [plan.renamed.get(name, name) for name in (before.risk.quasi_identifiers if before.risk else ())]
    written = [table[name] for name in names if name in table.column_names]
    if written and all(column.null_count == len(column) for column in written):
        raise ConfigError(
            "The plan leaves no value of any quasi-identifier.", hint="use another method, or suppress fewer cells"
        )


def _population(task: Task, plan: Plan, before: Report) -> pa.Table | None:
    """Return the columns of the population table that are compared with the table; None where nothing is compared."""
    given = task.population_table
    if given is None or before.risk is None:
        return None
    limited = [step.parameters["classes_over"] for step in plan.steps if "k_map" in step.parameters]
    needed = dict.fromkeys([*before.risk.quasi_identifiers, *(name for names in limited for name in names)])
    with open_dataset(given, task.settings, progress=task.progress, whole=True) as people:
        subject = [name for name in (task.settings.subject,) if name is not None and name in people.columns]
        return people.rows([*needed, *subject])


def apply(table: pa.Table, plan: Plan, context: Context) -> tuple[pa.Table, Ints, pa.Table | None]:
    """Return `table` after the steps of `plan`, for each of its rows the row of the source, and the population.

    Rows are in the order that the plan states.

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
    return table.take(order), rows[order], population


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
) -> tuple[pa.Array, Codes]:
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


def _order(table: pa.Table, plan: Plan, context: Context) -> Ints:
    """Return the rows of `table` in the order in which they are written."""
    if plan.order == "kept" or not table.num_columns:
        return np.arange(table.num_rows)
    if plan.order == "shuffled":
        return context.random.permutation(table.num_rows)
    # A column that differs in every row comes last: its order would be that of the rows.
    encoded = sorted(map(encode_column, table.columns), key=lambda each: len(each[1]) == table.num_rows)
    # Sorted by what is released alone: the order of the source may be that of arrival, or of a surname.
    labels, _ = dense_labels([codes for codes, _ in encoded], length=table.num_rows)
    return np.argsort(labels, kind="stable")
