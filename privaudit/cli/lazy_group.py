"""A group of commands that imports the module of a command when it is called.

Question: which commands are there, without importing all of them?
Method: the group knows the module and the name of each command, and the line about it in the help. A call imports one
module, the help none, completion all.
Limits: none.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

import click

from privaudit.cli import completion
from privaudit.cli.headed_options import help_text
from privaudit.model.headers import shown_file
from privaudit.settings.config import stated_commands


def example_of(context: click.Context) -> str | None:
    """Return the example of a command; None for a group."""
    _, _, name = context.command_path.strip().partition(" ")
    return stated_commands()["examples"].get(name)


def help_of(context: click.Context) -> str:
    """Return the help of a command, which ends with an example."""
    example = example_of(context)
    return f"{help_text(context)}\n\nExample:\n  {example}" if example else context.get_help()


def _print_help(context: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    from privaudit.cli import console

    if is_wanted and not context.resilient_parsing:
        console.print_text(help_of(context))
        context.exit()


HELP = click.Option(
    ("-h", "--help"),
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_help,
    help="Show this message and exit.",
)
"""The help of every command. That of click ends in an error where standard output is closed."""


class Group(click.Group):
    """A group of commands, of which the help shows the first sentence of each in full."""

    group_class = type

    def __init__(self, *parts: Any, **options: Any) -> None:
        super().__init__(*parts, **options)
        self.params.append(HELP)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command with the help of this module."""
        if HELP not in cmd.params:
            cmd.params.append(HELP)
        super().add_command(cmd, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its first sentence; click cuts it after a few words."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        lines = [(name, one.get_short_help_str(limit=1_000)) for name, one in commands.items() if one is not None]
        with formatter.section("Commands"):
            formatter.write_dl(lines)


class LazyGroup(Group):
    """A group of which some commands are defined in other modules.

    Parameters
    ----------
    elsewhere : mapping of the name of a command to its module and its name there
    sections : mapping of the title of a section of the help to its commands, each with one line
    """

    def __init__(
        self,
        *parts: Any,
        elsewhere: Mapping[str, tuple[str, str]],
        sections: Mapping[str, Mapping[str, str]],
        **options: Any,
    ) -> None:
        super().__init__(*parts, **options)
        self.elsewhere, self.sections = elsewhere, sections

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in sections, because a reader looks for a purpose and does not know the names."""
        width = max(len(name) for lines in self.sections.values() for name in lines)
        for title, lines in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), line) for name, line in lines.items()])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted({*super().list_commands(ctx), *self.elsewhere})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None where there is none of this name."""
        self._import(cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called; a table in its place is a scan that was not named."""
        if args and self.get_command(ctx, args[0]) is None and os.path.exists(args[0]):
            table = shown_file(args[0])
            ctx.fail(f"{table} is not a command. Hint: privaudit scan {table}, or another command: privaudit --help")
        return super().resolve_command(ctx, args)

    def every_command(self) -> dict[str, click.Command]:
        """Return all commands by their names, in the order of the help."""
        for name in self.elsewhere:
            self._import(name)
        return {name: self.commands[name] for lines in self.sections.values() for name in lines}

    def _import(self, name: str) -> None:
        if name in self.elsewhere and name not in self.commands:
            module, attribute = self.elsewhere[name]
            command: click.Command = getattr(importlib.import_module(module), attribute)
            completion.add_completions(command)
            self.add_command(command)
