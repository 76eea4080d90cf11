"""Rows as lines of delimited text.

Question: how is a row written so that every reader takes it as one row?
Method: `csv.writer` writes lines that end with CR LF, so that a cell with either of the two is quoted: older
versions quote only what occurs in the end of a line. The end that is asked for then replaces CR LF. That costs a call
for each row, which a caller who knows that no cell has a CR saves.
Limits: the encoding and the line ends of a file are those with which the caller opened it.
"""

from __future__ import annotations

import csv
from typing import Any, TextIO

_END = "\r\n"


class _Lines:
    """A file whose lines end otherwise than those that are written to it."""

    __slots__ = ("write",)

    def __init__(self, file: TextIO, end: str) -> None:
        write, length = file.write, len(_END)
        self.write = lambda line: write(line[:-length] + end)


def delimited_writer(file: TextIO, *, end: str = "\n", may_have_returns: bool = True, **form: Any) -> Any:
    """Return a `csv.writer` of rows that end with `end`; `form` is that of `csv.writer`.

    Without `may_have_returns` no cell may have a carriage return; the same is then written in less time.
    """
    if not may_have_returns and "\n" in end:
        return csv.writer(file, lineterminator=end, **form)
    return csv.writer(_Lines(file, end), lineterminator=_END, **form)
