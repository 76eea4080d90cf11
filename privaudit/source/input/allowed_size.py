"""How large an input may be, and the error that names the bound it exceeds.

Question: can this input be read without taking the machine down?
Method: what a file declares (columns, rows, sizes) is compared with the caps before anything is allocated, and what
it turns out to hold is counted while it is read. The caps are settings: ``--cap NAME=N`` and ``--memory SIZE``.
Limits: a reader that allocates without asking is stopped by the memory bound of its process.
"""

from __future__ import annotations

from typing import Any

from privaudit.base.arrow import pa, pc, value_type
from privaudit.base.errors import ScanIncomplete
from privaudit.base.process import machine_memory
from privaudit.settings.config import Settings

SHARE_OF_MACHINE = 0.75
"""Share of the machine's memory that a run may take where ``--memory`` is not given."""
SHARE_OF_TABLE = 1 / 3
"""Share of the memory that the table may take: grouping and coding need the rest."""
SHARE_IN_MEMORY = 1 / 5
"""Share of the memory that the text of a table may take where an engine could hold it instead."""
PROCESS_BYTES = 300_000_000
"""What a scan takes whatever the table: modules, rules, stacks of threads."""
SMALL_UNPACKED = 256 * 1024**2
"""Compressed files that unpack to less are read whatever their expansion."""
ADVICE = "allow more with --memory, scan a sample, or convert the table to several files"


def memory_of(settings: Settings) -> int:
    """Return the bytes that a run may take."""
    return settings.memory_bytes() or int(SHARE_OF_MACHINE * machine_memory())


def room_of(settings: Settings) -> int:
    """Return the bytes that a run may take for the table and what is computed from it."""
    most = memory_of(settings)
    # A quarter at least: under a bound near the size of the process itself nothing could be read.
    return max(most - PROCESS_BYTES, most // 4)


def text_in_memory(settings: Settings) -> int:
    """Return the bytes that the text of a table may take where an engine could hold it instead."""
    return int(memory_of(settings) * SHARE_IN_MEMORY)


def too_large(shown: str, settings: Settings) -> ScanIncomplete:
    """Build the error for an input that does not fit in memory."""
    gigabytes = memory_of(settings) / 1e9
    return ScanIncomplete(f"{shown} needs more memory than allowed ({gigabytes:.1f} GB in all).", hint=ADVICE)


def check(shown: str, what: str, found: int, settings: Settings, unit: str) -> None:
    """Raise `ScanIncomplete` where `found` exceeds the cap of `what`.

    Parameters
    ----------
    what : str
        One of `privaudit.settings.config.CAPS`.
    unit : str
        What is counted, in the plural.
    """
    most = settings.largest(what)
    if found > most:
        raise ScanIncomplete(
            f"{shown} has {found:,} {unit}, more than the cap of {most:,}.",
            hint=f"allow them with --cap {what}={found}",
        )


def nothing_held(what: str) -> ScanIncomplete:
    """Build the error for a table without rows or columns; `what` names the ones that are missing."""
    return ScanIncomplete(f"The table has no {what}, so nothing could be assessed.", hint="was the right one named?")


def check_columns(shown: str, n: int, settings: Settings) -> None:
    """Raise `ScanIncomplete` for a table of too many columns."""
    check(shown, "columns", n, settings, "columns")


class Budget:
    """Counts the bytes of a table while it is read, and the longest cell.

    Parameters
    ----------
    shown : str
        The name of the file in messages.
    settings : Settings
    is_bounded : bool, default True
        Whether the table must fit in memory; otherwise an engine takes what does not fit.
    """

    def __init__(self, shown: str, settings: Settings, *, is_bounded: bool = True) -> None:
        self._shown, self._settings, self._is_bounded = shown, settings, is_bounded
        self._left = int(memory_of(settings) * SHARE_OF_TABLE)

    def count(self, columns: list[pa.Array]) -> None:
        """Count arrays that are handed on.

        Raises
        ------
        ScanIncomplete
            If the table outgrows its share of the memory, or a cell the cap of cells.
        """
        self._left -= sum(column.nbytes for column in columns) if self._is_bounded else 0
        if self._left < 0:
            raise too_large(self._shown, self._settings)
        for column in columns:
            check_cells(self._shown, column, self._settings)

    def plan(self, columns: list[pa.Array]) -> None:
        """Raise `ScanIncomplete` where dictionaries among `columns`, written out, do not fit into what is left."""
        if sum(map(_decoded_bytes, columns)) > self._left:
            raise too_large(self._shown, self._settings)


def check_cells(shown: str, column: Any, settings: Settings) -> None:
    """Raise `ScanIncomplete` for a cell of text that is longer than the cap of cells."""
    kind = value_type(column.type)
    # No cell is longer than its column: the lengths are seldom counted.
    if column.nbytes <= settings.largest("cell-bytes") or not (
        pa.types.is_string(kind) or pa.types.is_large_string(kind)
    ):
        return
    values = column.dictionary if pa.types.is_dictionary(column.type) else column
    longest = pc.max(pc.binary_length(values)).as_py() or 0
    check(shown, "cell-bytes", longest, settings, "bytes in one cell")


def _decoded_bytes(column: pa.Array) -> int:
    """Return the bytes of a dictionary column when written out, 0 for any other."""
    if not pa.types.is_dictionary(column.type):
        return 0
    kind = column.type.value_type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind)):
        return len(column) * 8
    lengths = pc.binary_length(column.dictionary).cast(pa.int64())
    counts = pc.value_counts(column.indices)
    used = counts.field("values").cast(pa.int64())
    total = pc.sum(pc.multiply(pc.take(lengths, used), counts.field("counts"))).as_py()
    return int(total or 0)
