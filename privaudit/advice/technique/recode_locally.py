"""Recode a table part by part: records that one recoding would suppress are recoded again, further.

Question: what does a table look like after the parts of a local recoding?
Method: each part states a technique for each column. The records that are left are recoded as the part states; those in
classes that meet the requirements keep these values, and the others go to the next part. What no part keeps is removed.
Limits: values of several levels occur in one column. The distance t is measured from the whole table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from privaudit.advice.technique.column import Column, Lookup
from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.protection import Labels, Mask, Protection
from privaudit.advice.technique.recoding import Recoding, keep
from privaudit.advice.technique.record import Context
from privaudit.advice.technique.requirements import protections_of
from privaudit.base.errors import ConfigError
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source.cells.coded_tables import coded_cells


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records that a part keeps, as it recodes them."""
    columns, codes = {}, {}
    for name in parameters["columns"]:
        codes[name], dictionary = encode_values(table[name])
        counts = np.bincount(codes[name], minlength=len(dictionary) + 1).astype(np.int64)
        columns[name] = Column(name, dictionary, counts, context.hierarchies.get(name), context.key)
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
    from privaudit.advice.technique.registry import technique

    if stated is None:
        return keep(column)
    found = technique(stated["technique"])
    if found.recode is None:
        raise ConfigError(f'"{found.name}" does not map values, so it cannot be used here.')
    given = {name: value for name, value in stated.items() if name != "technique"}
    return found.recode(column, found.check(given, f"A recoding of {column.name}"))


def _allowed(codes: Sequence[Lookup], rows: Labels, required: Sequence[Protection]) -> Mask:
    """Return which of the records `rows` are in a class that meets what is required."""
    widths = [int(code.max(initial=0)) + 1 for code in codes]
    labels, n_classes = dense_labels(list(codes), widths, length=len(rows))
    sizes = np.bincount(labels, minlength=n_classes).astype(np.int64)
    out = np.zeros(n_classes, dtype=bool)
    for protection in required:
        out |= protection.part(rows).failing(sizes, labels)
    return np.asarray(~out[labels])
