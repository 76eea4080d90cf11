"""A group of commands that imports the module of a command when it is called.

Question: which commands are there, without importing all of them?
Method: the group knows the module and the name of each command, and the line about it in the help. A call imports one
module, the help none, completion all.
Limits: none.

Completion of commands, options, files and codes in a shell.

Question: what can follow on the command line?
Method: click completes commands and options; parameters that name a file complete file names, and those that name a
check, a policy or a framework complete the names in the packs.
Limits: column names are not completed: no table is read for it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete


class Group(click.Group):
    """A group of commands, of which the help shows the first sentence of each in full."""

    group_class = type

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

    def every_command(self) -> dict[str, click.Command]:
        """Return all commands by their names, in the order of the help."""
        for name in self.elsewhere:
            self._import(name)
        return {name: self.commands[name] for lines in self.sections.values() for name in lines}

    def _import(self, name: str) -> None:
        if name in self.elsewhere and name not in self.commands:
            module, attribute = self.elsewhere[name]
            command: click.Command = getattr(importlib.import_module(module), attribute)
            add_completions(command)
            self.add_command(command)


VARIABLE = "_PRIVAUDIT_COMPLETE"
"""The environment variable by which the script of a shell asks for completions."""
SHELLS = ("bash", "zsh", "fish")

_FILES = ("FILE", "SOURCE", "FILE|N", "auto|FILE", "COLUMN=FILE")
_FILE_ARGUMENTS = ("source", "sources", "report", "release", "safer", "old", "new", "labels")
_KINDS = {"policy": ("policy",), "framework": ("framework",), "code": ("check", "entity", "policy", "control")}


class _FileName(click.types.StringParamType):
    """A text that is completed as a file name."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Let the shell complete the file name."""
        return [CompletionItem(incomplete, type="file")]


class _Code(click.types.StringParamType):
    """A text that is completed by the codes of the rules of some kinds."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self._kinds = kinds

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the codes that begin so."""
        from privaudit.api.handbook import list_rules

        wanted = incomplete.casefold()
        return [
            CompletionItem(rule.code, help=rule.title)
            for rule in list_rules()
            if rule.kind in self._kinds and rule.code.casefold().startswith(wanted)
        ]


def add_completions(command: click.Command) -> None:
    """Let the parameters of `command`, and of those below it, complete files and codes."""
    for below in getattr(command, "commands", {}).values():
        add_completions(below)
    for parameter in command.params:
        if type(parameter.type) is not click.types.StringParamType:
            continue
        if parameter.name in _KINDS:
            parameter.type = _Code(_KINDS[parameter.name])
        elif parameter.name in _FILE_ARGUMENTS or parameter.metavar in _FILES:
            parameter.type = _FileName()


def answer(command: click.Command, instruction: str) -> int:
    """Print the completions that the script of a shell asks for; return 0, or 1 for an unknown instruction."""
    return shell_complete(command, {}, "privaudit", VARIABLE, instruction)


def script(command: click.Command, shell: str) -> str:
    """Return the script that a shell reads to complete `privaudit`."""
    found: Any = get_completion_class(shell)
    assert found is not None, "one of SHELLS"
    text: str = found(command, {}, "privaudit", VARIABLE).source()
    return text
