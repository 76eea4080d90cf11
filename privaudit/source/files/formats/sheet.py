"""The cells of a worksheet become columns of text.

Question: where in this sheet does the table begin, and what do its cells contain?
Method: empty rows at either end are ignored; rows above the table and the header are recognised as in delimited
text. Whole numbers are plain digits, since a sheet knows no integers.
Limits: merged cells hold their value once, at the top left.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.model import Limit, limit
from privaudit.model.wording import Number
from privaudit.source.cells.cell_text import scalar_text
from privaudit.source.files.formats.dialect import are_rows, n_above, n_below
from privaudit.source.files.formats.first_row import is_header
from privaudit.source.input.table import Outside

SAMPLE_ROWS = 2000


@dataclass(frozen=True, slots=True)
class Sheet:
    """Text columns, with names, declared data types and the text of rows above and below the table."""

    table: pa.Table
    names: tuple[str | None, ...]
    declared: tuple[tuple[int, str], ...]
    limits: tuple[Limit, ...]
    around: tuple[Outside, ...] = ()


def to_columns(rows: Sequence[Sequence[Any]], *, header: bool | None) -> Sheet | None:
    """Return the table that `rows` hold, None where no row holds anything."""
    texts = [[scalar_text(_day(value)) for value in row] for row in rows]
    first, end = _filled(texts)
    if first == end:
        return None
    sample = [[cell or "" for cell in row] for row in texts[first : min(end, first + SAMPLE_ROWS)]]
    start = n_above(sample, len(sample[0]))
    named = is_header(sample[start], sample[start + 1 :]) if header is None else header
    width = len(texts[first])
    table_end = end - n_below([[cell or "" for cell in row] for row in texts[first + start + named : end]], width)
    body = slice(first + start + named, table_end)
    names = texts[first + start] if named else [f"column_{i + 1}" for i in range(width)]
    columns = list(zip(*texts[body], strict=True)) or [()] * width
    kinds = [_kind(cells) for cells in zip(*rows[body], strict=True)]
    table = pa.table([pa.array(cells, pa.string()) for cells in columns], names=[f"c{i}" for i in range(width)])
    declared = tuple((i, kind) for i, kind in enumerate(kinds) if kind is not None)
    outside = (("above", texts[first : first + start]), ("below", texts[table_end:end]))
    around = tuple(Outside(place, " ".join(filter(None, row))) for place, rows in outside for row in rows)
    return Sheet(table, tuple(names), declared, tuple(_limits(sample[:start], end - table_end, named)), around)


def _limits(above: Sequence[Sequence[str]], below: int, named: bool) -> Iterator[Limit]:
    if are_rows(above):
        yield limit("source.table_above", incomplete=True, rows=Number(len(above)))
    elif above:
        yield limit("source.preamble_rows", rows=Number(len(above)))
    if below:
        yield limit("source.rows_below", rows=Number(below))
    if not named:
        yield limit("source.header_missing")


def _day(value: Any) -> Any:
    """Return a date without a time of day as a date: sheets store both alike."""
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date()
    return value


def _filled(texts: Sequence[Sequence[str | None]]) -> tuple[int, int]:
    """Return the first row that holds anything and the one after the last."""
    filled = [i for i, row in enumerate(texts) if any(cell is not None for cell in row)]
    return (filled[0], filled[-1] + 1) if filled else (0, 0)


def _kind(cells: Sequence[Any]) -> str | None:
    """Return the kind that the values of a column declare, None for text or a mixture."""
    types = {type(value) for value in cells if value is not None and value != ""}
    if types and types <= {int, float}:
        whole = all(float(value).is_integer() for value in cells if isinstance(value, (int, float)))
        return "integer" if whole else "decimal"
    only = {bool: "boolean", datetime.date: "date", datetime.datetime: "timestamp", datetime.time: "time"}
    return only.get(types.pop()) if len(types) == 1 else None
