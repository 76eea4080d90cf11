"""Find the packs, templates and schemas, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from privaudit.errors import ConfigError

_HERE = Path(__file__).resolve().parent


@cache
def _root() -> Path:
    for candidate in (_HERE / "_data", _HERE.parent):
        if (candidate / "rules").is_dir() and (candidate / "reports").is_dir():
            return candidate
    raise ConfigError(
        "The rule packs and templates are missing from this installation.", hint="install privaudit again"
    )


def path(*parts: str) -> Path:
    """Return the path of a shipped file or folder, for example ``path("rules", "policies")``."""
    return _root().joinpath(*parts)


def names(*parts: str, suffix: str = ".toml") -> tuple[str, ...]:
    """Return the sorted stems of the shipped files in a folder that end in `suffix`."""
    return tuple(sorted(file.stem for file in path(*parts).glob(f"*{suffix}")))
