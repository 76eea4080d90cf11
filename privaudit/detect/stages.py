"""The rounds of detection, in their order.

Question: how do the witnesses come together?
Method: every column is examined by itself, then beside its siblings, then its text is read.
Limits: what needs a model and has none is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from privaudit.config import Progress, Settings, silent
from privaudit.detect import facts, fusion
from privaudit.detect.column import LONGEST, Column
from privaudit.detect.evidence import Findings
from privaudit.detect.header import read_header
from privaudit.detect.kinds import (
    addressed,
    cards,
    checkdigits,
    dates,
    endings,
    identifiers,
    named,
    names,
    phones,
    places,
)
from privaudit.detect.normalise import normalise
from privaudit.detect.packs import detectors, own, patterns
from privaudit.detect.pseudonyms import questions
from privaudit.detect.sampling import alphabet
from privaudit.detect.siblings import context, countries, kin
from privaudit.detect.siblings.context import Examined
from privaudit.detect.text import prose
from privaudit.detect.verdict import decide
from privaudit.model import ColumnProfile, Contained, Detection
from privaudit.source.dataset import Dataset


def detect(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress = silent,
    *,
    auxiliary: Dataset | None = None,
) -> tuple[Detection, ...]:
    """Judge every column of `dataset`.

    Parameters
    ----------
    dataset : Dataset
    profiles : sequence of ColumnProfile
        One for each column, in order.
    settings : Settings
        `rules` names a folder of the user's packs; `ner` and `sample_ner` rule the language model.
    progress : callable
    auxiliary : Dataset, optional
        A table that an adversary holds: do its values undo hashes, does it hold the same pseudonyms?

    Returns
    -------
    tuple of Detection, one for each column, in order.

    Raises
    ------
    RuleError
        For a pack that breaks the laws of packs.
    """
    learned = fusion.load(settings.rules)
    table, latest = examine(dataset, profiles, settings, progress)
    for item in table:
        fusion.settle(item, learned)
    questions.read(table, dataset, auxiliary, settings, progress)
    found = []
    for number, item in enumerate(table):
        progress(f"Reading {item.column.name}", 0.6 + 0.4 * number / len(table))
        found.append(_finish(item, settings, latest, progress))
    progress("Detecting", 1.0)
    return tuple(found)


def examine(
    dataset: Dataset, profiles: Sequence[ColumnProfile], settings: Settings, progress: Progress = silent
) -> tuple[list[Examined], float]:
    """Return the evidence on every column beside its siblings, and the latest year among the table's dates.

    Parameters and errors are those of `detect`; no text is read yet.
    """
    ways = detectors.load(settings.rules)
    calendars = _calendars(dataset, profiles, settings)
    latest = _latest(calendars)
    columns = [build(dataset, profile, settings) for profile in profiles]
    table = []
    for number, (column, asked) in enumerate(zip(columns, patterns.screen(columns, ways), strict=True)):
        progress(f"Detecting in {column.name}", 0.6 * number / len(profiles))
        table.append(_examine(column, asked, ways, calendars.get(column.name), latest))
    _second_round(table, ways)
    return table, latest


def build(dataset: Dataset, profile: ColumnProfile, settings: Settings) -> Column:
    """Return a column of `dataset` as detection sees it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = dataset.frequencies(profile.name)
    values = cells.values
    if pa.types.is_string_view(values.type) or not pa.types.is_string(values.type):
        values = values.cast(pa.large_string())
    raw = values
    if len(values) and pc.max(pc.binary_length(values)).as_py() > LONGEST:
        values = pc.utf8_slice_codeunits(values, 0, LONGEST)
    values = normalise(values)
    blank = alphabet(values)[:33].any()
    if blank and pc.any(pc.match_substring_regex(values, r"^\s|\s$")).as_py():
        values = pc.utf8_trim_whitespace(values)
    return Column(profile, read_header(profile.name), values, cells.counts, settings.seed, raw)


