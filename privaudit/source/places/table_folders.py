"""Which files are one table: by the format of their folder, or because somebody stated it?

Question: does a folder, or a file, belong to a table of several files?
Method: a folder with a Delta log or with Iceberg metadata is one table, and so is a folder whose tables all lie in
folders named ``key=value``, with the same keys in the same order (Hive). Everything else is a table per file, unless
the setting "parts" names the folder or the pattern.
Limits: looks at names alone; whether the parts have the same columns is seen when they are read.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from urllib.parse import unquote

from privaudit.base.errors import UnreadableSource
from privaudit.model.headers import shown_name
from privaudit.source.places.folder_formats import iceberg_metadata, is_delta
from privaudit.source.places.location import format_of_name, stem_and_compression

SELDOM_TABLES = {".json", ".txt"}
"""Suffixes of files that are read as tables only where they are named: most such files are not tables."""
_PROGRAM_FOLDERS = ("pyvenv.cfg", "CACHEDIR.TAG")
"""Files that mark a folder of installed packages, and one that a program fills and may empty."""
_NO_VALUE = ("", "__HIVE_DEFAULT_PARTITION__")
Keys = tuple[tuple[str, str | None], ...]
"""The columns that the folders of a file state, with their values."""


def is_hidden(name: str) -> bool:
    """Whether programs that write tables ignore files and folders of this name."""
    return name.startswith((".", "_"))


def is_table(file: Path) -> bool:
    """Whether a file of a folder is a table: its suffix is known, and it is not hidden."""
    return not is_hidden(file.name) and is_table_name(file)


def is_table_name(file: Path) -> bool:
    """Whether the suffix of a file is that of a table."""
    suffix = stem_and_compression(file)[0].suffix.lower()
    return format_of_name(file) is not None and suffix not in SELDOM_TABLES


def hidden_tables(folder: Path) -> Iterator[Path]:
    """Yield the tables, by their names, in a hidden folder and its subfolders.

    The folder of Git, which no commit can contain, and those of installed packages and caches are omitted: people put
    no tables into them. Other programs for versions keep no file under the name of a table.
    """
    for place, folders, names in os.walk(folder):
        here = Path(place)
        if here.name == ".git" or any((here / mark).is_file() for mark in _PROGRAM_FOLDERS):
            folders.clear()
        else:
            yield from (file for file in (here / name for name in names) if is_table_name(file))


def leads_elsewhere(folder: Path, root: Path) -> bool:
    """Whether a folder is a link to one that is not below `root`: a walk does not follow it."""
    return folder.is_symlink() and not folder.resolve().is_relative_to(root.resolve())


def is_pattern(source: str) -> bool:
    """Whether a source is a pattern of paths rather than the name of a file or an address."""
    return glob.has_magic(source) and "://" not in source and not os.path.exists(source)


def files_of_group(source: str) -> list[Path] | None:
    """Return the tables of a folder and its subfolders, or of a pattern, in order; None for any other source."""
    # The functions of os.path, unlike those of Path, answer for names that no file can have, such as too long ones.
    if os.path.isdir(source):
        return sorted(_below(Path(source)))
    if not is_pattern(source):
        return None
    found: set[Path] = set()
    for path in matches(source):
        found.update(_below(path) if path.is_dir() else (path,))
    return sorted(found)


def matches(pattern: str) -> list[Path]:
    """Return the files and folders that a pattern matches, without those in a hidden folder that it does not name."""
    named = Path(*takewhile(lambda part: not glob.has_magic(part), Path(pattern).parts))
    found = map(Path, glob.glob(pattern, recursive=True))
    return sorted(path for path in found if path == named or not any(map(is_hidden, path.relative_to(named).parts)))


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not is_hidden(name)]
        yield from (file for file in (Path(place, name) for name in names) if is_table(file))


def _refuse(error: OSError) -> None:
    # A table whose parts are in a folder without permission would be a part of itself.
    shown = shown_name(Path(error.filename).name, "folder")
    raise UnreadableSource(f"The folder {shown} cannot be listed.", hint="check that you may read it") from None


def hive_parts(folder: Path) -> dict[Path, Keys]:
    """Return the files of a Hive table with what their folders state; empty where the folder is not such a table."""
    if not any("=" in name for name in os.listdir(folder)):
        return {}  # without a walk through all that is below
    found = {file: _keys(file.parent.relative_to(folder).parts) for file in sorted(_below(folder))}
    names = {tuple(key for key, _ in keys) for keys in found.values()}
    formats = {format_of_name(file) for file in found}
    can_be_parts = len(formats) == 1 and all(stated is not None and stated.can_be_part for stated in formats)
    is_hive = len(names) == 1 and () not in names and can_be_parts
    return found if is_hive else {}


def _keys(folders: Iterable[str]) -> Keys:
    """Return the pairs that folders named ``key=value`` state; nothing where one of them has another name."""
    pairs = [name.partition("=") for name in folders]
    if not all(key and mark for key, mark, _ in pairs):
        return ()
    return tuple((unquote(key), None if value in _NO_VALUE else unquote(value)) for key, _, value in pairs)


def is_one_table(folder: Path) -> bool:
    """Whether a folder is one table by its format."""
    return is_delta(folder) or iceberg_metadata(folder) is not None or bool(hive_parts(folder))


def table_above(folder: Path) -> Path | None:
    """Return the folder that is one table by its format and that `folder` belongs to, None where there is none.

    Of a Hive table, only folders named ``key=value`` lie between the table and its files.
    """
    for place in (folder, *folder.parents):
        if is_delta(place) or iceberg_metadata(place) is not None:
            return place
        if "=" not in place.name and "=" in str(folder.relative_to(place)):
            return place if hive_parts(place) else None
    return None


def is_stated(source: str, parts: Iterable[str]) -> bool:
    """Whether the setting "parts" names a source as one table."""
    return any(_same(source) == _same(pattern) for pattern in parts)


def _same(source: str) -> str:
    return source if "://" in source else os.path.abspath(source)


def stated_tables(parts: Iterable[str]) -> dict[str, str]:
    """Return the entry of the setting "parts" that each file belongs to, by the absolute path of the file."""
    found: dict[str, str] = {}
    for entry in parts:
        for file in files_of_group(entry) or ():
            found.setdefault(os.path.abspath(file), entry)
    return found


def known(file: Path) -> bool:
    """Whether a file of this name could be a part of a table, or hold tables."""
    stated = format_of_name(file)
    return stated is not None and (stated.can_be_part or bool(stated.lister))
