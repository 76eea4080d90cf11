"""Which recodings are suitable for a column, from fine to coarse.

Question: how can this quasi-identifier be generalised and still be useful?
Method: by what the column holds: the levels of a given hierarchy; month to decade for dates; first characters for
postal and other codes of one length; bands of round width for numbers; levels of a public hierarchy, groups of
categories, and in a small lattice merged rare values. Which of these fit an entity type is part of its record
(``generalisations`` in ``rules/entities``).
Top and bottom coding and dropping the column complete the options.
Limits: no step is offered that changes no class, that leaves one value, or whose parameters would reveal a value.

Candidate recodings of codes, dates and categories: techniques with the parameters that suit a column.

Question: to which lengths, precisions, levels and counts can this column be generalised?
Method: each candidate is a technique of `advice.technique` with one value of its parameter, from fine to coarse.
Limits: numbers are in `advice.recodings.numbers`.

Candidate recodings of numbers: bands, bands with open ends, top and bottom codes.

Question: to which round widths, and up to which round limits, can numbers be generalised?
Method: each candidate is a technique of `privaudit.advice.technique` with one value of its parameters.
Limits: a cap and the edge of an open band are round numbers, so that they do not reveal a person's value; a column
without a suitable round number has no top or bottom code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.technique import Column, Hierarchy, Recoding, recode
from privaudit.advice.technique.dates import FINE, PRECISIONS
from privaudit.advice.technique.hierarchies import depth_of, fitting, hierarchy_of
from privaudit.advice.technique.recoding import MOSTLY, keep
from privaudit.base.parallel import each, threads_for
from privaudit.base.records import dataclass
from privaudit.detect.stated_ages import OLD_AGES, elderly_from
from privaudit.model import ColumnReport, Limit, limit
from privaudit.model.vocabulary import entity_type
from privaudit.model.wording import Columns, Count

if TYPE_CHECKING:
    import pyarrow as pa


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
        steps, unknown = levels(column)
        lacking = Count(n=unknown, of=len(column), unit="value")
        incomplete = limit("advice.hierarchy_incomplete", column=Columns(names=(name,)), values=lacking)
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
        steps = prefixes(column)
        if steps:
            return steps, []
    if "date" in fitting or (report is not None and report.data_type in DATE_TYPES):
        steps = rounded_dates(column)
        if steps:
            return steps, []
    # "Region 7" and "region 8" are names: a band of them would have no meaning.
    if column.is_numeric and (entity is None or "band" in fitting):
        return _for_numbers(trial, column, _elderly_from(report))
    dates = rounded_dates(column)
    if dates:
        return dates, []
    shortened = prefixes(column) if _one_length(column.dictionary) else []
    categories = _categories(column, trial)
    return (shortened, categories) if shortened else (categories, [])


def _elderly_from(report: ColumnReport | None) -> float | None:
    """Return the age from which ages must be one category, if the column has such ages."""
    elderly = report is not None and any(report.measurements.get(name) for name in OLD_AGES)
    return elderly_from(report.name) if report is not None and elderly else None


def _for_numbers(trial: TrialTable, column: Column, most: float | None) -> tuple[list[Recoding], list[Recoding]]:
    """Return bands, and top and bottom codes; all numbers from `most` on become one category."""
    # The ends are combined with the other columns, so k records in an end seldom give k in each of its classes.
    tenth = max(trial.k, _round(END_SHARE * trial.coded.n_rows))
    floors = sorted({trial.k, 2 * trial.k, 4 * trial.k, tenth})
    steps = [] if most is None else [recode("top_code", column, {"at": most})]
    for width in band_widths(column.numbers, column.counts[:-1]):
        over = None if most is None else most // width * width
        opened = [open_bands(column, width, least, over) for least in floors]
        steps += [bands(column, width, over=over), *(step for step in opened if step is not None)]
    steps.sort(key=lambda step: -int(step.lookup.max()))
    caps = [cap(column, trial.k, top=top) for top in (True, False)]
    extras = [found for found in caps if found is not None]
    return (steps, extras) if steps else (_categories(column, trial), extras)


def _categories(column: Column, trial: TrialTable) -> list[Recoding]:
    """Return levels of a public hierarchy, groups of categories and merged rare values, from fine to coarse."""
    shares = (_round(share * trial.coded.n_rows) for share in RARE_SHARES)
    floors = sorted({trial.k, *(floor for floor in shares if floor > trial.k)})
    steps = [grouped(column, floor, trial.k) for floor in floors]
    steps += [rare_values(column, floor) for floor in floors]
    made = [*public_levels(column), *(step for step in steps if step is not None)]
    return sorted(made, key=lambda step: -int(step.lookup.max()))


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


CODE = r"^[0-9A-Za-z][0-9A-Za-z -]*[0-9A-Za-z]$"


def prefixes(column: Column) -> list[Recoding]:
    """Cut codes of the same length to their first characters, from one fewer down to one."""
    import pyarrow.compute as pc

    length = pc.utf8_length(column.dictionary).to_numpy(zero_copy_only=False)
    shaped = pc.match_substring_regex(column.dictionary, CODE).to_numpy(zero_copy_only=False)
    if not len(length) or not shaped.all() or length.min() < 2 or length.max() > 12:
        return []
    return [recode("prefix", column, {"characters_kept": kept}) for kept in range(int(length.max()) - 1, 0, -1)]


def rounded_dates(column: Column) -> list[Recoding]:
    """Round dates to month, quarter, year and decade; to year and decade only where day and month are ambiguous."""
    import pyarrow.compute as pc

    days, sure = column.dates
    records = column.counts[:-1]
    dated = int(records[pc.is_valid(days).to_numpy(zero_copy_only=False)].sum())
    if not dated or dated < MOSTLY * int(records.sum()):
        return []
    precisions = [each for each in PRECISIONS if sure or each not in FINE]
    return [recode("round_date", column, {"precision": each}) for each in precisions]


def levels(column: Column) -> tuple[list[Recoding], int]:
    """Replace values by their names at each level of the column's hierarchy.

    Returns
    -------
    recodings : list of Recoding, level 1 first
    n_unknown : int
        Values that the hierarchy does not contain; they become its root.
    """
    hierarchy = column.hierarchy or {}
    unknown = sum(value not in hierarchy for value in column.dictionary.to_pylist())
    steps = range(1, depth_of(hierarchy) + 1)
    return [recode("hierarchy_level", column, {"level": level}) for level in steps], unknown


def public_levels(column: Column) -> list[Recoding]:
    """Replace values by their names at each level of the public hierarchy that fits the column, if there is one."""
    values = column.dictionary.to_pylist()
    public = fitting(values)
    if public is None:
        return []
    steps = range(1, depth_of(hierarchy_of(public, values)) + 1)
    return [recode("hierarchy_level", column, {"level": level, "public": public}) for level in steps]


def rare_values(column: Column, below: int) -> Recoding | None:
    """Merge the values with fewer than `below` records into one; None where there are not two such values."""
    if (column.counts[:-1] < below).sum() < 2:
        return None
    return recode("merge_rare", column, {"below": below})


def grouped(column: Column, below: int, rare: int) -> Recoding | None:
    """Merge categories until each has `below` records; None where each has."""
    counts = column.counts[:-1]
    if not (counts[counts > 0] < below).any():
        return None
    return recode("group_values", column, {"below": below, "rare": rare})


TAIL = 0.1
SMALL = 20
FINEST = 100
"""Bands that a table is split by at most."""


def bands(column: Column, width: float, *, under: float | None = None, over: float | None = None) -> Recoding:
    """Merge numbers into bands; all below `under` become one band, and so do all from `over` on."""
    edges: dict[str, Any] = {"under": under, "over": over}
    return recode("band", column, {"width": width, **{k: v for k, v in edges.items() if v is not None}})


def open_bands(column: Column, width: float, least: int, most: float | None = None) -> Recoding | None:
    """Return bands merged at both ends until each end has `least` records; None where that changes nothing.

    From `most` on, a multiple of `width`, all numbers are one band.
    """
    values, counts = column.numbers, column.counts[:-1]
    known = np.isfinite(values)
    at, inverse = np.unique(np.floor(values[known] / width + 1e-9), return_inverse=True)
    if not len(at):
        return None
    sizes = np.bincount(inverse, weights=counts[known]).astype(np.int64)
    first = int(np.searchsorted(np.cumsum(sizes), least))
    last = len(sizes) - 1 - int(np.searchsorted(np.cumsum(sizes[::-1]), least))
    if not 0 <= last < len(sizes) or first >= len(sizes):
        return None
    under = _round_edge(float(at[first]) + 1, width) if first else None
    over = -_round_edge(-float(at[last]), width) if last < len(sizes) - 1 else None
    if most is not None:
        over = most / width if over is None else min(over, most / width)
    lowest = float(at[0]) if under is None else under - 1
    highest = float(at[-1]) if over is None else over
    if (under is None and over is None) or highest <= lowest:
        return None
    return bands(column, width, under=_edge(under, width), over=_edge(over, width))


def _edge(multiple: float | None, width: float) -> float | None:
    return None if multiple is None else round(multiple * width, 9)


def _round_edge(at: float, width: float) -> float:
    """Return the first multiple of `width` from ``at * width`` upwards that may be published, as a multiple.

    A publishable number is a multiple of the width, of 1, of 10 or of the second digit of its size (see `is_round`), so
    the next multiple of each of these is tried, and not each band on the way.
    """
    edge = at * width
    second = 10.0 ** (math.floor(math.log10(abs(edge))) - 1) if edge else width
    units = (width, 1.0, 10.0, second)
    nearest = [round(math.ceil(edge / unit - 1e-9) * unit / width, 6) for unit in units]
    fits = [m for m in nearest if m >= at and m.is_integer() and is_round(np.array([round(m * width, 9)]))[0]]
    return min(fits, default=math.inf)


def is_round(values: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return which numbers may be published: two digits and zeros, integers below 1,000, and calendar decades.

    More digits would be part of the cells that begin with them.
    """
    size = np.abs(np.where(np.isfinite(values), values, 0.5))
    last = 10.0 ** (np.floor(np.log10(np.maximum(size, 1e-300))) - 1)
    whole, tens = size == np.floor(size), np.mod(size, 10) == 0
    two = np.abs(size / last - np.round(size / last)) < 1e-6
    found: npt.NDArray[np.bool_] = two | (whole & (size < 1000)) | (tens & (size >= 1000) & (size < 2100))
    return found & np.isfinite(values)


