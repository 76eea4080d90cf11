"""Every file that a run opens for reading: what no output may replace, and what must not change meanwhile.

Question: which files hold the inputs of this run, and are they still the files that were read?
Method: the parts of the table, the auxiliary table and the population; hierarchies, rules, policy and settings file.
Files are compared by device and inode, so that links and spellings of a path do not matter, and watched by inode,
size and time of the last change.
Limits: a file that is changed and set back within the resolution of the clock of the file system is not noticed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from privaudit.base.errors import ConfigError
from privaudit.model import UsedFile
from privaudit.model.headers import shown_file
from privaudit.settings.config import Settings
from privaudit.source.files.paths import files_of

State = tuple[int, int, int, int]
Purpose = Literal["settings", "policy", "rules", "baseline"]


def opened(
    source: Any, settings: Settings, auxiliary: Any = None, config: Path | None = None, second: Iterable[Any] = ()
) -> tuple[Path, ...]:
    """Return every file that a run with these arguments reads, tables first; `second` are further tables."""
    tables = (source, auxiliary, settings.auxiliary, *second, settings.population, *settings.hierarchy.values())
    found = [file for table in tables if isinstance(table, (str, os.PathLike)) for file in files_of(table)]
    found += _packs(settings)
    found += [Path(file) for file in (config, settings.baseline) if file is not None]
    return tuple(dict.fromkeys(found))


def _packs(settings: Settings) -> Iterator[Path]:
    if os.path.isfile(settings.policy):
        yield Path(settings.policy)
    if settings.rules is not None:
        yield from (Path(folder, name) for folder, _, names in os.walk(settings.rules) for name in names)


def used(settings: Settings, config: Path | None = None) -> tuple[UsedFile, ...]:
    """Return the settings file, the policy file and the rule packs with their digests, sorted by purpose and name.

    Raises
    ------
    ConfigError
        If one of them cannot be read.
    """
    files: list[tuple[Purpose, Path, str]] = []
    if config is not None:
        files.append(("settings", config, shown_file(config)))
    if os.path.isfile(settings.policy):
        files.append(("policy", Path(settings.policy), shown_file(settings.policy)))
    if settings.baseline is not None:
        files.append(("baseline", Path(settings.baseline), shown_file(settings.baseline)))
    if settings.rules is not None:
        root = Path(settings.rules)
        packs = (file for file in _packs(Settings(rules=settings.rules)) if file.suffix in (".toml", ".yaml"))
        files += [("rules", file, str(file.relative_to(root))) for file in packs]
    return tuple(
        UsedFile(purpose=purpose, name=shown, sha256=_sha256(file)) for purpose, file, shown in sorted(files, key=str)
    )


def _sha256(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        raise ConfigError(f"{shown_file(file)} cannot be read.", hint="check the path and your rights") from None


def states(files: Iterable[Path]) -> dict[Path, State | None]:
    """Return device, inode, size and time of the last change of each file; None for one that cannot be looked at."""
    return {file: _state(file) for file in files}


def _state(file: Path) -> State | None:
    try:
        state = file.stat()
    except (OSError, ValueError):
        return None
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns
