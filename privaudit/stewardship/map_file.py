"""The file of the data map: TOML that people read and edit.

Question: how are the measured and the decided parts of a map kept in one file?
Method: the records are written key by key, in their order, empty fields included, so that people see what to fill in.
Limits: comments that people add are not kept by the next run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.toml_text import toml_text
from privaudit.base.typed import convert
from privaudit.model.headers import shown_file
from privaudit.report import files
from privaudit.stewardship.data_map import Column, Inventory

_HEAD = """\
# Inventory of personal data, written by `privaudit inventory build`. The next run keeps what people fill in:
# owner, purpose, subjects, recipients, transfers, security; retention (keep = "10 months", counted_from = a column,
# then = "erase" or "archive", archive = "5 years"), legal_hold, erase, several, subject, identifies, references.
"""


def read_map(path: Path) -> Inventory:
    """Return the data map in a file.

    Raises
    ------
    ConfigError
        If the file cannot be read, is not TOML, or has an unknown or wrong key.
    """
    shown = shown_file(path)
    content = resources.read_stated(
        path, shown, "inventory", hint="make one: privaudit inventory build STORE... -o FILE"
    )
    try:
        inventory: Inventory = convert(content, Inventory)
    except (TypeError, ValueError):
        raise ConfigError(
            f"{shown} is not an inventory: a key is not known, missing, or of another type.",
            hint="compare it with the output of privaudit inventory build",
        ) from None
    return inventory


def write_map(inventory: Inventory, path: Path) -> None:
    """Write a data map in one step.

    Raises
    ------
    ConfigError
        If the file must not or cannot be written.
    """
    files.check(path)
    files.replace(path, map_text(inventory))


def map_text(inventory: Inventory) -> str:
    """Return the file of a data map."""
    lines = [_HEAD, f"version = {inventory.version}", "", "[controller]", *_entries(inventory.controller)]
    for store in inventory.store:
        lines += ["", "[[store]]", *_entries(store)]
        for table in store.table:
            lines += ["", "[[store.table]]", *_entries(table), "columns = ["]
            lines += [f"  {_inline(column)}," for column in table.columns]
            lines.append("]")
    for name, records in (("reference", inventory.reference), ("unreachable", inventory.unreachable)):
        for record in records:
            lines += ["", f"[[{name}]]", *_entries(record)]
    return "\n".join(lines) + "\n"


def _entries(record: Any) -> Iterator[str]:
    for field in fields(record):
        value = getattr(record, field.name)
        if not isinstance(value, tuple):
            yield f"{field.name} = {toml_text(value)}"


def _inline(column: Column) -> str:
    stated = {field.name: getattr(column, field.name) for field in fields(column)}
    default = Column(name="")
    shown: Mapping[str, Any] = {
        name: value for name, value in stated.items() if name == "name" or value != getattr(default, name)
    }
    return "{" + ", ".join(f"{name} = {toml_text(value)}" for name, value in shown.items()) + "}"
