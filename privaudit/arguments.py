"""The options that several commands share, and how their texts are parsed.

A text that does not have the form of its option is a `ConfigError`: one line, exit code 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import click

from privaudit.config import LossMeasure, Unit
from privaudit.errors import ConfigError
from privaudit.vocabulary.records import ROLES, SEVERITIES


def pairs(_context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return the pairs of texts such as NAME=OTHER; NAME may contain "=", OTHER may not."""
    pairs = {}
    for value in values:
        left, separator, right = value.rpartition("=")
        if not separator or not left or not right:
            raise ConfigError(f"{option.opts[0]} expects {option.metavar}.")
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
    return tuple(name for value in values for name in value.split(",") if name)


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


def seconds(_context: click.Context, _option: click.Parameter, value: str | None) -> float | None:
    """Return the seconds of a text such as 60s or 5m."""
    from privaudit import config

    return None if value is None else config.seconds(value, "--budget")


def former_subject(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    """Take the value of ``--entity``, the former name of ``--subject``, and warn."""
    from privaudit import console

    if value is None:
        return
    if context.params.get("subject") is not None:
        raise ConfigError("--entity and --subject are the same option.", hint="use --subject")
    console.warn("--entity is deprecated: use --subject.")
    context.params["subject"] = value


def no_settings_file(context: click.Context, _option: click.Parameter, value: bool) -> None:
    """Let ``--no-config`` set the path of the settings file to nothing."""
    if not value:
        return
    if context.params.get("config") is not None:
        raise ConfigError("--config and --no-config contradict each other.", hint="use one of them")
    context.params["config"] = ""


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def together(*decorators: Decorator) -> Decorator:
    """Return one decorator that adds several options, the first on top."""

    def apply(command: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return apply


outputs = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write the report; the suffix sets the format: .html .json .md. May be repeated.",
)
edition = click.option(
    "--edition",
    type=click.Choice(["full", "public"]),
    default="full",
    help='Edition of the output: "public" shows fewer and rounded numbers, so that no count below 11 follows.',
)
fail_on = click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    help="Lowest severity that fails the gate (default: set by the policy).",
)
frameworks = click.option(
    "--framework", multiple=True, metavar="ID", help="Assess the controls of this framework. May be repeated."
)
own_rules = click.option(
    "--rules", metavar="DIR", help="Folder with your own rule packs: detectors, checks, frameworks."
)
linkage = together(
    click.option(
        "--on",
        multiple=True,
        callback=pairs,
        metavar="REL=AUX",
        help="Link on these columns (default: detected).",
    ),
    click.option(
        "--truth",
        multiple=True,
        callback=pairs,
        metavar="REL=AUX",
        help="Columns that identify the same person in both tables; used only to count correct links.",
    ),
)
remedies = together(
    click.option(
        "--keep", multiple=True, callback=listed, metavar="A,B", help="Columns that no remedy drops."
    ),
    click.option(
        "--importance",
        multiple=True,
        callback=numbers,
        metavar="COLUMN=NUMBER",
        help="How much a column counts in the information loss of remedies (default 1).",
    ),
    click.option(
        "--loss-measure",
        type=click.Choice(get_args(LossMeasure)),
        help="Information loss by which remedies are compared (default loss).",
    ),
)
subject = together(
    click.option(
        "--subject",
        metavar="COLUMN",
        is_eager=True,
        help="Column that identifies the person, where a person has several rows: risk is counted in people.",
    ),
    click.option(
        "--unit",
        type=click.Choice(get_args(Unit)),
        help="What a row of the table is (default: inferred). Tables about objects, organisations and aggregates are "
        "not judged as people.",
    ),
    click.option("--entity", metavar="COLUMN", hidden=True, expose_value=False, callback=former_subject),
)
reading = together(
    click.option(
        "--bad-rows",
        type=click.Choice(["error", "skip"]),
        help="Rows with a wrong number of cells: stop (default), or count and skip them.",
    ),
    click.option("--delimiter", metavar="CHAR", help="Separator of a CSV file (default: detected)."),
    click.option(
        "--encoding",
        metavar="NAME",
        help="Encoding of a text file (default: its byte order mark, else UTF-8).",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first row holds the column names (default: detected).",
    ),
    click.option(
        "--memory",
        metavar="SIZE",
        help="Memory that the whole run may take, for example 4GB (default: three quarters of the machine's).",
    ),
    click.option(
        "--cap",
        multiple=True,
        callback=caps,
        metavar="NAME=N",
        help="Largest input that is read: columns, cells, cell-bytes, unpacked-bytes or expansion. May be repeated.",
    ),
    click.option("--threads", type=click.IntRange(1), help="Number of threads; does not change results."),
)
settings_file = together(
    click.option(
        "--config",
        metavar="FILE",
        is_eager=True,
        help="Settings file (default: the nearest privaudit.toml or pyproject.toml, up to the root of the repository).",
    ),
    click.option(
        "--no-config", is_flag=True, expose_value=False, callback=no_settings_file, help="Read no settings file."
    ),
)
common = together(
    click.option(
        "--policy",
        metavar="NAME",
        help="Policy: public, public-low, public-high, strict, controlled, internal, or a file.",
    ),
    click.option("--seed", type=click.IntRange(0), help="Seed of all sampling (default 0)."),
    settings_file,
    click.option("-q", "--quiet", is_flag=True, help="Print errors only."),
)
