"""The options that several commands share."""

from __future__ import annotations

from typing import get_args

import click

from privaudit.cli.option_values import (
    FormatName,
    caps,
    listed,
    no_settings_file,
    numbers,
    pairs,
    roles,
    seconds,
    together,
)
from privaudit.model.vocabulary.records import SEVERITIES
from privaudit.settings.config import Bound, InputFormat, LossMeasure, Unit

outputs = together(
    click.option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        metavar="FILE",
        help="Write the report; the name sets the format: .html .json .md .sarif .xml (JUnit) .gitlab.json. "
        '"-" is standard output. May be repeated.',
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
fail_on = click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    help="Lowest severity that fails the gate (default: set by the policy).",
)
frameworks = click.option(
    "--framework", multiple=True, metavar="ID", help="Assess the controls of this framework. May be repeated."
)
rules_folder = click.option(
    "--rules", metavar="DIR", help="Folder with your own rule packs: detectors, checks, frameworks."
)
linkage = together(
    click.option(
        "--on",
        multiple=True,
        callback=pairs,
        metavar="REL=AUX",
        help="Link on these columns (default: detected).",
    ),
    click.option(
        "--truth",
        multiple=True,
        callback=pairs,
        metavar="REL=AUX",
        help="Columns that identify the same person in both tables; used only to count correct links.",
    ),
)
remedies = together(
    click.option(
        "--keep", multiple=True, callback=listed, metavar="A,B", help="Columns that no remedy drops."
    ),
    click.option(
        "--importance",
        multiple=True,
        callback=numbers,
        metavar="COLUMN=NUMBER",
        help="How much a column counts in the information loss of remedies (default 1).",
    ),
    click.option(
        "--loss-measure",
        type=click.Choice(get_args(LossMeasure)),
        help="Information loss by which remedies are compared (default loss).",
    ),
)
subject = together(
    click.option(
        "--subject",
        metavar="COLUMN",
        help="Column that identifies the person, where a person has several rows: risk is counted in people.",
    ),
    click.option(
        "--unit",
        type=click.Choice(get_args(Unit)),
        help="What a row of the table is (default: inferred). Tables about objects, organisations and aggregates are "
        "not judged as people.",
    ),
)
column_roles = together(
    click.option(
        "--role",
        multiple=True,
        callback=roles,
        metavar="COLUMN=ROLE",
        help="Set the role of a column: direct, quasi, sensitive or none.",
    ),
    click.option(
        "--quasi",
        multiple=True,
        callback=listed,
        metavar="A,B",
        help="The quasi-identifiers: exactly these columns, or none.",
    ),
    click.option(
        "--sensitive",
        multiple=True,
        callback=listed,
        metavar="S",
        help="The sensitive attributes: exactly these columns.",
    ),
)
measuring = together(
    column_roles,
    click.option(
        "--max-size",
        type=click.IntRange(1),
        help="Largest combination of quasi-identifiers searched (default 3).",
    ),
    click.option(
        "--auxiliary", metavar="FILE", help="Auxiliary data: a table that the attacker is assumed to have."
    ),
    linkage,
    click.option(
        "--hierarchy",
        multiple=True,
        callback=pairs,
        metavar="COLUMN=FILE",
        help="Generalisation hierarchy of a column: lines of value;level 1;level 2.",
    ),
    remedies,
    click.option(
        "--population",
        metavar="FILE|N",
        help="Population that the table is a sample of: a table, or the number of people.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["category", "wildcard", "one-sided"]),
        help="What a missing cell matches: other missing cells (default), anything, or anything one way.",
    ),
    click.option("--weight", metavar="COLUMN", help="Column with sampling weights."),
    subject,
    click.option(
        "--budget",
        callback=seconds,
        metavar="TIME",
        help="Stop the search for combinations, and each search for a plan, after this time, for example 60s or 5m.",
    ),
    click.option(
        "--bound",
        type=click.Choice(get_args(Bound)),
        help="Whether the search for combinations ends at a bound on work that is the same on every machine (default), "
        "or searches all.",
    ),
    click.option(
        "--sample-ner",
        type=click.IntRange(1),
        help="Most distinct cells of a text column that the language model reads (default 2000).",
    ),
    click.option(
        "--ner/--no-ner", default=None, help="Whether a language model reads text columns (default: yes)."
    ),
    rules_folder,
)
"""What is measured, and how: the options of `scan`, and of the commands that scan."""
tolerance = click.option(
    "--tolerance",
    type=click.FloatRange(0),
    metavar="SHARE",
    help="Share by which counts and shares may grow before a finding is worse (default 0.1). Levels such as k are "
    "compared exactly.",
)
baseline = together(
    click.option("--baseline", metavar="FILE", help="Only findings that are new, or worse than in this file, fail."),
    tolerance,
)
reading = together(
    click.option(
        "--bad-rows",
        type=click.Choice(["error", "skip"]),
        help="Rows with a wrong number of cells: stop (default), or count and skip them.",
    ),
    click.option(
        "--input-format",
        type=click.Choice(get_args(InputFormat)),
        help="Format of SOURCE, whatever its name states (default: by the suffix, without one by the content).",
    ),
    click.option(
        "--parts",
        is_flag=True,
        default=None,
        help="The files of each SOURCE, a folder or pattern, are parts of one table (default: each is a table).",
    ),
    click.option("--delimiter", metavar="CHAR", help="Separator of a CSV file (default: detected)."),
    click.option(
        "--encoding",
        metavar="NAME",
        help="Encoding of a text file (default: its byte order mark, UTF-8, or guessed and stated).",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first row holds the column names (default: detected).",
    ),
    click.option(
        "--field-metadata/--no-field-metadata",
        default=None,
        help="Whether roles and acceptances in the metadata of Parquet and Arrow fields apply (default: yes).",
    ),
    click.option(
        "--memory",
        metavar="SIZE",
        help="Memory that the whole run may take, for example 4GB (default: three quarters of the machine's).",
    ),
    click.option(
        "--cap",
        multiple=True,
        callback=caps,
        metavar="NAME=N",
        help="Largest input that is read: columns, cells, cell-bytes, unpacked-bytes or expansion. May be repeated.",
    ),
    click.option(
        "--password-env",
        metavar="NAME",
        help="Environment variable that holds the password of a database; no option takes the password itself.",
    ),
    click.option(
        "--name", metavar="NAME", help="Name of the table in a baseline, for standard input and others without a path."
    ),
    click.option("--threads", type=click.IntRange(1), help="Number of threads; does not change results."),
)
running = together(
    click.option(
        "--policy-from",
        metavar="REF",
        help="Read settings, acceptances, policy and rule packs as this branch or commit (in full) has them, "
        "so that a pull request is not judged by what it changes.",
    ),
    click.option(
        "--show-config", is_flag=True, help="Print every setting and its origin, and scan nothing."
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 instead of 1 where the gate fails."),
    click.option(
        "--brief", is_flag=True, help="Print one line for each table and search no remedies: for hooks."
    ),
    click.option(
        "--skip-other-files",
        is_flag=True,
        help="Count .json and .txt files whose content is not a table, also where they are named: for hooks.",
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
    click.option("-q", "--quiet", is_flag=True, help="Print errors, and what could not be assessed, only."),
    click.option("-v", "--verbose", is_flag=True, help="Print the settings file and the time of each stage."),
    click.option(
        "--timings", is_flag=True, help="Print what each stage took, and the processor time of the slowest columns."
    ),
)
common = together(
    click.option(
        "--policy",
        metavar="NAME",
        help="Policy: public, public-low, public-high, strict, controlled, internal, safe-harbor, cells-cms, or a "
        "file.",
    ),
    click.option("--seed", type=click.IntRange(0), help="Seed of all sampling (default 0)."),
    settings_file,
    loudness,
)
scanning = together(measuring, baseline, frameworks, fail_on, reading, common)
"""All options of a scan."""
