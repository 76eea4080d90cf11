"""Settings files: find the one that applies, and read it.

Question: which settings does the nearest privaudit.toml, or the section [tool.privaudit] of a pyproject.toml, state?
Method: the nearest file upwards, within the repository; its keys are checked against `Settings`, and its paths are
relative to its folder. Sections ``[tables."PATTERN"]`` hold for the tables whose path matches.
Limits: merges nothing; `privaudit.settings.run_settings` joins the file with the options of a command.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from privaudit.base import resources
from privaudit.base.errors import ConfigError, RuleError
from privaudit.model.headers import shown_file
from privaudit.settings.config import CONFIG_FILE, PATHS, check, population_size

TABLES = "tables"
"""The key of a settings file whose sections hold for some tables only."""
EXACTLY = "./"
"""Begins a pattern that the whole path must match, with the worksheet or the table of a database."""


def find_config(start: Path) -> Path | None:
    """Return the nearest settings file at or above `start`: privaudit.toml, else a pyproject with a section.

    The search ends at the root of the repository that `start` is in, or at the user's home folder. Outside of both it
    looks in `start` alone: a file that somebody else put into a folder above must not decide.
    """
    for folder in _searched(start):
        file = folder / CONFIG_FILE
        if file.is_file():
            return file
        project = folder / "pyproject.toml"
        if project.is_file() and settings_section(read_settings_file(project)) is not None:
            return project
    return None


def _searched(start: Path) -> list[Path]:
    folders = (start, *start.parents)
    for i, folder in enumerate(folders):
        # ".git" is a file in worktrees and submodules, so its existence decides, not its kind.
        if (folder / ".git").exists() or folder == _home():
            return list(folders[: i + 1])
    return [start]


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


def load_config(file: Path, *, folder: Path | None = None) -> dict[str, Any]:
    """Return the settings a configuration file names for every table, checked, ready for `Settings(**...)`.

    Paths in the file are relative to `folder`, by default that of the file.

    Raises
    ------
    ConfigError
        For a file that is not TOML, an unknown key, a wrong type, or a number that is not finite.
    """
    section = {key: value for key, value in _section(file).items() if key != TABLES}
    return _relative_paths(check(section, where=shown_file(file)), folder or file.parent)


def load_tables(file: Path, *, folder: Path | None = None) -> dict[str, dict[str, Any]]:
    """Return the settings a configuration file names for some tables, by the pattern of their paths.

    Raises
    ------
    ConfigError
        As `load_config`, and if a section is not a table of settings.
    """
    sections = _section(file).get(TABLES, {})
    if not isinstance(sections, dict) or not all(isinstance(one, dict) for one in sections.values()):
        raise ConfigError(
            f'"{TABLES}" in {shown_file(file)} must have one section for each pattern.',
            hint='for example [tables."people*.csv"]',
        )
    if any("answers" in values for values in sections.values()):
        raise ConfigError(
            f'"answers" in {shown_file(file)} must not be in a section of [{TABLES}].', hint='write [answers."PATTERN"]'
        )
    for name in ("parts", "ignore"):
        if any(name in values for values in sections.values()):
            raise ConfigError(
                f'"{name}" in {shown_file(file)} must not be in a section of [{TABLES}].',
                hint="it states which files are a table: write it above the sections",
            )
    return {
        pattern: _relative_paths(
            check(values, where=f'[{TABLES}."{pattern}"] of {shown_file(file)}'), folder or file.parent
        )
        for pattern, values in sections.items()
    }


def path_from(table: str, file: Path) -> str:
    """Return the path of a table, or a pattern, as the settings file names it: relative to its folder."""
    return os.path.relpath(table, file.resolve().parent).replace(os.sep, "/")


def pattern_of(table: str, file: Path) -> str:
    """Return the pattern that matches only `table`, the path of a file and, after #, a table in it."""
    return EXACTLY + glob.escape(path_from(table, file))


def _section(file: Path) -> dict[str, Any]:
    content = read_settings_file(file)
    section = settings_section(content) if has_tool_section(file, content) else content
    if not isinstance(section, dict):
        raise ConfigError(f"{shown_file(file)} has no section [tool.privaudit].", hint="see docs/configuration.md")
    return section


def has_tool_section(file: Path, content: Mapping[str, Any]) -> bool:
    """Whether the settings of `file` are in its section [tool.privaudit], not at its top level."""
    return file.name == "pyproject.toml" or "tool" in content


def _relative_paths(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return `values` with the paths that a settings file in `folder` names, relative to the current folder."""
    found = {name: _from_here(values[name], folder) for name in PATHS if values.get(name) is not None}
    if values.get("policy") in resources.names("rules", "policies"):
        del found["policy"]  # a name, not a path
    if population_size(values.get("population") or "") is not None:
        del found["population"]  # a number, not a path
    return {**values, **found}


def _from_here(paths: Any, folder: Path) -> Any:
    """Return a path, or those in a list or table, relative to the current folder."""
    if isinstance(paths, Mapping):
        return {key: _path_from_here(path, folder) for key, path in paths.items()}
    if isinstance(paths, tuple):
        return tuple(_path_from_here(path, folder) for path in paths)
    return _path_from_here(paths, folder)


def _path_from_here(path: str, folder: Path) -> str:
    is_address = re.match(r"[A-Za-z][A-Za-z0-9+]*:", path)
    return path if is_address or Path(path).is_absolute() else os.path.relpath(folder / path)


def settings_section(content: Mapping[str, Any]) -> Any:
    """Return the section [tool.privaudit], None where there is none."""
    tool = content.get("tool")
    return tool.get("privaudit") if isinstance(tool, dict) else None


def read_settings_file(file: Path) -> dict[str, Any]:
    """Return the content of a settings file, before validation."""
    try:
        return resources.read_toml(file, shown_file(file))
    except RuleError as error:
        wrong = ConfigError(error.message, hint="check quotes, brackets and keys set twice")
    raise wrong
