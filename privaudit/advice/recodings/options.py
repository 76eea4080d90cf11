"""Which recodings are suitable for a column, from fine to coarse.

Question: how can this quasi-identifier be generalised and still be useful?
Method: by what the column holds: the levels of a given hierarchy; month to decade for dates; first characters for
postal and other codes of one length; bands of round width for numbers; levels of a public hierarchy, groups of
categories, and in a small lattice merged rare values. Which of these fit an entity type is part of its record
(``generalisations`` in ``rules/entities``).
Top and bottom coding and dropping the column complete the options.
Limits: no step is offered that changes no class, that leaves one value, or whose parameters would reveal a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.recodings import categories as make
from privaudit.advice.recodings import numbers as number
from privaudit.advice.technique import Column, Hierarchy, Recoding, recode
from privaudit.advice.technique.recoding import keep
from privaudit.base.arrow import pa, pc
from privaudit.base.parallel import each, threads_for
from privaudit.base.records import dataclass
from privaudit.detect.stated_ages import ELDERLY, OLD_AGES, in_unit_of
from privaudit.model import ColumnReport, Limit, limit
from privaudit.model.vocabulary import entity_type
from privaudit.model.wording import Columns, Count

DATE_TYPES = frozenset({"date", "timestamp"})
RARE_SHARES = (0.01, 0.02, 0.05, 0.1, 0.2)
END_SHARE = 0.1
MOST_STATES = 100_000
"""Largest lattice in which categories have both steps: groups, and all rare values as one."""


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """What can be done to one column.

    Attributes
    ----------
    ladder : tuple of Recoding
        From unchanged to dropped, each with fewer values than the one before; dates keep all their steps.
    extras : tuple of Recoding
        Top and bottom coding, and steps that merge nothing here and yet may resolve a finding about the column.
    """

    ladder: tuple[Recoding, ...]
    extras: tuple[Recoding, ...]


def options(
    trial: TrialTable,
    columns: Sequence[ColumnReport],
    hierarchies: Mapping[str, Hierarchy] | None,
    threads: int | None = None,
) -> tuple[dict[str, ColumnOptions], tuple[Limit, ...]]:
    """Return the recodings of each quasi-identifier of `trial`."""
    reports = {report.name: report for report in columns}

    def of_column(name: str) -> tuple[ColumnOptions, list[Limit]]:
        column = trial.column(name, (hierarchies or {}).get(name))
        if column.hierarchy is None:
            return _options(column, *_by_content(trial, column, reports.get(name))), []
        steps, unknown = make.levels(column)
        lacking = Count(unknown, of=len(column), unit="value")
        incomplete = limit("advice.hierarchy_incomplete", column=Columns((name,)), values=lacking)
        return _options(column, steps, []), [incomplete] if unknown else []

    made = each(of_column, trial.names, threads_for(trial.coded.n_distinct, threads))
    found = {name: options for name, (options, _) in zip(trial.names, made, strict=True)}
    limits = [limit for _, limits in made for limit in limits]
    if prod(len(made.ladder) for made in found.values()) > MOST_STATES:
        found = {name: _without_merged(made) for name, made in found.items()}
    return found, tuple(limits)


def _without_merged(made: ColumnOptions) -> ColumnOptions:
    """Make the steps that merge all rare values into one extras: the groups alone are a chain, with fewer states."""
    merged = [step for step in made.ladder if step.technique == "merge_rare"]
    return ColumnOptions(tuple(step for step in made.ladder if step not in merged), (*made.extras, *merged))


def _options(column: Column, steps: list[Recoding], extras: list[Recoding]) -> ColumnOptions:
    present = np.flatnonzero(column.counts)
    ladder, others = [keep(column)], list(extras)
    for step in (*steps, recode("drop", column, {})):
        left = len(np.unique(step.lookup[present]))
        if step.technique == "drop":
            (ladder if len(present) > 1 else others).append(step)
            continue
        # A step that leaves one value loses as much as dropping the column, which is the clearer step.
        before = len(np.unique(ladder[-1].lookup[present]))
        # A level of a public hierarchy does not replace groups of the table that are as many.
        is_other = left == before and ("public" in step.parameters) != ("public" in ladder[-1].parameters)
        coarser = left < before or is_other or step.technique == "round_date"
        if coarser and (left > 1 or len(present) == 1):
            ladder.append(step)
    return ColumnOptions(tuple(ladder), tuple(others))


def _by_content(
    trial: TrialTable, column: Column, report: ColumnReport | None
) -> tuple[list[Recoding], list[Recoding]]:
    """Return ladder steps and extras by the entity type, data type and values of the column."""
    entity = report.is_.entity if report is not None and report.is_ is not None else None
    fitting = () if entity is None else entity_type(entity).generalisations
    if "prefix" in fitting:
        steps = make.prefixes(column)
        if steps:
            return steps, []
    if "date" in fitting or (report is not None and report.data_type in DATE_TYPES):
        steps = make.rounded_dates(column)
        if steps:
            return steps, []
    # "Region 7" and "region 8" are names: a band of them would have no meaning.
    if column.is_numeric and (entity is None or "band" in fitting):
        return _for_numbers(trial, column, _elderly_from(report))
    dates = make.rounded_dates(column)
    if dates:
        return dates, []
    prefixes = make.prefixes(column) if _one_length(column.dictionary) else []
    categories = _categories(column, trial)
    return (prefixes, categories) if prefixes else (categories, [])


def _elderly_from(report: ColumnReport | None) -> float | None:
    """Return the age from which ages must be one category, if the column has such ages."""
    elderly = report is not None and any(report.measurements.get(name) for name in OLD_AGES)
    return in_unit_of(report.name, ELDERLY) if report is not None and elderly else None


def _for_numbers(trial: TrialTable, column: Column, most: float | None) -> tuple[list[Recoding], list[Recoding]]:
    """Return bands, and top and bottom codes; all numbers from `most` on become one category."""
    # The ends are combined with the other columns, so k records in an end seldom give k in each of its classes.
    tenth = max(trial.k, _round(END_SHARE * trial.coded.n_rows))
    floors = sorted({trial.k, 2 * trial.k, 4 * trial.k, tenth})
    steps = [] if most is None else [recode("top_code", column, {"at": most})]
    for width in number.band_widths(column.numbers, column.counts[:-1]):
        over = None if most is None else most // width * width
        opened = [number.open_bands(column, width, least, over) for least in floors]
        steps += [number.bands(column, width, over=over), *(step for step in opened if step is not None)]
    steps.sort(key=lambda step: -int(step.lookup.max()))
    caps = [number.cap(column, trial.k, top=top) for top in (True, False)]
    extras = [found for found in caps if found is not None]
    return (steps, extras) if steps else (_categories(column, trial), extras)


def _categories(column: Column, trial: TrialTable) -> list[Recoding]:
    """Return levels of a public hierarchy, groups of categories and merged rare values, from fine to coarse."""
    shares = (_round(share * trial.coded.n_rows) for share in RARE_SHARES)
    floors = sorted({trial.k, *(floor for floor in shares if floor > trial.k)})
    steps = [make.grouped(column, floor, trial.k) for floor in floors]
    steps += [make.rare_values(column, floor) for floor in floors]
    made = [*make.public_levels(column), *(step for step in steps if step is not None)]
    return sorted(made, key=lambda step: -int(step.lookup.max()))


def _round(number: float) -> int:
    """Round to two digits: 301.6 gives 300."""
    return int(float(f"{number:.2g}"))


def _one_length(dictionary: pa.Array) -> bool:
    """Return whether all values are codes such as "A12": one length of 3 or more, and a digit in each."""
    if len(dictionary) < 3:
        return False
    length = pc.utf8_length(dictionary)
    digits = pc.all(pc.match_substring_regex(dictionary, "[0-9]")).as_py()
    return bool(digits and pc.min(length).as_py() == pc.max(length).as_py() >= 3)
