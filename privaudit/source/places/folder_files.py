"""Files of a folder whose name does not make them a table: which are tables by content, and which are data not read?

Question: does a folder hold data that a scan of its tables does not read?
Method: files without a suffix, .txt and .json files are tables where their content is one: the signature of a format,
at least five lines with the same number of fields, or a list of JSON objects; compressed .txt and .json files are
tables, and so are .json files with objects of one shape by a key. Data that is not read are files of formats that hold
data (`unread_formats`), other .json files with objects, rows or columns of one shape inside, pointers of Git LFS,
hidden tables, files of an unknown suffix whose content is a table, and texts that name many people (`people_in_text`).
Copies that programs leave next to a table have its name with an ending ("c.csv~", "c.csv.bak", ".c.csv.swp"): of these,
two lines are a table, as they are in the table itself, and so is the buffer of an editor.
Limits: looks for lines of a table in the first 64 KB, of .json, .xml, .yaml and .sql files at 16 MB at most. Documents
in binary formats, pictures and lists of those who wrote a program are not data, nor is what privaudit wrote and nobody
changed: reports, certificates and what these certify.
"""

from __future__ import annotations

import csv
import fnmatch
import json
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from privaudit.base.errors import UnreadableSource
from privaudit.source.places.content_format import format_of_content, narrow, unpacked
from privaudit.source.places.location import is_pointer
from privaudit.source.places.people_in_text import names_people
from privaudit.source.places.table_folders import SELDOM_TABLES, is_hidden, is_table_name
from privaudit.source.places.unread_formats import LEAST_INSIDE, MOST_BYTES, SETTINGS, SIGNATURES, UNREAD, holds_records

_SETTINGS = {".yaml", ".yml"}
"""Suffixes of hidden files that hold settings of programs."""
_PACKED_DOCUMENTS = frozenset(
    ".docx .docm .dotx .pptx .pptm .odt .odp .odg .epub .jar .war .whl .egg .nupkg .apk .vsix .xpi .crx .ipa".split()
)
"""Suffixes of documents and programs that begin like a workbook: both are ZIP archives."""
LEAST_LINES, MOST_LINES = 5, 20
MOST_LEVELS = 4
"""How far inside a JSON document a table is looked for (product default)."""
HEAD = 1 << 16
_BUFFERS = (b"b0VIM ", b"Vim\x9fUnDo\xe5")
"""How files begin in which Vim stores the text that is edited, and what was undone."""
_APPLE_DOUBLE = b"\0\5\x16\7"
"""How a file begins in which macOS stores what it knows about another."""
CODE_QUALITY = {"description", "check_name", "fingerprint", "severity", "location"}
"""The keys of each finding of a report for GitLab."""
JUNIT = b'<testsuites name="privaudit '
"""How a report of a scan for test runners begins, after the declaration of its format."""
Content = Literal["table", "data", "other"]


def content_of(file: Path) -> Content:
    """Return whether a file is a table by its content, data that is not read, or neither."""
    try:
        if file.exists() and not file.is_file():  # to open a pipe waits for somebody who writes into it
            return "other"
        found = _of_hidden(file) if is_hidden(file.name) else _of_visible(file)
        if found != "other" or not names_people(file):
            return found
    except OSError:
        return "data"
    return "table" if file.suffix.lower() == ".json" else "data"  # of JSON the reader decides what it can read


def _of_visible(file: Path) -> Content:
    suffix = file.suffix.lower()
    if suffix == ".xml" and JUNIT in _head(file, None)[: len(JUNIT) + 100]:
        return "other"
    if suffix in UNREAD or (
        suffix in (".gz", ".zst") and Path(file.stem).suffix.lower() in ("", *UNREAD, *SETTINGS, ".sql", ".tar")
    ):
        return "data"
    if is_pointer(file) or holds_records(file):
        return "data"
    if suffix in (".gz", ".zst") and Path(file.stem).suffix.lower() in SELDOM_TABLES:
        return "table"  # documents are seldom compressed
    if suffix == ".json":
        return _json(file)
    if suffix in _PACKED_DOCUMENTS:
        return "other"
    if not _is_table(file):
        return "data" if _head(file, format_of_content(file)[1]).startswith(SIGNATURES) else "other"
    return "table" if suffix in ("", ".txt") else "data"


def _of_hidden(file: Path) -> Content:
    """Return whether a hidden file would be a table, or data, under a name that is not hidden.

    Programs keep databases of their own in hidden files, so that of these the name decides.
    """
    suffix = file.suffix.lower()
    if is_table_name(file) or suffix in UNREAD or (suffix not in _SETTINGS and holds_records(file)):
        return "other" if _head(file, None).startswith(_APPLE_DOUBLE) else "data"
    is_database = format_of_content(file)[0] in ("sqlite", "duckdb")
    return "data" if _is_table(file) and (_is_copy(file) or not is_database) else "other"


def may_be_program(file: Path) -> bool:
    """Whether a file is a text that by its name may be a program or settings, in which lines can look like a table."""
    suffix = file.suffix.lower()
    is_named = suffix in UNREAD | SELDOM_TABLES | {"", ".gz", ".zst", ".sql"} or is_table_name(file) or _is_copy(file)
    return not is_named and not is_hidden(file.name) and not is_pointer(file) and not _has_signature(file)


