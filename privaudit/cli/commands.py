"""The command line: each command makes one call of the Python interface and returns an exit code.

Exit codes: 0 passed, 1 gate failed, 2 wrong use, 3 incomplete, 4 internal error. They do not depend on the format.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from privaudit._version import __version__
from privaudit.base.errors import ConfigError, PrivauditError, guarded
from privaudit.cli import arguments, completion, console
from privaudit.cli.lazy_group import LazyGroup, example_of
from privaudit.model.headers import shown_file
from privaudit.settings import run_settings
from privaudit.settings.config import Settings, stated_commands, with_parts

if TYPE_CHECKING:
    from privaudit.audit.result import ScanReport

CONTEXT = {"max_content_width": 110}
MODULES = {
    "attack": "attack_command",
    "compare": "baseline_command diff_command history_command",
    "rules": "rules",
    "remedies": "plan_command remedy_command verify_command",
    "joint": "joint_group",
    "releases": "ledger_group release_command",
    "synthesis": "synthesize_command example_command",
    "inventory": "inventory_group",
    "subject": "subject_group",
    "looks": "classes_command profile_command compare_command",
}
"""The commands of other modules."""
ELSEWHERE = {
    name.partition("_")[0]: (f"privaudit.cli.{module}", name)
    for module, names in MODULES.items()
    for name in names.split()
}
SECTIONS: dict[str, dict[str, str]] = stated_commands()["sections"]
"""The help: what each command is for, in the order in which a user needs them."""


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    from privaudit.base import spending, supervision

    supervision.choose_instructions()
    console.prepare()
    spending.take()
    try:
        with guarded("command"):
            code = _called()
    except PrivauditError as error:
        console.complain(error.line(), error.code)
        console.report_charged()
        code = error.exit_code
    except KeyboardInterrupt:
        console.complain(supervision.STOPPED, "E130")
        console.report_charged()
        code = 130
    sys.exit(code)


def _called() -> int:
    """Call the command the arguments name; wrong use becomes one line."""
    from privaudit.cli.output_checks import check_arguments

    try:
        # Click's own main writes a line of its own when it is interrupted.
        instruction = os.environ.get(completion.VARIABLE)
        if instruction:
            with console.printing():
                return completion.answer(cli, instruction)
        check_arguments(sys.argv[1:])
        with cli.make_context("privaudit", sys.argv[1:]) as context:
            code = cli.invoke(context)
        console.report_removed()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        console.print_text(error.format_message())
        console.complain("No command was given.", "E200")
    except click.MissingParameter as error:
        example = example_of(error.ctx) if error.ctx else None
        console.complain(error.format_message() + (f" Hint: for example {example}" if example else ""), "E200")
    except click.ClickException as error:
        console.complain(error.format_message(), "E200")
    return 2


def _print_version(context: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not context.resilient_parsing:
        console.print_text(f"privaudit, version {__version__}")
        context.exit()


@click.group(cls=LazyGroup, elsewhere=ELSEWHERE, sections=SECTIONS, context_settings=CONTEXT)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Find the personal data in a table, measure who can be re-identified, and show what would reduce the risk."""


@cli.command()
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@arguments.options("scan")
def scan(sources: tuple[str, ...], config: str | None, **options: Any) -> int:
    """Measure, judge and advise on each SOURCE: a file, folder, pattern, address, file.xlsx#sheet or file.sqlite#table.

    Several tables get a summary, and with -o FOLDER/ a report each and an index page.
    """
    from privaudit.cli.delivery import outputs_of
    from privaudit.cli.scan_command import ScanCommand, is_folder

    folders = [output for output in options["outputs"] if is_folder(output)]
    options["outputs"] = tuple(output for output in options["outputs"] if output not in folders)
    if len(folders) > 1:
        raise ConfigError("Two output folders were named.", hint="name one")
    shows_config, exit_zero = options.pop("show_config"), options.pop("exit_zero")
    if not sources and not shows_config:
        raise click.MissingParameter(ctx=click.get_current_context(), param_type="argument", param_hint="'SOURCE...'")
    command = {name: options.pop(name) for name in ("scores", "brief", "skip_other_files", "cache")}
    wanted = outputs_of(sources[0] if sources else "", options)
    options = with_parts(options, sources)
    with ExitStack() as keep:
        stated = run_settings.resolve(
            config, options, policy_from=options.pop("policy_from"), keep=keep, notice=console.warn
        )
        if shows_config:
            console.print_settings(stated, sources[0] if sources else "")
            return 0
        folder = Path(folders[0]) if folders else None
        code = ScanCommand(sources=sources, stated=stated, wanted=wanted, folder=folder, **command).run()
    # --exit-zero changes exit code 1 only: a scan that is incomplete or failed must still be visible.
    return 0 if exit_zero and code == 1 else code


@cli.command()
@click.argument("report")
@arguments.options("gate")
def gate(report: str, verify: str | None, fail_on: Any) -> int:
    """Apply the gate to the findings of a saved REPORT.json.

    The digest in a report detects damage only: anyone who edits the report can compute the digest again. For a report
    that someone else made, use --verify. Acceptances and answers count only until their last day.
    """
    from privaudit.api import reports as api_reports
    from privaudit.api import scans as api

    saved = api.load(report)
    if verify is not None:
        with console.progress() as progress:
            api_reports.require_same(saved, _scan_again(saved, verify, progress), report)
        console.print_verified_report(saved.wire)
    decision = api_reports.decide_again(saved, fail_on=fail_on)
    console.print_gate(decision.passed, map(str, decision.reasons))
    return decision.exit_code


