"""The commands that compare scans: baseline, diff."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from privaudit.base.errors import ScanIncomplete
from privaudit.cli import arguments, console, output_checks
from privaudit.settings.config import with_parts

if TYPE_CHECKING:
    from privaudit.api.table_results import TableResult

FAILED, INCOMPLETE = 1, 3
EXIT_CODES = (0, 3, 4, 2)
"""The exit codes of a baseline, from the best to the worst."""


@click.command("baseline")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@arguments.options("baseline")
def baseline_command(
    sources: tuple[str, ...], output: str, remove: str | None, config: str | None, **options: Any
) -> int:
    """Scan each SOURCE and store its open findings: later only new and worse ones fail.

    The baseline holds counts and no values, for each table by its path. Tables that it holds already are replaced, and
    the others stay.
    """
    from privaudit.api import reports as api_reports

    del options["verbose"], options["timings"]
    if bool(sources) == (remove is not None):
        raise click.UsageError("Name the sources to scan, or one table with --remove.")
    output_checks.check_outputs(sources[:1], (output,), suffixes=(".json",))
    if remove is None:
        return _write_baseline(sources, output, config, options)
    api_reports.remove_from_baseline(remove, output)
    console.state("compare.baseline_removed", file=Path(output))
    return 0


def _write_baseline(sources: tuple[str, ...], output: str, config: str | None, options: dict[str, Any]) -> int:
    """Scan the tables, add them to the baseline, and return the exit code: 0, or that of a table not assessed."""
    from privaudit.api import reports as api_reports
    from privaudit.api.collection import scan_tables

    stated = console.stated_settings(config, with_parts(options, sources))

    def settings_of(source: str) -> dict[str, Any]:
        chosen = stated.of(source)
        chosen.pop("baseline", None)  # the one that is written takes its place
        console.bound_memory(chosen.get("memory"))
        return chosen

    for source in sources:
        output_checks.check_inputs((output,), source, settings_of(source), stated.file)
    with console.progress() as progress:
        found = scan_tables(
            sources,
            settings_of=settings_of,
            progress=progress,
            start_part=progress.start_part,
            config=stated.file,
            advice=False,
            written=Path(output),
        )
    tables = [one for one in found if one.joined is None]
    if not tables:
        raise ScanIncomplete("The sources contain no table file.", hint="check the folder or pattern")
    if len(tables) == 1 and tables[0].error is not None:
        raise tables[0].error
    common = settings_of("")
    reports = [(one.report, common.get("name")) for one in tables if one.report is not None]
    n = api_reports.write_baselines(reports, output, rules=common.get("rules")) if reports else 0
    if reports:
        console.state("compare.baseline_written", file=Path(output), n=n, tables=len(reports))
    return _exit_code(tables)


def _exit_code(tables: Sequence[TableResult]) -> int:
    """Report what could not be assessed, and return the exit code: findings are what a baseline is for."""
    for one in tables:
        if one.error is not None:
            console.complain(one.error.line(), one.error.code)
        elif one.report is not None and one.exit_code == INCOMPLETE:
            reason = one.report.wire.gate_.reasons[0]
            console.complain(console.sentence("compare.baseline_incomplete", table=one.name, reason=reason), "E303")
    return max((one.exit_code for one in tables if one.exit_code != FAILED), key=EXIT_CODES.index, default=0)


@click.command("diff")
@click.argument("old")
@click.argument("new")
@arguments.options("diff")
def diff_command(old: str, new: str, outputs: tuple[str, ...], format: str, **options: Any) -> int:
    """Compare the reports OLD.json and NEW.json: exit code 1 where a finding is new or worse."""
    from privaudit.api import reports as api_reports

    output_checks.check_outputs((old, new), outputs, suffixes=(".html", ".md", ".json"))
    chosen = {name: value for name, value in options.items() if value is not None}
    found = api_reports.compare(old, new, **chosen)
    console.write_each(outputs, found.write)
    if not console.is_quiet():
        console.print_document(found.render(format))
    return found.exit_code


@click.command("history")
@click.argument("reports", nargs=-1, required=True, metavar="REPORTS...")
@arguments.options("history")
def history_command(reports: tuple[str, ...], outputs: tuple[str, ...], name: str | None) -> int:
    """Show how k, uniques and findings developed over REPORTS: files report.json, or folders of them.

    Files of a folder that are not reports are ignored; a report that was changed is refused. Reports are of the same
    table if the names of their files are the same, such as people.csv, unless --name states that all are.
    """
    from privaudit.api import reports as api_reports
    from privaudit.report.pages import page as pages

    output_checks.check_outputs(reports, outputs, suffixes=pages.SUFFIXES)
    found = api_reports.history(reports, name=name)
    console.write_each(outputs, found.write)
    console.print_unless_quiet(found.text())
    return 0
