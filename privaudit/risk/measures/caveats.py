"""Properties of the quasi-identifiers that a reader must know to interpret the numbers.

Question: do these columns or rows have a property that makes a correct number misleading?
Method: cardinalities, class sizes, and the suppression markers that were found.
Limits: states the property, not what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from privaudit.base.distinct_numbers import distinct
from privaudit.model import Limit, limit
from privaudit.model.wording import Columns, Count, Listing, Number, Term, Threshold, fact
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.markers import Marked

MOST_COLUMNS = 64
"""Quasi-identifiers beyond which only small combinations can be searched."""


def caveats(coded: CodedTable, marked: Mapping[str, Marked], n_suppressed: int = 0) -> list[Limit]:
    """Return a limit for one row, equal rows, constant and unique columns, suppressed cells and very many columns.

    `n_suppressed` is the number of records that are not in `coded` because every quasi-identifier is suppressed.
    """
    if coded.n_rows == 1:
        limits = [one_row()]
    elif coded.n_distinct == 1:
        limits = [limit("risk.all_rows_equal")]
    else:
        limits = _by_column(coded)
    limits.extend(_suppressed(marked, coded.names))
    if n_suppressed:
        records = Count(n_suppressed, of=n_suppressed + coded.n_rows, unit="record")
        limits.append(limit("risk.suppressed_records", records=records))
    return [*limits, *_many(len(coded.names))]


def one_row() -> Limit:
    """Return the limit of a table of one row: nothing is measured by comparing it with others."""
    return limit("risk.one_row", incomplete=True)


def _many(n_columns: int) -> list[Limit]:
    if n_columns <= MOST_COLUMNS:
        return []
    number, most = Number(n_columns), Threshold(MOST_COLUMNS)
    return [limit("risk.many_columns", quasi_identifiers=number, most=most)]


def caveats_of_parts(n_codes: Mapping[str, int], n_rows: int, marked: Mapping[str, Marked]) -> list[Limit]:
    """Return the limits of a table that is counted in parts, from the number of values of each quasi-identifier.

    Parameters
    ----------
    n_codes : mapping of column to int
        Distinct values, and one for missing cells if there are any.
    n_rows : int
    marked : mapping of column to Marked
    """
    constant = [name for name, n in n_codes.items() if n == 1]
    unique = [name for name, n in n_codes.items() if n == n_rows]
    is_equal = len(constant) == len(n_codes)  # the sensitive attributes alone do not fit in memory
    about_columns = [limit("risk.all_rows_equal")] if is_equal else _of_columns(constant, unique)
    return [*about_columns, *_suppressed(marked, list(n_codes)), *_many(len(n_codes))]


def _by_column(coded: CodedTable) -> list[Limit]:
    constant = [name for i, name in enumerate(coded.names) if coded.cardinality(i) == 1]
    unique = [name for i, name in enumerate(coded.names) if _is_unique(coded, i)]
    return _of_columns(constant, unique)


def _of_columns(constant: Sequence[str], unique: Sequence[str]) -> list[Limit]:
    return [*_if_any("risk.constant_columns", constant), *_if_any("risk.unique_columns", unique)]


def _if_any(code: str, names: Sequence[str]) -> list[Limit]:
    return [limit(code, columns=Columns(tuple(names)))] if names else []


def _is_unique(coded: CodedTable, i: int) -> bool:
    return len(coded.weights) == coded.n_rows and len(distinct(coded.codes[i])) == coded.n_rows


def _suppressed(marked: Mapping[str, Marked], quasi: Sequence[str]) -> list[Limit]:
    """Return limits for suppressed cells of all columns, and for generalised quasi-identifiers."""
    cells = tuple(
        fact("risk.column_cells", column=Columns((name,)), cells=Count(column.n_records, unit="cell"))
        for name, column in marked.items()
        if column.n_records
    )
    forms = tuple(
        fact("risk.column_form", column=Columns((name,)), form=Term(column.generalised))
        for name, column in marked.items()
        if column.generalised and name in quasi
    )
    limits = [limit("risk.suppressed_cells", cells=Listing(cells))] if cells else []
    if forms:
        limits.append(limit("risk.generalised_columns", columns=Listing(forms)))
    return limits
