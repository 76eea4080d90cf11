"""The commands about answers under differential privacy: ledger and release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from privaudit.base.errors import ConfigError
from privaudit.cli import arguments, console, output_checks
from privaudit.cli.lazy_group import Group


@click.group("ledger", cls=Group)
def ledger_group() -> None:
    """Create and show the ledger of a dataset: its privacy budget, and every answer that was paid from it."""


@ledger_group.command("new")
@click.argument("file")
@arguments.options("ledger new")
def new_command(file: str, dataset: str, unit: str, epsilon: str, delta: str, adds: Any) -> int:
    """Create FILE, the ledger of one dataset. Its budget cannot be changed later."""
    from privaudit.releases.privacy import statement
    from privaudit.releases.privacy.ledger import Ledger

    made = Ledger.create(file, dataset=dataset, unit=unit, epsilon=epsilon, delta=delta, adds=adds)
    console.print_unless_quiet(str(statement.created(made.path, made.account())))
    return 0


@ledger_group.command("show")
@click.argument("file")
@arguments.options("ledger show")
def show_command(file: str, certificates: tuple[str, ...], entries: bool) -> int:
    """Check the chain of FILE and show what is spent, what is left, and how many more queries it pays."""
    from privaudit.releases.privacy import statement
    from privaudit.releases.privacy.ledger import Ledger, Receipt

    ledger = Ledger.open(file, certified=[Receipt.read(Path(each)) for each in certificates])
    account = ledger.account()
    lines = [*map(str, statement.statement(ledger.path, account))]
    if entries:
        lines += ["", *map(str, statement.entries(account))]
    console.print_text("\n".join(lines))
    return 0


@click.command("release")
@click.argument("source")
@arguments.options("release")
def release_command(
    source: str,
    plan: str | None,
    ledger: str | None,
    dataset: str | None,
    outputs: tuple[str, ...],
    internal: str | None,
    example: bool,
    config: str | None,
    **options: Any,
) -> int:
    """Answer the queries of a plan about SOURCE under differential privacy, paid from the ledger."""
    from privaudit.api import releases

    reading = console.reading(console.settings(config, options, source))
    if example:
        console.print_text(releases.example(source, **reading).rstrip("\n"))
        return 0
    if plan is None or ledger is None:
        raise ConfigError(
            "A release needs --plan and --ledger.", hint="privaudit release --example SOURCE > release.toml"
        )
    _check(source, plan, ledger, outputs, internal)
    with console.progress() as progress:
        made = releases.release(source, plan, ledger=ledger, dataset=dataset, progress=progress, **reading)
    console.write_each(outputs, made.write)
    if internal is not None:
        made.write_internal(internal)
    console.print_unless_quiet(made.text())
    return 0


def _check(source: str, plan: str, ledger: str, outputs: tuple[str, ...], internal: str | None) -> None:
    """Refuse, before anything is spent, outputs that could not be written."""
    from privaudit.releases.answers.result import INTERNAL_SUFFIXES
    from privaudit.report import files
    from privaudit.report.pages import page
    from privaudit.report.seals import certificate_of

    output_checks.check_outputs((source,), outputs, suffixes=page.SUFFIXES)
    output_checks.check_outputs((source,), [internal] if internal else [], suffixes=INTERNAL_SUFFIXES)
    certificates = [str(certificate_of(Path(path))) for path in outputs if path.lower().endswith(".json")]
    for path in (*outputs, *certificates, *([internal] if internal else [])):
        files.check(Path(path), (source.partition("#")[0], plan, ledger))
    if internal is not None and internal in outputs:
        raise ConfigError("The internal report is a file of its own.", hint="name another file")
