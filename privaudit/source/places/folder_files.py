"""Files of a folder whose name does not make them a table: which are tables by content, and which are data not read?

Question: does a folder hold data that a scan of its tables does not read?
Method: files without a suffix, .txt and .json files are tables where their content is one: the signature of a format,
at least five lines with the same number of separators, or a list of JSON objects; compressed .txt and .json files are
tables. Files of formats that hold data, and .json files with a list of objects inside, are data that is not read.
Limits: looks at the first 64 KB, of .json files at 16 MB at most. Documents, pictures and programs are not data.
"""

from __future__ import annotations

import fnmatch
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from privaudit.model.file_formats import FORMAT_OF_SUFFIX
from privaudit.source.places.content_format import format_of_content
from privaudit.source.places.table_folders import SELDOM_TABLES, is_hidden

UNREAD = frozenset(
    """.zip .bz2 .xz .7z .tar .tgz .rar .z .lz4 .avro .xml .rds .rda .rdata .h5 .hdf5 .nc .mdb .accdb .dbf .pkl .pickle
    .npy .npz .mat .geojson .gpkg .shp .kml .gpx .fits .numbers .wk1 .prn .dif .sas7bcat .jmp .yaml .yml .vcf .ics .mbox
    .eml .pst .bak .dump .sql""".split()
).difference(FORMAT_OF_SUFFIX)
"""Suffixes of data that no reader takes."""
LEAST_LINES = 5
HEAD, MOST_JSON = 1 << 16, 1 << 24
Content = Literal["table", "data", "other"]


def content_of(file: Path) -> Content:
    """Return whether a file is a table by its content, data that is not read, or neither."""
    suffix = file.suffix.lower()
    if is_hidden(file.name):
        return "other"
    if suffix in UNREAD or (suffix in (".gz", ".zst") and Path(file.stem).suffix.lower() in ("", *UNREAD, ".tar")):
        return "data"
    try:
        if suffix in (".gz", ".zst") and Path(file.stem).suffix.lower() in SELDOM_TABLES:
            return "table"  # documents are seldom compressed
        if suffix == ".json":
            return _json(file)
        return "table" if suffix in ("", ".txt") and _is_table(file) else "other"
    except OSError:
        return "data"


def _json(file: Path) -> Content:
    if file.stat().st_size > MOST_JSON:
        return "data"
    try:
        found = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return "other"
    if _are_records(found):
        return "table"
    return "data" if isinstance(found, dict) and any(map(_are_records, found.values())) else "other"


def _are_records(found: object) -> bool:
    return isinstance(found, list) and len(found) > 1 and all(isinstance(one, dict) for one in found)


def _is_table(file: Path) -> bool:
    format_, compression = format_of_content(file)
    if compression is not None or format_ not in ("csv", "tsv"):
        return file.suffix == "" and format_ != "json"
    with file.open("rb") as content:
        head = content.read(HEAD)
    lines = [line for line in head.splitlines()[: 4 * LEAST_LINES] if line.strip()]
    if len(lines) < LEAST_LINES or b"\0" in head:
        return False
    counts = ({line.count(mark) for line in lines} for mark in (b",", b";", b"\t", b"|"))
    return any(len(found) == 1 and found != {0} for found in counts)


def is_ignored(path: str | os.PathLike[str], patterns: Sequence[str]) -> bool:
    """Whether a file matches one of the patterns of the setting "ignore"."""
    whole = os.path.abspath(path)
    return any(fnmatch.fnmatchcase(whole, os.path.abspath(pattern)) for pattern in patterns)


def without_ignored(files: Iterable[Path], patterns: Sequence[str], ignored: list[str]) -> Iterator[Path]:
    """Yield the files that are not ignored, and note the names of the others."""
    for file in files:
        if is_ignored(file, patterns):
            ignored.append(str(file))
        else:
            yield file
