"""Suppression markers among the codes: cells that mark a suppressed value are not values.

Question: which codes of a column mark suppressed cells, and what is the table with these cells as missing?
Method: the shipped list of markers (`privaudit.source.profile.suppression`) on the dictionary of each coded column.
Their codes are mapped to the missing code by one lookup array, so that the semantics of missing cells
apply to them. Records in which every quasi-identifier is suppressed are omitted and counted: nobody can be matched
with them.
Limits: a short marker with the form of the other codes of the column is a value: "NA" among two-letter country codes.
A marker that is not in the list is a category like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Flags
from privaudit.base.arrow import pa, pc
from privaudit.base.parallel import each, threads_for
from privaudit.base.records import dataclass

if TYPE_CHECKING:
    from privaudit.risk.codes.coded import CodedTable

LIKE_CODES = 0.5
"""Share of the other values that must have the form of a short marker for it to be a value."""
SHORT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """Suppressed and generalised cells of one column.

    Attributes
    ----------
    n_records : int
        Records whose cell is a suppression marker.
    generalised : str or None
        interval, band or prefix where most other values are written as one.
    """

    n_records: int
    generalised: str | None


def marker_codes(dictionary: pa.Array) -> Flags:
    """Return which values of a column's dictionary are suppression markers; bool array as long as it."""
    from privaudit.source.profile.suppression import is_suppressed

    marked = is_suppressed(dictionary)
    if not marked.any():
        return marked
    lengths = pc.utf8_length(dictionary).to_numpy(zero_copy_only=False)
    letters = pc.utf8_is_alpha(dictionary).to_numpy(zero_copy_only=False)
    for i in np.flatnonzero(marked & letters & (lengths <= SHORT)):
        others = letters[~marked] & (lengths[~marked] == lengths[i])
        # Among country codes, NA is Namibia: where most other values have the same form, a short marker is a value.
        marked[i] = others.sum() <= LIKE_CODES * (~marked).sum()
    return marked


def marked_in(dictionary: pa.Array, marked: Flags, n_records: int) -> Marked | None:
    """Return what is suppressed or generalised in a column with these values; None where nothing is.

    Parameters
    ----------
    dictionary : pyarrow.Array of distinct text
    marked : bool array, which of the values are suppression markers
    n_records : int
        Records whose cell is one.
    """
    from privaudit.source.profile.suppression import generalised_as

    shape = generalised_as(dictionary, marked)
    return Marked(n_records=n_records, generalised=shape) if n_records or shape is not None else None


def missing_lookup(marked: Flags) -> Codes:
    """Return the new code of each old one: `marked` codes become the missing code, the others move up.

    Parameters
    ----------
    marked : bool array of shape (v,), one for each value of the dictionary

    Returns
    -------
    int32 array of shape (v,), with 0..w-1 for the w values kept and w for the marked ones
    """
    kept = np.cumsum(~marked) - 1
    return np.where(marked, int((~marked).sum()), kept).astype(np.int32)


def encode_values(column: pa.Array | pa.ChunkedArray) -> tuple[Codes, pa.Array]:
    """Return codes over the values of a column, as `encode_column`; suppression markers are missing cells."""
    from privaudit.risk.codes.coded import encode_column

    codes, dictionary = encode_column(column)
    marked = marker_codes(dictionary)
    if not marked.any():
        return codes, dictionary
    return missing_lookup(np.append(marked, True))[codes], dictionary.filter(pa.array(~marked))


def markers_as_missing(
    coded: CodedTable, threads: int | None = None, *, quasi: Sequence[str] = ()
) -> tuple[CodedTable, dict[str, Marked], int]:
    """Return the table with suppression markers as missing cells, and what was found in each column.

    Parameters
    ----------
    coded : CodedTable
    threads : int, optional
        Those that the size of the table suggests where not given.
    quasi : sequence of str
        The quasi-identifiers. A record in which all of them are suppressed distinguishes nobody, and is omitted,
        unless no other record is left.

    Returns
    -------
    coded : CodedTable
        The other records, collapsed again.
    found : dict of column to Marked
        Only columns with markers or with generalised values.
    n_suppressed : int
        Records that were omitted.
    """
    read = coded

    def search(i: int) -> tuple[Flags, Marked | None]:
        marked = marker_codes(read.dictionaries[i])
        n = int(read.weights[np.append(marked, False)[read.codes[i]]].sum()) if marked.any() else 0
        return marked, marked_in(read.dictionaries[i], marked, n)

    searched = each(search, range(len(read.names)), threads_for(read.n_distinct, threads))
    coded = _without_suppressed(read, {name: searched[read.index(name)][0] for name in quasi})
    n_suppressed = read.n_rows - coded.n_rows
    for name, dictionary, (marked, _) in zip(read.names, read.dictionaries, searched, strict=True):
        if marked.any():
            coded = coded.recode(name, missing_lookup(marked), dictionary.filter(pa.array(~marked)))
    found = {name: column for name, (_, column) in zip(read.names, searched, strict=True) if column is not None}
    return coded, found, n_suppressed


def _without_suppressed(coded: CodedTable, marked: Mapping[str, Flags]) -> CodedTable:
    """Return the records that have a cell without marker in one of the columns of `marked`."""
    if not marked or not all(values.any() for values in marked.values()):
        return coded
    kept = rows_counted([(coded.codes[coded.index(name)], values) for name, values in marked.items()])
    if kept.all():
        return coded
    weights = coded.weights[kept]
    codes = tuple(column[kept] for column in coded.codes)
    people = None if coded.people is None else coded.people.of_rows(kept)
    return replace(coded, codes=codes, weights=weights, n_rows=int(weights.sum()), people=people)


def rows_counted(columns: Sequence[tuple[npt.NDArray[np.integer], Flags]]) -> Flags:
    """Return which rows are counted in classes: those with a cell that is not suppressed, or all where none has one.

    Parameters
    ----------
    columns : sequence of (codes, marked)
        The code of each row, and which codes are suppression markers (`marker_codes`); a missing cell has the code one
        past them and is not suppressed.
    """
    cells = [np.append(marked, False)[codes] for codes, marked in columns]
    kept: Flags = ~np.logical_and.reduce(cells)
    return kept if kept.any() else ~kept
