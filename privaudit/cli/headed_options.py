"""Options under headings in the help of a command.

Question: where in the help does a reader look for an option?
Method: an option knows its heading; the help lists the headings in the order of their first options.
Limits: none.
"""

from __future__ import annotations

from typing import Any

import click

OPTIONS = "Options"
"""The heading of options that have no other."""


class Option(click.Option):
    """An option with the heading under which the help lists it."""

    def __init__(self, *parts: Any, heading: str = OPTIONS, **more: Any) -> None:
        super().__init__(*parts, **more)
        self.heading = heading


def help_text(context: click.Context) -> str:
    """Return the help of a command, with its options under their headings."""
    formatter = context.make_formatter()
    context.command.format_usage(context, formatter)
    context.command.format_help_text(context, formatter)
    for heading, lines in _headed(context).items():
        with formatter.section(heading):
            formatter.write_dl(lines)
    return formatter.getvalue().rstrip("\n")


def _headed(context: click.Context) -> dict[str, list[tuple[str, str]]]:
    """Return the options of a command by heading; `--help` is listed with the last one."""
    found: dict[str, list[tuple[str, str]]] = {}
    for option in context.command.get_params(context):
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is not None:
            heading = option.heading if isinstance(option, Option) else next(reversed(found), OPTIONS)
            found.setdefault(heading, []).append(record)
    return found
