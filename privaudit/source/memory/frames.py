"""Tables that already live in Python become Arrow tables.

Question: what does this object hold?
Method: Arrow's own interfaces where the object has them; pandas column by column, so that repeated names, an index
that has a name and columns of mixed Python objects all survive. A stream is read once: its batches stay as they are,
and rows beyond their share of the memory go to the embedded engine.
Limits: an Ibis expression is computed on its engine and fetched whole, and a lazy frame of Polars likewise.
"""

from __future__ import annotations

import sys
from typing import Any

from privaudit.base.arrow import pa
from privaudit.base.errors import EngineError, UnreadableSource, UnsupportedFormat, foreign_errors_as
from privaudit.model import Limit, limit
from privaudit.model.wording import Number
from privaudit.settings.config import Settings
from privaudit.source.cells.cell_text import scalar_text
from privaudit.source.engine.spool import collect
from privaudit.source.input.allowed_size import check_columns
from privaudit.source.input.table import Read, statements_of


def read_frame(source: object, settings: Settings) -> tuple[Read, str]:
    """Return the table an object holds and the name of its kind.

    Raises
    ------
    UnsupportedFormat
        If the object is not a table.
    UnreadableSource, EngineError
        If it is one but cannot be turned into Arrow, or its engine fails.
    """
    limits: list[Limit] = []
    if _is(source, "pandas", "DataFrame"):
        table, limits = _from_pandas(source)
        return Read(table, tuple(table.column_names), tuple(limits)), "pandas"
    if _is(source, "ibis", "Table"):
        return _read(_from_ibis(source)), "ibis"
    if _is(source, "pyspark.sql", "DataFrame"):
        from privaudit.source.servers.spark import read_frame as read_spark

        return read_spark(source, settings), "spark"
    library = type(source).__module__.split(".")[0].strip("_")
    if library == "polars":
        return _read(_from_polars(source)), "polars"
    if isinstance(source, pa.Table):
        return _read(source), "arrow"
    if hasattr(source, "__arrow_c_stream__"):
        kind = "duckdb" if library == "duckdb" else "arrow"
        return _from_stream(source, kind, settings), kind
    raise UnsupportedFormat(
        f"An object of type {type(source).__name__} is not a table.",
        hint="give a path, or a pandas, Polars, PyArrow or Ibis table, or anything with __arrow_c_stream__",
    )


def _is(source: object, module: str, name: str) -> bool:
    """Return whether `source` is of a library's class without importing the library."""
    loaded = sys.modules.get(module)
    kind = getattr(loaded, name, None)
    if kind is None and module == "ibis" and loaded is not None:
        kind = loaded.expr.types.Table
    return kind is not None and isinstance(source, kind)


def _read(table: pa.Table) -> Read:
    with foreign_errors_as(_broken):
        table.validate(full=True)
    return Read(table, tuple(table.column_names), stated=statements_of(table.schema))


def _unreadable(what: str) -> UnreadableSource:
    return UnreadableSource(f"The {what} object cannot be read as a table.", hint="give a frame of columns")


def _from_polars(source: Any) -> pa.Table:
    with foreign_errors_as(lambda: _unreadable("polars")):
        return pa.RecordBatchReader.from_stream(_plain_polars(source)).read_all()


def _from_stream(source: Any, what: str, settings: Settings) -> Read:
    """Return the rows of a stream, as they arrive or on the embedded engine."""
    with foreign_errors_as(lambda: _unreadable(what)):
        stream = pa.RecordBatchReader.from_stream(source)
        check_columns("The table", len(stream.schema), settings)
        checked = pa.RecordBatchReader.from_batches(stream.schema, map(_checked, stream))
        table = collect(checked, settings, as_arrived=True)
    return Read(table, tuple(stream.schema.names), stated=statements_of(stream.schema))


def _checked(batch: pa.RecordBatch) -> pa.RecordBatch:
    with foreign_errors_as(_broken):
        batch.validate(full=True)
    return batch


def _broken() -> UnreadableSource:
    return UnreadableSource("The Arrow table breaks the rules of its own format.")


def _plain_polars(source: Any) -> Any:
    """Return an eager frame without the two types whose Arrow form would lose what they hold."""
    polars = sys.modules["polars"]
    if hasattr(source, "collect"):
        source = source.collect()
    if not hasattr(source, "columns"):
        source = source.to_frame()
    if polars.Object in source.dtypes:  # Arrow would get addresses of memory
        raise UnreadableSource("The polars frame holds Python objects.", hint="cast the column to a type of its own")
    wide = [name for name, kind in source.schema.items() if kind in (polars.Int128, getattr(polars, "UInt128", None))]
    return source.with_columns(polars.col(wide).cast(polars.String)) if wide else source


def _from_ibis(source: Any) -> pa.Table:
    from ibis.common.exceptions import IbisError

    duckdb_error = getattr(sys.modules.get("duckdb"), "Error", IbisError)
    try:
        return source.to_pyarrow()
    except (IbisError, duckdb_error):
        raise EngineError("The engine could not compute the Ibis table.") from None


def _from_pandas(frame: Any) -> tuple[pa.Table, list[Limit]]:
    import pandas as pd

    names = ["" if name is None else str(name) for name in frame.columns]
    unreadable: list[None] = []
    columns = [_pandas_column(frame.iloc[:, i], unreadable) for i in range(frame.shape[1])]
    limits = []
    named = [i for i, name in enumerate(frame.index.names) if name is not None]
    if named:
        index = frame.index.to_frame(index=False)
        columns = [*(_pandas_column(index.iloc[:, i], unreadable) for i in named), *columns]
        names = [*(str(frame.index.names[i]) for i in named), *names]
        limits.append(limit("source.index_as_column"))
    if len(named) < frame.index.nlevels and not isinstance(frame.index, pd.RangeIndex):
        limits.append(limit("source.index_not_read"))
    if unreadable:
        limits.append(limit("source.unreadable_cells", incomplete=True, cells=Number(len(unreadable))))
    if not all(name.encode("utf-8", "ignore").decode() == name for name in names):
        raise UnreadableSource("A column of the frame has a name that is not valid Unicode.", hint="rename it")
    return pa.table(columns, names=names), limits


def _pandas_column(series: Any, unreadable: list[None]) -> pa.ChunkedArray:
    import pandas as pd

    try:
        kind = series.dtype.categories.dtype if isinstance(series.dtype, pd.CategoricalDtype) else series.dtype
        spans = isinstance(kind, (pd.PeriodDtype, pd.IntervalDtype))  # their text form represents them
        found = _objects(series, unreadable) if spans else pa.Array.from_pandas(series)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        found = _objects(series, unreadable)
    return found if isinstance(found, pa.ChunkedArray) else pa.chunked_array([found])


def _objects(series: Any, unreadable: list[None]) -> pa.Array:
    """Turn a column of mixed Python objects to text one by one."""
    missing = series.isna().to_numpy()
    cells = series.astype(object).tolist()
    try:
        text = [None if gone else _text_of(cell, unreadable) for cell, gone in zip(cells, missing, strict=True)]
    except UnicodeEncodeError:
        raise UnreadableSource("A column of the frame holds text that is not valid Unicode.") from None
    return pa.array(text, pa.large_string())


def _text_of(cell: Any, unreadable: list[None]) -> str | None:
    """Return the text of a cell; None, and one more that is unreadable, where the object has none."""
    if isinstance(cell, str):
        return scalar_text(cell)
    try:
        with foreign_errors_as(_broken):
            return scalar_text(cell)
    except UnreadableSource:
        unreadable.append(None)
        return None
