"""Find the settings file that applies: the nearest one upwards, within the repository."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from privaudit.config import CONFIG_FILE, read_settings_file, settings_section

if TYPE_CHECKING:
    pass


def find_config(start: Path) -> Path | None:
    """Return the nearest settings file at or above `start`: privaudit.toml, else a pyproject with a section.

    The search ends at the root of the repository that `start` is in, or at the user's home folder. Outside of both it
    looks in `start` alone: a file that somebody else put into a folder above must not decide.
    """
    for folder in _searched(start):
        own = folder / CONFIG_FILE
        if own.is_file():
            return own
        project = folder / "pyproject.toml"
        if project.is_file() and settings_section(read_settings_file(project)) is not None:
            return project
    return None


def _searched(start: Path) -> list[Path]:
    folders = (start, *start.parents)
    for i, folder in enumerate(folders):
        if (folder / ".git").exists() or folder == _home():
            return list(folders[: i + 1])
    return [start]


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None
