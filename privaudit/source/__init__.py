"""One door: a path, a frame or a database table becomes a `Dataset`."""

from __future__ import annotations

import os

from privaudit.config import Progress, Settings, silent
from privaudit.errors import ScanIncomplete
from privaudit.model import limit
from privaudit.source.arrow import from_arrow
from privaudit.source.caps import check_columns
from privaudit.source.dataset import Dataset, Frequencies
from privaudit.source.location import shown_source
from privaudit.source.table import Read
from privaudit.wording import Term

__all__ = ["Dataset", "Frequencies", "from_arrow", "open_dataset", "shown_source"]


def open_dataset(source: object, settings: Settings, *, progress: Progress = silent) -> Dataset:
    """Open a table, whatever it comes from.

    Parameters
    ----------
    source : path, str or frame
        A file (CSV, TSV, JSONL, also .gz and .zst of these; Parquet, Arrow IPC, Feather, Excel, SQLite, DuckDB, the
        last three with ``#name`` of a sheet or table), a folder or pattern of parts of one table, a pandas, Polars,
        PyArrow or Ibis table, or anything with ``__arrow_c_stream__``. A `Dataset` is returned as it is.
    settings : Settings
        `delimiter`, `encoding`, `header` and `bad_rows` override what is detected; `threads` and `memory` bound the
        engine.

    Returns
    -------
    Dataset
        Every column text; empty and blank cells missing in every format. Close it, or use it in a ``with``.

    Raises
    ------
    UnreadableSource, UnsupportedFormat
        If there is no such file, it is damaged, ragged or of no known format.
    ScanIncomplete
        If the table has no rows or no columns.
    """
    if isinstance(source, Dataset):
        return source
    if isinstance(source, (str, os.PathLike)):
        from privaudit.source.files import read_path

        found, name, format_ = read_path(source, settings, progress)
        progress("Reading", 1.0)
        return _dataset(found, name, format_, settings)
    from privaudit.source.frames import read_frame

    found, format_ = read_frame(source)
    check_columns("The table", found.table.num_columns, settings)
    return _dataset(found, "table", format_, settings)


def _dataset(found: Read, name: str, format_: str, settings: Settings) -> Dataset:
    if found.table.num_columns == 0 or found.table.num_rows == 0:
        what = "columns" if found.table.num_columns == 0 else "rows"
        raise ScanIncomplete(
            f"The table has no {what}, so nothing could be assessed.", hint="was the right one named?"
        )
    table = found.table.rename_columns([name or "" for name in found.names])
    shown, personal = shown_source(name)
    named = () if personal is None else (limit("source.personal_source_name", part=Term(code=personal)),)
    dataset = from_arrow(
        table,
        name=shown,
        format=format_,
        settings=settings,
        limits=(*found.limits, *named),
        declared=dict(found.declared),
    )
    dataset.outside = found.outside
    if dataset.is_blank():
        dataset.limits += (limit("source.only_blanks", incomplete=True),)
    return dataset
