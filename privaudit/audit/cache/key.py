"""Everything that decides what a run measures, as one name.

Question: under which name is the evidence of this table, measured by this program with these settings, stored?
Method: a keyed hash of the bytes of every file that is read, of all settings, of the policy, the rule packs and the
baseline, of the code and the rules of privaudit, of the version of every installed package (language models are
packages), of Python, the machine and its memory, and of the branch whose runs share their entries.
Limits: tables that are not in files have no name, and neither have runs with a time limit, whose result depends on the
machine. Of the other files of a folder of parts, which a report names, the names are part of the hash.
"""

from __future__ import annotations

import os
import platform
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from privaudit.audit.provenance import path_below
from privaudit.base import extras, resources
from privaudit.settings.config import Settings, population_size
from privaudit.source.files.paths import files_of
from privaudit.source.input.allowed_size import memory_of

FORMAT = "1"
"""Of an entry."""
_BLOCK = 1 << 20
Hasher = Callable[[], blake2b]


def name_of(
    source: Any, auxiliary: Any, population: Any, settings: Settings, *, in_order: bool, branch: str, hasher: Hasher
) -> str | None:
    """Return the name of the evidence of a run; None where no entry can stand for it.

    Parameters
    ----------
    source, auxiliary, population : path or table
    settings : Settings
    in_order : bool
        Whether the source is a remedied table in the order of the table that it was made of.
    branch : str
        The branch whose runs share their entries; "" for runs that no branch decides about.
    hasher : callable
        Returns a new keyed hash.
    """
    if settings.budget is not None:
        return None
    tables = [source, *settings.hierarchy.values()]
    if isinstance(population, str) and population_size(population) is not None:
        population = None
    tables += [table for table in (auxiliary, population) if table is not None]
    try:
        parts = [
            FORMAT,
            *(word for table in tables for word in _table(table, hasher)),
            # The files of these settings may be copies in a private folder: their content counts.
            repr(replace(settings, policy="", rules=None, baseline=None)),
            *_terms(settings, hasher),
            repr((in_order, branch, round(memory_of(settings) / 1e9))),
            _program(),
        ]
    except (OSError, _NotInFilesError):
        return None
    found = hasher()
    for part in parts:
        written = part.encode("utf-8", "surrogateescape")
        found.update(len(written).to_bytes(8, "big") + written)
    return found.hexdigest()


class _NotInFilesError(Exception):
    """A table that is not in files of this machine."""


def _table(table: Any, hasher: Hasher) -> Iterator[str]:
    """Yield how a table is named, and the names and contents of its files.

    Raises
    ------
    _NotInFilesError
    OSError
    """
    if not isinstance(table, str | os.PathLike):
        raise _NotInFilesError
    given = os.fsdecode(table)
    files = files_of(given)
    if not files:
        raise _NotInFilesError
    yield given
    yield path_below(given)
    for file in files:
        yield str(file)
        yield _content(file, hasher)
    if os.path.isdir(given):  # a report names the other files of the folder
        yield from sorted(str(Path(folder, name)) for folder, _, names in os.walk(given) for name in names)


def _terms(settings: Settings, hasher: Hasher) -> Iterator[str]:
    """Yield the names or contents of policy, baseline and rule packs."""
    for named in (settings.policy, settings.baseline):
        yield "" if named is None else _content(Path(named), hasher) if os.path.isfile(named) else str(named)
    if settings.rules is not None:
        folder = Path(settings.rules)
        for file in sorted(file for file in (*folder.glob("*"), *folder.glob("*/*")) if file.is_file()):
            yield str(file.relative_to(settings.rules))
            yield _content(file, hasher)


def _all_files(folder: Path) -> Iterable[Path]:
    return sorted(Path(place, name) for place, _, names in os.walk(folder) for name in names)


def _content(file: Path, hasher: Hasher) -> str:
    """Return the keyed hash of the bytes of a file.

    Raises
    ------
    _NotInFilesError
        If it is a pipe or a device, which can be read once only.
    OSError
    """
    if not stat.S_ISREG(file.stat().st_mode):
        raise _NotInFilesError
    found = hasher()
    with file.open("rb", buffering=0) as opened:
        while block := opened.read(_BLOCK):
            found.update(block)
    return found.hexdigest()


@cache
def _program() -> str:
    """Return a hash of the code and the rules of privaudit, of the installed packages, of Python and the machine."""
    found = blake2b(digest_size=32)
    for folder in (Path(resources.__file__).parents[1], resources.path("rules")):
        for file in _all_files(folder):
            if file.suffix in (".py", ".toml", ".txt", ".json", ".csv", ".yaml"):
                content = file.read_bytes()
                found.update(f"{file.relative_to(folder)}\0{len(content)}\0".encode() + content)
    packages = sorted(extras.installed().items())
    found.update(repr((packages, sys.version, platform.machine(), platform.system())).encode())
    return found.hexdigest()