def _has_signature(file: Path) -> bool:
    head = _head(file, None)
    return b"\0" in head or head.startswith(SIGNATURES)


def _is_copy(file: Path) -> bool:
    """Whether a file has the name of a table with an ending: "c.csv~", "c.csv.orig", "#c.csv#".

    >>> [_is_copy(Path(name)) for name in ("c.csv~", ".c.csv.swp", "#c.csv#", "c.csv", "notes.md~")]
    [True, True, True, False, False]
    """
    name = file.name.strip("~#")
    return not is_table_name(file) and any(is_table_name(Path(each)) for each in (name, Path(name).stem))


def _json(file: Path) -> Content:
    if file.stat().st_size > MOST_BYTES:
        return "data"
    try:
        found = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return "table" if _has_records(_head(file, None), "jsonl") else "data" if _is_table(file) else "other"
    if _are_records(found):
        return "other" if all(one.keys() == CODE_QUALITY for one in found) else "table"
    if (
        isinstance(found, dict)
        and _are_alike(list(found.values()), LEAST_INSIDE, 1)
        and _are_records(list(found.values()))
    ):
        return "table"
    return "data" if _holds_records(found) and not _is_of_privaudit(file, found) else "other"


def _is_of_privaudit(file: Path, found: object) -> bool:
    """Whether a JSON file is a report, a certificate or what one certifies, as it was written: no cell of the table."""
    from privaudit.report import json as reports
    from privaudit.report.seals import is_as_written

    try:
        reports.read(file)
    except UnreadableSource:
        return is_as_written(file, found)
    return True


def _are_records(found: object) -> bool:
    return isinstance(found, list) and len(found) > 1 and all(isinstance(one, dict) for one in found)


def _holds_records(found: object, depth: int = 0) -> bool:
    """Whether a JSON document holds a table: a list of objects, or rows, columns, or objects by a key.

    These must be of one shape, without further levels, and `LEAST_INSIDE` records, which settings seldom are.
    """
    if not isinstance(found, dict | list):
        return False
    inside = list(found.values()) if isinstance(found, dict) else found
    if depth == 0 and any(map(_are_records, inside)):
        return True
    are_columns = isinstance(found, dict) and all(isinstance(one, list) for one in inside)
    if _are_alike(inside, LEAST_INSIDE, 2) or (are_columns and _are_alike(inside, 2, LEAST_INSIDE)):
        return True
    return depth < MOST_LEVELS and any(_holds_records(one, depth + 1) for one in inside)


def _are_alike(found: Sequence[object], least: int, least_cells: int) -> bool:
    """Whether all are objects with the same keys, or all lists of one length, and their cells have no further level."""
    shapes = {_shape(one) for one in found}
    shape = next(iter(shapes), ())
    return len(found) >= least and len(shapes) == 1 and len(shape) >= least_cells


def _shape(found: object) -> tuple[object, ...]:
    """Return the keys of an object, or the positions in a list; nothing for what has further levels or is a cell."""
    if not isinstance(found, dict | list):
        return ()
    cells = found.values() if isinstance(found, dict) else found
    has_levels = any(isinstance(cell, dict | list) for cell in cells)
    return () if has_levels else tuple(sorted(found)) if isinstance(found, dict) else tuple(range(len(found)))


def _is_table(file: Path) -> bool:
    format_, compression = format_of_content(file)
    if format_ in ("csv", "tsv", "jsonl") and (compression is None or file.suffix.lower() != ""):
        head = _head(file, compression)
        return head.startswith(_BUFFERS) or _has_records(head, format_, least=2 if _is_copy(file) else LEAST_LINES)
    return format_ != "json"


def _head(file: Path, compression: str | None) -> bytes:
    if compression is not None:
        return unpacked(file, compression, HEAD)
    with file.open("rb") as content:
        return content.read(HEAD)


def _has_records(head: bytes, format_: str, least: int = LEAST_LINES) -> bool:
    """Whether a text begins with the lines of a table."""
    text = _text(head)
    lines = text.splitlines(keepends=True)
    if len(text) >= HEAD // 2:
        lines = lines[:-1]  # the last one may be cut
    if format_ == "jsonl":
        return len(lines) > 1 and all(line.strip().startswith("{") and _is_json(line) for line in lines[:MOST_LINES])
    return "\0" not in text and any(_is_delimited(lines, mark, least) for mark in ",;\t|")


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _text(head: bytes) -> str:
    """Return the characters of a file, as far as separators, quotes and ends of lines are concerned."""
    return narrow(head).decode("latin-1")


def _is_delimited(lines: Sequence[str], mark: str, least: int) -> bool:
    """Whether the first records have the same number of fields, at least two; separators in quotes do not count."""
    try:
        records = [record for record in islice(csv.reader(lines, delimiter=mark), MOST_LINES) if record]
    except csv.Error:
        return False
    return len(records) >= least and len({len(record) for record in records}) == 1 and len(records[0]) > 1


def is_ignored(path: str | os.PathLike[str], patterns: Sequence[str]) -> bool:
    """Whether a file matches one of the patterns of the setting "ignore"."""
    whole = os.path.abspath(path)
    return any(fnmatch.fnmatchcase(whole, os.path.abspath(pattern)) for pattern in patterns)
