"""The commands that look at tables: classes, profile, compare."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from privaudit.base.errors import ConfigError
from privaudit.cli import arguments, console, output_checks
from privaudit.model.wording import Columns, Count, Number, Threshold, fact
from privaudit.settings import run_settings

if TYPE_CHECKING:
    from privaudit.audit.looks import Classes

MOST_LISTED = 200
MOST_ROWS = 12


@click.command("classes")
@click.argument("source")
@arguments.options("classes")
def classes_command(
    source: str, quasi: tuple[str, ...], below: int, show_values: bool, config: str | None, **options: Any
) -> int:
    """List the classes of identical records in SOURCE that have fewer than K records, by size and rows."""
    from privaudit.api import looks

    if show_values and (not sys.stdout.isatty() or os.environ.get("CI")):
        raise ConfigError(
            "Values are shown on a terminal only: standard output is not one, or this is CI.",
            hint="omit --show-values; size and rows are listed without it",
        )
    chosen = console.reading(console.settings(config, options, source))
    with console.progress() as progress:
        found = looks.classes(source, quasi, below, progress=progress, **chosen)
    console.print_unless_quiet("\n".join(_listed(found, show_values=show_values)))
    return 0


def _listed(found: Classes, *, show_values: bool) -> list[str]:
    from privaudit.report.escape import name

    head = fact(
        "looks.classes",
        classes=Number(found.n_classes),
        columns=Columns(found.columns),
        small=Number(len(found.small)),
        k=Threshold(found.below),
        records=Count(found.n_small_records, of=found.n_records, unit="record"),
        k_min=Number(found.k_min),
    )
    lines = [str(head)]
    if found.n_suppressed:
        suppressed = Count(found.n_suppressed, unit="record")
        lines.append(str(fact("looks.suppressed", records=suppressed)))
    for i, each in enumerate(found.small[:MOST_LISTED], 1):
        rows = ", ".join(map(str, each.rows[:MOST_ROWS])) + ("" if len(each.rows) <= MOST_ROWS else ", …")
        shown = " · ".join("–" if value is None else name(value, 60) for value in found.values(each))
        lines.append(f"{i:>5}  size {each.size:<5} rows {rows}" + (f"  {shown}" if show_values else ""))
    if len(found.small) > MOST_LISTED:
        lines.append(str(fact("looks.more_classes", n=Number(len(found.small) - MOST_LISTED))))
    return lines


@click.command("profile")
@click.argument("source")
@arguments.options("profile")
def profile_command(source: str, k: int, config: str | None, **options: Any) -> int:
    """List the columns of SOURCE: type, missing and distinct values, uniqueness, bits, and limits for coding."""
    from privaudit.api import looks
    from privaudit.report.escape import name

    chosen = console.reading(console.settings(config, options, source))
    with console.progress() as progress:
        found = looks.profile(source, k=k, progress=progress, **chosen)
    rows: list[tuple[str, ...]] = [
        ("column", "type", "rows", "missing", "distinct", "uniqueness", "bits", "bottom", "top")
    ]
    for each in found:
        one = each.profile
        counts = (f"{n:,}" for n in (one.n_rows, one.n_missing, one.n_distinct))
        shares = (f"{one.uniqueness:.3f}" if one.uniqueness is not None else "–", _number(one.entropy_bits))
        rows.append((name(one.name, 40), one.data_type, *counts, *shares, _number(each.bottom), _number(each.top)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    console.print_unless_quiet("\n".join(_line(row, widths) for row in rows))
    return 0


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    first = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
    return "  ".join([*first, *(c.rjust(w) for c, w in zip(row[2:], widths[2:], strict=True))]).rstrip()


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.10g}"


@click.command("compare")
@click.argument("real")
@click.argument("other")
@arguments.options("compare")
def compare_command(
    real: str, other: str, outputs: tuple[str, ...], target: str | None, config: str | None, **options: Any
) -> int:
    """Compare the tables REAL and OTHER, such as an original and its synthetic or remedied table.

    The comparison holds exact counts of REAL and is as confidential as REAL. `privaudit diff` compares two reports.
    """
    from privaudit.api import looks

    file, settings = run_settings.settings_file(config), console.settings(config, options, real)
    output_checks.check_outputs((real,), outputs, suffixes=(".html", ".md", ".json"))
    output_checks.check_inputs(outputs, real, settings, file, second=[other])
    with console.progress() as progress:
        found = looks.compare_tables(real, other, target=target, progress=progress, **console.reading(settings))
    for path in outputs:
        found.write(path)
    console.print_unless_quiet(found.text())
    return 0
