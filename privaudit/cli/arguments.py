"""The options of the commands, as ``rules/commands.toml`` states them.

Question: which options does a command have, and in which order?
Method: a command lists names: of an option of its own, of one that commands share, of a setting, or of a group of
these. Of a setting, name and type are those of its declaration in `privaudit.settings.config`: the type decides about
choices, the smallest number, and whether the option may be repeated.
Limits: the arguments of a command are stated where it is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import click

from privaudit.cli import option_values
from privaudit.cli.option_values import FormatName, NumberFrom, caps, listed, numbers, pairs, roles
from privaudit.settings.config import DECLARED, choices, stated_commands, texts_of

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_REPEATED = {
    "tuple[str, ...]": listed,
    "Mapping[str, str]": pairs,
    "Mapping[str, float]": numbers,
    "Mapping[str, int]": caps,
    "Mapping[str, Role]": roles,
}
"""What is made of the texts of an option that may be repeated, by the type of its setting."""
_TYPES = {"int": int, "float": float}


def options(command: str) -> Decorator:
    """Return the decorator that adds the options of a command, in the order of the help."""
    known = stated_commands()
    own = known["commands"][command]
    records = {**known["shared"], **own}

    def apply(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(list(_expanded(own["takes"], known["groups"]))):
            function = (_option(name, records[name]) if name in records else _setting(name))(function)
        return function

    return apply


def _expanded(names: Iterable[str], groups: Mapping[str, list[str]]) -> Iterator[str]:
    for name in names:
        yield from _expanded(groups[name], groups) if name in groups else (name,)


def _option(name: str, record: Mapping[str, Any]) -> Decorator:
    """Return an option; what is not read here are keywords of click."""
    more = dict(record)
    words = more.pop("option").split()
    flags = [word for word in words if word.startswith("-")]
    more["metavar"] = None if words[-1] in flags else words[-1]
    if "choices" in more:
        more["type"] = _choice(more.pop("choices"))
    elif "number" in more:
        more["type"] = NumberFrom(**more.pop("number"))
    elif "type" in more:
        more["type"] = _TYPES[more["type"]]
    elif more["metavar"] is None:
        more["is_flag"] = True
    if "form" in more:
        more["callback"] = getattr(option_values, more.pop("form"))
    if more.pop("unset", False):
        more["default"] = None  # not stated, so that a settings file decides
    return click.option(*flags, more.pop("name", name), **more)


def _choice(allowed: str | list[str]) -> click.ParamType:  # type: ignore[type-arg] # generic in the newest click only
    if allowed == "formats":
        return FormatName()
    return click.Choice(choices(allowed) if isinstance(allowed, str) else allowed)


def _setting(name: str) -> Decorator:
    """Return the option of a setting."""
    kind, option = str(DECLARED[name].type).removesuffix(" | None"), name.replace("_", "-")
    flags = f"--{option}/--no-{option}" if kind == "bool" else f"--{option}"
    texts = texts_of(name)
    return click.option(flags, metavar=texts.get("metavar"), help=texts["help"], **_form(name, kind))


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
