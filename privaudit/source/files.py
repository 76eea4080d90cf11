"""A path becomes a table: one file, or many parts of one table.

Question: which files hold the table, and do they agree?
Method: a folder stands for the files in it, a pattern for those it matches, in the order of their names; hidden
files and those that begin with an underscore are passed over, as writers of parts mean it. Every part is read like
a file of its own; format and column names must be the same in all of them.
Limits: columns that exist only in folder names (``year=2020``) are not read. Folders within are not entered.
"""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING

from privaudit.config import Progress, Settings
from privaudit.errors import ScanIncomplete, UnreadableSource
from privaudit.model import Limit
from privaudit.source.location import FORMATS, PARTABLE, Location, locate, stem_and_compression
from privaudit.source.table import Read

if TYPE_CHECKING:
    import pyarrow as pa


def read_path(
    source: str | os.PathLike[str], settings: Settings, progress: Progress
) -> tuple[Read, str, str]:
    """Return the table at `source`, the name it was given, and its format.

    Raises
    ------
    UnreadableSource, UnsupportedFormat
        If a file cannot be read, or the parts do not belong together.
    ScanIncomplete
        If a folder or pattern stands for no file.
    """
    given = os.fsdecode(source)
    try:
        parts = _parts(given)
        where = locate(given) if parts is None else None
        locations = [locate(part) for part in parts or ()]
    except (OSError, ValueError):  # too long, not ours to look at, or with a character no path can hold
        raise UnreadableSource(
            "The path cannot be looked at.", hint="check the path and your rights"
        ) from None
    if where is not None:
        return _read(where, settings, progress), where.name, where.format
    if not locations:
        raise ScanIncomplete(
            "The folder or pattern contains no table file.", hint="check the folder or pattern"
        )
    formats = {where.format for where in locations}
    if len(formats) > 1 or not formats <= PARTABLE:
        raise UnreadableSource(
            "The parts of a table must be files of one format: CSV, TSV, JSONL, Parquet or Arrow.",
            hint="name one file",
        )
    return _read_parts(locations, settings, progress), given, formats.pop()


def _parts(given: str) -> list[Path] | None:
    """Return the files of a folder or pattern, None for any other source."""
    path = Path(given)
    if path.is_dir():
        found = [file for file in path.iterdir() if file.is_file() and _known(file)]
    elif glob.has_magic(given) and not path.exists() and "://" not in given:
        found = [Path(name) for name in glob.glob(given) if Path(name).is_file()]
    else:
        return None
    return sorted(file for file in found if not file.name.startswith((".", "_")))


def _known(file: Path) -> bool:
    inner, _ = stem_and_compression(file)
    return inner.suffix.lower() in FORMATS


def _read(where: Location, settings: Settings, progress: Progress) -> Read:
    if where.format in ("csv", "tsv"):
        from privaudit.source.delimited import read_delimited

        return read_delimited(where, settings, progress)
    if where.format == "jsonl":
        from privaudit.source.jsonl import read_jsonl

        return read_jsonl(where, settings, progress)
    if where.format == "sqlite":
        from privaudit.source.sqlite import read_sqlite

        return read_sqlite(where, progress)
    from privaudit.source.reader_client import read_in_child

    return read_in_child(where, settings, progress)


def _read_parts(locations: list[Location], settings: Settings, progress: Progress) -> Read:
    """Read every part and put them one below the other; kinds count only where all parts declare the same."""
    import pyarrow as pa

    names: tuple[str | None, ...] = ()
    columns: list[list[pa.ChunkedArray]] = []
    kinds: list[dict[int, str]] = []
    limits: list[Limit] = []
    for i, where in enumerate(locations):
        progress("Reading the parts", i / len(locations))
        found = _read(where, settings, progress)
        if i == 0:
            names, columns = found.names, [[] for _ in found.names]
        if found.names != names:
            raise UnreadableSource(
                f"Part {i + 1} has other columns than part 1.", hint="scan the files one by one"
            )
        kinds.append(_texts(found, columns))
        limits.extend(limit for limit in found.limits if limit not in limits)
    text = [pa.chunked_array([chunk.cast(pa.large_string()) for part in c for chunk in part.chunks], pa.large_string())
            for c in columns]  # fmt: skip
    same = {i: kind for i, kind in kinds[0].items() if all(other.get(i) == kind for other in kinds)}
    table = pa.table(text, names=[f"c{i}" for i in range(len(names))])
    return Read(table, names, tuple(limits), tuple(same.items()))


def _texts(found: Read, columns: list[list[pa.ChunkedArray]]) -> dict[int, str]:
    """Append the text of every column of a part and return the kinds it declares."""
    from privaudit.source.cell_text import to_text

    declared = dict(found.declared)
    for i, column in enumerate(found.table.columns):
        text, kind = to_text(column)
        columns[i].append(text)
        if kind is not None:
            declared.setdefault(i, kind)
    return declared
