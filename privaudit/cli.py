"""The command line: each command makes one call of the Python interface and returns an exit code.

Exit codes: 0 passed, 1 gate failed, 2 wrong use, 3 incomplete, 4 internal error. They do not depend on the format.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from privaudit import arguments
from privaudit._version import __version__
from privaudit.cli_rules import rules
from privaudit.errors import ConfigError, PrivauditError, guarded

if TYPE_CHECKING:
    from privaudit.result import ScanReport

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    from privaudit import console

    console.prepare()
    try:
        with guarded("command"):
            code = _called()
    except PrivauditError as error:
        console.complain(error.line(), error.code)
        code = error.exit_code
    except KeyboardInterrupt:
        console.complain("Stopped; nothing was written.", "E130")
        code = 130
    sys.exit(code)


def _called() -> int:
    """Call the command the arguments name; wrong use becomes one line."""
    from privaudit import console

    try:
        # Click's own main writes a line of its own when it is interrupted.
        with console.printing():
            context = cli.make_context("privaudit", sys.argv[1:])
        with context:
            code = cli.invoke(context)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        console.print_text(error.format_message())
        console.complain("No command was given.", "E200")
    except click.ClickException as error:
        console.complain(error.format_message(), "E200")
    return 2


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="privaudit")
def cli() -> None:
    """Find the personal data in a table, measure who can be re-identified, and show what would reduce the risk."""


@cli.command()
@click.argument("source")
@arguments.outputs
@arguments.edition
@click.option(
    "--role",
    multiple=True,
    callback=arguments.roles,
    metavar="COLUMN=ROLE",
    help="Set the role of a column: direct, quasi, sensitive or none.",
)
@click.option(
    "--quasi",
    multiple=True,
    callback=arguments.listed,
    metavar="A,B",
    help="The quasi-identifiers: exactly these columns, or none.",
)
@click.option(
    "--sensitive",
    multiple=True,
    callback=arguments.listed,
    metavar="S",
    help="The sensitive attributes: exactly these columns.",
)
@click.option(
    "--max-size",
    type=click.IntRange(1),
    help="Largest combination of quasi-identifiers searched (default 3).",
)
@click.option(
    "--auxiliary", metavar="FILE", help="Auxiliary data: a table that the attacker is assumed to have."
)
@arguments.linkage
@click.option(
    "--hierarchy",
    multiple=True,
    callback=arguments.pairs,
    metavar="COLUMN=FILE",
    help="Generalisation hierarchy of a column: lines of value;level 1;level 2.",
)
@arguments.remedies
@click.option(
    "--population",
    metavar="FILE|N",
    help="Population that the table is a sample of: a table, or the number of people.",
)
@click.option(
    "--missing",
    type=click.Choice(["category", "wildcard", "one-sided"]),
    help="What a missing cell matches: other missing cells (default), anything, or anything one way.",
)
@click.option("--weight", metavar="COLUMN", help="Column with sampling weights.")
@arguments.subject
@click.option(
    "--budget",
    callback=arguments.seconds,
    metavar="TIME",
    help="Stop the search for combinations after this time, for example 60s or 5m.",
)
@click.option(
    "--sample-ner",
    type=click.IntRange(1),
    help="Most distinct cells of a text column that the language model reads (default 2000).",
)
@click.option(
    "--ner/--no-ner", default=None, help="Whether a language model reads text columns (default: yes)."
)
@arguments.own_rules
@click.option(
    "--scores", metavar="FILE", help="Write risk scores of every record, by row number, to this CSV file."
)
@arguments.frameworks
@arguments.fail_on
@arguments.reading
@arguments.common
def scan(source: str, outputs: tuple[str, ...], config: str | None, quiet: bool, **options: Any) -> int:
    """Measure, judge and advise on SOURCE: a file, a folder of parts, file.xlsx#sheet or file.sqlite#table."""
    from privaudit import api, console

    edition = options.pop("edition")
    console.check_outputs(source, outputs, edition=edition)
    scores = options.pop("scores")
    if scores is not None:
        console.check_outputs(source, (scores,), suffixes=(".csv",))
    file, chosen = console.settings_file(config), console.settings(config, options)
    console.check_inputs((*outputs, *((scores,) if scores else ())), source, chosen, file)
    with console.progress(quiet) as progress:
        report = api.scan(source, **chosen, progress=progress, scores=scores, config=file)
    return _finish(report, outputs, quiet, edition)


@cli.command()
@click.argument("release")
@click.option(
    "--auxiliary",
    required=True,
    metavar="FILE",
    help="Auxiliary data: a table that the attacker is assumed to have.",
)
@arguments.linkage
@click.option(
    "--method", type=click.Choice(["exact"]), default="exact", help="How records are linked (default exact)."
)
@click.option(
    "--population",
    metavar="FILE|N",
    help="Population of whose people the release contains some: a table, or the number of people.",
)
@arguments.subject
@arguments.outputs
@arguments.edition
@arguments.fail_on
@arguments.reading
@arguments.common
def attack(release: str, outputs: tuple[str, ...], config: str | None, quiet: bool, **options: Any) -> int:
    """Link RELEASE to an auxiliary table and count the records an attacker can re-identify."""
    from privaudit import api, console

    edition = options.pop("edition")
    console.check_outputs(release, outputs, edition=edition)
    options.pop("method")
    file, chosen = console.settings_file(config), console.settings(config, options)
    console.check_inputs(outputs, release, chosen, file)
    with console.progress(quiet) as progress:
        report = api.attack(release, **chosen, progress=progress, config=file)
    return _finish(report, outputs, quiet, edition)


