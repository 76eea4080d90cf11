"""The option of a setting, made of its declaration.

Question: how does a command ask for a setting?
Method: name, help and metavar are those of the declaration in `privaudit.settings.config`; the type decides about
choices, the smallest number, and whether an option may be repeated.
Limits: an option that does not take the value of a setting as it is, such as ``--parts``, is written out where it is
used.
"""

from __future__ import annotations

from typing import Any

import click

from privaudit.cli.option_values import Decorator, NumberFrom, caps, listed, numbers, pairs, roles
from privaudit.settings.config import DECLARED, choices

_REPEATED = {
    "tuple[str, ...]": listed,
    "Mapping[str, str]": pairs,
    "Mapping[str, float]": numbers,
    "Mapping[str, int]": caps,
    "Mapping[str, Role]": roles,
}
"""What is made of the texts of an option that may be repeated, by the type of its setting."""


def setting(name: str) -> Decorator:
    """Return the option of a setting."""
    declared, option = DECLARED[name], name.replace("_", "-")
    kind = str(declared.type).removesuffix(" | None")
    flags = f"--{option}/--no-{option}" if kind == "bool" else f"--{option}"
    texts = {"metavar": declared.metadata["metavar"] or None, "help": declared.metadata["help"]}
    return click.option(flags, **texts, **_form(name, kind))


def _form(name: str, kind: str) -> dict[str, Any]:
    """Return what the type of a setting states of its option."""
    least = DECLARED[name].metadata["least"]
    if kind == "bool":
        return {"default": None}  # not stated, so that a settings file decides
    if kind in _REPEATED:
        return {"multiple": True, "callback": _REPEATED[kind]}
    if kind in ("int", "float"):
        return {"type": NumberFrom(least, whole=kind == "int")}
    allowed = choices(name)
    return {"type": click.Choice(allowed)} if allowed else {}
