"""Write what follows from the declarations of the settings: `python docs/make_settings.py`; a test compares.

This is the table in docs/configuration.md, and the types in `privaudit/settings/options.py`, which editors and type
checkers read without running the program.
"""

from __future__ import annotations

import json
from pathlib import Path

from privaudit.settings.config import DECLARED, Settings, choices, texts_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "configuration.md"
TYPES = ROOT / "privaudit" / "settings" / "options.py"
_TABLE = ("`privaudit/settings/config.py` and `rules/commands.toml`. -->\n\n", "\n## Declared roles")
_CLASSES = ("from `privaudit.settings.config`.\n\n\n", "class AttackOptions")


def table() -> str:
    """Return one row for each setting, in the order of their declarations."""
    rows = (f"| `{name}` | {_default(name)} | {_meaning(name)} |\n" for name in DECLARED)
    return "".join(("| setting | default | meaning |\n|---|---|---|\n", *rows))


def _default(name: str) -> str:
    value = getattr(Settings(), name)
    is_set = isinstance(value, str | int | float) or (isinstance(value, tuple) and value)
    return f"`{json.dumps(value)}`" if is_set else "–"


def _meaning(name: str) -> str:
    stated = texts_of(name)
    is_one = not str(DECLARED[name].type).startswith("Mapping")
    allowed = ", ".join(f"`{one}`" for one in choices(name)) if is_one else ""
    texts = (stated.get("help"), stated.get("more"), allowed and f"One of: {allowed}.")
    return " ".join(text for text in texts if text).replace("|", "\\|")


def classes() -> str:
    """Return the classes of the options that reading takes, and of those that a scan takes besides."""
    return (
        "class ReadingOptions(TypedDict, total=False):\n"
        '    """How a table is read; docs/configuration.md explains each."""\n\n'
        + _keys("reading")
        + "\n\nclass ScanOptions(ReadingOptions, total=False):\n"
        '    """Settings of a scan, besides those that `scan` names itself; docs/configuration.md explains each.\n\n'
        "    ``population`` is a number of people, the path of a table, or a table in memory. ``parts`` lists the folders and\n"
        '    patterns whose files are parts of one table; True stands for the source itself.\n    """\n\n'
        + _keys("scan")
        + "\n\n"
    )


def _keys(group: str) -> str:
    return "".join(f"    {name}: {_type(name)}\n" for name, one in DECLARED.items() if one.metadata["group"] == group)


def _type(name: str) -> str:
    """Return the type of the values that a caller may give, as it is written."""
    kind, stated = str(DECLARED[name].type).removesuffix(" | None").replace("'", '"'), DECLARED[name].metadata
    if stated["takes"] or kind == "tuple[str, ...]":
        return str(stated["takes"] or "Names")
    return "Path" if stated["is_path"] and kind == "str" else kind


def written(text: str, between: tuple[str, str], part: str) -> str:
    """Return a text in which what is between two marks is replaced."""
    before, start, rest = text.partition(between[0])
    return f"{before}{start}{part}{between[1]}{rest.partition(between[1])[2]}"


def files() -> dict[Path, str]:
    """Return what each file must contain."""
    return {
        PAGE: written(PAGE.read_text(encoding="utf-8"), _TABLE, table()),
        TYPES: written(TYPES.read_text(encoding="utf-8"), _CLASSES, classes()),
    }


if __name__ == "__main__":
    for file, text in files().items():
        file.write_text(text, encoding="utf-8")
