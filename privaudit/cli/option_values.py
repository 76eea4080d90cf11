"""The values of options: how their texts are parsed.

A text that does not have the form of its option is a `ConfigError`: one line, exit code 2.
"""

from __future__ import annotations

import math
from typing import Any

import click

from privaudit.base.errors import ConfigError
from privaudit.model.vocabulary.records import ROLES
from privaudit.settings.acceptance import split_columns

QUIET = "privaudit.quiet"
"""Where the context of a command holds whether it is quiet."""


def pairs(_context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return the pairs of texts such as NAME=OTHER; NAME may contain "=", OTHER may not."""
    pairs = {}
    for value in values:
        left, separator, right = value.rpartition("=")
        if not separator or not left or not right:
            raise ConfigError(
                f"{option.opts[0]} expects {option.metavar}.", hint="write = between both, without blanks"
            )
        pairs[left] = right
    return pairs


def caps(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, int]:
    """Return the pairs of NAME=N."""
    numbers = pairs(context, option, values)
    if not all(number.isdecimal() for number in numbers.values()):
        raise ConfigError("--cap expects NAME=N with a whole number.", hint="for example --cap columns=20000")
    return {name: int(number) for name, number in numbers.items()}


def listed(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of texts such as A,B."""
    return tuple(name for value in values for name in split_columns(value) if name)


def roles(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return the pairs of COLUMN=ROLE."""
    roles = pairs(context, option, values)
    for role in roles.values():
        if role not in ROLES:
            raise ConfigError(
                f'Unknown role "{role}".', hint=f"--role expects COLUMN=ROLE with one of: {', '.join(ROLES)}"
            )
    return roles


def numbers(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    """Return the pairs of COLUMN=NUMBER."""
    found = {}
    for column, text in pairs(context, option, values).items():
        try:
            found[column] = float(text)
        except ValueError:
            raise ConfigError(f"{option.opts[0]} expects {option.metavar}.") from None
    return found


class NumberFrom(click.ParamType):  # type: ignore[type-arg] # generic in the newest click only
    """A number with a least value. The messages and help of `click.IntRange` are written as inequalities."""

    name = "n"

    def __init__(self, least: float, *, most: float = math.inf, below: float = math.inf, whole: bool = True) -> None:
        self._least, self._most, self._below, self._whole = least, most, below, whole

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; a message that states the bounds for any other text."""
        try:
            number = int(value) if self._whole else float(value)
        except ValueError:
            number = math.nan
        if not (self._least <= number <= self._most and number < self._below):
            self.fail(f'"{value}" is not {self._bounds()}.', param, ctx)
        return number

    def _bounds(self) -> str:
        kind = "a whole number" if self._whole else "a number"
        if self._most < math.inf:
            return f"{kind} from {self._least:,} to {self._most:,}"
        return f"{kind} of {self._least:,} or more" + (f" and below {self._below:,}" if self._below < math.inf else "")


def seconds(_context: click.Context, _option: click.Parameter, value: str | None) -> float | None:
    """Return the seconds of a text such as 60s or 5m."""
    from privaudit.settings import config

    return None if value is None else config.seconds(value, "--budget")


def quiet(context: click.Context, _option: click.Parameter, value: bool) -> None:
    """Note that the command prints errors only; `privaudit.cli.console` asks for it."""
    context.meta[QUIET] = value


def no_settings_file(context: click.Context, _option: click.Parameter, value: bool) -> None:
    """Let ``--no-config`` set the path of the settings file to nothing."""
    if not value:
        return
    if context.params.get("config") is not None:
        raise ConfigError("--config and --no-config contradict each other.", hint="use one of them")
    context.params["config"] = ""


class FormatName(click.ParamType):  # type: ignore[type-arg] # generic in the newest click only
    """What can be written to standard output: the summary (text), and every format of the registry."""

    name = "format"

    @staticmethod
    def names() -> tuple[str, ...]:
        """Return the names; the registry is imported when they are needed."""
        from privaudit.report.formats import REGISTRY

        return ("text", *REGISTRY)

    def get_metavar(self, *_: Any, **_named: Any) -> str:
        """Return the names as the help shows them."""
        return f"[{'|'.join(self.names())}]"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return `value` if it is one of the names."""
        if value not in self.names():
            self.fail(f"{value!r} is not one of {', '.join(map(repr, self.names()))}.", param, ctx)
        return value
