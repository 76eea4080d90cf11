"""What a source string names: a file and its format, the table or sheet in it, and its key in a baseline.

Question: which reader takes this, and under which key does a baseline know it?
Method: the prefix (``sqlite:``, ``duckdb:``) or the suffix decides, never the content; ``#name`` after a suffix that
can hold several tables chooses one of them. The key is the path relative to the folder of the baseline, with ``#sheet``
or ``#table``; an address as reports show it, with a digest of its host, bucket and path, which reports withhold. A part
of the path that is personal data is withheld, as in reports: two tables that get one key this way are refused.
Limits: nothing is fetched over a network. Standard input and tables in memory have no path and need a name.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from privaudit.base.errors import ConfigError, ScanIncomplete, UnreadableSource, UnsupportedFormat
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.base.similar_names import similar
from privaudit.model.file_formats import FILE_FORMATS, FORMAT_OF_SUFFIX, FileFormat
from privaudit.model.headers import is_personal, shown_name
from privaudit.model.headers.personal_names import Named
from privaudit.model.wording.numbers import listing
from privaudit.source.places.addresses import READERS, address_of
from privaudit.source.places.content_format import format_of_content
from privaudit.source.places.people_in_text import LEAST_PEOPLE, names_people
from privaudit.source.places.standard_input import NAME, SHOWN, descriptor_of

COMPRESSION = {".gz": "gzip", ".zst": "zstd"}
POINTERS = (b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/", b"/annex/objects/")
"""How the file begins that stands for a large one which was not fetched."""
MOST_POINTER_BYTES = 1024
_ADDRESS = Expression(r"[A-Za-z][A-Za-z0-9+.\-:]*://")


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A file, how to read it, and which part of it.

    ``name`` is the source as it was given; ``shown`` is what messages call it: the last part of the path. ``keys`` are
    the columns that the folders of a part of a Hive table state, with their values.
    """

    name: str
    path: Path
    format: str
    compression: str | None = None
    part: str | None = None
    keys: tuple[tuple[str, str | None], ...] = ()

    @property
    def shown(self) -> str:
        """The name of the file alone, as it may be printed."""
        return SHOWN if descriptor_of(str(self.path)) is not None else shown_name(self.path.name, "file")


def locate(source: str | os.PathLike[str], format: str | None = None) -> Location:
    """Return the `Location` that `source` names; `format` overrides what its name states.

    Raises
    ------
    UnreadableSource
        If the file does not exist or is a folder.
    UnsupportedFormat
        For an address on the network, an unknown suffix, or a compression the format is not read in. A file without a
        suffix is read as its content shows.
    """
    given = os.fspath(source)
    if not given:
        raise UnreadableSource("The name of the table is empty.", hint="name a file")
    path_text, format_, part = _split(given)
    path = Path(path_text)
    compression = None
    if format_ is None:
        inner, compression = stem_and_compression(path)
        stated = format_of_name(path)
        format_ = format or (None if stated is None else stated.name)
        if path.is_file() and (format_ is None or format) and not inner.suffix:
            found, compression = format_of_content(path)
            format_ = format or found
    _check(path, format_, compression)
    assert format_ is not None
    return Location(name=given, path=path, format=format_, compression=compression, part=part or None)


def is_address(given: str) -> bool:
    """Whether a text begins with the scheme of an address: ``https://``, ``jdbc:mysql://``."""
    return _ADDRESS.match(given) is not None


def stem_and_compression(path: Path) -> tuple[Path, str | None]:
    """Return the path without the suffix of a compression, and the compression."""
    compression = COMPRESSION.get(path.suffix.lower())
    return (path.with_suffix("") if compression else path), compression


def format_of_name(path: Path) -> FileFormat | None:
    """Return the format that the suffix of a file states, without that of a compression; None for an unknown one."""
    return FORMAT_OF_SUFFIX.get(stem_and_compression(path)[0].suffix.lower())


def _split(given: str) -> tuple[str, str | None, str | None]:
    """Return path, format if a prefix gives it, and part."""
    if is_address(given):
        read = " ".join(f"{scheme}:" for scheme in READERS)
        raise UnsupportedFormat(
            "Addresses of this scheme are not read.", hint=f"copy the table to a local file, or use one of {read}"
        )
    prefix = re.match(r"(sqlite|duckdb):", given)
    if prefix:
        path, _, part = given[prefix.end() :].partition("#")
        return path, prefix[1], part
    path, _, part = part_of(given, has_prefix=False)
    return path, None, part


