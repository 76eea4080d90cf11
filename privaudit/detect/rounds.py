"""The rounds of detection, in their order.

Question: in which order are columns examined and verdicts reached?
Method: every column is examined by itself, then together with its sibling columns, then its text is read.
Limits: a column that needs a language model which is not available is reported as not assessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from privaudit.config import Progress, Settings, silent
from privaudit.detect import fusion, measurements, other_forms, user_detectors
from privaudit.detect.column import LONGEST, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.evidence import Evidence
from privaudit.detect.kinds import (
    affixes,
    cards,
    checkdigits,
    compound_names,
    dates,
    identifiers,
    names,
    phones,
    places,
    plausibility,
    uuids,
)
from privaudit.detect.normalise import normalise
from privaudit.detect.packs import detectors, patterns
from privaudit.detect.packs.detector import Detector
from privaudit.detect.packs.precedence import at_least
from privaudit.detect.pseudonyms.assessment import assess_pseudonyms
from privaudit.detect.sampling import alphabet
from privaudit.detect.siblings.composed_names import find_person_names
from privaudit.detect.siblings.countries import countries_in_columns, countries_of_table
from privaudit.detect.siblings.second_look import describes_people, revise_verdicts
from privaudit.detect.text.free_text import read_cells, suggest_free_text
from privaudit.detect.unproven_names import why_unassessed
from privaudit.detect.verdict import LESS_LIKELY, TOO_WEAK, decide
from privaudit.headers import read_header
from privaudit.model import ColumnProfile, Contained, Detection
from privaudit.source.dataset import Dataset
from privaudit.vocabulary import declared, entity_type, with_trait

if TYPE_CHECKING:
    import pyarrow as pa


def detect(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress = silent,
    *,
    auxiliary: Dataset | None = None,
) -> tuple[Detection, ...]:
    """Return the verdict on every column of `dataset`.

    Parameters
    ----------
    dataset : Dataset
    profiles : sequence of ColumnProfile
        One for each column, in order.
    settings : Settings
        `rules` is a folder with packs of the user; `ner` and `sample_ner` control the language model.
    progress : callable
    auxiliary : Dataset, optional
        Auxiliary data of an attacker: its values may reverse hashes, or it may contain the same pseudonyms.

    Returns
    -------
    tuple of Detection, one for each column, in order.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    found = _detect(dataset, profiles, settings, progress, auxiliary)
    if settings.rules is None:
        return found
    # The packs of the user add to what the shipped ones detect; the language model reads the text once.
    shipped = replace(settings, rules=None, ner=False)
    least = _detect(dataset, profiles, shipped, progress, auxiliary)
    own_types = declared(settings.rules)
    return tuple(at_least(one, other, own_types) for one, other in zip(found, least, strict=True))


def _detect(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress,
    auxiliary: Dataset | None,
) -> tuple[Detection, ...]:
    learned = fusion.load(settings.rules)
    table, latest = examine(dataset, profiles, settings, progress)
    for item in table:
        fusion.decide(item, learned)
    assess_pseudonyms(table, dataset, auxiliary, settings, progress)
    detections, split = [], other_forms.split_numbers(table)
    described = describes_people(table)
    for number, item in enumerate(table):
        progress(f"Reading {item.column.name}", 0.6 + 0.4 * number / len(table))
        detections.append(_finish(item, settings, latest, progress, split, described))
    progress("Detecting", 1.0)
    return tuple(detections)


def examine(
    dataset: Dataset, profiles: Sequence[ColumnProfile], settings: Settings, progress: Progress = silent
) -> tuple[list[ColumnEvidence], float]:
    """Return the evidence on every column, siblings included, and the latest year among the dates of the table.

    Parameters and errors are those of `detect`; text is not read yet.
    """
    every = detectors.load(settings.rules)
    calendars = _calendars(dataset, profiles, settings)
    latest = _latest(calendars)
    columns = [build(dataset, profile, settings) for profile in profiles]
    table = []
    for number, (column, asked) in enumerate(zip(columns, patterns.screen(columns, every), strict=True)):
        progress(f"Detecting in {column.name}", 0.6 * number / len(profiles))
        table.append(_examine(column, asked, every, calendars.get(column.name), latest))
    _second_round(table, every)
    return table, latest


def build(dataset: Dataset, profile: ColumnProfile, settings: Settings) -> Column:
    """Return a column of `dataset` with its distinct values normalised."""
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
    if _ends_in_point_zero(values, profile):
        values = pc.replace_substring_regex(values, r"\.0+$", "")
        profile = replace(profile, data_type="integer")
    blank = alphabet(values)[:33].any()
    if blank and pc.any(pc.match_substring_regex(values, r"^\s|\s$")).as_py():
        values = pc.utf8_trim_whitespace(values)
    return Column(profile, read_header(profile.name), values, cells.counts, settings.seed, raw)


