"""Arguments to one call to an exit code; no logic of its own.

Exit codes: 0 passed, 1 gate failed, 2 wrong use, 3 incomplete, 4 internal error. They do not depend on the format.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from privaudit import arguments
from privaudit._version import __version__
from privaudit.errors import PrivauditError, guarded

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
        console.say(error.format_message())
        console.complain("No command was named.", "E200")
    except click.ClickException as error:
        console.complain(error.format_message(), "E200")
    return 2


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="privaudit")
def cli() -> None:
    """Say, with evidence, what personal data a table holds, who in it can be singled out, and what would help."""


@cli.command()
@click.argument("source")
@arguments.outputs
@arguments.edition
@click.option(
    "--role",
    multiple=True,
    callback=arguments.roles,
    metavar="COLUMN=ROLE",
    help="Set a role: direct, quasi, sensitive, none.",
)
@click.option(
    "--quasi",
    multiple=True,
    callback=arguments.listed,
    metavar="A,B",
    help="Exactly these are quasi-identifiers.",
)
@click.option(
    "--sensitive", multiple=True, callback=arguments.listed, metavar="S", help="Exactly these are sensitive."
)
@click.option("--max-size", type=click.IntRange(1), help="Largest combination searched (default 3).")
@click.option("--auxiliary", metavar="FILE", help="A table the attacker is assumed to hold.")
@arguments.linkage
@click.option(
    "--hierarchy",
    multiple=True,
    callback=arguments.pairs,
    metavar="COLUMN=FILE",
    help="Coarser names of a column's values: lines of value;level 1;level 2.",
)
@click.option("--population", metavar="FILE|N", help="The people behind the sample: a table or their number.")
@click.option(
    "--missing", type=click.Choice(["category", "wildcard", "one-sided"]), help="What a missing cell matches."
)
@click.option("--weight", metavar="COLUMN", help="Sampling weights.")
@arguments.subject
@click.option(
    "--budget",
    callback=arguments.seconds,
    metavar="TIME",
    help="Stop the search for combinations after this time.",
)
@click.option(
    "--sample-ner", type=click.IntRange(1), help="Most cells of a text column the language model reads."
)
@click.option("--ner/--no-ner", default=None, help="Read text with a language model (default) or not.")
@arguments.own_rules
@click.option("--scores", metavar="FILE", help="Write per-record scores, by row number, to this CSV file.")
@arguments.frameworks
@arguments.fail_on
@arguments.reading
@arguments.common
def scan(source: str, outputs: tuple[str, ...], config: str | None, quiet: bool, **options: Any) -> int:
    """Measure, judge and advise on SOURCE: a file, file.xlsx#sheet, file.sqlite#table."""
    from privaudit import api, console

    edition = options.pop("edition")
    console.check_outputs(source, outputs, edition=edition)
    scores = options.pop("scores")
    if scores is not None:
        console.check_outputs(source, (scores,), suffixes=(".csv",))
    with console.progress(quiet) as progress:
        report = api.scan(source, **console.settings(config, options), progress=progress, scores=scores)
    return _finish(report, outputs, quiet, edition)


@cli.command()
@click.argument("release")
@click.option("--auxiliary", required=True, metavar="FILE", help="A table the attacker is assumed to hold.")
@arguments.linkage
@click.option("--method", type=click.Choice(["exact"]), default="exact", help="How records are linked.")
@arguments.outputs
@arguments.edition
@arguments.fail_on
@arguments.reading
@arguments.common
def attack(release: str, outputs: tuple[str, ...], config: str | None, quiet: bool, **options: Any) -> int:
    """Link RELEASE to an auxiliary table and count what the attacker gets."""
    from privaudit import api, console

    edition = options.pop("edition")
    console.check_outputs(release, outputs, edition=edition)
    options.pop("method")
    with console.progress(quiet) as progress:
        report = api.attack(release, **console.settings(config, options), progress=progress)
    return _finish(report, outputs, quiet, edition)


@cli.command()
@click.argument("report")
@arguments.fail_on
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def gate(report: str, fail_on: Any, quiet: bool) -> int:
    """Decide on a saved REPORT.json."""
    from privaudit import api, console

    decision = api.load(report).gate(fail_on=fail_on)
    if not quiet:
        console.say_gate(decision.passed, map(str, decision.reasons))
    return decision.exit_code


@cli.command()
@click.argument("report")
@click.option(
    "--policy", metavar="NAME", help="public (-low, -high), strict, controlled, internal or a file."
)
@arguments.own_rules
@arguments.frameworks
@arguments.outputs
@arguments.edition
@arguments.fail_on
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def judge(report: str, outputs: tuple[str, ...], quiet: bool, edition: Any, **options: Any) -> int:
    """Judge a saved REPORT.json again, under another policy or framework, without the data."""
    from privaudit import api, console

    console.check_outputs(report, outputs, edition=edition)
    return _finish(api.judge(report, **options), outputs, quiet, edition)


@cli.command()
@click.argument("report")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    required=True,
    metavar="FILE",
    help="Where to; the suffix says how.",
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
    """Say what a check, a policy, a control or an entity is: privaudit explain QI001, privaudit explain EMAIL."""
    from privaudit import api, console

    console.say(api.explain(code, rules=rules))
    return 0


@cli.group()
def rules() -> None:
    """Look at the rule packs, or run their own cases."""


@rules.command("list")
@arguments.own_rules
def rules_list(rules: str | None) -> int:
    """List every check, policy, framework, control, entity and detector."""
    from privaudit import console

    console.list_rules(rules)
    return 0


@rules.command("test")
@click.argument("directory", required=False)
def rules_test(directory: str | None) -> int:
    """Run the cases that the packs carry, and those of DIRECTORY."""
    from privaudit import console

    return console.test_rules(directory)


@rules.command("train")
@click.argument("labels")
@click.option("-o", "--output", metavar="FILE", help="Write what was learned, such as my-rules/fusion.toml.")
@arguments.own_rules
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def rules_train(labels: str, output: str | None, rules: str | None, quiet: bool) -> int:
    """Learn how far evidence is to be believed from LABELS, a JSON file; print scores before and after."""
    from privaudit import console

    return console.train(labels, output, rules, quiet)


@cli.command()
def doctor() -> int:
    """Say what this installation has: versions, language models, packs, and what is missing."""
    from privaudit import console

    return console.doctor()


def _finish(report: ScanReport, outputs: tuple[str, ...], quiet: bool, edition: Any) -> int:
    from privaudit import console

    for path in outputs:
        report.write(path, edition=edition)
    if not quiet:
        console.show(report.wire)
    return report.wire.gate_.exit_code
