"""How many values of a column do exposed records hold? Counts above the small-cell floor, no value.

Question: do the records that stand out by a column stand out by a few of its values or by many?
Method: for each column, the records with a minimal unique set that holds the column are counted by their value
there; only the counts survive.
Limits: values held by fewer than `FLOOR` such records are told together, as one number. A missing cell is a
value of its own here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.risk.coded import CodedTable
from privaudit.risk.minimal_steps import unpacked

FLOOR = 11
"""Fewest records behind a count of one value; smaller cells are told together."""
MOST_VALUES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedValues:
    """Records that stand out by sets with one column, counted by their value of it.

    Attributes
    ----------
    n_records : int
        Records with a minimal unique set that holds the column.
    n_values : int
        Distinct values they hold there, of `n_values_all` in the column.
    n_values_all : int
    n_values_common : int
        Values that `FLOOR` or more of these records hold.
    largest : tuple of int
        Records behind each of these values, most first, at most `MOST_VALUES` of them.
    """

    n_records: int
    n_values: int
    n_values_all: int
    n_values_common: int
    largest: tuple[int, ...]

    def wire(self) -> dict[str, Any]:
        """Return one entry of ``risk.special_uniques.by_value`` in report.json."""
        return {
            "n_records": self.n_records,
            "n_values": self.n_values,
            "n_values_all": self.n_values_all,
            "n_values_common": self.n_values_common,
            "largest": list(self.largest),
        }


def exposed_values(
    coded: CodedTable, exposed: Mapping[int, npt.NDArray[np.uint8]]
) -> dict[str, ExposedValues]:
    """Count the exposed records of each column by value.

    Parameters
    ----------
    coded : CodedTable
    exposed : mapping of column number to bits, one for each of the d distinct rows
        Rows that stand out by a minimal set with the column; columns without any may be absent.

    Returns
    -------
    dict of column to ExposedValues, in the order of the columns
    """
    return {name: _counted(coded, i, exposed.get(i)) for i, name in enumerate(coded.names)}


def _counted(coded: CodedTable, column: int, exposed: npt.NDArray[np.uint8] | None) -> ExposedValues:
    codes, weights = coded.codes[column], coded.weights
    if exposed is None:
        codes, weights = codes[:0], weights[:0]
    else:
        hit = np.flatnonzero(unpacked(exposed, len(weights)))
        codes, weights = codes[hit], weights[hit]
    held = np.bincount(codes, weights=weights, minlength=1).astype(np.int64)
    common = np.sort(held[held >= FLOOR])[::-1]
    return ExposedValues(
        n_records=int(held.sum()),
        n_values=int((held > 0).sum()),
        n_values_all=coded.cardinality(column),
        n_values_common=len(common),
        largest=tuple(common[:MOST_VALUES].tolist()),
    )
