"""The options of the commands, as ``rules/commands.toml`` states them.

Question: which options does a command have, in which order, and under which heading?
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
from privaudit.cli.headed_options import OPTIONS, Option
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
        for name, heading in reversed(list(_expanded(own["takes"], known))):
            words, more = _stated(records[name]) if name in records else _setting(name)
            option = click.option(*words, more.pop("name", name), cls=Option, heading=heading, **more)
            function = option(function)
        return function

    return apply


def _expanded(names: Iterable[str], known: Mapping[str, Any], heading: str = OPTIONS) -> Iterator[tuple[str, str]]:
    """Return the name of each option with its heading, which is that of the smallest group that has one."""
    for name in names:
        inner = known["groups"].get(name)
        yield from _expanded(inner, known, known["headings"].get(name, heading)) if inner else ((name, heading),)


def _stated(record: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the flags and the keywords of an option; what is not read here are keywords of click."""
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
    return flags, more


def _choice(allowed: str | list[str]) -> click.ParamType:  # type: ignore[type-arg] # generic in the newest click only
    if allowed == "formats":
        return FormatName()
    return click.Choice(choices(allowed) if isinstance(allowed, str) else allowed)


def _setting(name: str) -> tuple[list[str], dict[str, Any]]:
    """Return the flags and the keywords of the option of a setting."""
    kind, option = str(DECLARED[name].type).removesuffix(" | None"), name.replace("_", "-")
    flags = f"--{option}/--no-{option}" if kind == "bool" else f"--{option}"
    texts = texts_of(name)
    return [flags], {"metavar": texts.get("metavar"), "help": texts["help"], **_form(name, kind)}


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
