"""Completion of commands, options, files and codes in a shell.

Question: what can follow on the command line?
Method: click completes commands and options; parameters that name a file complete file names, and those that name a
check, a policy or a framework complete the names in the packs.
Limits: column names are not completed: no table is read for it.
"""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

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
    return found(command, {}, "privaudit", VARIABLE).source()
