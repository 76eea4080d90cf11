"""A group of commands that imports the module of a command when it is called.

Question: which commands are there, without importing all of them?
Method: the group knows the module and the name of each command. Help and completion import all of them, a call one.
Limits: none.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from privaudit.cli import completion


class LazyGroup(click.Group):
    """A group of which some commands are defined in other modules.

    Parameters
    ----------
    elsewhere : mapping of the name of a command to its module and its name there
    """

    def __init__(self, *parts: Any, elsewhere: Mapping[str, tuple[str, str]], **options: Any) -> None:
        super().__init__(*parts, **options)
        self.elsewhere = elsewhere

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted({*super().list_commands(ctx), *self.elsewhere})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None where there is none of this name."""
        self._import(cmd_name)
        return super().get_command(ctx, cmd_name)

    def every_command(self) -> dict[str, click.Command]:
        """Return all commands by their names, those of this module first, whichever were imported before."""
        for name in self.elsewhere:
            self._import(name)
        own = [name for name in self.commands if name not in self.elsewhere]
        return {name: self.commands[name] for name in (*own, *self.elsewhere)}

    def _import(self, name: str) -> None:
        if name in self.elsewhere and name not in self.commands:
            module, attribute = self.elsewhere[name]
            command: click.Command = getattr(importlib.import_module(module), attribute)
            completion.add_completions(command)
            self.add_command(command)
