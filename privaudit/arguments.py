"""The options that several commands share, and how their texts become values.

A text that cannot be read as the option wants it is a `ConfigError`: one line, exit code 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from privaudit.errors import ConfigError
from privaudit.model import ROLES, SEVERITIES


def pairs(_context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return the pairs of texts such as NAME=OTHER; a name may hold "=", the other may not."""
    pairs = {}
    for value in values:
        left, separator, right = value.rpartition("=")
        if not separator or not left or not right:
            raise ConfigError(f"{option.opts[0]} wants NAME=OTHER.")
        pairs[left] = right
    return pairs


def listed(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of texts such as A,B."""
    return tuple(name for value in values for name in value.split(",") if name)


def roles(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return the pairs of COLUMN=ROLE."""
    roles = pairs(context, option, values)
    for role in roles.values():
        if role not in ROLES:
            raise ConfigError(f"--role wants COLUMN=ROLE with a role of {', '.join(ROLES)}.")
    return roles


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
    help="Write the report; the suffix says how: .html .json .md. May be repeated.",
)
edition = click.option(
    "--edition",
    type=click.Choice(["full", "public"]),
    default="full",
    help='Files to share: "public" shows counts of 1 to 10 as "<11".',
)
fail_on = click.option(
    "--fail-on", type=click.Choice(SEVERITIES), help="Fail from this severity on (default: the policy's)."
)
frameworks = click.option(
    "--framework", multiple=True, metavar="ID", help="Answer the controls of a framework; may be repeated."
)
own_rules = click.option(
    "--rules", metavar="DIR", help="Folder with packs of your own: detectors, checks, frameworks."
)
linkage = together(
    click.option("--on", multiple=True, callback=pairs, metavar="REL=AUX", help="Link these columns."),
    click.option(
        "--truth",
        multiple=True,
        callback=pairs,
        metavar="REL=AUX",
        help="Columns that name the same person: counts correct links.",
    ),
)
subject = together(
    click.option(
        "--subject",
        metavar="COLUMN",
        is_eager=True,
        help="Column that identifies the person, where a person has several rows: risk is counted in people.",
    ),
    click.option("--entity", metavar="COLUMN", hidden=True, expose_value=False, callback=former_subject),
)
reading = together(
    click.option("--bad-rows", type=click.Choice(["error", "skip"]), help="What to do with ragged rows."),
    click.option("--delimiter", metavar="CHAR", help="Of a CSV file (default: detected)."),
    click.option("--encoding", metavar="NAME", help="Of a text file (default: UTF-8 or by its mark)."),
    click.option("--header/--no-header", default=None, help="Whether the first row names columns."),
    click.option("--memory", metavar="SIZE", help="Memory limit of the engine, such as 4GB."),
    click.option("--threads", type=click.IntRange(1), help="Threads; results do not depend on it."),
)
common = together(
    click.option(
        "--policy", metavar="NAME", help="public (-low, -high), strict, controlled, internal or a file."
    ),
    click.option("--seed", type=click.IntRange(0), help="Decides every sample (default 0)."),
    click.option("--config", metavar="FILE", help="Settings file (default: the nearest privaudit.toml)."),
    click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors."),
)
