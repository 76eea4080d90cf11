"""Standard input as a file that exists in memory only.

Question: how is a table read that arrives on standard input, without a copy on the disk?
Method: the bytes go into an anonymous file in memory (``memfd_create``), which readers get as an open descriptor. It
ends when the table is read.
Limits: Linux only; elsewhere a file must be named.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from privaudit.base.errors import ScanIncomplete, UnreadableSource, UnsupportedFormat

NAME = "-"
SHOWN = "stdin"
BLOCK = 1 << 20


@contextmanager
def standard_input(most: int) -> Iterator[Path]:
    """Yield the path of an anonymous file that holds standard input, and close it afterwards.

    Parameters
    ----------
    most : int
        The largest number of bytes that is taken.

    Raises
    ------
    UnsupportedFormat
        If the system has no files in memory.
    UnreadableSource
        If standard input is a terminal or closed.
    ScanIncomplete
        If it is empty, or larger than `most`.
    """
    stream: BufferedReader | None = getattr(sys.stdin, "buffer", None)
    if stream is None or stream.closed or stream.isatty():
        raise UnreadableSource("Nothing arrives on standard input.", hint="pipe a table into the command")
    if not hasattr(os, "memfd_create"):
        raise UnsupportedFormat("Standard input is read on Linux only.", hint="name a file")
    taken = 0
    with os.fdopen(os.memfd_create("privaudit"), "wb") as file:
        # One system call each: `read` repeats them without a look at signals, so that one between two calls was not
        # obeyed until more input arrived.
        while block := stream.read1(BLOCK):
            taken += len(block)
            if taken > most:
                raise ScanIncomplete("Standard input is larger than allowed.", hint="allow more with --memory")
            file.write(block)
        if not taken:
            raise ScanIncomplete("Standard input holds no rows: it is empty.", hint="was it written completely?")
        file.flush()
        yield Path(f"/dev/fd/{file.fileno()}")


def descriptor_of(path: str) -> int | None:
    """Return the descriptor that a path of `standard_input` names, None for any other path."""
    start, _, number = path.rpartition("/")
    return int(number) if start == "/dev/fd" and number.isdecimal() else None
