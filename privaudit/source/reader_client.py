"""Formats whose readers can crash are read in a child process; what it sends is a table or nothing.

Question: how can a hostile file not take the scan down with it?
Method: a second Python runs `privaudit.source.reader_process`, reads the file once and streams it as Arrow record
batches through a pipe; every batch is fully validated before it is sent. A crash, an abort or a stream that ends
early is an error of ours.
Limits: the child may use as much memory as the file asks for.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.config import Progress, Settings, silent
from privaudit.errors import PrivauditError, ScanIncomplete, UnreadableSource, UnsupportedFormat
from privaudit.model import Limit, limit
from privaudit.source.column_names import looks_personal
from privaudit.source.location import Location
from privaudit.source.table import Read
from privaudit.wording import Listing, Name, Number
from privaudit.wording.numbers import listing

if TYPE_CHECKING:
    import pyarrow as pa

SCRIPT = Path(__file__).with_name("reader_process.py")


def read_in_child(where: Location, settings: Settings, progress: Progress = silent) -> Read:
    """Read a Parquet, Arrow, Excel or DuckDB file in a child process.

    Raises
    ------
    UnreadableSource
        If the file is damaged, whatever its reader does about it, or the part named is not in it.
    UnsupportedFormat
        If the reader is not installed or the file of a kind it does not read.
    ScanIncomplete
        If there is no table, or it has no columns.
    """
    progress(f"Reading {where.shown}", None)
    asked = {"format": where.format, "path": str(where.path), "part": where.part, "header": settings.header}
    process = subprocess.Popen(
        [sys.executable, "-I", str(SCRIPT), json.dumps(asked)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # whatever a reader prints may quote cells
    )
    try:
        answer, table = _receive(process)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    if answer is None:
        raise _damaged(where)
    if "error" in answer:
        raise _error(answer, where)
    if table is None:
        raise _damaged(where)
    declared = tuple((int(i), kind) for i, kind in answer.get("declared", {}).items())
    return Read(table, tuple(answer["names"]), tuple(_limits(answer)), declared)


def _receive(process: subprocess.Popen[bytes]) -> tuple[dict[str, Any] | None, pa.Table | None]:
    """Return the answer line and the table; None for either that did not come whole."""
    import pyarrow as pa

    assert process.stdout is not None
    line = process.stdout.readline()
    try:
        answer: dict[str, Any] = json.loads(line)
    except ValueError:
        return None, None
    if "error" in answer or "names" not in answer:
        return answer, None
    try:
        with pa.ipc.open_stream(process.stdout) as stream:
            table = stream.read_all()
    except (pa.ArrowException, OSError, ValueError):
        return answer, None
    return answer, table if process.wait() == 0 else None


def _damaged(where: Location) -> UnreadableSource:
    kind = {"parquet": "Parquet", "arrow": "Arrow IPC or Feather", "excel": "Excel", "duckdb": "DuckDB"}[
        where.format
    ]
    return UnreadableSource(
        f"{where.shown} is damaged, encrypted, or not a supported {kind} file.",
        hint="write it again",
    )


def _error(answer: dict[str, Any], where: Location) -> PrivauditError:
    error = answer["error"]
    if error == "missing":
        return UnsupportedFormat(
            f"Reading {where.shown} needs an extra that is not installed.",
            hint="pip install 'privaudit[excel]'",
        )
    if error == "feather1":
        return UnsupportedFormat(
            f"{where.shown} is a Feather file of version 1.", hint="write it again as version 2 (Arrow IPC)"
        )
    if error == "empty":
        return ScanIncomplete(f"{where.shown} holds no table with rows.", hint="was the right file named?")
    if error == "part":
        return no_such_part(where, answer["parts"])
    if error == "choose":
        return choose_part(where, answer["parts"])
    return _damaged(where)


def no_such_part(where: Location, parts: list[str]) -> UnreadableSource:
    """Build the error for a table or sheet that is not there."""
    return UnreadableSource(f"{where.shown} has no such part.", hint=f"it contains {listing(shown_names(parts))}")


def choose_part(where: Location, parts: list[str]) -> UnreadableSource:
    """Build the error for a file of several tables of which none was chosen."""
    example = f"{where.shown}#{parts[0]}" if parts and not looks_personal(parts[0]) else f"{where.shown}#name"
    return UnreadableSource(
        f"{where.shown} contains {len(parts)} tables: {listing(shown_names(parts))}.", hint=f"choose one: {example}"
    )


def shown_names(parts: list[str]) -> list[str]:
    """Return the names of tables or sheets as they may be shown: one that is personal data becomes its position."""
    return [f"number {i}" if looks_personal(name) else f'"{name}"' for i, name in enumerate(parts, start=1)]


def _limits(answer: dict[str, Any]) -> list[Limit]:
    limits = []
    sheets, read, unread = answer.get("sheets", []), answer.get("read"), answer.get("unread", 0)
    if len(sheets) > 1:
        position = Number(value=sheets.index(read) + 1)
        names = Listing(items=tuple(Name(text=shown) for shown in shown_names(sheets)))
        limits.append(limit("source.one_sheet", sheet=position, of=Number(value=len(sheets)), names=names))
    if unread:
        limits.append(limit("source.other_sheets", incomplete=True, sheets=Number(value=unread)))
    if answer.get("preamble"):
        limits.append(limit("source.preamble_rows", rows=Number(value=answer["preamble"])))
    if answer.get("headerless"):
        limits.append(limit("source.header_missing"))
    return limits
