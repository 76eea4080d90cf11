"""Records with more or fewer cells than the header: which cell belongs to which column?

Question: are the cells of such a record values of their columns, at the only places where they may be?
Method: a short record is read as if its last cells were missing, because programs omit empty cells at the end; that is
an assumption. A long one is read without the empty cells at its end, or with neighbouring cells put together again, as
the parts of a text with a separator and a blank that nobody quoted. Each value must have the type of its column, by the
form of the values of other records, and one way alone must fit.
Limits: columns of text accept every value, so that a record without a number, a date or another form is not read. What
was lost in the middle of a record is not recognised: where cells are missing or empty, the reading is not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from privaudit.source.files.formats.first_row import ALL, MISSING, common_type, type_of

MOST_WIDTH = 500
"""Most columns of a table of which uneven records are read: the ways to read one grow with the width."""
Types = Sequence[str | None]
"""Of each column, the type of nearly all values; None for text, and where they have several."""


class Placed(NamedTuple):
    """A cell for each column, and whether the values show that these are their columns."""

    cells: list[str]
    shown: bool


def types_of(body: Sequence[Sequence[str]], width: int) -> Types:
    """Return the types of the columns of records that have a cell for each."""
    found = []
    for column in zip(*body, strict=True) if body else [()] * width:
        kind, share = common_type([cell.strip() for cell in column if not _is_missing(cell)])
        found.append(kind if share >= ALL else None)
    return found


def placed(cells: list[str], types: Types, delimiter: str) -> Placed | None:
    """Return the cells of a record by column, None where no way to read it fits, or several do."""
    if len(types) > MOST_WIDTH or any(mark in cell for cell in cells for mark in "\r\n"):
        return None  # a line break in a cell may be that of a quote which is never closed
    missing = [""] * (len(types) - len(cells))
    ways = [[*cells, *missing]] if missing else _placements(cells, len(types), delimiter)
    fitting = [one for one in ways if _fits(one, types)]
    if len(fitting) != 1 or not _has_typed_value(fitting[0], types):
        return None
    return Placed(fitting[0], shown=all(cell.strip() for cell in fitting[0]))


def _placements(cells: list[str], width: int, delimiter: str) -> Iterator[list[str]]:
    """Yield the ways to read a long record; parts of a text begin with a blank, as other cells do not."""
    surplus = len(cells) - width
    if not any(cell.strip() for cell in cells[width:]):
        yield cells[:width]
    if all(cell.startswith(" ") for cell in cells[1:]):
        return
    for place in range(width):
        parts = cells[place : place + surplus + 1]
        if all(part.startswith(" ") and part.strip() for part in parts[1:]):
            yield [*cells[:place], delimiter.join(parts), *cells[place + surplus + 1 :]]


def _has_typed_value(cells: Sequence[str], types: Types) -> bool:
    """Whether a value shows by its form that it is in its column."""
    return any(kind is not None and not _is_missing(cell) for cell, kind in zip(cells, types, strict=True))


def _fits(cells: Sequence[str], types: Types) -> bool:
    return all(
        kind is None or _is_missing(cell) or type_of(cell.strip()) == kind
        for cell, kind in zip(cells, types, strict=True)
    )


def _is_missing(cell: str) -> bool:
    return cell.strip().lower() in MISSING
