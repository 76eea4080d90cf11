"""Which tables do files, folders, patterns, workbooks and databases stand for?

Question: what is scanned when several tables are named at once?
Method: a workbook stands for its worksheets with rows, a database for its tables. Files of one folder and one suffix
may be the parts of one table: they are offered together, with the files themselves should they turn out not to agree.
Limits: hidden files, and those that begin with an underscore, are ignored, as in folders of parts.
"""

from __future__ import annotations

import glob
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from privaudit.settings.config import Settings
from privaudit.source.files.location import FORMATS, PARTABLE, WITH_PARTS, locate, stem_and_compression
from privaudit.source.files.reader_client import list_tables

_SELDOM_TABLES = {".json", ".txt"}
"""Suffixes of files that are read as tables only where they are named."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A source of one table; `parts` are the sources to scan one by one where the files are not parts of one table."""

    source: str
    parts: tuple[str, ...] = ()


def candidates(sources: Iterable[str]) -> tuple[Candidate, ...]:
    """Return the candidates that `sources` stand for, in their order, each once."""
    found: dict[Candidate, None] = {}
    for source in sources:
        found.update(dict.fromkeys(_candidates(source)))
    return tuple(found)


def _candidates(source: str) -> Iterator[Candidate]:
    # The functions of os.path, unlike those of Path, answer for names that no file can have, such as too long ones.
    if os.path.isdir(source):
        yield from _grouped(_files_below(Path(source)))
    elif glob.has_magic(source) and not os.path.exists(source) and "://" not in source:
        matched = [Path(name) for name in glob.glob(source, recursive=True)]
        files = [file for file in matched if file.is_file() and _is_table(file)]
        below = [file for folder in matched if folder.is_dir() for file in _files_below(folder)]
        yield from _grouped([*files, *below])
    else:
        yield Candidate(source)


def _files_below(folder: Path) -> list[Path]:
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        found += [Path(place, name) for name in names]
    return [file for file in found if _is_table(file)]


def _is_table(file: Path) -> bool:
    suffix = stem_and_compression(file)[0].suffix.lower()
    return not file.name.startswith((".", "_")) and suffix in FORMATS and suffix not in _SELDOM_TABLES


def format_of_name(file: Path) -> str | None:
    """Return the format that the suffix of a file names, None for an unknown one."""
    return FORMATS.get(stem_and_compression(file)[0].suffix.lower())


def _grouped(files: Iterable[Path]) -> Iterator[Candidate]:
    """Yield the files, those of one folder and one suffix together."""
    groups: dict[tuple[Path, str], list[Path]] = defaultdict(list)
    for file in sorted(files):
        groups[file.parent, "".join(_suffixes(file))].append(file)
    for (folder, suffix), group in groups.items():
        names = tuple(str(file) for file in group)
        together = _together(folder, suffix, group, alone=len(groups) == 1)
        if together is None:
            yield from map(Candidate, names)
        else:
            yield Candidate(together, names)


def _together(folder: Path, suffix: str, group: Sequence[Path], *, alone: bool) -> str | None:
    """Return the source that stands for exactly the files of `group`, None where they cannot be parts of one table."""
    if len(group) < 2 or format_of_name(group[0]) not in PARTABLE:
        return None
    pattern = os.path.join(glob.escape(str(folder)), f"*{suffix}")
    if set(glob.glob(pattern)) != {str(file) for file in group}:
        return None
    return str(folder) if alone else pattern


def _suffixes(file: Path) -> Iterator[str]:
    inner, compression = stem_and_compression(file)
    yield inner.suffix
    if compression is not None:
        yield file.suffix


def holds_tables(source: str) -> bool:
    """Whether a source is a workbook or database of which no table was chosen."""
    prefixed = source.startswith(("sqlite:", "duckdb:"))
    return "#" not in source and (prefixed or format_of_name(Path(source)) in WITH_PARTS)


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
