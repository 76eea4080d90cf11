"""The commands about remedies: plan, remedy, verify."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from privaudit.base.errors import ConfigError
from privaudit.cli import arguments, console, output_checks
from privaudit.model.headers import shown_file
from privaudit.settings import run_settings


@click.command("plan")
@click.argument("source")
@arguments.options("plan")
def plan_command(
    source: str, output: str | None, hierarchies: dict[str, str], config: str | None, **options: Any
) -> int:
    """Scan SOURCE and write the plan of remedies with the least loss: a file to read, edit and apply."""
    from privaudit.api import remedies as api_remedies
    from privaudit.report import files
    from privaudit.report.charts import frontier

    drop, key, _verbose, _timings = (options.pop(name) for name in ("drop", "key", "verbose", "timings"))
    file, chosen = run_settings.settings_file(config), console.settings(config, options, source)
    if output is not None:
        output_checks.check_outputs((source,), (output,), suffixes=(".toml",))
        output_checks.check_inputs((output,), source, chosen, file)
    output_checks.check_outputs((source,), tuple(hierarchies.values()), suffixes=(".csv",))
    output_checks.check_inputs(hierarchies.values(), source, chosen, file)
    with console.progress() as progress:
        made = api_remedies.plan(source, **chosen, drop=drop, key=key, progress=progress, config=file, reports=False)
        for column, path in hierarchies.items():
            made.write_hierarchy(column, path)
    if output is None:
        console.print_text(made.text.rstrip("\n"))
    else:
        files.replace(Path(output), made.text)
        made_by = frontier.remedy_command(made.before.wire.command, f"--plan {shlex.quote(shown_file(output))}")
        console.state("console.plan_written", file=Path(output), command=made_by)
        if made.decision:
            console.note(made.decision)
    return 0


@click.command("remedy")
@click.argument("source")
@arguments.options("remedy")
def remedy_command(source: str, outputs: tuple[str, ...], plan: str, config: str | None, **options: Any) -> int:
    """Apply a plan to SOURCE, write the remedied table, scan what was written, and certify it."""
    from privaudit.api import remedies as api_remedies
    from privaudit.cli.delivery import complain_incomplete
    from privaudit.releases.output import target_of
    from privaudit.report import formats
    from privaudit.report.seals import certificate_of

    edition = options.pop("edition")
    own = {name: options.pop(name) for name in ("drop", "key", "target", "control")}
    del options["verbose"], options["timings"]
    tables = [each for each in outputs if not each.lower().endswith(formats.endings())]
    reports = tuple(each for each in outputs if each not in tables)
    if len(tables) != 1:
        raise ConfigError("Name one remedied table with -o.", hint="for example -o safer.parquet")
    output_checks.check_outputs((source,), reports, edition=edition)
    file, chosen = run_settings.settings_file(config), console.settings(config, options, source)
    output_checks.check_inputs(reports, source, chosen, file)
    with console.progress() as progress:
        made = api_remedies.remedy(
            source,
            **chosen,
            **own,
            plan=plan,
            output=tables[0],
            edition=edition,
            progress=progress,
            config=file,
            reports=bool(reports),
            described=bool(reports) or not console.is_quiet(),
        )
    target = target_of(tables[0])
    written = [target.path, target.dictionary, certificate_of(target.path)]
    for path in reports:
        written += made.write(path, edition=edition)
    if not console.is_quiet():
        console.print_text(made.text(edition))
        _state_written(written, made.after.wire.command)
    elif made.after.wire.gate_.exit_code == 3:
        complain_incomplete(made.after.wire)
    return made.after.wire.gate_.exit_code


def _state_written(files: Sequence[Path], scanned_by: str) -> None:
    for each in files:
        console.note(f"wrote {shown_file(each)}")
    console.state("console.scan_again", command=scanned_by)


@click.command("verify")
@click.argument("safer")
@arguments.options("verify")
def verify_command(safer: str, ledgers: tuple[str, ...], saved: str | None) -> int:
    """Compare a release with its certificate; exit code 1 where they differ.

    SAFER is a remedied or synthetic table, answers, a joint audit or a federated model. For a release that a ledger
    paid for, --ledger compares the entry as well; without it the exit code is 3.
    With --json, SAFER is the page of a report: it is rendered again from that JSON, and the bytes are compared.
    """
    from privaudit.api import releases, reports
    from privaudit.api import remedies as api_remedies

    if saved is not None:
        edition = reports.verify_page(safer, saved)
        if not console.is_quiet() or edition is None:
            console.print_page(safer, saved, edition)
        return 1 if edition is None else 0
    found = releases.verify_release(safer, ledgers)
    if found is not None:
        if not console.is_quiet() or found.exit_code:
            console.print_text("\n".join(map(str, found.facts)))
        return found.exit_code
    lines, matches = api_remedies.verify(safer)
    if not console.is_quiet() or not matches:
        console.print_text("\n".join(lines))
    return 0 if matches else 1