def _calendars(
    dataset: Dataset, profiles: Sequence[ColumnProfile], settings: Settings
) -> dict[str, dates.Calendar]:
    chosen = (p for p in profiles if p.data_type in ("date", "timestamp"))
    return {p.name: dates.read(build(dataset, p, settings)) for p in chosen}


def _latest(calendars: dict[str, dates.Calendar]) -> float:
    """Return the latest plausible year among the table's dates; the present of the table."""
    years = [float(np.nanmax(c.years)) for c in calendars.values() if c.share > 0]
    return max([y for y in years if y < 2101], default=2025.0)


def _examine(
    column: Column,
    asked: Sequence[patterns.Screened],
    ways: Sequence[detectors.Detector],
    calendar: dates.Calendar | None,
    latest: float,
) -> Examined:
    found = Findings()
    calendar = calendar or dates.read(column)
    patterns.run(column, asked, found)
    patterns.versions(column, found)
    cards.run(column, found)
    phones.run(column, found, frozenset())
    dates.run(column, calendar, found, latest)
    reading = names.read(column)
    names.run(column, reading, found)
    names.jobs(column, reading, found)
    names.medical(column, found)
    places.run(column, reading, found)
    endings.run(column, found)
    addressed.run(column, found)
    identifiers.run(column, found)
    prose.run(column, found)
    own.inside(column, ways, found)
    said = named.candidates(column, calendar, found) | own.named(column, ways, found)
    item = Examined(column, calendar, found, said)
    item.verdict = decide(column, found, item.named)
    item.undecided_names = item.verdict is None and reading is not None and reading.shaped > 0.6
    column.release()
    return item


def _second_round(table: Sequence[Examined], ways: Sequence[detectors.Detector]) -> None:
    """Check digits need the country of the siblings; keys and codes need to know whether people are described."""
    locale, home = countries.locales(table), countries.places(table)
    for item in table:
        if item.entity in (None, "UNRESOLVED_ID", "POSTAL_CODE") and home:
            phones.at_home(item.column, item.found, home)
        sure = item.verdict is not None and item.verdict.confidence >= 0.97
        if not sure or checkdigits.named(item.column, ways):
            checkdigits.run(item.column, ways, item.found, locale)
            _again(item)
    own.elsewhere(table)
    if context.of_people(table):
        kin.names_of_people(table)
        for item in table:
            _again(item)
    context.refine(table)
    for item in table:
        _again(item)


def _again(item: Examined) -> None:
    kept = [
        r
        for r in item.found.rejected
        if "the evidence is too weak" not in r.because and "explains the column" not in r.because
    ]
    item.found.rejected[:] = kept
    item.verdict = decide(item.column, item.found, item.named)


def _finish(item: Examined, settings: Settings, latest: float, progress: Progress) -> Detection:
    column, found = item.column, item.found
    if item.entity in ("HASH", "PSEUDONYM", "BASE64"):
        identifiers.hashes(column, str(item.entity), found)
    unassessed = prose.read(item, settings, progress)
    facts.measure(column, item.calendar, item.verdict, latest, found.facts)
    contains = _merge(item, found.contained)
    return Detection(
        column=column.name,
        is_=item.verdict,
        contains=contains,
        rejected=tuple(r for r in found.rejected if r.entity != item.entity),
        measurements={key: found.facts[key] for key in sorted(found.facts)},
        unassessed=unassessed,
        notes=tuple(item.found.notes),
    )


def _merge(item: Examined, contained: Sequence[Contained]) -> tuple[Contained, ...]:
    """One line for each entity and detail, the larger count; nothing the column is anyway."""
    best: dict[str, Contained] = {}
    for one in contained:
        if item.verdict is not None and _same(one.entity, item.verdict.entity):
            continue
        if one.entity not in best or one.n_cells > best[one.entity].n_cells:
            best[one.entity] = one
    return tuple(sorted(best.values(), key=lambda c: (-c.n_cells, c.entity, c.detail or "")))


def _same(one: str, other: str) -> bool:
    ids: Any = {"SSN", "NATIONAL_ID", "TAX_ID"}
    return one == other or (one in ids and other in ids)
