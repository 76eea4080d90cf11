"""Which recodings come into question for a column, from fine to coarse.

Question: how can this quasi-identifier be made coarser and still say something?
Method: by what the column is: levels of a hierarchy that was given; month to decade for dates; first
characters for postal and other codes of one length; bands of round width for numbers; rare values merged for
categories. Beside this ladder stand caps, which only touch the ends, and leaving the column out.
Limits: no step is offered that changes no class, and none whose parameters would tell a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from privaudit.advice import recoding as make
from privaudit.advice.bench import Bench
from privaudit.advice.recoding import Hierarchy, Recoding
from privaudit.model import ColumnReport, Limit, untyped_limit

if TYPE_CHECKING:
    import pyarrow as pa

CODES = frozenset({"POSTAL_CODE", "GEO_CODE", "BANK_CODE"})
DATES = frozenset({"DATE_OF_BIRTH", "DATE_EVENT", "DEATH_DATE", "CARD_EXPIRY"})
ORDERED = frozenset(
    {
        "AGE",
        "BIRTH_YEAR",
        "INCOME",
        "FINANCIAL",
        "CREDIT_SCORE",
        "LATITUDE",
        "LONGITUDE",
        "HOUSEHOLD",
        "MEDICAL",
    }
    | {"BEHAVIOUR", "EDUCATION", "BIOMETRIC", "WEIGHT", "CATEGORY"}
)
DATE_KINDS = frozenset({"date", "timestamp"})
RARE_SHARES = (0.01, 0.05)
END_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Options:
    """What can be done to one column.

    Attributes
    ----------
    ladder : tuple of Recoding
        From unchanged to dropped, each leaving fewer values than the one before; dates keep all their steps.
    extras : tuple of Recoding
        Caps, and steps that merge nothing here and yet may settle a finding about the column.
    """

    ladder: tuple[Recoding, ...]
    extras: tuple[Recoding, ...]


def options(
    bench: Bench, columns: Sequence[ColumnReport], hierarchies: Mapping[str, Hierarchy] | None
) -> tuple[dict[str, Options], tuple[Limit, ...]]:
    """Return what can be done to each quasi-identifier of `bench`."""
    reports = {report.name: report for report in columns}
    limits: list[Limit] = []
    found = {}
    for name, words in zip(bench.coded.names, bench.coded.dictionaries, strict=True):
        given = (hierarchies or {}).get(name)
        if given is not None:
            steps, unknown = make.levels(name, words, given)
            if unknown:
                why = f"its hierarchy lacks {unknown:,} of its {len(words):,} values; they stay as they are"
                limits.append(untyped_limit(what=f'generalisation of "{name}"', why=why))
            found[name] = _options(bench, name, words, steps, [])
        else:
            found[name] = _options(bench, name, words, *_by_nature(bench, name, words, reports.get(name)))
    return found, tuple(limits)


def _options(
    bench: Bench, name: str, words: pa.Array, steps: list[Recoding], extras: list[Recoding]
) -> Options:
    counts = bench.counts[name]
    held = np.flatnonzero(counts)
    ladder, beside = [make.keep(name, words)], list(extras)
    for step in (*steps, make.drop(name, words)):
        left = len(np.unique(step.lookup[held]))
        fewer = left < len(np.unique(ladder[-1].lookup[held]))
        # The top of a hierarchy says no more than leaving the column out.
        if step.technique == "round_date" or (fewer and (left > 1 or step.technique != "hierarchy_level")):
            ladder.append(step)
        elif step.technique == "drop":
            beside.append(step)
    return Options(tuple(ladder), tuple(beside))


def _by_nature(
    bench: Bench, name: str, words: pa.Array, report: ColumnReport | None
) -> tuple[list[Recoding], list[Recoding]]:
    """Return ladder steps and extras by what the column's values are."""
    counts = bench.counts[name][:-1]
    entity = report.is_.entity if report is not None and report.is_ is not None else None
    if entity in CODES:
        steps = make.prefixes(name, words)
        if steps:
            return steps, []
    if entity in DATES or (report is not None and report.data_type in DATE_KINDS):
        steps = make.rounded_dates(name, words)
        if steps:
            return steps, []
    values = make.numbers(words)
    # The numbers of region 7 and region 8 are names: a band of them would mean nothing.
    if values is not None and (entity is None or entity in ORDERED):
        return _for_numbers(bench, name, values)
    dates = make.rounded_dates(name, words)
    if dates:
        return dates, []
    prefixes = make.prefixes(name, words) if _one_length(words) else []
    rare = _rare(name, counts, bench)
    return (prefixes, rare) if prefixes else (rare, [])


def _for_numbers(
    bench: Bench, name: str, values: np.typing.NDArray[np.float64]
) -> tuple[list[Recoding], list[Recoding]]:
    counts = bench.counts[name][:-1]
    # The ends are crossed with the other columns, so k records in an end seldom leave k in each of its classes.
    tenth = max(bench.k, _round(END_SHARE * bench.coded.n_rows))
    floors = sorted({bench.k, 2 * bench.k, 4 * bench.k, tenth})
    steps = []
    for width in make.band_widths(values, counts):
        opened = [make.open_bands(name, values, counts, width, least) for least in floors]
        steps += [make.bands(name, values, width), *(step for step in opened if step is not None)]
    steps.sort(key=lambda step: -int(step.lookup.max()))
    caps = [make.cap(name, values, counts, bench.k, top=top) for top in (True, False)]
    extras = [found for found in caps if found is not None]
    return (steps, extras) if steps else (_rare(name, counts, bench), extras)


def _rare(name: str, counts: make.Counts, bench: Bench) -> list[Recoding]:
    floors = sorted({bench.k, *(_round(share * bench.coded.n_rows) for share in RARE_SHARES)})
    found = [make.rare_values(name, counts, floor) for floor in floors if floor >= bench.k]
    return [step for step in found if step is not None]


def _round(number: float) -> int:
    """Round to two digits: 301.6 gives 300."""
    return int(float(f"{number:.2g}"))


def _one_length(words: pa.Array) -> bool:
    """Tell codes ("A12") from words: one length of 3 or more, and a digit in each."""
    import pyarrow.compute as pc

    if len(words) < 3:
        return False
    length = pc.utf8_length(words)
    digits = pc.all(pc.match_substring_regex(words, "[0-9]")).as_py()
    return bool(digits and pc.min(length).as_py() == pc.max(length).as_py() >= 3)
