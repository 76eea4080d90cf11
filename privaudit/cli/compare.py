"""The commands that compare scans: baseline, diff."""

from __future__ import annotations

from typing import Any

import click

from privaudit.cli import arguments
from privaudit.model.headers import shown_file

BASELINE = "privaudit-baseline.json"


@click.command("baseline")
@click.argument("source")
@click.option("-o", "--output", metavar="FILE", default=BASELINE, help=f"The baseline (default: {BASELINE}).")
@arguments.scanning
def baseline_command(source: str, output: str, config: str | None, **options: Any) -> int:
    """Scan SOURCE and store its open findings, with counts and without values: later only new and worse ones fail."""
    from privaudit.api import reports as api_reports
    from privaudit.api import scans as api
    from privaudit.cli import console, output_checks
    from privaudit.model.wording import Name, Number, fact
    from privaudit.settings import run_settings

    quiet, _verbose, _timings = (options.pop(name) for name in ("quiet", "verbose", "timings"))
    output_checks.check_outputs(source, (output,), suffixes=(".json",))
    file, chosen = run_settings.settings_file(config), console.settings(config, options, source)
    chosen.pop("baseline", None)  # the one that is written replaces it
    output_checks.check_inputs((output,), source, chosen, file)
    with console.progress(quiet) as progress:
        report = api.scan(source, **chosen, progress=progress, config=file)
    n = api_reports.write_baseline(report, output, rules=chosen.get("rules"))
    incomplete = report.wire.gate_.exit_code == 3
    if not quiet:
        console.note(str(fact("compare.baseline_written", file=Name(text=shown_file(output)), n=Number(value=n))))
    if incomplete:
        console.complain(str(fact("compare.baseline_incomplete", reason=report.wire.gate_.reasons[0])), "E303")
    return 3 if incomplete else 0


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write the comparison: .md or .json. May be repeated.",
)
@click.option("--format", type=click.Choice(["text", "md", "json"]), default="text", help="Format on standard output.")
@arguments.tolerance
@arguments.fail_on
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def diff_command(old: str, new: str, outputs: tuple[str, ...], format: str, quiet: bool, **options: Any) -> int:
    """Compare the reports OLD.json and NEW.json: exit code 1 where a finding is new or worse."""
    from privaudit.api import reports as api_reports
    from privaudit.cli import console, output_checks

    output_checks.check_outputs(old, outputs, suffixes=(".md", ".json"))
    output_checks.check_outputs(new, outputs, suffixes=(".md", ".json"))
    chosen = {name: value for name, value in options.items() if value is not None}
    found = api_reports.compare(old, new, **chosen)
    for file in outputs:
        found.write(file)
        if not quiet:
            console.note(f"wrote {shown_file(file)}")
    if not quiet:
        console.print_document(found.render(format))
    return found.exit_code
