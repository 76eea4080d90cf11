"""Open a path, a data frame or a database table as a `Dataset`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from privaudit.base.arrow import pa
from privaudit.base.errors import ScanIncomplete
from privaudit.model import limit
from privaudit.model.wording import Term
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.dataset import Dataset, Frequencies
from privaudit.source.input.allowed_size import check_columns, nothing_held
from privaudit.source.input.table import Read
from privaudit.source.memory.arrow import from_arrow, from_engine
from privaudit.source.places.addresses import address_of, read_remote
from privaudit.source.places.location import Location, has_personal_folder, shown_source

__all__ = ["Dataset", "Frequencies", "from_arrow", "open_dataset", "shown_source"]


def open_dataset(source: object, settings: Settings, *, progress: Progress = silent, whole: bool = False) -> Dataset:
    """Open a table, whatever it comes from.

    Parameters
    ----------
    source : path, str or frame
        A file (CSV, TSV, JSONL, also .gz and .zst of these; Parquet, Arrow IPC, Feather, Excel, SQLite, DuckDB, the
        last three with ``#name`` of a sheet or table), a folder or pattern with one table, an address
        (``postgresql://host/database?table=schema.name``), a pandas, Polars, PyArrow or Ibis table, or anything with
        ``__arrow_c_stream__``. A `Dataset` is returned as it is.
    settings : Settings
        `delimiter`, `encoding`, `header` and `bad_rows` override what is detected; `threads` and `memory` bound the
        engine; `parts` states which folders and patterns are one table.
    progress : callable, optional
    whole : bool, default False
        Whether the files of a folder or pattern are one table without a statement: those of an auxiliary table, which
        is not judged.

    Returns
    -------
    Dataset
        Every column text; empty and blank cells missing in every format. Close it, or use it in a ``with``.

    Raises
    ------
    UnreadableSource, UnsupportedFormat
        If the file does not exist, is damaged or ragged, or has an unknown format.
    ScanIncomplete
        If the table has no rows or no columns.
    """
    if isinstance(source, Dataset):
        return source
    address = address_of(source)
    if address is not None:
        progress("Reading the table", None)
        found, engine = read_remote(address, settings)
        progress("Reading", 1.0)
        return _dataset(found, address.shown, address.format, settings, engine)
    if isinstance(source, (str, os.PathLike)):
        from privaudit.source.files.paths import read_path

        found, name, format_ = read_path(source, settings, progress, whole=whole)
        progress("Reading", 1.0)
        return _dataset(found, name, format_, settings)
    from privaudit.source.memory.frames import read_frame

    found, format_ = read_frame(source, settings)
    check_columns("The table", len(found.names), settings)
    return _dataset(found, "table", format_, settings, "spark" if format_ == "spark" else "duckdb")


def open_parts(parts: Sequence[Location], settings: Settings) -> Iterator[tuple[str, Dataset]]:
    """Yield the parts of a table with rows, each as a table with the name that may be shown.

    A part of a Hive table has its number instead of a name: names of its folders are values of the table.
    """
    from privaudit.source.files.readers.reader_client import read_files

    for number, where in enumerate(parts, start=1):
        found = read_files([where], settings)
        shown = f"part {number}" if where.keys else where.shown
        try:
            part = _dataset(found, where.name, where.format, settings)
        except ScanIncomplete:
            continue
        yield shown, part


def _dataset(found: Read, name: str, format_: str, settings: Settings, engine: str = "duckdb") -> Dataset:
    """Return what a reader found as a `Dataset`; free its engine, connection or view where that is not possible."""
    with ExitStack() as unless_opened:
        unless_opened.callback(getattr(found.table, "close", lambda: None))
        dataset = _opened(found, name, format_, settings, engine)
        unless_opened.pop_all()
    return dataset


def _opened(found: Read, name: str, format_: str, settings: Settings, engine: str) -> Dataset:
    table = found.table
    n_rows = table.num_rows if isinstance(table, pa.Table) else table.n_rows
    if not found.names or n_rows == 0:
        raise nothing_held("columns" if not found.names else "rows")
    names = [name or "" for name in found.names]
    shown, personal = shown_source(name)
    personal = personal or ("folder" if has_personal_folder(name) else None)
    named = () if personal is None else (limit("source.personal_source_name", part=Term(personal)),)
    limits = (*found.limits, *named)
    if isinstance(table, pa.Table):
        dataset = from_arrow(
            table.rename_columns(names).replace_schema_metadata(table.schema.metadata),
            name=shown,
            format=format_,
            settings=settings,
            limits=limits,
            declared=dict(found.declared),
        )
    else:
        kinds = dict(found.declared)
        dataset = from_engine(
            table, names=names, name=shown, format=format_, engine=engine, limits=limits, declared=kinds
        )
    dataset.outside = found.outside
    dataset.parts = found.parts
    dataset.stated = tuple((dataset.columns[i], key, text) for i, key, text in found.stated)
    if dataset.is_blank():
        dataset.limits += (limit("source.only_blanks", incomplete=True),)
    return dataset