def _similar(path: Path) -> str:
    """Return a hint with the files of the folder that have nearly the same name, without names of people."""
    if not path.parent.is_dir():
        return "its folder does not exist"
    try:
        close = similar(path.name, os.listdir(path.parent), n=3, cutoff=0.7)
    except OSError:
        close = []
    named = [name for name in close if shown_name(name, "file") == name]
    return f"similar: {', '.join(named)}" if named else "check the path"


def _check(path: Path, format_: str | None, compression: str | None) -> None:
    shown = shown_name(path.name, "folder" if path.is_dir() else "file") or "The source"
    if path.is_dir():
        raise UnreadableSource(f"{shown} is a folder.", hint="name one file in it")
    if not path.exists():
        whole, mark, _ = path.name.rpartition("#")
        if mark and path.with_name(whole).is_file():
            raise UnreadableSource(
                f"{shown_name(whole, 'file')} is one table: # selects a sheet of a workbook or a table of a database.",
                hint="omit # and what follows",
            )
        raise UnreadableSource(f"{shown} does not exist.", hint=_similar(path))
    if not path.is_file():
        raise UnreadableSource(f"{shown} is not a regular file.", hint="write the table to a file first")
    if not os.access(path, os.R_OK):
        raise UnreadableSource(f"{shown} may not be read.", hint="check its permissions")
    if format_ is None:
        raise text_about_people(path) if names_people(path) else _unknown_suffix(shown)
    is_text = FILE_FORMATS[format_].is_text
    if compression is not None and not is_text:
        raise UnsupportedFormat(
            f"{shown} is compressed as a whole, which is read for CSV, TSV and JSONL only.", hint="unpack it first"
        )
    if path.stat().st_size == 0 and is_text:
        raise ScanIncomplete(f"{shown} holds no rows: it is empty.", hint="was it written completely?")
    if path.stat().st_size == 0:
        raise UnreadableSource(f"{shown} is empty.", hint="was it written completely?")


def _unknown_suffix(shown: str) -> UnsupportedFormat:
    known = " ".join(sorted(FORMAT_OF_SUFFIX))
    return UnsupportedFormat(f"The suffix of {shown} is not known.", hint=f"unpack an archive; known are {known}")


def text_about_people(path: Path) -> ScanIncomplete:
    """Build the error for a text that names people and that no reader takes."""
    return ScanIncomplete(
        f"{shown_name(path.name, 'file')} names {LEAST_PEOPLE} people or more, and its format is not read.",
        hint='delete it, convert it to a table, or name it in "ignore" of the settings file',
    )


def is_pointer(path: Path) -> bool:
    """Whether a file is the pointer that a version control system keeps in the place of a large one."""
    if path.stat().st_size > MOST_POINTER_BYTES:
        return False
    with path.open("rb") as file:
        head = file.read(len(max(POINTERS, key=len)))
    return head.startswith(POINTERS)


def check_is_here(where: Location) -> None:
    """Raise `UnreadableSource` where a version control system keeps a pointer in the place of the file."""
    if is_pointer(where.path):
        raise UnreadableSource(
            f"{where.shown} is a pointer of Git LFS or git-annex: the file is not here.",
            hint="git lfs pull, or git annex get",
        )


def no_such_part(where: Location, parts: list[str]) -> UnreadableSource:
    """Build the error for a table or sheet that is not there."""
    return UnreadableSource(f"{where.shown} has no such part.", hint=f"it contains {listing(shown_names(parts))}")


def choose_part(where: Location, parts: list[str]) -> UnreadableSource:
    """Build the error for a file of several tables of which none was chosen."""
    example = f"{where.shown}#{parts[0]}" if parts and not is_personal(parts[0]) else f"{where.shown}#name"
    return UnreadableSource(
        f"{where.shown} contains {len(parts)} tables: {listing(shown_names(parts))}.", hint=f"choose one: {example}"
    )


def no_table(source: str) -> ScanIncomplete:
    """Build the error for a folder or pattern that stands for no table."""
    return ScanIncomplete(
        f"The folder or pattern {shown_source(source)[0]} contains no table file.",
        hint="check its spelling, and that you may list the folder",
    )


def shown_names(parts: list[str]) -> list[str]:
    """Return the names of tables or sheets as they may be shown: one that is personal data becomes its position."""
    return [f"number {i}" if is_personal(name) else f'"{name}"' for i, name in enumerate(parts, start=1)]


