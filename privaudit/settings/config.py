"""The settings of a run, from arguments, ``privaudit.toml`` or ``[tool.privaudit]``, as one frozen record.

Question: which settings hold for this run?
Method: `Settings` declares every option once with its type and default; a configuration file uses the same names, and
unknown keys, wrong types, NaN and infinity are errors that name their place. Paths in a file are relative to it.
Arguments win over the file.
Limits: knows nothing of packs; a policy or framework is a name here and resolved by the rulebook.
"""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections import abc
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.similar_names import similar
from privaudit.base.typed import Refused, convert, validated
from privaudit.model.file_formats import InputFormat
from privaudit.model.vocabulary.records import Role, Severity
from privaudit.model.vocabulary.statements import MissingSemantics
from privaudit.settings.acceptance import AcceptanceEntry, parse_entries
from privaudit.settings.answers import AnswerBook, parse_answers

CONFIG_FILE = "privaudit.toml"

LossMeasure = Literal[
    "loss", "geometric-loss", "precision", "entropy", "entropy-to-root", "discernibility", "class-size", "ambiguity"
]
"""Measures of information loss by which remedies are compared; `advice.effect.information_loss` defines them."""

Method = Literal["least-loss", "full-domain", "local", "mondrian", "cells"]
"""How a plan generalises or suppresses quasi-identifiers; `advice.plans.alternatives` compares the methods."""
LEAST_LOSS: Method = "least-loss"
"""Of all methods the one that loses least."""

Linkage = Literal["all", "exact", "tolerant", "probabilistic"]
"""How an attack links the auxiliary table; `attacks.links` simulates each."""

Bound = Literal["default", "none"]
"""Whether the search for combinations ends at a bound on work; `privaudit.risk.search.work` defines it."""

Unit = Literal["person", "event", "household", "organisation", "object", "aggregate"]
"""What a row of the table is."""
NO_QUASI = "none"
"""The value of the setting "quasi" that states that no column is a quasi-identifier."""
MEMORY = r"(?i)\s*[1-9][0-9]*(\.[0-9]+)?\s*[KMGT]i?B\s*"
CAPS: Mapping[str, int] = {
    "columns": 10_000,
    "cells": 100_000_000,
    "cell-bytes": 64 * 1024**2,
    "unpacked-bytes": 16 * 1024**3,
    "expansion": 200,
}
"""The largest input that is read: columns of a table, cells of a worksheet, bytes of one cell, bytes of a compressed
file when unpacked, and how many times larger than the file that is."""


def _setting(
    default: Any = None,
    *,
    least: float | None = None,
    is_path: bool = False,
    group: Literal["scan", "reading", "call"] = "scan",
    takes: str = "",
) -> Any:
    """Declare a setting once; what else is known of it follows from its type, and its texts are in `texts_of`.

    Parameters
    ----------
    default : value, or a callable that makes it
    least : number, optional
        The smallest number that it may be.
    is_path : bool
        Whether its texts are paths, which a settings file states relative to itself.
    group : {"scan", "reading", "call"}
        Which functions of Python take it: all that scan, also those that only read a table, or those that name it.
    takes : str
        The type of the values that Python accepts, where it is wider than the type of the setting.
    """
    made = {"default_factory": default} if callable(default) else {"default": default}
    return field(**made, metadata={"least": least, "is_path": is_path, "group": group, "takes": takes})


@cache
def stated_commands() -> dict[str, Any]:
    """Return what is stated of the commands: their sections, their options, what these share, and the settings."""
    return resources.read_toml(resources.path("rules", "commands.toml"))


