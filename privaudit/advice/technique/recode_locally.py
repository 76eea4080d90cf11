"""Techniques that recode parts of a table by themselves: local recoding, and ranges of regions (Mondrian)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.protection import Labels, Protection
from privaudit.advice.technique.ranges import is_ordered, names_of_runs
from privaudit.advice.technique.recoding import Column, Lookup, Recoding, keep
from privaudit.advice.technique.record import Context
from privaudit.advice.technique.regions import Regions, split_regions, values_of_codes
from privaudit.advice.technique.requirements import protections_of
from privaudit.base.arrays import Codes, Flags
from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.errors import ConfigError
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source.cells.coded_tables import coded_cells


def recode_locally(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records that a part keeps, as it recodes them.

    Question: what does a table look like after the parts of a local recoding?
    Method: each part states a technique for each column. The records that are left are recoded as the part states;
    those in classes that meet the requirements keep these values, and the others go to the next part. What no part
    keeps is removed.
    Limits: values of several levels occur in one column. The distance t is measured from the whole table.
    """
    coded = {name: encode_values(table[name]) for name in parameters["columns"]}
    codes = {name: code for name, (code, _) in coded.items()}
    columns = {name: context.column(name, *each) for name, each in coded.items()}
    required = protections_of(table, parameters)
    labels: dict[str, list[pa.Array]] = {name: [] for name in columns}
    places = {name: np.zeros(table.num_rows, dtype=np.int32) for name in columns}
    left = np.ones(table.num_rows, dtype=bool)
    for part in parameters["parts"]:
        steps = {name: step_of(column, part.get(name)) for name, column in columns.items()}
        rows = np.flatnonzero(left)
        kept = np.zeros(table.num_rows, dtype=bool)
        kept[rows[_allowed([step.lookup[codes[name][rows]] for name, step in steps.items()], rows, required)]] = True
        for name, step in steps.items():
            start = sum(map(len, labels[name]))
            places[name][kept] = start + step.lookup[codes[name][kept]]
            labels[name].append(step.labels())
        left &= ~kept
    table = table.filter(pa.array(~left))
    for name, texts in labels.items():
        table = with_column(table, name, coded_cells(places[name][~left], pa.concat_arrays(texts)))
    return table


def step_of(column: Column, stated: Mapping[str, Any] | None) -> Recoding:
    """Return what a stated technique does to a column; nothing where none is stated.

    Raises
    ------
    ConfigError
        For a technique that does not map values, or parameters that are not allowed.
    """
    from privaudit.advice.technique.record import technique

    if stated is None:
        return keep(column)
    found = technique(stated["technique"])
    if found.recode is None:
        raise ConfigError(f'"{found.name}" does not map values, so it cannot be used here.')
    given = {name: value for name, value in stated.items() if name != "technique"}
    return found.recode(column, found.check(given, f"A recoding of {column.name}"))


def _allowed(codes: Sequence[Lookup], rows: Labels, required: Sequence[Protection]) -> Flags:
    """Return which of the records `rows` are in a class that meets what is required."""
    labels, n_classes = dense_labels(codes, length=len(rows))
    sizes = np.bincount(labels, minlength=n_classes).astype(np.int64)
    out = np.zeros(n_classes, dtype=bool)
    for protection in required:
        out |= protection.part(rows).failing(sizes, labels)
    return np.asarray(~out[labels])


def mondrian(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the table with a range in every cell of the columns.

    Question: what does a table look like whose classes have bounds of their own?
    Method: each column is first recoded as ``base`` states, such as numbers to bands of one width with open ends and
    rare categories to "other". The table is split into regions (`advice.technique.regions`), and a cell becomes the run
    of groups of its region (`advice.technique.ranges`). The ends of a range of numbers are edges of bands.
    Limits: ranges of different regions overlap, so values cannot be counted or joined.

    Raises
    ------
    ConfigError
        If the whole table does not meet the requirements.
    """
    names = tuple(parameters["columns"])
    encoded = [encode_values(table[name]) for name in names]
    columns = [context.column(name, *each) for name, each in zip(names, encoded, strict=True)]
    base = [step_of(column, _stated(parameters, column.name)) for column in columns]
    codes = [step.lookup[code] for step, (code, _) in zip(base, encoded, strict=True)]
    labels, weights = tuple(step.labels() for step in base), np.ones(table.num_rows, dtype=np.int64)
    coded = CodedTable(names, tuple(codes), labels, weights, table.num_rows)
    numbers = [step.column for step in base if is_ordered(step)]
    found = split_regions(
        coded,
        protections_of(table, parameters),
        numbers=numbers,
        values=values_of_codes(base, [column.counts for column in columns]),
        importance=parameters.get("importance"),
    )
    if found is None:
        raise ConfigError(
            "The table as a whole does not meet what the plan requires of its regions.",
            hint="lower the requirements, or use another method",
        )
    for i, (name, step) in enumerate(zip(names, base, strict=True)):
        cells = coded_cells(found.label, pa.array(_ranges(found, i, step, codes[i]), pa.string()))
        table = with_column(table, name, cells)
    return table


def _stated(parameters: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    """Return the recoding of a column before the table is split; None where it is not recoded."""
    return next((part[name] for part in parameters.get("base", ()) if name in part), None)


def _ranges(found: Regions, i: int, step: Recoding, codes: Codes) -> Sequence[str | None]:
    """Return the range of each region as text; missing cells are named in the range that contains them."""
    present = distinct(codes)
    labels = [step.labels()[int(code)].as_py() for code in present]
    runs = list(zip(found.low[:, i].tolist(), found.high[:, i].tolist(), strict=True))
    names = names_of_runs(labels, runs, step.technique)
    return [names[run] for run in runs]
