"""The commands about one person: subject find, export, erase, check."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from privaudit.base.errors import ConfigError, guarded
from privaudit.cli import arguments, console
from privaudit.cli.lazy_group import Group
from privaudit.model.headers import shown_file
from privaudit.model.wording import Count, Listing, Name
from privaudit.settings.config import Settings

if TYPE_CHECKING:
    from privaudit.stewardship.person import Person, Reader


@click.group("subject", cls=Group)
def subject_group() -> None:
    """Find, export and erase the rows of one person in all stores of a data map."""


@subject_group.command("key")
@click.argument("file")
@arguments.options("subject key")
def subject_key(file: str) -> int:
    """Write a new key of a register of erased people to FILE, mode 0600."""
    from privaudit.advice.technique.key_file import new_key

    new_key(file)
    console.state("subject.key_written", file=Path(file))
    return 0


@subject_group.command("find")
@arguments.options("subject find")
def subject_find(inventory: str, identifier: str, outputs: tuple[str, ...], password_env: str | None) -> int:
    """List in which tables the person has how many rows, without a value."""
    from privaudit.stewardship import export

    reader = _reader(inventory, password_env)
    person = _searched(reader, identifier)
    page = export.page(person, reader.inventory)
    console.deliver_page(page, export.record(person), outputs, [Path(inventory)])
    return 0


@subject_group.command("export")
@arguments.options("subject export")
def subject_export(inventory: str, identifier: str, output: str, password_env: str | None) -> int:
    """Write the rows of the person for that person. The file contains personal data."""
    from privaudit.report import files
    from privaudit.stewardship.export import export_text, is_export, unstated

    reader = _reader(inventory, password_env)
    person = _searched(reader, identifier)
    if not person.is_found:
        raise ConfigError("The identifier matches no row of the inventory.", hint="check it, and the inventory")
    with guarded("subject export"):
        # Not over another file of privaudit either: an export holds personal data, a report does not.
        files.check(Path(output), [Path(inventory), *reader.files()], may_replace=is_export)
        files.replace(Path(output), export_text(person, reader, Path(output)), private=True)
    if not console.is_quiet():
        rows = Count(sum(len(found.rows) for found in person.tables.values()), unit="row")
        console.state("subject.exported", file=Path(output), rows=rows)
        if missing := unstated(person, reader.inventory):
            listed = Listing(tuple(Name(key) for key in missing))
            console.state("subject.unstated", map=Path(inventory), missing=listed)
    return 0


@subject_group.command("erase")
@arguments.options("subject erase")
def subject_erase(
    inventory: str,
    identifier: str,
    plan: str | None,
    output: str,
    key: str | None,
    register: str | None,
    password_env: str | None,
) -> int:
    """List what an erasure would do, and with --apply do it: exit code 3 where something of the person stays.

    Without --apply nothing is changed. New files are verified before they replace the old ones.
    """
    from privaudit.report.pages import page as pages
    from privaudit.stewardship import erasure

    if (key is None) != (register is None):
        raise ConfigError("--key and --register go together.")
    # The plan is read again by --apply, so it has the one format that can be.
    if Path(output).suffix != ".json":
        raise ConfigError(f"{shown_file(output)}: unknown suffix.", hint="use .json")
    reader = _reader(inventory, password_env)
    if plan is None:
        page, complete = _list(reader, identifier, Path(inventory), Path(output))
    else:
        made = _apply(reader, identifier, Path(inventory), Path(plan), Path(output), key, register)
        page, complete = erasure.certificate_page(made), bool(made["complete"])
    console.print_unless_quiet(pages.text(page))
    if plan is None:
        files = {"--inventory": inventory, "--identifier": identifier, "--apply": output, "--key": key}
        applied = _command(files | {"--register": register, "--password-env": password_env})
        console.state("subject.plan_written", file=Path(output), command=applied)
    else:
        console.state("subject.certificate_written", file=Path(output))
    if plan is not None and register is not None:
        console.state("subject.register_written", file=Path(register))
    if not complete and console.is_quiet():
        console.complain(str(page.lead), "E303")
    return 0 if complete else 3


def _command(stated: Mapping[str, str | None]) -> str:
    """Return the command that applies a plan of an erasure, with the options of the dry run."""
    words = [(flag, "-" if text == "-" else shown_file(text)) for flag, text in stated.items() if text is not None]
    return shlex.join(("privaudit", "subject", "erase", *chain(*words), "-o", "certificate.json"))


def _list(reader: Reader, identifier: str, inventory: Path, output: Path) -> tuple[Any, bool]:
    import json

    from privaudit.report import files
    from privaudit.report.json import plain
    from privaudit.stewardship import erasure
    from privaudit.stewardship.person import read_identifier

    wanted = read_identifier(identifier)
    with console.progress() as progress, guarded("subject erase"):
        found = erasure.dry_run(wanted, reader, inventory, progress)
        files.check(output, [inventory, *reader.files()])
        # Private: the plan states in which tables the person has rows.
        files.replace(output, json.dumps(plain(found), indent=1) + "\n", private=True)
    return erasure.plan_page(found), all(table.is_complete for table in found.tables)


def _apply(
    reader: Reader, identifier: str, inventory: Path, plan: Path, output: Path, key: str | None, register: str | None
) -> dict[str, Any]:
    from privaudit.advice.technique.key_file import read_key
    from privaudit.report import files
    from privaudit.stewardship import erasure
    from privaudit.stewardship.person import read_identifier

    files.check(output, [inventory, plan, *reader.files()])
    agreed, secret = erasure.read_plan(plan), None if key is None else read_key(key)
    wanted = read_identifier(identifier)
    with console.progress() as progress, guarded("subject erase"):
        return erasure.run(
            agreed,
            wanted,
            reader,
            inventory,
            certificate=output,
            key=secret,
            register_file=None if register is None else Path(register),
            progress=progress,
        )


@subject_group.command("check")
@arguments.options("subject check")
def subject_check(inventory: str, key: str, register: str, password_env: str | None) -> int:
    """Report people of the register who are in the stores again, as after a restored backup: exit code 1."""
    from privaudit.advice.technique.key_file import read_key
    from privaudit.report.pages import page as pages
    from privaudit.stewardship import register as erased

    reader = _reader(inventory, password_env)
    secret = read_key(key)
    with console.progress() as progress, guarded("subject check"):
        progress("Searching the stores", None)
        found = erased.returned(secret, Path(register), reader)
    if not console.is_quiet() or found:  # the exit code alone does not show in which tables erased people reappeared
        console.print_text(pages.text(erased.page(found, len(erased.read(Path(register))))))
    return int(bool(found))


def _reader(inventory: str, password_env: str | None) -> Reader:
    """Return what reads the stores, after an erasure that was interrupted has been finished."""
    from privaudit.stewardship import erasure, map_file
    from privaudit.stewardship.person import Reader

    path = Path(inventory)
    with guarded("subject"):
        if erasure.complete(path) is not None:
            # Also when quiet: files were replaced.
            console.note(console.sentence("subject.finished", file=path))
    return Reader(map_file.read_map(path), path.parent, Settings(ner=False, password_env=password_env))


def _searched(reader: Reader, identifier: str) -> Person:
    from privaudit.stewardship.person import find, read_identifier

    wanted = read_identifier(identifier)
    with console.progress() as progress, guarded("subject find"):
        return find(wanted, reader, progress)
