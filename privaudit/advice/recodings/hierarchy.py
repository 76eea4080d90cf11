"""Generalisation hierarchies from files: the name of each value at increasingly coarse levels.

Question: into which meaningful groups can the values of a column be merged?
Method: one line per value, the value first, then its name at level 1, 2, ...; no header row. This is the format of ARX.
Files are read like any table, so delimiter and encoding are detected.
Limits: it is not checked that a level is coarser than the one before; the measured remedies show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from privaudit.advice.technique import Hierarchy
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.model.headers import shown_file
from privaudit.settings.config import Settings
from privaudit.source import open_dataset


def read_hierarchies(
    files: Mapping[str, str], columns: Sequence[str], settings: Settings, *, table: str
) -> dict[str, Hierarchy]:
    """Read the hierarchy of each named column.

    Parameters
    ----------
    files : mapping of column to path
    columns : sequence of str
        Columns of the table that is scanned, named `table` in errors.

    Returns
    -------
    dict of column to {value: (name at level 1, name at level 2, ...)}

    Raises
    ------
    ColumnNotFound
        If the table lacks a column.
    ConfigError
        If a file has no level, or two lines for a value that differ.
    """
    found = {}
    for column, path in files.items():
        if column not in columns:
            raise ColumnNotFound.among(column, table, columns)
        found[column] = read_hierarchy(path, settings)
    return found


def read_hierarchy(path: str, settings: Settings) -> Hierarchy:
    """Read one file: each line a value and its names at level 1, 2, ...; an empty name repeats the level before."""
    plain = replace(settings, header=False, delimiter=None, encoding=None, bad_rows="error")
    with open_dataset(path, plain) as lines:
        cells = [column.to_pylist() for column in lines.rows(lines.columns).columns]
    if len(cells) < 2:
        raise ConfigError(f"{shown_file(path)} has no level.", hint="write each line as: value;level 1;level 2")
    hierarchy: dict[str, tuple[str, ...]] = {}
    for number, (value, *names) in enumerate(zip(*cells, strict=True), 1):
        if value is None:
            continue
        levels: list[str] = []
        for name in names:
            levels.append(name if name is not None else (levels[-1] if levels else value))
        if hierarchy.setdefault(value, tuple(levels)) != tuple(levels):
            raise ConfigError(
                f"{shown_file(path)}: line {number} repeats a value with other levels.", hint="keep one line per value"
            )
    return hierarchy
