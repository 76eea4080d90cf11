"""Which recodings are suitable for a column, from fine to coarse.

Question: how can this quasi-identifier be generalised and still be useful?
Method: by what the column holds: the levels of a given hierarchy; month to decade for dates; first characters for
postal and other codes of one length; bands of round width for numbers; merged rare values for categories. Which of
these fit an entity type is part of its record (``generalisations`` in ``rules/entities``). Top and bottom coding and
dropping the column complete the options.
Limits: no step is offered that changes no class, and none whose parameters would reveal a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from privaudit.advice import number_recodings as number
from privaudit.advice import recoding as make
from privaudit.advice.recoding import Hierarchy, Recoding
from privaudit.advice.trial_table import TrialTable
from privaudit.model import ColumnReport, Limit, limit
from privaudit.vocabulary import entity_type
from privaudit.wording import Columns, Count

if TYPE_CHECKING:
    import pyarrow as pa

DATE_TYPES = frozenset({"date", "timestamp"})
RARE_SHARES = (0.01, 0.02, 0.05, 0.1, 0.2)
END_SHARE = 0.1
ONE_FOR_ALL = frozenset({"hierarchy_level", "merge_rare"})


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
    trial: TrialTable, columns: Sequence[ColumnReport], hierarchies: Mapping[str, Hierarchy] | None
) -> tuple[dict[str, ColumnOptions], tuple[Limit, ...]]:
    """Return the recodings of each quasi-identifier of `trial`."""
    reports = {report.name: report for report in columns}
    limits: list[Limit] = []
    found = {}
    for name, dictionary in zip(trial.coded.names, trial.coded.dictionaries, strict=True):
        given = (hierarchies or {}).get(name)
        if given is not None:
            steps, unknown = make.levels(name, dictionary, given)
            if unknown:
                lacking = Count(n=unknown, of=len(dictionary), unit="value")
                column = Columns(names=(name,))
                limits.append(limit("advice.hierarchy_incomplete", column=column, values=lacking))
            found[name] = _options(trial, name, dictionary, steps, [])
        else:
            found[name] = _options(trial, name, dictionary, *_by_content(trial, name, dictionary, reports.get(name)))
    return found, tuple(limits)


def _options(
    trial: TrialTable, name: str, dictionary: pa.Array, steps: list[Recoding], extras: list[Recoding]
) -> ColumnOptions:
    counts = trial.counts[name]
    present = np.flatnonzero(counts)
    ladder, others = [make.keep(name, dictionary)], list(extras)
    for step in (*steps, make.drop_column(name, dictionary)):
        left = len(np.unique(step.lookup[present]))
        fewer = left < len(np.unique(ladder[-1].lookup[present]))
        # "Other" for all records and the top of a hierarchy have no more information than dropping the column.
        coarser = fewer and (left > 1 or step.technique not in ONE_FOR_ALL)
        if step.technique == "round_date" or (len(present) > 1 if step.technique == "drop" else coarser):
            ladder.append(step)
        elif step.technique == "drop":
            others.append(step)
    return ColumnOptions(tuple(ladder), tuple(others))


def _by_content(
    trial: TrialTable, name: str, dictionary: pa.Array, report: ColumnReport | None
) -> tuple[list[Recoding], list[Recoding]]:
    """Return ladder steps and extras by the entity type, data type and values of the column."""
    counts = trial.counts[name][:-1]
    entity = report.is_.entity if report is not None and report.is_ is not None else None
    fitting = () if entity is None else entity_type(entity).generalisations
    if "prefix" in fitting:
        steps = make.prefixes(name, dictionary)
        if steps:
            return steps, []
    if "date" in fitting or (report is not None and report.data_type in DATE_TYPES):
        steps = make.rounded_dates(name, dictionary)
        if steps:
            return steps, []
    values = number.numbers(dictionary)
    # "Region 7" and "region 8" are names: a band of them would have no meaning.
    if values is not None and (entity is None or "band" in fitting):
        return _for_numbers(trial, name, values)
    dates = make.rounded_dates(name, dictionary)
    if dates:
        return dates, []
    prefixes = make.prefixes(name, dictionary) if _one_length(dictionary) else []
    rare = _rare(name, counts, trial)
    return (prefixes, rare) if prefixes else (rare, [])


def _for_numbers(
    trial: TrialTable, name: str, values: np.typing.NDArray[np.float64]
) -> tuple[list[Recoding], list[Recoding]]:
    counts = trial.counts[name][:-1]
    # The ends are combined with the other columns, so k records in an end seldom give k in each of its classes.
    tenth = max(trial.k, _round(END_SHARE * trial.coded.n_rows))
    floors = sorted({trial.k, 2 * trial.k, 4 * trial.k, tenth})
    steps = []
    for width in number.band_widths(values, counts):
        opened = [number.open_bands(name, values, counts, width, least) for least in floors]
        steps += [number.bands(name, values, width), *(step for step in opened if step is not None)]
    steps.sort(key=lambda step: -int(step.lookup.max()))
    caps = [number.cap(name, values, counts, trial.k, top=top) for top in (True, False)]
    extras = [found for found in caps if found is not None]
    return (steps, extras) if steps else (_rare(name, counts, trial), extras)


def _rare(name: str, counts: make.Counts, trial: TrialTable) -> list[Recoding]:
    floors = sorted({trial.k, *(_round(share * trial.coded.n_rows) for share in RARE_SHARES)})
    found = [make.rare_values(name, counts, floor) for floor in floors if floor >= trial.k]
    return [step for step in found if step is not None]


def _round(number: float) -> int:
    """Round to two digits: 301.6 gives 300."""
    return int(float(f"{number:.2g}"))


def _one_length(dictionary: pa.Array) -> bool:
    """Return whether all values are codes such as "A12": one length of 3 or more, and a digit in each."""
    import pyarrow.compute as pc

    if len(dictionary) < 3:
        return False
    length = pc.utf8_length(dictionary)
    digits = pc.all(pc.match_substring_regex(dictionary, "[0-9]")).as_py()
    return bool(digits and pc.min(length).as_py() == pc.max(length).as_py() >= 3)
