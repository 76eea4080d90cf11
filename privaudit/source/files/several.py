"""Which tables do files, folders, patterns, workbooks and databases stand for?

Question: what is scanned when several tables are named at once?
Method: each file is a table. A workbook stands for its worksheets with rows, a database for its tables. A file that
belongs to a table of several files, by the format of the folder or by the setting "parts", stands for that table,
however it was named: as itself, by a pattern or by its folder.
Files that the setting "ignore" names are excluded and listed; data in a format that is not read is named.
Hidden tables, folders elsewhere that a link names, and folders without permission are named as not read.
Limits: other hidden files and those that begin with an underscore are ignored, as in folders of parts; so are hidden
folders without permission.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from privaudit.base.records import dataclass
from privaudit.settings.config import Settings
from privaudit.source.files.readers.reader_client import list_tables
from privaudit.source.places.folder_files import content_of, is_ignored, may_be_program
from privaudit.source.places.location import format_of_name, locate, stem_and_compression
from privaudit.source.places.people_in_text import credits_authors, names_people
from privaudit.source.places.table_folders import (
    SELDOM_TABLES,
    hidden_tables,
    hive_parts,
    is_hidden,
    is_one_table,
    is_pattern,
    is_stated,
    is_table,
    is_table_name,
    leads_elsewhere,
    matches,
    stated_tables,
    table_above,
)
from privaudit.source.places.unread_formats import SETTINGS, holds_records


@dataclass(frozen=True, slots=True)
class Candidate:
    """A source of one table; `parts` are the sources to scan one by one where the files are not parts of one table."""

    source: str
    parts: tuple[str, ...] = ()
    is_read: bool = True


def candidates(
    sources: Iterable[str],
    parts: Sequence[str] = (),
    ignore: Sequence[str] = (),
    ignored: list[str] | None = None,
    empty: list[str] | None = None,
) -> tuple[Candidate, ...]:
    """Return the tables that `sources` stand for, in their order, each once.

    Parameters
    ----------
    sources : iterable of str
    parts : sequence of str
        The folders and patterns whose files are parts of one table.
    ignore : sequence of str
        Patterns of files that are excluded; their names are added to `ignored`.
    empty : list of str, optional
        Gets the folders and patterns that stand for no table, and of which nothing is ignored.
    """
    finder = _Finder(parts, ignore)
    found: dict[str, Candidate] = {}
    for source in sources:
        n_ignored = len(finder.ignored)
        its = list(finder.of(source))
        if empty is not None and not its and len(finder.ignored) == n_ignored:
            empty.append(source)
        for candidate in its:
            path = candidate.source
            found.setdefault(os.path.abspath(path) if os.path.exists(path) else path, candidate)
    if ignored is not None:
        ignored += dict.fromkeys(finder.ignored)
    return tuple(found.values())


def n_seldom_tables(sources: Iterable[str]) -> int:
    """Return how many files of the folders have a suffix that seldom means a table, and a content that is not one."""
    n_found = 0
    for source in filter(os.path.isdir, sources):
        for place, folders, names in os.walk(source):
            folders[:] = [name for name in folders if not is_hidden(name)]
            files = (Path(place, name) for name in names if not is_hidden(name))
            n_found += sum(is_seldom_table(file) and is_other_file(file) for file in files)
    return n_found


def is_seldom_table(file: Path) -> bool:
    """Whether a file has a suffix that seldom means a table."""
    return stem_and_compression(file)[0].suffix.lower() in SELDOM_TABLES


def repeats_fields(file: Path) -> bool:
    """Whether a file is a text of XML or YAML with fields that repeat, as in records and in settings."""
    return file.suffix.lower() in SETTINGS and holds_records(file)


def is_other_file(file: Path) -> bool:
    """Whether a file is neither a table nor data, by its name and its content.

    In the commits of a program, lines of programs look like tables, and fields repeat in settings: texts whose name is
    not that of data are data where they name people.
    """
    if is_table_name(file):
        return False
    if content_of(file) == "other" or (credits_authors(file) and not file.suffix):
        return True
    return may_be_program(file) and not names_people(file)


class _Finder:
    """What each source stands for; what was looked up of a folder is not looked up for each of its files."""

    def __init__(self, parts: Sequence[str], ignore: Sequence[str] = ()) -> None:
        self._parts, self._ignore = parts, ignore
        self.ignored: list[str] = []
        self._stated = stated_tables(parts)
        self._above = cache(table_above)
        self._whole = cache(_of_format)

    def of(self, source: str) -> Iterator[Candidate]:
        """Yield the tables that a source stands for."""
        if is_stated(source, self._parts):
            yield Candidate(source)
        elif os.path.isdir(source):
            yield from self._of_folder(Path(source))
        elif is_pattern(source):
            for path in self._kept(matches(source)):
                if os.path.isdir(path):
                    yield from self._of_folder(path)
                else:
                    yield from self._table_or_data(path)
        elif os.path.isfile(source):
            for file in self._kept([Path(source)]):
                yield self._of_file(file, source)
        else:
            yield Candidate(source)

    def _kept(self, files: Iterable[Path]) -> Iterator[Path]:
        """Yield the files that are not ignored, and note the names of the others."""
        for file in files:
            if is_ignored(file, self._ignore):
                self.ignored.append(str(file))
            else:
                yield file

    def _of_file(self, file: Path, name: str) -> Candidate:
        """Return the table that a file belongs to, or the file by its name."""
        stated = self._stated.get(os.path.abspath(file))
        if stated is not None:
            return Candidate(stated)
        folder = self._above(file.parent) if is_table(file) else None
        return Candidate(name) if folder is None else self._whole(folder)

    def _table_or_data(self, file: Path) -> Iterator[Candidate]:
        """Yield what a file is that a folder or pattern stands for: a table, or data that is not read."""
        content = "table" if is_table(file) else content_of(file)
        if content == "table":
            yield self._of_file(file, str(file))
        elif content == "data":
            yield Candidate(str(file), is_read=False)

    def _of_folder(self, folder: Path) -> Iterator[Candidate]:
        """Yield the tables in a folder and its subfolders, in the order of their paths."""
        above = self._above(folder)
        if above is not None:
            yield self._whole(above)
            return
        found: list[Path] = []
        passed_over: list[Path] = []

        def pass_over(error: OSError) -> None:
            passed_over.extend(self._kept([Path(error.filename)]))

        for place, folders, names in os.walk(folder, onerror=pass_over):
            here = Path(place)
            if is_one_table(here):
                folders.clear()
                found.append(here)
            else:
                passed_over += self._passed_over([here / name for name in folders], folder)
                folders[:] = [name for name in folders if not is_hidden(name)]
                found += self._kept(here / name for name in names)
        for path in sorted([*found, *passed_over]):
            if path in passed_over:
                yield Candidate(str(path), is_read=False)
            elif os.path.isdir(path):  # unlike is_dir of Path, it answers without permission
                yield self._whole(path)
            else:
                yield from self._table_or_data(path)

    def _passed_over(self, folders: Sequence[Path], root: Path) -> Iterator[Path]:
        """Yield the folders that a walk does not follow, and the tables in hidden ones, that are not ignored."""
        found = [folder for folder in folders if leads_elsewhere(folder, root)]
        for folder in folders:
            found += hidden_tables(folder) if is_hidden(folder.name) else ()
        return self._kept(found)


def _of_format(folder: Path) -> Candidate:
    return Candidate(str(folder), tuple(map(str, hive_parts(folder))))


def holds_tables(source: str) -> bool:
    """Whether a source is a workbook or database of which no table was chosen."""
    prefixed = source.startswith(("sqlite:", "duckdb:"))
    stated = format_of_name(Path(source))
    return "#" not in source and (prefixed or (stated is not None and bool(stated.lister)))


def tables_in(source: str, settings: Settings) -> tuple[str, ...]:
    """Return the sources of all tables of a workbook or database; `source` itself for anything else.

    Raises
    ------
    PrivauditError
        If a workbook or database cannot be opened.
    """
    if not holds_tables(source):
        return (source,)
    names = list_tables(locate(source), settings)
    return tuple(f"{source}#{name}" for name in names) if len(names) > 1 else (source,)