@cli.command()
@click.argument("report")
@click.option(
    "--verify",
    metavar="SOURCE",
    help="Scan SOURCE again with the settings of the report and refuse a report that states anything else.",
)
@arguments.fail_on
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def gate(report: str, verify: str | None, fail_on: Any, quiet: bool) -> int:
    """Apply the gate to the findings of a saved REPORT.json that was not changed since."""
    from privaudit import api, console

    saved = api.load_unchanged(report)
    if verify is not None:
        with console.progress(quiet) as progress:
            api.require_same(saved, _scan_again(saved, verify, progress), report)
    decision = api.decide_again(saved, fail_on=fail_on)
    if not quiet:
        console.print_gate(decision.passed, map(str, decision.reasons))
    return decision.exit_code


@cli.command()
@click.argument("report")
@click.option(
    "--policy",
    metavar="NAME",
    help="Policy: public, public-low, public-high, strict, controlled, internal, or a file.",
)
@arguments.own_rules
@arguments.frameworks
@arguments.outputs
@arguments.edition
@arguments.fail_on
@arguments.settings_file
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def judge(report: str, outputs: tuple[str, ...], quiet: bool, edition: Any, **options: Any) -> int:
    """Judge a saved REPORT.json under another policy or framework, with the acceptances of the settings file."""
    from privaudit import api, console

    console.check_outputs(report, outputs, edition=edition)
    accepted = console.settings(options.pop("config"), {}).get("accept", ())
    return _finish(api.judge(report, accept=accepted, **options), outputs, quiet, edition)


@cli.command()
@click.argument("code")
@click.argument("column")
@click.option("--reason", required=True, metavar="TEXT", help="Why the finding is accepted.")
@click.option("--owner", required=True, metavar="NAME", help="Who decided so.")
@click.option(
    "--expires", required=True, metavar="DATE", help="Last day of the acceptance, at most 365 days ahead."
)
@click.option(
    "--report",
    metavar="FILE",
    help="The report.json with the finding: its observed value becomes the worst that is accepted.",
)
@click.option(
    "--fingerprint", metavar="HEX", help="Accept this finding only, where several have the same columns."
)
@click.option(
    "--config",
    metavar="FILE",
    help="Settings file to write (default: the nearest one, or a new privaudit.toml).",
)
@arguments.own_rules
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def accept(code: str, column: str, quiet: bool, **options: Any) -> int:
    """Accept the finding of check CODE on COLUMN ("A,B" for several, "*" for the whole table) until a date."""
    from privaudit import api, console

    entries = api.accept(code, column, **options)
    if not quiet:
        console.print_accepted(entries)
    return 0


@cli.command()
@click.argument("report")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    required=True,
    metavar="FILE",
    help="Output file; the suffix sets the format: .html .json .md. May be repeated.",
)
@arguments.edition
def render(report: str, outputs: tuple[str, ...], edition: Any) -> int:
    """Write a saved REPORT.json in another format."""
    from privaudit import api, console

    console.check_outputs(report, outputs, edition=edition)
    loaded = api.load(report)
    for path in outputs:
        loaded.write(path, edition=edition)
    return 0


@cli.command()
@click.argument("code")
@arguments.own_rules
def explain(code: str, rules: str | None) -> int:
    """Explain a check, a policy, a control or an entity type: privaudit explain QI001, privaudit explain EMAIL."""
    from privaudit import api, console

    console.print_text(api.explain(code, rules=rules))
    return 0


cli.add_command(rules)


@cli.command()
def doctor() -> int:
    """Show this installation: versions, language models, rule packs and missing extras."""
    from privaudit import console

    return console.doctor()


def _scan_again(saved: ScanReport, source: str, progress: Any) -> ScanReport:
    """Scan `source` with the settings that the command of a report lists."""
    import shlex

    from privaudit import api, console
    from privaudit.rulebook import entries_of

    try:
        words = shlex.split(saved.wire.command)[2:]
        options = dict(scan.make_context("scan", words, resilient_parsing=False).params)
    except (ValueError, click.ClickException):
        raise ConfigError("The report does not state a command that can be repeated.") from None
    for name in ("source", "outputs", "edition", "config", "quiet", "scores"):
        options.pop(name, None)
    chosen = console.settings("", options)
    if saved.wire.acceptances:
        chosen["accept"] = entries_of(saved.wire.acceptances)
    return api.scan(source, **chosen, progress=progress)


def _finish(report: ScanReport, outputs: tuple[str, ...], quiet: bool, edition: Any) -> int:
    from privaudit import console

    for path in outputs:
        report.write(path, edition=edition)
    if not quiet:
        console.show(report.wire, edition=edition)
    return report.wire.gate_.exit_code
