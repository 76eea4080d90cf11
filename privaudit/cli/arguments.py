"""The options that several commands share."""

from __future__ import annotations

from typing import Any

import click

from privaudit.cli.option_values import Decorator, FormatName, no_settings_file, seconds, together
from privaudit.cli.setting_options import setting


def flag(*names: str) -> Decorator:
    """Return an option without a value: its names, and its help."""
    return click.option(*names[:-1], is_flag=True, help=names[-1])


def file_option(*names: str, **more: Any) -> Decorator:
    """Return an option that names a file: its names, and its help; `more` are keywords of click."""
    return click.option(*names[:-1], metavar="FILE", help=names[-1], **more)


def outputs_option(help: str, **more: Any) -> Decorator:
    """Return the option that names the files to write, which may be repeated."""
    return file_option("-o", "--output", "outputs", help, multiple=True, **more)


quiet = flag("-q", "--quiet", "Print errors only.")
password = click.option(
    "--password-env", metavar="NAME", help="Environment variable that holds the password of a database."
)
outputs = together(
    outputs_option(
        'Write the report; the name sets the format: .html .json .md .sarif .xml (JUnit) .gitlab.json .pdf. "-" is '
        "standard output. May be repeated."
    ),
    click.option(
        "--format",
        type=FormatName(),
        help='Write this format to standard output, and nothing else (default: the summary; json with "-o -").',
    ),
)
edition = click.option(
    "--edition",
    type=click.Choice(["full", "public"]),
    default="full",
    help='Edition of the output: "public" shows fewer and rounded numbers, so that no count below 11 follows.',
)
fail_on = setting("fail_on")
frameworks = click.option(
    "--framework", multiple=True, metavar="ID", help="Assess the controls of this framework. May be repeated."
)
rules_folder = setting("rules")
linkage = together(setting("on"), setting("truth"))
remedies = together(setting("keep"), setting("importance"), setting("loss_measure"))
subject = together(setting("subject"), setting("unit"))
column_roles = together(setting("role"), setting("quasi"), setting("sensitive"))
measuring = together(
    column_roles,
    setting("max_size"),
    setting("auxiliary"),
    linkage,
    setting("hierarchy"),
    remedies,
    setting("population"),
    setting("missing"),
    setting("weight"),
    subject,
    click.option(
        "--budget",
        callback=seconds,
        metavar="TIME",
        help="Stop the search for combinations, and each search for a plan, after this time, for example 60s or 5m.",
    ),
    setting("bound"),
    setting("sample_ner"),
    setting("ner"),
    rules_folder,
)
"""What is measured, and how: the options of `scan`, and of the commands that scan."""
tolerance = setting("tolerance")
baseline = together(setting("baseline"), tolerance)
reading = together(
    setting("bad_rows"),
    setting("input_format"),
    click.option(
        "--parts",
        is_flag=True,
        default=None,
        help="The files of each SOURCE, a folder or pattern, are parts of one table (default: each is a table).",
    ),
    setting("delimiter"),
    setting("encoding"),
    setting("header"),
    setting("field_metadata"),
    setting("memory"),
    setting("cap"),
    setting("password_env"),
    setting("name"),
    setting("threads"),
)
running = together(
    click.option(
        "--policy-from",
        metavar="REF",
        help="Read settings, acceptances, policy and rule packs as this branch or commit (in full) has them, "
        "so that a pull request is not judged by what it changes.",
    ),
    click.option(
        "--cache",
        envvar="PRIVAUDIT_CACHE",
        metavar="DIR",
        help="Keep the evidence in this folder outside of repositories, and judge unchanged files without measuring "
        'them again. "user" is a folder among your caches (default: PRIVAUDIT_CACHE, otherwise none).',
    ),
    flag("--show-config", "Print every setting and its origin, and scan nothing."),
    flag("--exit-zero", "Exit with 0 instead of 1 where the gate fails."),
    flag("--brief", "Print one line for each table and search no remedies: for hooks."),
    flag(
        "--skip-other-files",
        "Count .json and .txt files whose content is not a table, also where they are named: for hooks.",
    ),
)
settings_file = together(
    click.option(
        "--config",
        metavar="FILE",
        is_eager=True,
        help="Settings file (default: the nearest privaudit.toml or pyproject.toml, up to the root of the repository).",
    ),
    click.option(
        "--no-config", is_flag=True, expose_value=False, callback=no_settings_file, help="Read no settings file."
    ),
)
loudness = together(
    flag("-q", "--quiet", "Print errors, and what could not be assessed, only."),
    flag("-v", "--verbose", "Print the settings file and the time of each stage."),
    flag("--timings", "Print what each stage took, and the processor time of the slowest columns."),
)
common = together(setting("policy"), setting("seed"), settings_file, loudness)
scanning = together(measuring, baseline, frameworks, fail_on, reading, common)
"""All options of a scan."""
