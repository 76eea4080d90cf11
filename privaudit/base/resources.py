"""Find the packs, templates and schemas, in a checkout and in an installed wheel alike; read TOML files.

Limits: the content of a file is validated by the caller.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError, RuleError

_HERE = Path(__file__).resolve().parents[1]


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


def lines(*parts: str) -> list[str]:
    """Return the lines of a shipped list, without those that begin with "#"."""
    return [line for line in path(*parts).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def names(*parts: str) -> tuple[str, ...]:
    """Return the sorted stems of the shipped TOML files in a folder."""
    return tuple(sorted(file.stem for file in path(*parts).glob("*.toml")))


READ_FOLDERS = ("detectors", "checks", "frameworks", "tables")
_OTHER_PACKS = ("fusion.toml", "recognizers.yaml")  # what was learned; Presidio's own form


def user_folder(folder: str | Path) -> Path:
    """Return the user's folder of rules as a path.

    Raises
    ------
    RuleError
        Where it is missing, a file, holds no pack, or holds one where none is looked for.
    """
    home = Path(folder)
    try:
        inside = sorted(home.iterdir())
    except NotADirectoryError:
        raise RuleError("The path of the rules is a file.", hint="name the folder that holds the packs") from None
    except (OSError, ValueError):
        raise RuleError(
            "The folder of the rules does not exist or cannot be read.", hint="name the folder that holds the packs"
        ) from None
    lost = [file for sub in inside if sub.is_dir() and _lost(sub.name) for file in sub.glob("*.toml")]
    if lost:
        raise RuleError(
            f'"{lost[0].parent.name}/{min(lost).name}" lies where no pack is read.',
            hint=f"detectors lie in the folder itself, others in {', '.join(f'{name}/' for name in READ_FOLDERS)}",
        )
    packs = any(file.suffix == ".toml" or file.name in _OTHER_PACKS for file in inside)
    if not packs and not any(any(home.glob(f"{name}/*.toml")) for name in READ_FOLDERS):
        raise RuleError("The folder of the rules has no rule pack.", hint="name the folder with the packs (*.toml)")
    return home


def _lost(name: str) -> bool:
    # Policies are named by their own path and may be in the same folder.
    return name not in (*READ_FOLDERS, "policies") and not name.startswith(".")


def is_shipped(file: Path) -> bool:
    """Return whether `file` is one of the rule files of privaudit: tests validate those."""
    return file.is_relative_to(_root() / "rules")


def read_toml(file: Path, shown: str = "") -> dict[str, Any]:
    """Return the content of a TOML file, which errors call `shown` or, without it, by its name.

    The content of a shipped file is shared by all callers, and its dates are ISO 8601 texts.

    Raises
    ------
    RuleError
        For a file that cannot be read, is not UTF-8 or not TOML; the line is named, its text is not.
    """
    shown = shown or file.name
    try:
        if is_shipped(file):
            from privaudit.base import compiled_rules  # lazily: `import privaudit` reads no rules

            return compiled_rules.read(file, _root())
        import tomllib  # lazily: the shipped files are compiled

        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError:
        raise RuleError(f"{shown} cannot be read.", hint="check the path") from None
    except UnicodeDecodeError:
        raise RuleError(f"{shown} is not UTF-8.", hint="save it as UTF-8") from None
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        at = re.search(r"\(at line ([0-9]+), column [0-9]+\)$", str(error))
        place = f", line {at[1]}" if at else ", at its end"
    raise RuleError(
        f"{shown}{place}: this is not TOML.",
        hint="check quotes, brackets and keys set twice; put expressions into single quotes",
    )


def check_keys(content: Iterable[str], known: Sequence[str], where: str) -> None:
    """Raise `ConfigError` for a key of `content` that is not known; `where` names what has it."""
    for key in content:
        if key not in known:
            raise ConfigError(f'Unknown key "{key}" in {where}.', hint=f"known are: {', '.join(known)}")


def read_stated(file: Path, shown: str, what: str, *, hint: str = "check the path") -> dict[str, Any]:
    """Return the content of a TOML file in which a person states something: `what` is its name, `hint` how to get one.

    Raises
    ------
    ConfigError
        For a file that does not exist or that `read_toml` refuses.
    """
    try:
        return read_toml(file, shown)
    except RuleError as error:
        if not file.exists():
            raise ConfigError(f"The {what} {shown} does not exist.", hint=hint) from None
        raise ConfigError(error.message, hint="check quotes and brackets") from None