@cli.command()
@click.argument("report")
@arguments.options("judge")
def judge(report: str, document: str | None, **options: Any) -> int:
    """Judge a saved REPORT.json under another policy or framework.

    The acceptances and answers are those of the settings file. With --document the result is the document, and the
    decision of the gate does not change the exit code.
    """
    from privaudit.api import scans as api
    from privaudit.api.reports import write_document
    from privaudit.cli.delivery import documents_of, outputs_of

    documents = documents_of(document, options)
    wanted = outputs_of(report, options)
    saved = api.load(report)
    # Only settings that affect judging are read: the table was measured with the settings in the report.
    file = console.settings(options.pop("config"), {}, api.place_of(saved.wire))
    chosen: dict[str, Any] = {name: file[name] for name in ("baseline", "tolerance") if name in file}
    chosen |= {name: value for name, value in options.items() if value is not None}
    stated = {"accept": file.get("accept", ()), "answers": file.get("answers", {})}
    judged = api.judge(saved, **stated, **chosen)
    if document is not None:
        write = partial(write_document, judged, document, edition=wanted.edition, rules=chosen.get("rules"))
        console.write_each(documents, write, what=document)
        return 0
    return wanted.deliver(judged)


@cli.command()
@click.argument("code")
@click.argument("column")
@arguments.options("accept")
def accept(code: str, column: str, report: str | None, config: str | None, rules: str | None, **options: Any) -> int:
    """Accept the finding of check CODE on COLUMN ("A,B" for several, "*" for the whole table) until a date.

    With --report the acceptance holds for the table of the report, and without one for every table of the settings
    file. --table names another table.
    """
    from privaudit.api import scans as api
    from privaudit.api.settings_entries import write_entries

    written = write_entries(
        code,
        column,
        {name: options.pop(name) for name in ("reason", "owner", "expires")},
        report=None if report is None else api.load(report).wire,
        file=None if config is None else Path(config),
        rules=None if rules is None else Path(rules),
        **options,
    )
    console.print_accepted(written.entries, written.pattern)
    return 0


@cli.command()
@click.argument("control")
@arguments.options("answer")
def answer(control: str, **options: Any) -> int:
    """Write what a person answers to CONTROL of a framework, or about the context of a release, with a last day.

    The context: purpose, recipients, legal_basis, holder, release_model, controls, decides, review. An answer is
    shown, and changes no measurement.
    """
    from privaudit.api import reports as api_reports

    entry = api_reports.answer(control, **options)
    console.print_answered(entry)
    return 0


@cli.command()
@click.argument("report")
@arguments.options("render")
def render(report: str, **options: Any) -> int:
    """Write a saved REPORT.json in another format, or print its summary."""
    from privaudit.api import scans as api
    from privaudit.cli.delivery import outputs_of

    outputs_of(report, options).deliver(api.load(report), decides=False)
    return 0


@cli.command()
@click.argument("code")
@arguments.options("explain")
def explain(code: str, rules: str | None, policy: str | None, source: str | None, as_json: bool) -> int:
    """Explain a check, a policy, a control, an entity type, a measure or a technique, such as QI001 or class.k_min.

    With --source, explain why a column of a table is of its entity type: the claims, their weights, the decision.
    """
    from privaudit.api import scans as api

    if not as_json:
        console.print_text(api.explain(code, rules=rules, policy=policy, source=source))
        return 0
    if source is not None:
        raise ConfigError("--json does not apply to --source.", hint="report.json lists the evidence of each column")
    console.print_json(api.explanation(code, rules=rules, policy=policy).content())
    return 0


@cli.command("completion")
@click.argument("shell", type=click.Choice(completion.SHELLS))
def completion_command(shell: str) -> int:
    """Print the script that lets SHELL complete commands, options, files and codes.

    \b
    bash: eval "$(privaudit completion bash)"          in ~/.bashrc
    zsh:  eval "$(privaudit completion zsh)"           in ~/.zshrc
    fish: privaudit completion fish | source           in ~/.config/fish/config.fish
    """
    console.print_text(completion.script(cli, shell))
    return 0


@cli.command()
@click.argument("folder", default=".")
@arguments.options("init")
def init(folder: str) -> int:
    """Look at the data files below FOLDER and write privaudit.toml, a pre-commit entry and a CI job.

    Files that exist are not changed: what belongs into them is printed.
    """
    from privaudit.cli.starter import start

    if not os.path.isdir(folder):
        raise ConfigError(f"{shown_file(folder)} is not a folder.", hint="name the folder of the project")
    with console.progress() as progress:
        tables, written = start(Path(folder), progress=progress)
    console.print_started(tables, written)
    return 0


@cli.command()
def doctor() -> int:
    """Show this installation: versions, language models, rule packs and missing extras."""
    from privaudit.cli import installation

    text, is_complete = installation.description()
    console.print_text(text)
    return 0 if is_complete else 3


completion.add_completions(cli)


def _scan_again(saved: ScanReport, source: str, progress: Any) -> ScanReport:
    """Scan `source` with the settings that the command of a report lists."""
    import shlex
    from dataclasses import fields

    from privaudit.api import scans as api
    from privaudit.rulebook import book_of, entries_of

    try:
        words = shlex.split(saved.wire.command)[2:]
        stated = scan.make_context("scan", words, parent=click.get_current_context(silent=True)).params
    except (ValueError, click.ClickException):
        raise ConfigError("The report does not state a command that can be repeated.") from None
    names = {setting.name for setting in fields(Settings)}
    # The current settings file is ignored: the command in the report lists every setting.
    chosen = console.settings("", {name: value for name, value in stated.items() if name in names}, source)
    if saved.wire.acceptances:
        chosen["accept"] = entries_of(saved.wire.acceptances)
    if saved.wire.answers:
        chosen["answers"] = book_of(saved.wire.answers)
    return api.scan(source, **chosen, progress=progress)
