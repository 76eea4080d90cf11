"""A path becomes a table: one file, or many parts of one table.

Question: which files hold the table, and do they agree?
Method: a folder stands for the files in it and in its subfolders, a pattern for those it matches, in the order of their
paths; hidden files and those that begin with an underscore are not read, which is the convention of programs that write
parts. Several files are one table where the setting "parts" states it, or where they are a Hive table, whose folders
(``year=2020``) state further columns. Every part is read like a separate file; format and column names must be the same
in all of them.
Limits: files that are not read are counted; a table among them makes the scan incomplete.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from privaudit.base.errors import PrivauditError, UnreadableSource
from privaudit.model import Limit, limit
from privaudit.model.file_formats import FILE_FORMATS
from privaudit.model.headers import shown_name
from privaudit.model.wording import Listing, Name, Number
from privaudit.settings.config import Progress, Settings
from privaudit.source.files.readers.reader_client import read_files
from privaudit.source.input.allowed_size import memory_of
from privaudit.source.input.table import Read
from privaudit.source.places.location import Location, format_of_name, is_address, locate, no_table
from privaudit.source.places.standard_input import NAME, SHOWN, descriptor_of, standard_input
from privaudit.source.places.table_folders import (
    files_of_group,
    hive_parts,
    is_pattern,
    is_stated,
    known,
    leads_elsewhere,
)

MOST_NAMED = 10
"""Files of a folder that are not read are named up to this number; the others are counted."""


def read_path(
    source: str | os.PathLike[str], settings: Settings, progress: Progress, *, whole: bool = False
) -> tuple[Read, str, str]:
    """Return the table at `source`, the name it was given, and its format.

    Parameters
    ----------
    source : path
    settings : Settings
    progress : callable
    whole : bool, default False
        Whether all files of a folder or pattern are one table, as those of an auxiliary table are.

    Raises
    ------
    UnreadableSource, UnsupportedFormat
        If a file cannot be read, the files are several tables, or the parts do not belong together.
    ScanIncomplete
        If a folder or pattern stands for no file.
    """
    given = os.fsdecode(source)
    if given == NAME or descriptor_of(given) is not None:
        with kept_input(given, settings) as path:
            place = replace(locate(path, settings.input_format), name=SHOWN)
            return read_files([place], settings, progress), SHOWN, place.format
    if isinstance(source, str) and _is_content(given):
        raise UnreadableSource(
            "The text that was given is not a path: it looks like the content of a table.",
            hint="give the path of a file, or a table object such as a pandas frame",
        )
    try:
        parts = _parts(given)
        where = locate(given, settings.input_format) if parts is None else None
        locations = parts or []
    except (OSError, ValueError):  # too long, without permission, or with a character that no path may contain
        raise UnreadableSource("The path cannot be looked at.", hint="check the path and your rights") from None
    if where is not None:
        return read_files([where], settings, progress), where.name, where.format
    if not locations:
        raise no_table(given)
    if len(locations) > 1 and not (whole or locations[0].keys or is_stated(given, settings.parts)):
        raise UnreadableSource(
            f"The folder or pattern contains {len(locations)} files, and each is a table.",
            hint="scan each of them; if they are parts of one table, state it with --parts",
        )
    formats = {where.format for where in locations}
    if len(formats) > 1 or not FILE_FORMATS[locations[0].format].can_be_part:
        raise UnreadableSource(
            "The parts of a table must be files of one format: CSV, TSV, JSONL, Parquet or Arrow.", hint="name one file"
        )
    found = read_files(locations, settings, progress)
    limits = (*found.limits, *_passed_over(given, [where.path for where in locations]))
    return replace(found, limits=limits, parts=tuple(locations)), given, formats.pop()


@contextmanager
def kept_input(source: Any, settings: Settings) -> Iterator[Any]:
    """Yield a path of what arrives on standard input, for as long as it is read; another source as it is."""
    if not isinstance(source, str) or source != NAME:
        yield source
        return
    with standard_input(memory_of(settings) // 3) as path:
        yield str(path)


def _passed_over(given: str, parts: Sequence[Path]) -> Iterator[Limit]:
    """Yield limits for the files of a folder, and of its subfolders, that are not parts of the table."""
    if not os.path.isdir(given):
        return
    read = set(parts)
    walk = [(Path(place), folders, names) for place, folders, names in os.walk(given)]
    others = [file for place, _, names in walk for file in (place / name for name in names) if file not in read]
    links = [
        link for place, folders, _ in walk for link in map(place.joinpath, folders) if leads_elsewhere(link, walk[0][0])
    ]
    for code, is_table in (("folder_tables_passed_over", True), ("folder_passed_over", False)):
        found = sorted(file.name for file in [*others, *links] if (known(file) or file in links) is is_table)
        if found:
            names = tuple(Name(shown_name(name, "file")) for name in found[:MOST_NAMED])
            listed = Listing(names)
            yield limit(f"source.{code}", incomplete=is_table, files=Number(len(found)), names=listed)


def _is_content(given: str) -> bool:
    """Whether a text is a table rather than the name of one; it must then not be repeated in any message."""
    if "\n" in given or "\r" in given:
        return True
    if is_address(given):
        return False
    stated = format_of_name(Path(given.rpartition("#")[0] or given))
    return stated is None and re.search(r"[,;\t|@]|\d{5}", given) is not None and not os.path.exists(given)


def files_of(source: str | os.PathLike[str]) -> list[Path]:
    """Return the files that `source` stands for and that exist, with the log of a database; nothing for other text."""
    given = os.fsdecode(source)
    try:
        parts = _parts(given)
        if parts is None:
            found = [Path(given) if Path(given).is_file() else locate(given).path]
        else:
            found = [where.path for where in parts]
        logs = [file.with_name(f"{file.name}{ending}") for file in found for ending in ("-wal", "-shm", ".wal")]
        return found + [log for log in logs if log.is_file()]
    except (OSError, ValueError, PrivauditError):
        return []


def _parts(given: str) -> list[Location] | None:
    """Return the files of a folder or pattern, those of a Hive table with their keys; None for any other source."""
    if os.path.isdir(given):
        keyed = hive_parts(Path(given))
        if keyed:
            return [replace(locate(file), keys=keys) for file, keys in keyed.items()]
    if not os.path.isdir(given) and not is_pattern(given):
        return None
    return [locate(file) for file in files_of_group(given) or ()]
