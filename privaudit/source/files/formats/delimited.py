"""Delimited text becomes an Arrow table of text: every cell as it is written, every record checked.

Question: what exactly does this CSV file contain?
Method: encoding and dialect are determined from the first megabyte, then Arrow's reader runs with that dialect and
without any inference: leading zeros, long numbers and words such as NA are unchanged. It reads block by block, and no
more than some blocks are in memory. A record with a different number of cells is an error with its row number, or is
skipped and counted if requested.
Limits: rows are counted as a spreadsheet does, from 1, lines before the table and header included; blank lines are
not rows, except in a table of one column, where they are missing cells.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from privaudit.base.arrow import pa
from privaudit.base.errors import PrivauditError, ScanIncomplete, UnreadableSource
from privaudit.base.records import dataclass
from privaudit.model import Limit, limit
from privaudit.model.wording import Count, Number
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.files.formats.dialect import SAMPLE_CHARS, Dialect, detect, long_fields
from privaudit.source.files.formats.encoding import damaged, decode_head, first_bad_line, not_utf8, open_utf8, read
from privaudit.source.files.formats.reader_formats import Stream
from privaudit.source.input.allowed_size import check, check_columns
from privaudit.source.input.table import Outside
from privaudit.source.places.location import Location

BLOCK_BYTES = 1 << 23


def read_delimited(where: Location, settings: Settings, progress: Progress = silent) -> Stream:
    """Read a CSV or TSV file block by block.

    Raises
    ------
    UnreadableSource
        If a record has another number of cells than the header, a quote is never closed, or a byte is not text; raised
        when the block with it is read.
    ScanIncomplete
        If the file holds no record.
    """
    progress(f"Reading {where.shown}", None)
    dialect, offset = find_dialect(where, settings)
    check_columns(where.shown, dialect.width, settings)
    file = _File(where, settings, dialect, offset)
    return Stream(
        schema=pa.schema([(f"c{i}", pa.string()) for i in range(dialect.width)]),
        batches=file.batches(),
        names=names_of(dialect),
        outside=tuple(Outside("above", text) for text in dialect.above),  # the lines before the header
        limits_at_end=file.limits,
    )


@dataclass(slots=True)
class _File:
    """A file with its dialect and the bytes before its data, and what the blocks that were read contain.

    ``last`` is the last cell.
    """

    where: Location
    settings: Settings
    dialect: Dialect
    offset: int
    n_rows: int = 0
    n_skipped: int = 0
    last: str | None = None

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every record, each block checked; the counts are complete after the last."""
        block = BLOCK_BYTES
        while True:
            n_sent, self.n_rows, self.n_skipped = self.n_rows, 0, 0
            try:
                with no_unraisable():
                    for batch in self._blocks(block):
                        new = batch.slice(max(0, n_sent - self.n_rows))
                        self.n_rows += batch.num_rows
                        if new.num_rows:
                            self.last = new.column(self.dialect.width - 1)[-1].as_py()
                            yield new
                break
            except (pa.ArrowInvalid, OSError) as problem:
                # Arrow's message quotes cells; it is read but never shown.
                if "straddling" not in str(problem):
                    raise self._explained() from None
                check(self.where.shown, "cell-bytes", block, self.settings, "bytes or more in one record")
                block *= 16
                self.n_rows = max(self.n_rows, n_sent)
        self._check_last_quote()

    def _blocks(self, block: int) -> Iterator[pa.RecordBatch]:
        import pyarrow.csv

        def on_ragged(_row: Any) -> str:
            self.n_skipped += 1
            return "skip" if self.settings.bad_rows == "skip" else "error"

        stream, _ = open_utf8(self.where, self.settings.encoding)
        try:
            stream.read(self.offset)
            yield from pyarrow.csv.open_csv(stream, **options(self.dialect, block, on_ragged))
        finally:
            stream.close()

    def _explained(self) -> PrivauditError:
        """Find the record that Arrow's reader rejected: exact, but slow."""
        where, dialect = self.where, self.dialect
        if not self.n_skipped:  # no record had another number of cells
            stream, _ = open_utf8(where, self.settings.encoding)
            with stream:
                line = first_bad_line(stream, where)
            if line is not None:
                return not_utf8(where, line)
        n_data = 0
        try:
            for record, line, cells in self._records():
                n_data += line > dialect.lines_before
                if line > dialect.lines_before and len(cells) != dialect.width:
                    return UnreadableSource(
                        f"Row {record:,} of {where.shown} (line {line:,}) has {_cells(len(cells))}, "
                        f"expected {dialect.width}.",
                        hint="fix the row, or use --bad-rows skip to count and skip such rows",
                    )
        except (csv.Error, OSError, ValueError):
            return damaged(where)
        if n_data:
            return damaged(where)
        return ScanIncomplete(f"{where.shown} holds a header and no rows.", hint="was it written completely?")

    def _records(self, after: tuple[str, ...] = ()) -> Iterator[tuple[int, int, list[str]]]:
        """Yield number, first line and cells of every record, then of the lines `after` the end of the file."""
        dialect = self.dialect
        stream, _ = open_utf8(self.where, self.settings.encoding)
        with stream, long_fields():
            text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
            reader = csv.reader(
                itertools.chain(text, after),
                delimiter=dialect.delimiter,
                quotechar=dialect.quote,
                escapechar=dialect.escape,
            )
            record, before = 0, 0
            for cells in reader:
                if cells or dialect.width == 1:
                    record += 1
                    yield record, before + 1, cells or [""]
                before = reader.line_num

    def _check_last_quote(self) -> None:
        """Refuse a file whose last cell swallowed the rest of it because a quote is never closed."""
        if self.last is None or ("\n" not in self.last and "\r" not in self.last):
            return
        mark = "end of file"  # a record of its own unless a quote is still open
        record, line, cells = 0, 0, [""]
        for record, line, cells in self._records(after=("\n", mark)):  # noqa: B007
            pass
        if cells != [mark]:
            raise UnreadableSource(
                f"A quote opened in row {record:,} of {self.where.shown} (line {line:,}) is never closed.",
                hint="close it, or name the right file",
            )

    def limits(self) -> tuple[Limit, ...]:
        """Return what was skipped or assumed, when all was read."""
        dialect, limits = self.dialect, []
        if dialect.n_preamble:
            limits.append(limit("source.preamble_lines", lines=Number(dialect.n_preamble)))
        if dialect.names is None:
            limits.append(limit("source.header_missing"))
        if dialect.shifted:
            # A name next to the wrong column misleads detection: which columns were judged by their names is not known.
            limits.append(limit("source.header_shifted", incomplete=True))
        elif dialect.row_names:
            limits.append(limit("source.header_too_short"))
        if self.n_skipped:
            rows = Count(self.n_skipped, of=self.n_skipped + self.n_rows, unit="row")
            limits.append(limit("source.ragged_rows", incomplete=True, rows=rows))
        # A table of one column whose header looks like the header of several columns.
        if dialect.names is not None and len(dialect.names) == 1 and re.search(r"[,;\t|]", dialect.names[0]):
            limits.append(limit("source.one_column", incomplete=True))
        return tuple(limits)


