"""Coded tables for tests: from rows of small codes, from rows or columns of text, and of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from privaudit.risk.codes.coded import CodedTable, encode, encode_column
from privaudit.risk.codes.row_keys import dense_labels, sums
from privaudit.source.memory.arrow import from_arrow


def coded_of(
    rows: Sequence[Sequence[int]], weights: Sequence[int] | None = None, *, n_values: Sequence[int] | None = None
) -> CodedTable:
    """Return the coded table of rows of codes; equal rows are merged.

    Parameters
    ----------
    rows : sequence of sequence of int
        Codes of the columns a, b, c, ...
    weights : sequence of int, optional
        Records of each row; one by default.
    n_values : sequence of int, optional
        Values of each column. The code that follows is a missing cell; by default none is.
    """
    columns = [np.array(column, np.int32) for column in zip(*rows, strict=True)]
    records = np.array(weights if weights is not None else [1] * len(rows), np.int64)
    labels, n = dense_labels(columns)
    first = np.empty(n, np.int64)
    first[labels] = np.arange(len(labels))
    widths = n_values or [int(codes.max()) + 1 for codes in columns]
    dictionaries = tuple(pa.array([f"v{i:04}" for i in range(width)], pa.string()) for width in widths)
    names = tuple("abcdefgh"[: len(columns)]) if len(columns) <= 8 else tuple(f"q{i}" for i in range(len(columns)))
    merged = sums(labels, records, n)
    return CodedTable(names, tuple(c[first] for c in columns), dictionaries, merged, int(records.sum()))


def coded_rows(names: Sequence[str], rows: Sequence[Sequence[object]]) -> CodedTable:
    """Return the coded table of rows of cells, read as text; None is a missing cell."""
    cells = ([None if cell is None else str(cell) for cell in column] for column in zip(*rows, strict=True))
    return coded_cells(dict(zip(names, cells, strict=True)))


def coded_people(names: Sequence[str], rows: Sequence[Sequence[str | None]], subject: str | None) -> CodedTable:
    """Return the coded table over all columns but the first, which names the people if it is the `subject`."""
    columns = {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)}
    with from_arrow(pa.table(columns)) as dataset:
        return encode(dataset, [*names[1:]], subject=subject)


def coded_cells(columns: Mapping[str, Sequence[str | None]]) -> CodedTable:
    """Return the coded table of columns of text; None is a missing cell."""
    pairs = [encode_column(pa.array(cells, pa.string())) for cells in columns.values()]
    codes, dictionaries = zip(*pairs, strict=True)
    n, names = len(codes[0]), tuple(columns)
    return CodedTable(names, codes, dictionaries, np.ones(n, np.int64), n).select(names)
