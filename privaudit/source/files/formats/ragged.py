"""Records with more or fewer cells than the header: which cell belongs to which column?

Question: at which places are the cells of such a record values of their columns?
Method: every placement is tried: of a short record, missing cells at any places; of a long one, the record without the
empty cells at its end, or with neighbouring cells put together again, as the parts of a text with a separator and a
blank that nobody quoted. A placement fits if each value has the type of its column, by the form of the values of other
records. If one placement fits, it is shown by the values. Of several for a short record, that with the missing cells
at the end is taken, because programs omit empty cells at the end of a record, and is an assumption.
Limits: a column has a type if nearly all of its values have it, text included. A record without a value in a column of
another type than text has no placement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from privaudit.source.files.formats.first_row import ALL, MISSING, common_type, type_of

MOST_WIDTH = 500
"""Most columns of a table of which placements are tried: their number and cost grow with the width."""
Types = Sequence[tuple[bool, str | None]]
"""Of each column, whether nearly all values have one type, and that type, None for text."""


class Placed(NamedTuple):
    """A cell for each column, and whether the values show that these are their columns."""

    cells: list[str]
    shown: bool


def types_of(body: Sequence[Sequence[str]], width: int) -> Types:
    """Return the types of the columns of records that have a cell for each."""
    found = []
    for column in zip(*body, strict=True) if body else [()] * width:
        present = [cell.strip() for cell in column if not _is_missing(cell)]
        kind, share = common_type(present)
        found.append((bool(present) and share >= ALL, kind))
    return found


def placed(cells: list[str], types: Types, delimiter: str) -> Placed | None:
    """Return the cells of a record by column, None where no placement fits, or several of a long record do."""
    if len(types) > MOST_WIDTH:
        return None
    found = _of_short(cells, types) if len(cells) < len(types) else _of_long(cells, types, delimiter)
    return found if found is not None and _evidence(found.cells, types) else None


def _of_short(cells: list[str], types: Types) -> Placed | None:
    """Place each cell in the first column that it fits, and in the last: one placement fits if both are the same."""
    first = _leftmost(cells, types)
    last = _leftmost(cells[::-1], types[::-1])
    if first is None or last is None:
        return None
    if first == last[::-1]:
        return Placed(first, shown=True)
    return Placed(first, shown=False) if first[: len(cells)] == cells else None


def _leftmost(cells: Sequence[str], types: Types) -> list[str] | None:
    """Return the cells in their order, each in the first column that it fits; None where not all have one."""
    left = iter(cells)
    cell = next(left, None)
    found = []
    for one in types:
        fits = cell is not None and _fits([cell], [one])
        found.append(cell if cell is not None and fits else "")
        cell = next(left, None) if fits else cell
    return found if cell is None else None


def _of_long(cells: list[str], types: Types, delimiter: str) -> Placed | None:
    fitting = [one for one in _placements(cells, len(types), delimiter) if _fits(one, types)]
    return Placed(fitting[0], shown=True) if len(fitting) == 1 else None


def _evidence(cells: Sequence[str], types: Types) -> int:
    """Return how many values have the type of their column, another than text."""
    return sum(
        one and kind is not None and not _is_missing(cell) for cell, (one, kind) in zip(cells, types, strict=True)
    )


def _placements(cells: list[str], width: int, delimiter: str) -> Iterator[list[str]]:
    """Yield the placements of a long record; parts of a text begin with a blank, as other cells do not."""
    surplus = len(cells) - width
    if not any(cell.strip() for cell in cells[width:]):
        yield cells[:width]
    if all(cell.startswith(" ") for cell in cells[1:]):
        return
    for place in range(width):
        parts = cells[place : place + surplus + 1]
        if all(part.startswith(" ") and part.strip() for part in parts[1:]):
            yield [*cells[:place], delimiter.join(parts), *cells[place + surplus + 1 :]]


def _fits(cells: Sequence[str], types: Types) -> bool:
    return all(
        not one or _is_missing(cell) or type_of(cell.strip()) == kind
        for cell, (one, kind) in zip(cells, types, strict=True)
    )


def _is_missing(cell: str) -> bool:
    return cell.strip().lower() in MISSING