def texts_of(name: str) -> dict[str, str]:
    """Return what ``rules/commands.toml`` states of a setting.

    ``must_be`` is what it must be, in words, where its type alone does not state it; ``metavar`` and ``help`` are of
    its option on the command line; ``more`` is what docs/configuration.md adds.
    """
    return stated_commands()["settings"][name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every option of a scan, with its default; docs/configuration.md lists them."""

    policy: str = _setting("public", is_path=True, group="call")
    framework: tuple[str, ...] = _setting(("wp216",), group="call")
    role: Mapping[str, Role] = _setting(dict)
    quasi: tuple[str, ...] = _setting(())
    sensitive: tuple[str, ...] = _setting(())
    accept: tuple[AcceptanceEntry, ...] = _setting((), takes="Iterable[AcceptanceEntry | Mapping[str, Any]]")
    answers: AnswerBook = _setting(AnswerBook, takes="AnswerBook | Mapping[str, Any]")
    field_metadata: bool = _setting(True)
    baseline: str | None = _setting(is_path=True)
    tolerance: float = _setting(0.1, least=0)
    max_size: int = _setting(3, least=1)
    auxiliary: str | None = _setting(is_path=True, group="call")
    on: Mapping[str, str] = _setting(dict)
    truth: Mapping[str, str] = _setting(dict)
    population: str | None = _setting(is_path=True, takes="Any")
    hierarchy: Mapping[str, str] = _setting(dict, is_path=True)
    keep: tuple[str, ...] = _setting(())
    importance: Mapping[str, float] = _setting(dict)
    loss_measure: LossMeasure = _setting("loss")
    choose: int | None = _setting(least=1)
    method: Method = _setting("least-loss")
    missing: MissingSemantics = _setting("category")
    weight: str | None = _setting()
    subject: str | None = _setting()
    unit: Unit | None = _setting()
    sample_ner: int = _setting(2000, least=1)
    ner: bool = _setting(True)
    rules: str | None = _setting(is_path=True)
    bad_rows: Literal["error", "skip"] = _setting("error", group="reading")
    input_format: InputFormat | None = _setting(group="reading")
    delimiter: str | None = _setting(group="reading")
    encoding: str | None = _setting(group="reading")
    header: bool | None = _setting(group="reading")
    memory: str | None = _setting(group="reading")
    threads: int | None = _setting(least=1, group="reading")
    cap: Mapping[str, int] = _setting(dict, group="reading")
    password_env: str | None = _setting(group="reading")
    parts: tuple[str, ...] = _setting((), is_path=True, group="reading", takes="Names | bool")
    ignore: tuple[str, ...] = _setting((), is_path=True, group="reading")
    name: str | None = _setting()
    budget: float | None = _setting(takes="float | str")
    bound: Bound = _setting("default")
    anonymised: bool = _setting(False, group="call")
    linkage: Linkage = _setting("all", group="call")
    seed: int = _setting(0, least=0, group="call")
    fail_on: Severity | None = _setting()

    def __post_init__(self) -> None:
        for name, declared in DECLARED.items():
            least, value = declared.metadata["least"], getattr(self, name)
            if least is not None and value is not None and value < least:
                raise ConfigError(f'"{name}" must be {least} or more.')
        if self.memory is not None and re.fullmatch(MEMORY, self.memory) is None:
            raise ConfigError('"memory" must be a size.', hint="for example 4GB")
        for name, value in self.cap.items():
            if name not in CAPS or value < 1:
                known = ", ".join(CAPS)
                raise ConfigError(f'"cap" must be numbers of 1 or more under these names: {known}.')
        size = None if self.population is None else population_size(self.population)
        if size is not None and (not size.isdecimal() or int(size) < 1):
            raise ConfigError('"population" must be a whole number of people, 1 or more, or a table.')
        if any(not 0 <= weight < math.inf for weight in self.importance.values()):
            raise ConfigError('"importance" must be a number for each column, 0 or more.', hint="for example age=5")
        # Which tables a pattern names is decided where the settings of one table are made.
        if self.answers.tables:
            raise ConfigError('"answers" for single tables must be in a settings file.', hint="docs/configuration.md")
        if self.budget is not None and not 0 < self.budget < math.inf:
            raise ConfigError('"budget" must be a time above zero.', hint="for example 60s or 5m")

    @property
    def rules_folder(self) -> Path | None:
        """The folder with the user's packs, as a path."""
        return None if self.rules is None else Path(self.rules)

    def largest(self, what: str) -> int:
        """Return the cap of `what`, one of `CAPS`."""
        return self.cap.get(what, CAPS[what])

    def memory_bytes(self) -> int | None:
        """Return the setting "memory" in bytes."""
        if self.memory is None:
            return None
        found = re.fullmatch(r"\s*([0-9.]+)\s*([A-Za-z])(i?)[Bb]\s*", self.memory)
        assert found is not None, "checked on construction"
        # KB is 1,000 bytes and KiB 1,024, as IEC 80000-13 defines them.
        step = 1024 if found[3] else 1000
        return int(float(found[1]) * step ** (1 + "KMGT".index(found[2].upper())))

    def declares_no_quasi(self, columns: Iterable[str]) -> bool:
        """Whether ``--quasi none`` states that no column is a quasi-identifier: no column has this name."""
        return self.quasi == (NO_QUASI,) and NO_QUASI not in columns


DECLARED = {item.name: item for item in dataclasses.fields(Settings)}
"""The settings by name, with type, default and what `_setting` states of them."""
LISTS = tuple(name for name, item in DECLARED.items() if item.type == "tuple[str, ...]")
"""Settings that take several texts."""
PATHS = tuple(name for name, item in DECLARED.items() if item.metadata["is_path"])


def population_size(population: str) -> str | None:
    """Return the number that a population is given as, without separators; None for the path of a table."""
    bare = population.strip().replace(",", "").replace("_", "")
    return bare if re.fullmatch(r"[-+]?\d+(\.\d*)?(e[-+]?\d+)?", bare, re.IGNORECASE) else None


Progress = Callable[[str, float | None], None]
"""Called with what is being done and the share done (0 to 1, or None where unknown)."""


def silent(_what: str, _share: float | None = None) -> None:
    """Report no progress."""


def check(values: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """Check names and types of `values` against `Settings` and return them in its types.

    Raises
    ------
    ConfigError
        For an unknown key or a wrong type.
    """
    clean: dict[str, Any] = {}
    for key, value in values.items():
        name = key.replace("-", "_")
        if name not in DECLARED:
            close = ", ".join(f'"{other}"' for other in similar(name, DECLARED, n=3, cutoff=0.6))
            hint = f"did you mean {close}?" if close else "docs/configuration.md lists every key"
            raise ConfigError(f'Unknown key "{key}" in {where}.', hint=hint)
        clean[name] = _convert(name, value, where)
    return clean


def with_parts(values: Mapping[str, Any], sources: Iterable[Any]) -> dict[str, Any]:
    """Return the settings of a call in which ``parts=True`` became the sources that are paths."""
    if not isinstance(values.get("parts"), bool):
        return dict(values)
    paths = tuple(os.fspath(source) for source in sources if isinstance(source, str | os.PathLike))
    return {**values, "parts": paths if values["parts"] else ()}


def _convert(name: str, value: Any, where: str) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f'"{name}" in {where} must be a finite number.')
    if name == "accept":
        return parse_entries(value, where)
    if name == "answers":
        return parse_answers(value, where)
    # Before the types are checked: "none" is a text where a list is expected.
    if name == "quasi":
        value = _quasi(value, where)
    if name == "population" and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)  # a number of people, or the path of a table
    if name == "budget" and isinstance(value, str):
        value = seconds(value, f'"budget" in {where}')
    try:
        return convert(value, _types()[name])
    except TypeError:
        return _validated(name, value, where)


