"""Which name identifies a table in a baseline?

Question: under which key does a baseline hold the table of a source?
Method: the path relative to the folder of the baseline, with ``#sheet`` or ``#table``; an address as reports show it,
with a digest of its host, bucket and path, which reports withhold.
A part of the path that is personal data is withheld, as in reports: two tables that get one key this way are refused.
Limits: standard input and tables in memory have no path and need a name.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from privaudit.base.errors import ConfigError
from privaudit.model.headers import shown_name
from privaudit.source.places.addresses import address_of
from privaudit.source.places.location import part_of, shown_source
from privaudit.source.places.standard_input import NAME

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
