"""`rules/commands.toml` states the texts of every setting, and nothing that no command has."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from privaudit.cli.commands import cli
from privaudit.cli.headed_options import Option
from privaudit.cli.lazy_group import HELP, help_of
from privaudit.settings.config import DECLARED, stated_commands


def _commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    found = group.every_command() if group is cli else group.commands
    for name, command in found.items():
        full = f"{path} {name}".strip()
        yield from _commands(command, full) if isinstance(command, click.Group) else ((full, command),)


def _taken(known: dict[str, Any]) -> set[str]:
    """Return every name that a command lists, and the members of the groups among them."""
    names = [name for command in known["commands"].values() for name in command["takes"]]
    for name in names:  # grows
        names += known["groups"].get(name, [])
    return set(names)


def test_every_setting_has_its_texts_in_the_order_of_the_declarations() -> None:
    assert list(stated_commands()["settings"]) == list(DECLARED)
    assert all(texts.get("help") or texts.get("more") for texts in stated_commands()["settings"].values())


def test_each_shared_option_and_each_group_is_taken_by_a_command() -> None:
    known = stated_commands()
    assert not {*known["shared"], *known["groups"]} - _taken(known)


def test_each_option_of_a_command_is_listed_by_it_and_no_name_means_two_things() -> None:
    known = stated_commands()
    assert not set(known["groups"]) & {*known["shared"], *DECLARED}
    for name, command in known["commands"].items():
        assert set(command) - {"takes"} <= set(command["takes"]), name
        assert not set(command) & set(known["groups"]), name


def test_each_heading_of_the_help_is_that_of_a_group() -> None:
    known = stated_commands()
    assert set(known["headings"]) <= set(known["groups"])


@pytest.mark.quick_cases(6)
@pytest.mark.parametrize("name", dict(_commands(cli)))
def test_the_help_lists_every_option_once_under_its_heading(name: str) -> None:
    command = dict(_commands(cli))[name]
    context = click.Context(command, click.Context(cli, info_name=""), info_name=f"privaudit {name}")
    shown = help_of(context)
    options = [one for one in command.params if isinstance(one, click.Option)]
    records = [record for one in options if (record := one.get_help_record(context))]
    starts = [line.split("  ")[1] for line in shown.splitlines() if line.startswith("  -")]
    assert sorted(starts) == sorted(record[0] for record in records)
    for heading in {one.heading for one in options if isinstance(one, Option)}:
        assert shown.count(f"\n{heading}:\n") == 1, heading


def test_each_command_has_the_options_that_are_stated_for_it() -> None:
    known, found = stated_commands()["commands"], dict(_commands(cli))
    assert set(known) <= set(found)
    for name, command in found.items():
        options = [one for one in command.params if isinstance(one, click.Option) and one is not HELP]
        assert bool(options) == (name in known), name
        assert len({one.name for one in options}) == len(options), name


def test_an_installation_without_packs_is_an_error_of_one_line(tmp_path: Path) -> None:
    code = "import pathlib, sys; from privaudit.base import resources; resources._HERE = pathlib.Path(sys.argv.pop())\n"
    code += "from privaudit.__main__ import run; run()"
    command = [sys.executable, "-c", code, "--help", str(tmp_path / "nothing")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr.startswith("privaudit: E") and done.stderr.count("\n") == 1
    assert "install privaudit again" in done.stderr
    assert done.returncode == 2, "wrong use, as for every error of the settings"
