"""Delimited text becomes an Arrow table of text: every cell as it is written, every record checked.

Question: what exactly does this CSV file contain?
Method: encoding and dialect are determined from the first megabyte, then Arrow's reader runs with that dialect and
without any inference: leading zeros, long numbers and words such as NA are unchanged. It reads block by block, and no
more than some blocks are in memory. A file of which a record has a different number of cells is read record by record
(`single_records`): what is neither a note below the table nor shows the columns of its values is an error with its row
number. Where requested, all such records are skipped and counted instead.
Limits: rows are counted as a spreadsheet does, from 1, lines before the table and header included; blank lines are
not rows, except in a table of one column, where they are missing cells.
"""

from __future__ import annotations

import csv
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
from privaudit.source.files.formats.dialect import SAMPLE_CHARS, SAMPLE_RECORDS, Dialect, detect, n_below
from privaudit.source.files.formats.encoding import damaged, decode_head, first_bad_line, not_utf8, open_utf8, read
from privaudit.source.files.formats.reader_formats import BATCH_ROWS, Stream
from privaudit.source.files.formats.single_records import PlacedRecords, single_records
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
        outside_at_end=file.outside,
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
    placed: PlacedRecords | None = None
    below: tuple[str, ...] = ()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row, each block checked; the counts are complete after the last."""
        held: pa.RecordBatch | None = None
        for batch in self._all_batches():
            if held is not None:
                n_sure = held.num_rows
                if batch.num_rows < SAMPLE_RECORDS:  # notes may begin in the block before
                    n_sure = max(0, n_sure - SAMPLE_RECORDS)
                    batch = pa.concat_batches([held.slice(n_sure), batch])
                if n_sure:
                    yield held.slice(0, n_sure)
            held = batch
        if held is not None:
            yield self._without_notes(held)

    def _without_notes(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the last batch without the notes below the table."""
        tail = batch.slice(max(0, batch.num_rows - SAMPLE_RECORDS))
        if sum(bool(column[-1].as_py()) for column in tail.columns) > 1:
            return batch
        rows = [[cell or "" for cell in row] for row in zip(*(c.to_pylist() for c in tail.columns), strict=True)]
        n_notes = n_below(rows, self.dialect.width)
        self.below = (*(" ".join(row).strip() for row in rows[len(rows) - n_notes :]), *self.below)
        self.n_rows -= n_notes
        return batch.slice(0, batch.num_rows - n_notes)

    def _all_batches(self) -> Iterator[pa.RecordBatch]:
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
                    if not self.n_skipped:
                        raise self._explained() from None
                    break
                check(self.where.shown, "cell-bytes", block, self.settings, "bytes or more in one record")
                block *= 16
                self.n_rows = max(self.n_rows, n_sent)
        if self.n_skipped and self.settings.bad_rows != "skip":
            yield from self._single_records(max(n_sent, self.n_rows))
        else:
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

    def _single_records(self, n_sent: int) -> Iterator[pa.RecordBatch]:
        """Yield the rows after the first `n_sent`, read record by record."""
        self.n_rows = self.n_skipped = 0
        self.placed = PlacedRecords(self.where, self.settings, self.dialect)
        try:
            self._refuse_open_quote()
            yield from self._placed_batches(self.placed, n_sent)
        except (csv.Error, OSError, ValueError):
            raise damaged(self.where) from None
        self.below, refused = self.placed.below, self.placed.refused
        if refused is not None:
            raise UnreadableSource(
                f"Row {refused.record:,} of {self.where.shown} (line {refused.line:,}) has {_cells(refused.n_cells)}, "
                f"expected {self.dialect.width}.",
                hint="fix the row, or use --bad-rows skip to count and skip such rows",
            )

    def _placed_batches(self, placed: PlacedRecords, n_sent: int) -> Iterator[pa.RecordBatch]:
        rows = placed.rows()
        while batch := list(itertools.islice(rows, BATCH_ROWS)):
            new = batch[max(0, n_sent - self.n_rows) :]
            self.n_rows += len(batch)
            if new:
                yield _batch(new)

    def _explained(self) -> PrivauditError:
        """Return why Arrow's reader rejected the file, where no record had another number of cells."""
        where = self.where
        stream, _ = open_utf8(where, self.settings.encoding)
        with stream:
            line = first_bad_line(stream, where)
        if line is not None:
            return not_utf8(where, line)
        try:
            found = single_records(where, self.settings, self.dialect)
            has_data = any(line > self.dialect.lines_before for _, line, _ in found)
        except (csv.Error, OSError, ValueError):
            return damaged(where)
        if has_data:
            return damaged(where)
        return ScanIncomplete(f"{where.shown} holds a header and no rows.", hint="was it written completely?")

    def _check_last_quote(self) -> None:
        """Refuse a file whose last cell swallowed the rest of it because a quote is never closed."""
        if self.last is not None and ("\n" in self.last or "\r" in self.last):
            self._refuse_open_quote()

    def _refuse_open_quote(self) -> None:
        mark = "end of file"  # a record of its own unless a quote is still open
        record, line, cells = 0, 0, [""]
        for record, line, cells in single_records(self.where, self.settings, self.dialect, ("\n", mark)):  # noqa: B007
            pass
        if cells != [mark]:
            raise UnreadableSource(
                f"A quote opened in row {record:,} of {self.where.shown} (line {line:,}) is never closed.",
                hint="close it, or name the right file",
            )

    def limits(self) -> tuple[Limit, ...]:
        """Return what was skipped or assumed, when all was read."""
        dialect, limits = self.dialect, []
        if dialect.table_above:
            limits.append(limit("source.table_above", incomplete=True, rows=Number(dialect.n_preamble)))
        elif dialect.n_preamble:
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
        if self.below:
            limits.append(limit("source.lines_below", lines=Number(len(self.below))))
        limits.extend(self._of_placed())
        # A table of one column whose header looks like the header of several columns.
        if dialect.names is not None and len(dialect.names) == 1 and re.search(r"[,;\t|]", dialect.names[0]):
            limits.append(limit("source.one_column", incomplete=True))
        return tuple(limits)

    def _of_placed(self) -> Iterator[Limit]:
        if self.placed is None:
            return
        if self.placed.n_shown:
            yield limit("source.placed_rows", rows=Count(self.placed.n_shown, of=self.n_rows, unit="row"))
        if self.placed.n_assumed:
            rows = Count(self.placed.n_assumed, of=self.n_rows, unit="row")
            yield limit("source.short_rows", incomplete=True, rows=rows)

    def outside(self) -> tuple[Outside, ...]:
        """Return the lines below the table, when all was read."""
        return tuple(Outside("below", text) for text in self.below)


def _batch(rows: list[list[str]]) -> pa.RecordBatch:
    columns = [pa.array([cell or None for cell in column], pa.string()) for column in zip(*rows, strict=True)]
    return pa.record_batch(columns, names=[f"c{i}" for i in range(len(columns))])


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
