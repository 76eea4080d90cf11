"""Numbers of columns in a table of texts, and the way back.

Question: how does a technique that calculates read columns and write them?
Method: each column must hold numbers in at least 90 % of its cells that have a value; the other cells are kept. Results
are written with as many decimals as the source has, so that decimals do not show which cells changed.
Limits: a column of other values is an error, not a column that is left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privaudit.advice.technique.recoding import MOSTLY, as_numbers, not_numbers
from privaudit.base.arrays import Flags, Floats
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ConfigError
from privaudit.source.cells.dictionaries import written_out

ROW = "\0row"
"""Name of the column that holds the row of the source while a plan is applied; no column of a table has this name."""


def text_of(table: pa.Table, name: str) -> pa.ChunkedArray:
    """Return the cells of a column as text; the tables of a release hold dictionaries of text."""
    return written_out(table[name])


def numbers_of(table: pa.Table, name: str, technique: str) -> Floats:
    """Return the numbers of a column, NaN for other cells.

    Raises
    ------
    ConfigError
        If fewer than 90 % of the cells with a value are numbers.
    """
    cells = text_of(table, name)
    found, present = as_numbers(cells), len(cells) - cells.null_count
    if not present or len(found) - found.null_count < MOSTLY * present:
        raise not_numbers(technique, name)
    return found.to_numpy().copy()


def matrix_of(table: pa.Table, names: Sequence[str], technique: str) -> Floats:
    """Return the numbers of several columns as a matrix of shape (n, m).

    Raises
    ------
    ConfigError
        If a cell has no number: the technique would disclose which. The error names its column and its row.
    """
    found = np.column_stack([numbers_of(table, name, technique) for name in names])
    check_complete(table, names, np.isnan(found), technique)
    return found


def check_complete(table: pa.Table, names: Sequence[str], missing: Flags, technique: str) -> None:
    """Check that no cell of the columns is missing; bool array of shape (n, m).

    Raises
    ------
    ConfigError
        If one is: the error names the first, by its column and its row in the source.
    """
    if not missing.any():
        return
    row, column = np.argwhere(missing)[0].tolist()
    source = table[ROW][row].as_py() if ROW in table.column_names else row
    others = int(missing.sum()) - 1
    more = f", and so have {others:,} other cells of its columns" if others else ""
    raise ConfigError(
        f'"{technique}" needs a value in every cell: "{names[column]}" has none in row {source + 1:,}{more}.',
        hint="add a step with suppress_incomplete before, or fill the cells",
    )


def decimals_of(table: pa.Table, name: str) -> int:
    """Return the most decimals that a cell of the column has; 2.51e-7 has nine."""
    cells = text_of(table, name)
    found = pc.extract_regex(cells, r"(?:\.(?P<decimals>[0-9]*))?(?:[eE](?P<exponent>[+-]?[0-9]{1,3}))?$")
    digits = pc.fill_null(pc.utf8_length(pc.struct_field(found, "decimals")), 0)
    exponent = pc.struct_field(found, "exponent")
    shift = pc.if_else(pc.equal(pc.fill_null(exponent, ""), ""), "0", pc.replace_substring_regex(exponent, r"^\+", ""))
    return max(0, int(pc.max(pc.subtract(digits, pc.cast(shift, "int32"))).as_py() or 0))


def with_numbers(table: pa.Table, name: str, numbers: Floats, *, decimals: int | None = None) -> pa.Table:
    """Return the table with new numbers in a column; cells whose number is NaN keep their value."""
    places = decimals_of(table, name) if decimals is None else decimals
    known = ~np.isnan(numbers)
    texts = np.char.mod(f"%.{places}f", np.where(known, numbers, 0.0) + 0.0)
    made = pa.array(texts.tolist(), pa.string())
    made = pc.replace_substring_regex(made, r"^-(0(?:\.0*)?)$", r"\1")
    return with_column(table, name, pc.if_else(pa.array(known), made, text_of(table, name)))


def with_column(table: pa.Table, name: str, cells: pa.Array) -> pa.Table:
    """Return the table with another column in the place of `name`, or after the others where it has none."""
    at = table.schema.get_field_index(name)
    return table.append_column(name, cells) if at < 0 else table.set_column(at, name, cells)


def one_column(parts: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    """Return the cells of a column of one table, or of several tables one after the other, as text."""
    if len(parts) == 1:
        return parts[0]
    return pa.chunked_array([chunk for part in parts for chunk in part.cast(pa.string()).chunks], pa.string())
