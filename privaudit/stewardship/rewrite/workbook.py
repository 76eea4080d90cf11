"""Write workbooks (.xlsx) anew.

Question: how does a worksheet lose some rows, and the workbook every other trace of them?
Method: the workbook is loaded and saved again, which writes shared strings and properties anew; rows are deleted from
below. The data rows of a sheet are the last ones of it, as the reader sees them.
Links, heights and hidden rows move with their rows.
Limits: charts, pictures, macros and pivot tables would be lost, and a pivot table keeps a copy of the rows; formulas
and merged cells would refer to other rows: a workbook with one of them is refused. Conditional formats, validations
and tables keep their ranges.
"""

from __future__ import annotations

import zipfile
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from privaudit.base.errors import UnsupportedFormat
from privaudit.base.extras import EXCEL, needing
from privaudit.settings.config import Settings
from privaudit.source.places.location import Location
from privaudit.stewardship import stores
from privaudit.stewardship.changes import Change
from privaudit.stewardship.rewrite.text_files import native

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_LOST = ("xl/charts/", "xl/media/", "xl/drawings/", "xl/pivot", "xl/vbaProject", "xl/externalLinks/", "xl/embeddings/")


def rewrite_excel(where: Location, changes: Mapping[str, Change], target: Path, settings: Settings) -> None:
    """Write a workbook without the deleted rows, and with replaced cells.

    Raises
    ------
    UnsupportedFormat
        For another format than .xlsx, or a workbook with parts that would be lost.
    """
    if where.path.suffix.lower() != ".xlsx":
        raise UnsupportedFormat(f"{where.shown}: only .xlsx workbooks are written.", hint="save it as .xlsx")
    with zipfile.ZipFile(where.path) as parts:
        if any(part.startswith(_LOST) for part in parts.namelist()):
            raise UnsupportedFormat(
                f"{where.shown} contains charts, pictures, macros or pivot tables, which would be lost.",
                hint="remove them, or erase the rows by hand and confirm it",
            )
    with needing(EXCEL, "Writing workbooks"):
        import openpyxl
    book = openpyxl.load_workbook(where.path)
    if any(_has_formulas(sheet) for sheet in book.worksheets):
        raise UnsupportedFormat(
            f"{where.shown} contains formulas, which would refer to other rows.",
            hint="replace the formulas by their values, or erase the rows by hand and confirm it",
        )
    for name in book.sheetnames:
        change = changes.get(name)
        if change is not None:
            _change(book[name], change, *_extent(where, name, settings))
    book.save(target)
    book.close()


def _extent(where: Location, name: str, settings: Settings) -> tuple[int, tuple[str, ...]]:
    """Return the number of data rows of a sheet, and its columns."""
    from privaudit.source import open_dataset

    with open_dataset(stores.table_source(str(where.path), name), settings) as dataset:
        return dataset.n_rows, dataset.columns


def _has_formulas(sheet: Worksheet) -> bool:
    return any(cell.data_type == "f" for row in sheet.iter_rows() for cell in row)


def _change(sheet: Worksheet, change: Change, n_rows: int, columns: tuple[str, ...]) -> None:
    filled = [row[0].row for row in sheet.iter_rows() if any(cell.value is not None for cell in row)]
    first = max(filled) - n_rows + 1
    if change.delete and any(merged.max_row >= first for merged in sheet.merged_cells.ranges):
        raise UnsupportedFormat(
            "A worksheet contains merged cells next to its data, which would merge other rows.",
            hint="divide the cells, or erase the rows by hand and confirm it",
        )
    offset = min(cell.column for row in sheet.iter_rows() for cell in row if cell.value is not None)
    for column, cells in change.cells.items():
        for row, replacement in cells.items():
            cell = sheet.cell(first + row, offset + columns.index(column))
            cell.value = native(cell.value, replacement)
            cell.comment = cell.hyperlink = None
    gone = [first + row for row in sorted(change.delete)]
    _delete(sheet, gone)
    _move_what_rows_have(sheet, gone)


def _delete(sheet: Worksheet, gone: Sequence[int]) -> None:
    """Delete rows, and move each cell once: `delete_rows` moves all cells below for each of the rows."""
    deleted, cells = set(gone), sheet._cells
    sheet._cells = {}
    for (row, column), cell in sorted(cells.items()):
        if row not in deleted:
            cell.row = row - bisect_left(gone, row)
            sheet._cells[cell.row, column] = cell


def _move_what_rows_have(sheet: Worksheet, gone: Sequence[int]) -> None:
    """Move links, heights and whether a row is hidden, which openpyxl leaves where they were."""
    for row in sheet.iter_rows():
        for cell in row:
            if cell.hyperlink:
                cell.hyperlink.ref = cell.coordinate
    before, deleted = dict(sheet.row_dimensions), set(gone)
    sheet.row_dimensions.clear()
    for number, described in before.items():
        if number not in deleted:
            described.index = number - bisect_left(gone, number)
            sheet.row_dimensions[described.index] = described
