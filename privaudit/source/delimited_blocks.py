"""Delimited text that may not fit in memory, block by block.

Question: how is a CSV file read that is larger than the memory of a reader?
Method: the rules of `privaudit.source.delimited`, in two passes: the first checks every record and counts the skipped
ones, the second hands on blocks of records. No more than some blocks are in memory.
Limits: takes twice the time of reading at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from privaudit.config import Progress, Settings, silent
from privaudit.source import delimited
from privaudit.source.caps import check, check_columns, text_in_memory
from privaudit.source.dialect import Dialect
from privaudit.source.encoding import open_utf8
from privaudit.source.location import Location
from privaudit.source.reader_formats import Stream

COMPRESSED_TIMES = 10
"""How many times larger than the file a compressed table is assumed to be."""
SHARE_AT_ONCE = 0.4
"""Share of the text that may be in memory up to which a file is read at once."""


def is_too_large(where: Location, settings: Settings) -> bool:
    """Whether the text of a file may exceed its share of the memory."""
    times = COMPRESSED_TIMES if where.compression else 1
    return where.path.stat().st_size * times > text_in_memory(settings) * SHARE_AT_ONCE


@dataclass(slots=True)
class _Pass:
    """What a pass over the records found."""

    block: int
    n_rows: int = 0
    n_skipped: int = 0
    last: str | None = None


def stream_delimited(where: Location, settings: Settings, progress: Progress = silent) -> Stream:
    """Return the records of a CSV or TSV file in blocks.

    Parameters and errors are those of `privaudit.source.delimited.read_delimited`.
    """
    import pyarrow as pa

    progress(f"Reading {where.shown}", None)
    dialect, offset = delimited.find_dialect(where, settings)
    check_columns(where.shown, dialect.width, settings)
    checked = _check(where, settings, dialect, offset)
    delimited.check_last_quote(checked.last, where, settings, dialect)
    return Stream(
        schema=pa.schema([(f"c{i}", pa.string()) for i in range(dialect.width)]),
        batches=_blocks(where, settings, dialect, offset, checked.block, lambda _: "skip"),
        names=delimited.names_of(dialect),
        limits=delimited.limits_of(dialect, checked.n_skipped, checked.n_rows),
        outside=delimited.text_above(dialect),
    )


def _check(where: Location, settings: Settings, dialect: Dialect, offset: int) -> _Pass:
    """Read every record once."""
    import pyarrow as pa

    block = delimited.BLOCK_BYTES
    while True:
        found = _Pass(block)

        def on_ragged(_row: Any, found: _Pass = found) -> str:
            found.n_skipped += 1
            return "skip" if settings.bad_rows == "skip" else "error"

        try:
            with delimited.no_unraisable():
                for batch in _blocks(where, settings, dialect, offset, block, on_ragged):
                    if batch.num_rows:
                        found.n_rows += batch.num_rows
                        found.last = batch.column(dialect.width - 1)[-1].as_py()
            return found
        except (pa.ArrowInvalid, OSError) as problem:
            # Arrow's message quotes cells; it is read but never shown.
            if "straddling" not in str(problem):
                raise delimited.explain(where, settings, dialect, ragged=bool(found.n_skipped)) from None
            check(where.shown, "cell-bytes", block, settings, "bytes or more in one record")
            block *= 16


def _blocks(
    where: Location, settings: Settings, dialect: Dialect, offset: int, block: int, on_ragged: Callable[[Any], str]
) -> Iterator[Any]:
    import pyarrow.csv

    stream, _ = open_utf8(where, settings.encoding)
    try:
        stream.read(offset)
        yield from pyarrow.csv.open_csv(stream, **delimited.options(dialect, settings, block, on_ragged))
    finally:
        stream.close()