def _ends_in_point_zero(values: pa.Array, profile: ColumnProfile) -> bool:
    """Whether all values are whole numbers of at least five digits that were stored as ``12345.0``."""
    import pyarrow.compute as pc

    if profile.data_type not in ("decimal", "text") or not len(values):
        return False
    return bool(pc.all(pc.match_substring_regex(values, r"^[0-9]{5,19}\.0+$")).as_py())


def _calendars(
    dataset: Dataset, profiles: Sequence[ColumnProfile], settings: Settings
) -> dict[str, dates.Calendar]:
    chosen = (p for p in profiles if p.data_type in ("date", "timestamp"))
    return {p.name: dates.read(build(dataset, p, settings)) for p in chosen}


def _latest(calendars: dict[str, dates.Calendar]) -> float:
    """Return the latest plausible year among the dates of the table, which stands for its present."""
    years = [float(np.nanmax(c.years)) for c in calendars.values() if c.share > 0]
    return max([y for y in years if y < 2101], default=2025.0)


def _examine(
    column: Column,
    asked: Sequence[patterns.Screened],
    every: Sequence[Detector],
    calendar: dates.Calendar | None,
    latest: float,
) -> ColumnEvidence:
    evidence = Evidence()
    calendar = calendar or dates.read(column)
    patterns.run(column, asked, evidence)
    patterns.versions(column, evidence)
    uuids.run(column, evidence)
    cards.run(column, evidence)
    phones.run(column, evidence, frozenset())
    dates.run(column, calendar, evidence, latest)
    reading = names.read(column)
    names.run(column, reading, evidence)
    names.jobs(column, reading, evidence)
    names.medical(column, evidence)
    places.run(column, reading, evidence)
    affixes.run(column, evidence)
    compound_names.with_address(column, evidence)
    identifiers.run(column, evidence)
    suggest_free_text(column, evidence)
    user_detectors.count_contained(column, every, evidence)
    by_name = plausibility.candidates(column, calendar, evidence) | user_detectors.named(
        column, every, evidence
    )
    item = ColumnEvidence(column, calendar, evidence, by_name)
    item.verdict = decide(column, evidence, item.named)
    item.undecided_names = item.verdict is None and reading is not None and reading.shaped > 0.6
    column.release()
    return item


def _second_round(table: Sequence[ColumnEvidence], every: Sequence[Detector]) -> None:
    """Read check digits and phone numbers with the countries of the table, then all columns with their siblings."""
    locale, home = countries_of_table(table), countries_in_columns(table)
    for item in table:
        if home and (item.entity is None or item.entity in with_trait("may_be_phone")):
            phones.national_numbers(item.column, item.evidence, home)
        sure = item.verdict is not None and item.verdict.confidence >= 0.97
        if not sure or checkdigits.named(item.column, every):
            checkdigits.run(item.column, every, item.evidence, locale)
            _decide_again(item)
    user_detectors.weaken_other_countries(table)
    if describes_people(table):
        find_person_names(table)
        for item in table:
            _decide_again(item)
    revise_verdicts(table)
    for item in table:
        _decide_again(item)


def _decide_again(item: ColumnEvidence) -> None:
    renewed = (TOO_WEAK, LESS_LIKELY)
    item.evidence.rejected[:] = [r for r in item.evidence.rejected if r.because.code not in renewed]
    item.verdict = decide(item.column, item.evidence, item.named)


def _finish(
    item: ColumnEvidence,
    settings: Settings,
    latest: float,
    progress: Progress,
    split: frozenset[str],
    described: bool,
) -> Detection:
    column, evidence = item.column, item.evidence
    if item.entity in with_trait("may_be_hash") and not uuids.is_random_or_time(column):
        identifiers.hashes(column, evidence)
    other_forms.search_character_codes(item)
    unassessed = read_cells(item, settings, progress)
    if not unassessed and not _is_declared(column.name, settings):
        unassessed = other_forms.why_unassessed(item, split) or why_unassessed(
            item, among_people=described
        )
    measurements.measure(column, item.calendar, item.verdict, latest, evidence.measurements)
    contains = _merge(item, evidence.contained)
    return Detection(
        column=column.name,
        is_=item.verdict,
        contains=contains,
        rejected=tuple(r for r in evidence.rejected if r.entity != item.entity),
        measurements=dict(sorted(evidence.measurements.items())),
        unassessed=unassessed,
        notes=tuple(evidence.notes),
    )


def _is_declared(name: str, settings: Settings) -> bool:
    return name in settings.role or name in (*settings.quasi, *settings.sensitive)


def _merge(item: ColumnEvidence, contained: Sequence[Contained]) -> tuple[Contained, ...]:
    """Return the largest count of each entity type, without the entity type of the column itself."""
    best: dict[str, Contained] = {}
    for one in contained:
        if item.verdict is not None and _is_same(one.entity, item.verdict.entity):
            continue
        if one.entity not in best or one.n_cells > best[one.entity].n_cells:
            best[one.entity] = one
    return tuple(sorted(best.values(), key=lambda c: (-c.n_cells, c.entity, c.detail or "")))


def _is_same(one: str, other: str) -> bool:
    return one == other or {"national_number"} <= {*entity_type(one).families} & {
        *entity_type(other).families
    }
