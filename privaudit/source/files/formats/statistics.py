"""Tables of SPSS, Stata and SAS become columns.

Question: what does this data file of a statistics program hold?
Method: pyreadstat reads the file; values that have a label are shown as the label, as the programs show them. Labels of
values and variables, notes and the title of the file are text outside of the table.
Limits: the file is read at once. Values that the user declared as missing are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from privaudit.base import extras
from privaudit.base.arrow import pa
from privaudit.settings.config import Progress, Settings
from privaudit.source.cells.cell_text import scalar_text
from privaudit.source.files.formats.reader_formats import BATCH_ROWS, Stream, empty, needs_extra
from privaudit.source.input.allowed_size import check_columns
from privaudit.source.input.table import Outside
from privaudit.source.places.location import Location

_READERS = {
    ".sav": "read_sav", ".zsav": "read_sav", ".por": "read_por", ".dta": "read_dta", ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}  # fmt: skip
_BY_FORMAT = {"spss": "read_sav", "stata": "read_dta", "sas": "read_sas7bdat"}


def read_statistics(where: Location, settings: Settings, _progress: Progress) -> Stream:
    """Read a file of SPSS (.sav, .zsav, .por), Stata (.dta) or SAS (.sas7bdat, .xpt).

    Raises
    ------
    UnsupportedFormat
        If the extra is not installed.
    ScanIncomplete
        If the table has no rows.
    """
    try:
        import pyreadstat
    except ImportError:
        raise needs_extra(where, extras.STATISTICS) from None
    read = getattr(pyreadstat, _READERS.get(where.path.suffix.lower(), _BY_FORMAT[where.format]))
    found, about = read(str(where.path), output_format="dict")
    if not about.number_rows or not found:
        raise empty(where)
    check_columns(where.shown, len(found), settings)
    names = tuple(found)
    labels = about.variable_value_labels
    columns = [_column(found[name], labels.get(name, {})) for name in names]
    table = pa.table(columns, names=[f"c{i}" for i in range(len(names))])
    return Stream(
        schema=table.schema, batches=iter(table.to_batches(BATCH_ROWS)), names=names, outside=tuple(_outside(about))
    )


def _column(cells: Any, labels: Mapping[Any, str]) -> pa.Array:
    if not labels:
        with suppress(pa.ArrowException, TypeError, ValueError):
            return pa.array(cells, from_pandas=True)
    return pa.array([scalar_text(labels.get(cell, cell)) for cell in cells], pa.large_string())


def _outside(about: Any) -> Iterator[Outside]:
    """Yield the labels, notes and title of a file."""
    labels = (str(label) for values in about.variable_value_labels.values() for label in values.values())
    texts = (about.file_label, *(about.notes or ()), *about.column_labels, *labels)
    yield from (Outside("metadata", text) for text in dict.fromkeys(texts) if text)
