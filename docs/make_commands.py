"""Write docs/commands.md from the live parser, so that it cannot go stale: python docs/make_commands.py."""

from __future__ import annotations

from pathlib import Path

import click

from privaudit.cli.commands import SECTIONS, cli
from privaudit.cli.lazy_group import help_of
from privaudit.model import SEVERITIES

HEAD = """# Commands

Written from the program's own help by `python docs/make_commands.py`; a test compares the two.

| exit code | means |
|---|---|
| 0 | the gate passed |
| 1 | the gate failed: a finding at or above `--fail-on` (one of {severities}; default: the policy's) |
| 2 | wrong use: arguments, configuration, packs, or a source that cannot be read as asked |
| 3 | incomplete: something that was asked for could not be assessed |
| 4 | internal error |

Where several apply the order is 2, 4, 3, 1. A run stopped by a signal exits with 130 and writes nothing.
"""


def sections(group: click.Group, path: str) -> list[str]:
    """Return one section per command below `group`."""
    texts = []
    for name, command in (group.every_command() if group is cli else group.commands).items():
        full = f"{path} {name}"
        if isinstance(command, click.Group):
            texts += sections(command, full)
            continue
        # Below its group, as when it is called.
        above = click.Context(cli, info_name="")
        context = click.Context(command, above, info_name=full, max_content_width=100, terminal_width=100)
        texts.append(f"## {full}\n\n```\n{help_of(context)}\n```\n")
    return texts


def overview() -> str:
    """Return what each command is for, as `privaudit --help` shows it, with a link to its section."""
    rows, commands = [], cli.every_command()
    for title, lines in SECTIONS.items():
        found = [row for name, line in lines.items() for row in _linked(name, line, commands[name])]
        rows += [f"| {'' if i else title} | {row} |" for i, row in enumerate(found)]
    return "\n".join(["| purpose | command | what it does |", "|---|---|---|", *rows]) + "\n"


def _linked(name: str, line: str, command: click.Command) -> list[str]:
    """Return the row of a command, or those of all commands of a group."""
    if isinstance(command, click.Group):
        inner = command.commands.items()
        return [row for key, one in inner for row in _linked(f"{name} {key}", one.get_short_help_str(200), one)]
    return [f"[`{name}`](#privaudit-{name.replace(' ', '-')}) | {line}"]


def text() -> str:
    """Return the whole page."""
    return "\n".join([HEAD.format(severities=", ".join(SEVERITIES)), overview(), *sections(cli, "privaudit")])


if __name__ == "__main__":
    Path(__file__).with_name("commands.md").write_text(text(), encoding="utf-8")
