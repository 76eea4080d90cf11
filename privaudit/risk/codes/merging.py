"""Classes are merged, and the values in them are counted, by compiled loops.

Question: which classes become one when some columns take coarser codes, and which values are in them?
Method: memory for the loops of `risk.codes.merging_loops`, and what they made in the smallest form.
Limits: only for callers that know that loading the loops pays (`risk.codes.compiler`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Flags, Ints
from privaudit.risk.codes.packing import Packing

Int32s = Codes
MOST_PLACES = 8
"""Pairs of class and value, for each row that is read, up to which a table of all pairs pays."""


class MergedClasses(NamedTuple):
    """The class of each row of keys, and the keys, counts and marks of the classes."""

    labels: Int32s
    keys: Ints
    counts: Ints
    marks: Ints | None


def merged_classes(
    keys: Ints, counts: Ints, marks: Ints | None, packing: Packing, steps: Mapping[int, Int32s]
) -> MergedClasses:
    """Return the classes after some columns took other codes: counts are added up, and marks united.

    Parameters
    ----------
    keys : int64 array of shape (rows, words)
    counts : int64 array of shape (rows, n)
    marks : int64 array of shape (rows, m) or None
        Each bit states that something occurs in a row.
    packing : Packing
    steps : mapping of column to int32 array
        New code of each old code.
    """
    from privaudit.risk.codes.merging_loops import merge_classes

    n = len(keys)
    lines, first = [], 0
    for i, lookup in steps.items():
        lines.append((*packing.places[i], first))
        first += len(lookup)
    places = np.array(lines, dtype=np.int64).reshape(-1, 4)
    lookups = np.concatenate(list(steps.values())) if steps else np.zeros(0, dtype=np.int32)
    labels: Int32s = np.empty(n, dtype=np.int32)
    slots = np.empty(1 << max(1, 2 * n - 1).bit_length(), dtype=np.int32)
    bits = np.empty((n, 0), dtype=np.int64) if marks is None else marks
    made, sums, united = (np.empty_like(each) for each in (keys, counts, bits))
    n_classes = merge_classes(keys, counts, bits, places, lookups, slots, made, sums, united, labels)
    found = None if marks is None else united[:n_classes].copy()
    return MergedClasses(labels, made[:n_classes].copy(), sums[:n_classes].copy(), found)


def values_of_classes(
    labels: npt.NDArray[Any],
    among: Flags,
    rows: npt.NDArray[Any],
    values: npt.NDArray[Any],
    counts: npt.NDArray[Any],
    n_values: int,
) -> tuple[Ints, Ints, Ints] | None:
    """Return the pairs of class and value in the classes `among`, in ascending order, with the records of each pair.

    Parameters
    ----------
    labels : array of unsigned integers
        The class of each row.
    among : bool array
        The classes that are counted.
    rows, values, counts : int32 arrays of equal length
        So many records of a row have a value.
    n_values : int

    Returns
    -------
    Three int64 arrays, or None where the values are too many for a table of all pairs.
    """
    places = np.cumsum(among, dtype=np.int64)
    size = (int(places[-1]) if len(places) else 0) * n_values
    if size > MOST_PLACES * len(rows) or not all(each.dtype == np.int32 for each in (rows, values, counts)):
        return None
    from privaudit.risk.codes.merging_loops import count_values

    places -= 1
    places[~among] = -1
    most = min(size, len(rows))
    pairs = [np.empty(most, dtype=np.int64) for _ in range(3)]
    counted = np.empty(size, dtype=np.int64)
    n = count_values(labels, rows, values, counts, places, n_values, counted, *pairs)
    first, second, third = (each[:n] for each in pairs)
    return first, second, third
