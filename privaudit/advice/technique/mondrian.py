"""Replace values by ranges, each as narrow as its region allows (Mondrian).

Question: what does a table look like whose classes have bounds of their own?
Method: each column is first recoded as ``base`` states, such as numbers to bands of one width with open ends and rare
categories to "other". The table is split into regions (`advice.technique.regions`), and a cell becomes the
run of groups of its region (`advice.technique.ranges`). The ends of a range of numbers are edges of bands.
Limits: ranges of different regions overlap, so values cannot be counted or joined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.ranges import is_ordered, names_of_runs
from privaudit.advice.technique.recode_locally import step_of
from privaudit.advice.technique.recoding import Recoding
from privaudit.advice.technique.record import Context
from privaudit.advice.technique.regions import Regions, split_regions
from privaudit.advice.technique.requirements import REQUIREMENTS, protections_of
from privaudit.base.errors import ConfigError
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source.cells.coded_tables import coded_cells


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the table with a range in every cell of the columns.

    Raises
    ------
    ConfigError
        If the whole table does not meet the requirements.
    """
    names = tuple(parameters["columns"])
    base = [step_of(_column(table, name, context), _stated(parameters, name)) for name in names]
    codes = [step.lookup[encode_values(table[name])[0]] for name, step in zip(names, base, strict=True)]
    widths = [int(step.lookup.max(initial=0)) + 1 for step in base]
    if any(name in parameters for name in ("people", *REQUIREMENTS)):
        # Sensitive values and people belong to records, so these are not merged.
        rows, weights = np.arange(table.num_rows), np.ones(table.num_rows, dtype=np.int64)
    else:
        rows, n = dense_labels(codes, widths, length=table.num_rows)
        weights = np.bincount(rows, minlength=n).astype(np.int64)
    first = np.empty(len(weights), dtype=np.int64)
    first[rows] = np.arange(table.num_rows)
    labels = tuple(step.labels() for step in base)
    coded = CodedTable(names, tuple(code[first] for code in codes), labels, weights, table.num_rows)
    numbers = [step.column for step in base if is_ordered(step)]
    found = split_regions(coded, protections_of(table, parameters), numbers=numbers)
    if found is None:
        raise ConfigError(
            "The table as a whole does not meet what the plan requires of its regions.",
            hint="lower the requirements, or use another method",
        )
    for i, (name, step) in enumerate(zip(names, base, strict=True)):
        cells = coded_cells(found.label[rows], pa.array(_ranges(found, i, step, codes[i]), pa.string()))
        table = with_column(table, name, cells)
    return table


def _column(table: pa.Table, name: str, context: Context) -> Column:
    codes, dictionary = encode_values(table[name])
    counts = np.bincount(codes, minlength=len(dictionary) + 1).astype(np.int64)
    return Column(name, dictionary, counts, context.hierarchies.get(name), context.key)


def _stated(parameters: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    """Return the recoding of a column before the table is split; None where it is not recoded."""
    stated: Mapping[str, Any] | None = next((part[name] for part in parameters.get("base", ()) if name in part), None)
    return stated


def _ranges(found: Regions, i: int, step: Recoding, codes: npt.NDArray[np.int32]) -> Sequence[str | None]:
    """Return the range of each region as text; missing cells are named in the range that contains them."""
    present = np.unique(codes)
    labels = [step.labels()[int(code)].as_py() for code in present]
    runs = list(zip(found.low[:, i].tolist(), found.high[:, i].tolist(), strict=True))
    names = names_of_runs(labels, runs, step.technique)
    return [names[run] for run in runs]
