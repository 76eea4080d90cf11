"""The command attack."""

from __future__ import annotations

from typing import Any, get_args

import click

from privaudit.cli import arguments, console, output_checks
from privaudit.settings import run_settings
from privaudit.settings.config import Linkage


@click.command("attack")
@click.argument("releases", metavar="RELEASE...", nargs=-1, required=True)
@arguments.file_option("--auxiliary", "Auxiliary data: a table that the attacker is assumed to have.")
@arguments.file_option("--original", "The table that RELEASE was made of, as synthetic or anonymised data.")
@arguments.file_option(
    "--control", "People of the same population who are not in the original or, without one, not in RELEASE."
)
@click.option(
    "--anonymised",
    is_flag=True,
    default=None,
    help="RELEASE keeps the records of people, anonymised, and invents none: the attacker knows the quasi-identifiers, "
    "and copies are expected.",
)
@arguments.file_option("--earlier", "An earlier release of the same table.")
@arguments.flag(
    "--reconstruct",
    "Compute the suppressed counts of one or several published tables, or those that the public edition of a "
    "report.json withholds.",
)
@arguments.file_option(
    "--cells",
    "TOML file that states dimensions, count, mark of suppression and label of totals of each published table.",
)
@arguments.linkage
@arguments.column_roles
@click.option(
    "--method",
    "linkage",
    type=click.Choice([name for name in get_args(Linkage) if name != "all"]),
    help="Link records in this way only: by exact values, by values that may differ a little, or by the most likely "
    "pairs (default: all three).",
)
@click.option(
    "--population",
    metavar="FILE|N",
    help="Population that the release was drawn from: a table, or the number of people.",
)
@arguments.subject
@arguments.outputs
@arguments.edition
@arguments.fail_on
@arguments.reading
@arguments.common
def attack_command(releases: tuple[str, ...], config: str | None, **options: Any) -> int:
    """Attack RELEASE as someone would who knows a few facts, holds another table, or compares releases.

    Alone: what partial knowledge of a person singles out, and what the table reveals about sensitive columns. With
    --auxiliary: linkage. With --original: copies, membership, singling out, linkability and inference. With --earlier:
    what two releases disclose together. With --reconstruct: suppressed counts of published tables.
    """
    from privaudit.api import scans as api
    from privaudit.cli.delivery import outputs_of

    release, *published = releases
    reconstruct, cells = options.pop("reconstruct"), options.pop("cells")
    if published and not reconstruct:
        raise click.UsageError("Several releases are attacked together only with --reconstruct.")
    wanted = outputs_of(release, options)
    second = {name: path for name in ("original", "control", "earlier") if (path := options.pop(name)) is not None}
    file, chosen = run_settings.settings_file(config), console.settings(config, options, release)
    if options["linkage"] is not None and chosen.get("auxiliary") is None:
        raise click.UsageError("--method states how to link an auxiliary table; name it with --auxiliary.")
    read = [*second.values(), *published]
    output_checks.check_inputs(wanted.files, release, chosen, file, second=read)
    with console.progress(wanted.quiet) as progress:
        report = api.attack(
            release,
            **second,
            **chosen,
            reconstruct=reconstruct,
            published=published,
            cells=cells,
            progress=progress,
            config=file,
        )
    return wanted.deliver(report)
