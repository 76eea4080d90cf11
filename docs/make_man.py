"""Write docs/privaudit.1, the manual page, from the live parser: python docs/make_man.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from privaudit.cli.commands import CONTEXT, cli
from privaudit.settings.config import stated_commands

EXITS = (
    ("0", "The gate passed."),
    ("1", "The gate failed."),
    ("2", "Wrong use: arguments, configuration, packs, or a source that cannot be read as asked."),
    ("3", "The result is incomplete: something could not be assessed."),
    ("4", "Internal error."),
)


def text() -> str:
    """Return the manual page in the format of man."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '.TH PRIVAUDIT 1 "" "privaudit" "User Commands"'
    yield ".SH NAME"
    yield "privaudit \\- privacy-risk auditing for tables"
    yield ".SH SYNOPSIS"
    yield ".B privaudit"
    yield "COMMAND [OPTIONS] [ARGUMENTS]"
    yield ".SH DESCRIPTION"
    yield _escaped(cli.help or "")
    yield ".SH COMMANDS"
    for name, command, context in _commands(cli, click.Context(cli, info_name="privaudit", **CONTEXT)):
        yield f".SS {name}"
        yield ".PP"
        yield _escaped(" ".join(command.collect_usage_pieces(context)))
        yield ".PP"
        yield _escaped(" ".join((command.help or "").replace("\b", "").split()))
        yield ".PP"
        yield f"Example: {_escaped(stated_commands()['examples'][name.partition(' ')[2]])}"
        for option in command.get_params(context):
            record = option.get_help_record(context)
            if record is not None:
                yield ".TP"
                yield f"\\fB{_escaped(record[0])}\\fR"
                yield _escaped(" ".join(record[1].split()))
    yield ".SH EXIT STATUS"
    for code, meaning in EXITS:
        yield ".TP"
        yield f"\\fB{code}\\fR"
        yield meaning
    yield ".SH FILES"
    yield ".TP"
    yield "\\fIprivaudit.toml\\fR"
    yield "Settings of a folder and those below it."


def _commands(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    for name in sorted(group.list_commands(context)):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        if isinstance(command, click.Group):
            yield from _commands(command, inner)
        elif not command.hidden:
            yield inner.command_path, command, inner


def _escaped(line: str) -> str:
    """Return a line in which man sees no command and no escape."""
    plain = line.replace("\\", "\\\\").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    (Path(__file__).resolve().parent / "privaudit.1").write_text(text(), encoding="utf-8")
