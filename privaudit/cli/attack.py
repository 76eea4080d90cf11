"""The command attack."""

from __future__ import annotations

from typing import Any

import click

from privaudit.cli import arguments, console, output_checks
from privaudit.settings import run_settings


@click.command("attack")
@click.argument("releases", metavar="RELEASE...", nargs=-1, required=True)
@arguments.options("attack")
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
    with console.progress() as progress:
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
