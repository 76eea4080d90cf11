"""Suppress few cells of small classes, as a step of a plan; `advice.technique.cell_suppression` chooses them.

Limits: of equal records the first ones of the table lose cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.advice.technique.cell_suppression import suppress_cells
from privaudit.advice.technique.columns import text_of, with_column
from privaudit.advice.technique.record import Context
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.row_keys import dense_labels


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the table with the chosen cells missing."""
    names = tuple(parameters["columns"])
    codes, dictionaries = zip(*(encode_values(table[name]) for name in names), strict=True)
    labels, n = dense_labels(codes, [len(words) + 1 for words in dictionaries], length=table.num_rows)
    order = np.argsort(labels, kind="stable")
    weights = np.bincount(labels, minlength=n).astype(np.int64)
    first = np.cumsum(weights) - weights
    coded = CodedTable(names, tuple(code[order[first]] for code in codes), dictionaries, weights, table.num_rows)
    found = suppress_cells(
        coded, int(parameters["below"]), parameters.get("importance"), semantics=parameters.get("matches", "value")
    )
    gone = np.zeros((table.num_rows, len(names)), dtype=bool)
    used = np.zeros(n, dtype=np.int64)
    for row, lost, count in zip(found.row.tolist(), found.lost, found.count.tolist(), strict=True):
        start = first[row] + used[row]
        gone[order[start : start + count]] = lost
        used[row] += count
    for i, name in enumerate(names):
        cells = pc.if_else(pa.array(gone[:, i]), pa.scalar(None, pa.string()), text_of(table, name))
        table = with_column(table, name, cells)
    return table