def _quasi(value: Any, where: str) -> Any:
    """Return the setting "quasi", of which "none" alone stands for a list of it.

    Raises
    ------
    ConfigError
        For an empty list, which could mean "none" as well as "those that are recognised".
    """
    if isinstance(value, list | tuple) and not value:
        raise ConfigError(
            f'"quasi" in {where} is an empty list.',
            hint=f'write quasi = "{NO_QUASI}" to state that there are none, or remove it to have them recognised',
        )
    return (NO_QUASI,) if value == NO_QUASI else value


@cache
def _types() -> dict[str, Any]:
    """Return the type of every setting."""
    return get_type_hints(Settings)


def _validated(name: str, value: Any, where: str) -> Any:
    """Return a value that is not of the type of its setting, such as a set, if it can stand for one that is."""
    try:
        return validated(value, _types()[name], strict=not _is_collection(name))
    except Refused:
        raise ConfigError(f'"{name}" in {where} must be {_must_be(name)}.') from None


def _is_collection(name: str) -> bool:
    # A set may stand for a list. In a table of whole numbers, a text must not stand for a number.
    return get_origin(_types()[name]) in (tuple, abc.Mapping) and DECLARED[name].type != "Mapping[str, int]"


_OF_TYPE = {
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "tuple[str, ...]": 'a list of texts, such as ["age", "sex"]',
    "Mapping[str, str]": "a table of name = text",
    "Mapping[str, float]": "a table of column = number",
}


def choices(name: str) -> tuple[str, ...]:
    """Return the texts that a setting can be; none where it is not one of a list."""
    expected = _types()[name]
    lists = (get_args(one) for one in (expected, *get_args(expected)) if get_origin(one) is Literal)
    return next(lists, ())


def _must_be(name: str) -> str:
    """Return in words what a setting must be."""
    if stated := texts_of(name).get("must_be"):
        return stated
    if allowed := choices(name):
        return f"one of {', '.join(allowed)}"
    return _OF_TYPE[str(DECLARED[name].type).removesuffix(" | None")]


def seconds(text: str, where: str) -> float:
    """Return the seconds of a text such as 60s or 5m.

    Raises
    ------
    ConfigError
        That names `where`.
    """
    units = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m|h)?\s*", text)
    if found is None:
        raise ConfigError(f"{where} must be a time such as 60s or 5m.")
    return float(found[1]) * units[found[2] or "s"]
