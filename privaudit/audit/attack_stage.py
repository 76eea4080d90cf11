"""The stage of the attacks: which tables they are given, and whether a scan runs them.

Question: which attacks are simulated on this run?
Method: `privaudit attack` runs every attack whose tables were given; a scan runs those on the table alone for their
headline numbers, and the linkage where there is an auxiliary table. An attack that fails costs this attack only.
Limits: a scan of a large table (which becomes a limit of the report), or of one that is not about people, simulates no
attack on the table alone.
"""

from __future__ import annotations

from dataclasses import replace

from privaudit.attacks import simulate_all
from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.audit.stages import Run, attempt
from privaudit.base.errors import ConfigError
from privaudit.model import Attack, CellCounts, Limit, limit
from privaudit.model.wording import Columns, Threshold
from privaudit.source import Dataset, open_dataset

MOST_HEADLINE_ROWS = 100_000
"""Rows beyond which a scan simulates no attack on the table alone: it would take longer than the rest."""


def simulate_attacks(run: Run) -> Run:
    """Run every attack whose inputs exist; an attack that fails becomes a limit.

    A scan runs those on the table alone for their headline numbers, where a row of the table is about people.
    """
    second = _second_tables(run)
    is_scan = not run.is_attack
    if is_scan and run.unit is not None and run.unit.kind == "aggregate":
        return _reconstruct_aggregate(run)
    about_people = run.unit is None or run.unit.is_about_people
    too_large = is_scan and about_people and run.table.n_rows > MOST_HEADLINE_ROWS
    if too_large:
        most = Threshold(MOST_HEADLINE_ROWS)
        run = replace(run, limits=(*run.limits, limit("attacks.too_large_for_scan", most=most)))
    elsewhere = is_scan and about_people and not too_large and not run.table.in_memory
    if elsewhere:  # each attack would read the table from its server again
        run = replace(run, limits=(*run.limits, limit("attacks.not_in_memory_for_scan")))
    is_headline = is_scan and about_people and not too_large and not elsewhere
    if is_scan and not run.auxiliary and not is_headline:
        return run
    inputs = AttackInputs(
        release=run.table,
        columns=run.columns,
        settings=replace(run.settings, linkage="all") if is_scan else run.settings,
        auxiliary=run.auxiliary,
        unit=run.unit,
        original=second.get("original"),
        outsiders=second.get("control"),
        labels={} if run.settings.anonymised else None,
        earlier=second.get("earlier"),
        cells=run.cells_file,
        published=tuple(table for name, table in second.items() if name.startswith("published ")),
        is_headline=is_headline,
        progress=run.progress,
        coded=None if run.assessment is None else run.assessment.coded,
    )
    results = simulate_all(inputs, attempt=attempt)
    others = [*second.values(), *([run.auxiliary] if run.auxiliary else [])]
    unread = tuple(found for other in others for found in other.limits if found.incomplete)
    return replace(run, attacks=results.attacks, limits=run.limits + results.limits + unread)


def _reconstruct_aggregate(run: Run) -> Run:
    """Compute the suppressed counts of an aggregate that a scan recognises, each column of counts by itself."""
    inputs = AttackInputs(release=run.table, columns=run.columns, settings=run.settings)
    attacks: tuple[Attack, ...] = ()
    cells: list[CellCounts] = []
    limits: tuple[Limit, ...] = ()
    for item in run.cells:
        found, noted = _derive(run, item, inputs) if item.n_hidden else (AttackResults(), ())
        attacks += found.attacks
        limits += noted
        n = 0 if not item.n_hidden else found.attacks[0].n_correct if found.attacks else None
        cells.append(replace(item, n_derivable=n))
    return replace(run, attacks=attacks, cells=tuple(cells), limits=run.limits + limits)


def _derive(run: Run, item: CellCounts, inputs: AttackInputs) -> tuple[AttackResults, tuple[Limit, ...]]:
    """Return the attack on the suppressed counts of one column; one whose layout is not clear is a limit."""
    from privaudit.attacks.published.published_tables import layout_of, read_published
    from privaudit.attacks.published.reconstruction import reconstruct

    try:
        layout = layout_of(run.table, run.unit.keys if run.unit else (), item.column)
        published = read_published(run.table, layout)
    except ConfigError:
        columns = Columns((item.column,))
        return AttackResults(), (limit("attacks.cells_not_clear", incomplete=True, columns=columns),)
    found, failed = attempt("reconstruction", lambda: reconstruct([[published]], inputs))
    return (AttackResults(), failed) if found is None else (found, found.limits)


def _second_tables(run: Run) -> dict[str, Dataset]:
    """Open the tables that an attack compares with the release; a scan has none."""
    if not run.is_attack:
        return {}
    plain = replace(run.settings, input_format=None)
    return {
        name: run.resources.enter_context(open_dataset(source, plain, whole=True))
        for name, source in run.second_sources.items()
    }
