"""The records of a delimited text one by one, those with another number of cells than the header included.

Question: which record is wrong, which are notes below the table, and which cells does a record without some of its
separators, or with more of them, hold?
Method: Python's reader with the dialect of the file, slower than Arrow's, which reads a file first. A few narrow
records with one text after the last row are notes below the table. Any other record with another number of cells is
read if its values show their columns (`ragged`). Two short records next to each other that hold one row between them
are a row with a line break that nobody quoted.
Limits: types are those of the first `SAMPLE_RECORDS` records. The last record of a file without a line break at its
end is not a note, because the file may have been cut.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from privaudit.base.records import dataclass
from privaudit.settings.config import Settings
from privaudit.source.files.formats.dialect import MOST_NOTES, SAMPLE_RECORDS, Dialect, is_note, long_fields
from privaudit.source.files.formats.encoding import open_utf8
from privaudit.source.files.formats.ragged import Types, placed, types_of
from privaudit.source.places.location import Location


def single_records(
    where: Location, settings: Settings, dialect: Dialect, after: tuple[str, ...] = ()
) -> Iterator[tuple[int, int, list[str]]]:
    """Yield number, first line and cells of every record, then of the lines `after` the end of the file."""
    stream, _ = open_utf8(where, settings.encoding)
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


class NotPlaced(NamedTuple):
    """A record whose cells nothing shows the columns of: its number, first line and number of cells."""

    record: int
    line: int
    n_cells: int


@dataclass(slots=True)
class PlacedRecords:
    """The rows of a table with a cell for each column, and what was assumed, complete after the last row."""

    where: Location
    settings: Settings
    dialect: Dialect
    n_shown: int = 0
    n_assumed: int = 0
    below: tuple[str, ...] = ()
    refused: NotPlaced | None = None

    def rows(self) -> Iterator[list[str]]:
        """Yield every row up to the first that is `refused`: neither a note below the table nor placed."""
        width = self.dialect.width
        types = self._types()
        narrow: list[tuple[int, int, list[str]]] = []
        shorter = 0  # cells of the record before, where it is short
        for record, line, cells in self._data():
            row = cells if len(cells) == width else self._placed(cells, types)
            is_broken = len(cells) < width and shorter + len(cells) in (width, width + 1)
            if row is None and not shorter and is_note(cells, width) and len(narrow) < MOST_NOTES:
                narrow.append((record, line, cells))
                continue
            shorter = len(cells) if len(cells) < width else 0
            if row is None or is_broken:
                self.refused = NotPlaced(record, line, len(cells))
            if narrow:
                self.refused = NotPlaced(*narrow[0][:2], len(narrow[0][2]))
            if row is None or self.refused is not None:
                return
            yield row
        if narrow and not self._ends_with_line():
            self.refused = NotPlaced(*narrow[0][:2], len(narrow[0][2]))
        self.below = tuple(" ".join(cells) for _, _, cells in narrow)

    def _data(self) -> Iterator[tuple[int, int, list[str]]]:
        found = single_records(self.where, self.settings, self.dialect)
        return (one for one in found if one[1] > self.dialect.lines_before)

    def _types(self) -> Types:
        width = self.dialect.width
        sample = itertools.islice(self._data(), SAMPLE_RECORDS)
        return types_of([cells for _, _, cells in sample if len(cells) == width], width)

    def _placed(self, cells: list[str], types: Types) -> list[str] | None:
        found = placed(cells, types, self.dialect.delimiter)
        if found is None:
            return None
        self.n_shown += found.shown
        self.n_assumed += not found.shown
        return found.cells

    def _ends_with_line(self) -> bool:
        """Return whether the last record ends with a line break."""
        stream, _ = open_utf8(self.where, self.settings.encoding)
        with stream:
            text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
            return deque(text, maxlen=1).pop().endswith(("\n", "\r"))