def band_widths(
    values: npt.NDArray[np.float64], counts: npt.NDArray[np.int64], *, finest: int = 20
) -> tuple[float, ...]:
    """Return the round widths (1, 2, 5 times a power of ten) that give 2 to `finest` bands over most records.

    These are the middle 90 % of the records, so that the widths do not reveal an outlier.
    """
    order = np.argsort(values, kind="stable")
    order = order[~np.isnan(values[order])]
    if len(order) < 3:
        return ()
    at = np.cumsum(counts[order])
    low, high = (values[order][np.searchsorted(at, share * at[-1])] for share in (0.05, 0.95))
    if high <= low:
        return ()
    exponent = math.floor(math.log10((high - low) / finest))
    series = [round(m * 10.0**e, 12) for e in range(exponent, exponent + 5) for m in (1, 2, 5)]
    gap = float(np.diff(values[order]).min())
    return tuple(w for w in series if (high - low) / finest <= w <= (high - low) / 2 and w > gap)


def fine_bands(column: Column, least: int, most: float | None = None) -> Recoding | None:
    """Return bands of the smallest round width that gives at most `FINEST` over most records, with open ends.

    Each end has `least` records, as an open band or as a band, so that no edge is the number of a few people; None
    where no width is suitable. From `most` on all numbers are one band.
    """
    for width in band_widths(column.numbers, column.counts[:-1], finest=FINEST):
        over = None if most is None else most // width * width
        return open_bands(column, width, least, over) or bands(column, width, over=over)
    return None


def cap(column: Column, k: int, *, top: bool) -> Recoding | None:
    """Merge the largest (or smallest) numbers from a round number on; None where no round number is suitable.

    The cap is the outermost multiple of 10, else of 5 (else an integer, where all values are small), that at least `k`
    records have and beyond which there is something to merge, but at most a tenth of the records.
    """
    values, counts = column.numbers, column.counts[:-1]
    finite = np.isfinite(values)
    signed = values if top else -values
    outermost = signed.max(initial=-np.inf, where=finite)
    small = bool((np.abs(values[finite]) <= SMALL).all())
    for step in (10, 5, 1) if small else (10, 5):
        fits = finite & (counts >= k) & (np.mod(values, step) == 0) & (signed < outermost) & is_round(values)
        if not fits.any():
            continue
        edge = float(signed[fits].max())
        if int(counts[finite & (signed >= edge)].sum()) > TAIL * int(counts.sum()):
            continue
        at = edge if top else -edge
        technique = "top_code" if top else "bottom_code"
        return recode(technique, column, {"at": at, "held_by_at_least": k})
    return None