def shown_source(given: str) -> tuple[str, Named | None]:
    """Return a source as reports show it, without folders, servers and what an address asks for, and which part of its
    name is personal data. Of an address that no reader takes, the scheme alone is shown: the rest may hold a password.

    >>> shown_source("/home/x/claims.xlsx#2023"), shown_source("sqlite:data/a.db#Anna Smith")
    (('claims.xlsx#2023', None), ('sqlite:a.db#table-name-withheld', 'table'))
    """
    named = address_of(given)
    scheme = _ADDRESS.match(given)
    if named is None and scheme and not os.path.exists(given):
        return scheme[0], None
    given = given if named is None else named.shown
    if given.endswith("://"):
        return given, None
    prefix = re.match(r"(?:sqlite|duckdb|delta|iceberg|spark):", given)
    address = re.match(r"([a-z][a-z0-9+.\-]+)://\?table=(.+)", given)
    if address:  # as `privaudit.source.places.addresses` shows it
        name = shown_name(address[2], "table")
        return f"{address[1]}://?table={name}", "table" if name != address[2] else None
    start = prefix[0] if prefix else ""
    path, mark, part = part_of(given[len(start) :], bool(prefix))
    last = re.split(r"[\\/]", path.rstrip("\\/"))[-1]
    stated = format_of_name(Path(last))
    is_file = bool(prefix) or stated is not None
    file = shown_name(last, "file" if is_file else "folder")
    kind: Named = "sheet" if stated is not None and stated.name == "excel" else "table"
    shown_part = shown_name(part, kind) if part else ""
    personal: Named | None = ("file" if is_file else "folder") if file != last else None
    return f"{start}{file}{mark}{shown_part}", kind if shown_part != part else personal


def part_of(text: str, has_prefix: bool) -> tuple[str, str, str]:
    """Return path, mark and part of a source without its prefix."""
    if has_prefix:
        return text.partition("#")
    path, mark, part = text.rpartition("#")
    stated = format_of_name(Path(path))
    if mark and stated is not None and stated.lister and not Path(text).exists():
        return path, mark, part
    return text, "", ""


def has_personal_folder(given: str) -> bool:
    """Whether a folder of the path of a file has a name that is personal data.

    Folders above the current one are those of the machine; of a file elsewhere only the folder that it is in counts.
    The names of folders of a Hive table are values of its columns.
    """
    path = given.partition("#")[0]
    if address_of(given) is not None or not os.path.exists(path):
        return False
    folders = Path(os.path.relpath(path)).parts[:-1]
    below = folders if os.pardir not in folders else folders[-1:]
    names = [name for name in below if "=" not in name and name not in (os.pardir, os.curdir)]
    return any(shown_name(name, "folder") != name for name in names)


PLACE = " @ "
"""Precedes the digest of an address in the key of a table that is not in a file."""


def table_key(source: object, folder: Path, name: str | None = None) -> str:
    """Return the key of a table.

    Parameters
    ----------
    source : path or table
    folder : Path
        The folder of the baseline.
    name : str, optional
        Takes the place of the path.

    Raises
    ------
    ConfigError
        If the table has neither a path nor a name.
    """
    if name is not None:
        return shown_name(name, "table")
    if not isinstance(source, str | os.PathLike) or has_no_path(source):
        raise ConfigError(
            "A baseline needs a name for a table without a path.", hint="name it with --name, or name = in Python"
        )
    given = os.fsdecode(source)
    scheme = re.match(r"(delta|iceberg|sqlite|duckdb):", given)
    bare = given[scheme.end() :] if scheme and not os.path.exists(given) else given
    path, mark, part = part_of(bare, bare != given)
    address = None if os.path.exists(path) else address_of(given)
    if address is not None:
        return f"{shown_source(given)[0]}{PLACE}{address.place}"
    return _relative(path, folder) + (f"#{shown_name(part, 'table')}" if mark else "")


def has_no_path(source: object) -> bool:
    """Whether a source is standard input or a table in memory."""
    return not isinstance(source, str | os.PathLike) or os.fsdecode(source) == NAME


def _relative(path: str, folder: Path) -> str:
    """Return a path as seen from `folder`; links in the names of folders are followed, that of the file is not."""
    place = os.path.join(os.path.realpath(os.path.dirname(path) or "."), os.path.basename(os.path.normpath(path)))
    parts = os.path.relpath(place, os.path.realpath(folder)).split(os.sep)
    folders = [part if part == os.pardir else shown_name(part, "folder") for part in parts[:-1]]
    return "/".join([*folders, shown_name(parts[-1], "file")])