def names_of(dialect: Dialect) -> tuple[str | None, ...]:
    """Return the names of the columns, numbered where the file has no header."""
    return dialect.names or tuple(f"column_{i + 1}" for i in range(dialect.width))


def find_dialect(where: Location, settings: Settings) -> tuple[Dialect, int]:
    """Return the dialect and the number of UTF-8 bytes before the data."""
    stream, _ = open_utf8(where, settings.encoding)
    content = read(stream, SAMPLE_CHARS, where)
    whole = len(content) < SAMPLE_CHARS
    stream.close()
    text = decode_head(content, where)
    dialect = detect(text, whole=whole, settings=settings, tabs_first=where.format == "tsv")
    if dialect is None:
        if whole:
            raise ScanIncomplete(f"{where.shown} holds no rows.", hint="was the right file named?")
        raise UnreadableSource(
            f"No record of {where.shown} ends within its first megabyte.", hint="is a quote never closed?"
        )
    return dialect, len(text[: dialect.skip].encode())


@contextmanager
def no_unraisable() -> Iterator[None]:
    """Keep Python from printing an error that was raised in the handler of a ragged row."""
    # Arrow cannot hand on an error in the handler of a ragged row: Python would print it, bytes of the row included.
    before = sys.unraisablehook
    sys.unraisablehook = lambda dropped: before(dropped) if dropped.exc_type is KeyboardInterrupt else None
    try:
        yield
    finally:
        sys.unraisablehook = before


def options(dialect: Dialect, block: int, on_ragged: Any) -> dict[str, Any]:
    """Return the options of Arrow's reader: the dialect, all columns text, nothing inferred."""

    names = [f"c{i}" for i in range(dialect.width)]
    return {
        # Threads take half as much processor time again and save none: blocks are parsed one after the other.
        "read_options": pa.csv.ReadOptions(column_names=names, block_size=block, use_threads=False),
        "parse_options": pa.csv.ParseOptions(
            delimiter=dialect.delimiter,
            quote_char=dialect.quote,
            double_quote=True,
            escape_char=dialect.escape or False,
            newlines_in_values=True,
            ignore_empty_lines=dialect.width > 1,
            invalid_row_handler=on_ragged,
        ),
        "convert_options": pa.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        ),
    }


def _cells(n: int) -> str:
    return "1 cell" if n == 1 else f"{n:,} cells"
