"""How many values of a column do exposed records have? Counts above the smallest reported cell, no values.

Question: do the records that are unique with the help of a column have few of its values, or many?
Method: for each column, the records with a minimal unique set that contains the column are counted by their value of
it; only the counts are kept.
Limits: values of fewer than `SMALLEST_CELL` such records are counted together. A missing cell counts as a value.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Ints
from privaudit.model import ExposedValues
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.row_keys import sums
from privaudit.risk.kernel.unique_steps import unpacked

SMALLEST_CELL = 11
"""Fewest records for which one value is counted on its own; smaller cells are counted together."""
MOST_VALUES = 20


def exposed_values(coded: CodedTable, exposed: Mapping[int, npt.NDArray[np.uint8]]) -> dict[str, ExposedValues]:
    """Count the exposed records of each column by value.

    Parameters
    ----------
    coded : CodedTable
    exposed : mapping of column number to bits, one for each of the d distinct rows
        Rows with a minimal unique set that contains the column; columns without any may be absent.

    Returns
    -------
    dict of column to ExposedValues, in the order of the columns
    """
    return {name: _counted(coded, i, exposed.get(i)) for i, name in enumerate(coded.names)}


def _counted(coded: CodedTable, column: int, exposed: npt.NDArray[np.uint8] | None) -> ExposedValues:
    held = np.zeros(1, dtype=np.int64)
    if exposed is not None:
        weights = np.where(unpacked(exposed, coded.n_distinct), coded.weights, 0)
        held = sums(coded.codes[column], weights, len(coded.dictionaries[column]) + 1)
    return counts_by_value(held, coded.cardinality(column), n=int(held.sum()))


def counts_by_value(held: Ints, n_values_all: int, *, n: int) -> ExposedValues:
    """Return the record of one column.

    Parameters
    ----------
    held : int64 array of shape (v,)
        Exposed records, or people, with each value.
    n_values_all : int
        Values of the column in all records.
    n : int
        Exposed records, or people, who can have several values.
    """
    common = np.sort(held[held >= SMALLEST_CELL])[::-1]
    return ExposedValues(
        n_records=n,
        n_values=int((held > 0).sum()),
        n_values_all=n_values_all,
        n_values_common=len(common),
        largest=tuple(common[:MOST_VALUES].tolist()),
    )
