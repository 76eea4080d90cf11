"""The commands of the data map: inventory build, check, record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from privaudit.base.errors import ConfigError, guarded
from privaudit.cli import arguments, console
from privaudit.cli.lazy_group import Group
from privaudit.model.headers import shown_file
from privaudit.model.wording import Columns
from privaudit.settings.config import Settings


@click.group("inventory", cls=Group)
def inventory_group() -> None:
    """Keep a data map: which stores hold personal data, for what purpose, and for how long."""


@inventory_group.command("build")
@click.argument("sources", nargs=-1, metavar="STORE...")
@arguments.options("inventory build")
def inventory_build(sources: tuple[str, ...], output: str, ner: bool | None, password_env: str | None) -> int:
    """Scan each STORE (file, folder, pattern, database, postgresql://...) and write the data map.

    A map that exists is renewed: what people filled in stays. Without STORE, its stores are scanned again.
    """
    from privaudit.report import files
    from privaudit.stewardship import map_file
    from privaudit.stewardship.build import build
    from privaudit.stewardship.subjects import undecided

    path = Path(output)
    if path.suffix != ".toml":
        raise ConfigError(f"{shown_file(path)}: unknown suffix.", hint="use .toml")
    files.check(path)
    old = map_file.read_map(path) if path.exists() else None
    with console.progress() as progress, guarded("inventory"):
        made = build(sources, path.parent, old, _settings(ner, password_env), progress)
        map_file.write_map(made, path)
    tables = [table for _, table in made.tables()]
    console.state(
        "inventory.built",
        file=path,
        stores=len(made.store),
        tables=len(tables),
        columns=sum(column.is_personal for table in tables for column in table.columns),
        references=len(made.reference),
    )
    for store, table, columns in undecided(made):
        where = "/".join(filter(None, (store.name, table.name)))
        console.state("inventory.subject_undecided", table=where, columns=Columns(columns))
    console.state("inventory.built_next", file=path)
    return 0


@inventory_group.command("check")
@click.argument("file")
@arguments.options("inventory check")
def inventory_check(file: str, outputs: tuple[str, ...], ner: bool | None, password_env: str | None) -> int:
    """Compare the data map FILE with its stores now: exit code 1 for a problem, 3 where something is not assessed.

    Problems are new columns with personal data, vanished tables, records that are overdue, and fields not filled in.
    """
    from privaudit.base import clock
    from privaudit.stewardship import check, map_file

    path = Path(file)
    inventory = map_file.read_map(path)
    with console.progress() as progress, guarded("inventory check"):
        found = check.check(inventory, path.parent, clock.today(), _settings(ner, password_env), progress)
    console.deliver_page(check.page(found, shown_file(path)), found, outputs, [path])
    # Also when quiet: exit code 3 without its reason helps nobody.
    for reason in found.incomplete if console.is_quiet() else ():
        console.complain(str(reason), "E303")
    return found.exit_code


@inventory_group.command("record")
@click.argument("file")
@arguments.options("inventory record")
def inventory_record(file: str, outputs: tuple[str, ...]) -> int:
    """Write the data map FILE as a record of processing activities (GDPR Article 30)."""
    from privaudit.stewardship import map_file, processing_record

    inventory = map_file.read_map(Path(file))
    with guarded("inventory record"):
        console.write_each(outputs, lambda output: processing_record.write(inventory, Path(output), Path(file)))
    return 0


def _settings(ner: bool | None, password_env: str | None) -> Any:
    return Settings(ner=True if ner is None else ner, password_env=password_env)
