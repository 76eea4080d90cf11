"""The rounds of detection, in their order.

Question: in which order are columns examined and verdicts reached?
Method: every column is examined by itself, then together with its sibling columns, then its text is read.
Limits: a column that needs a language model which is not available is reported as not assessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from privaudit import parallel
from privaudit.config import Progress, Settings, silent
from privaudit.detect import measurements, other_forms, user_detectors, weights
from privaudit.detect.calendars import Calendar, read_calendar
from privaudit.detect.column import LONGEST, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.encoded_text import search_encoded_text
from privaudit.detect.ledger import Entry, Ledger
from privaudit.detect.normalise import normalise
from privaudit.detect.packs import detectors, patterns
from privaudit.detect.packs.detector import Detector
from privaudit.detect.packs.precedence import at_least
from privaudit.detect.pseudonyms.assessment import assess_pseudonyms
from privaudit.detect.subjects import (
    ages,
    cards,
    checkdigits,
    dates,
    hashes,
    health,
    keys,
    licences,
    names,
    owners,
    phones,
    places,
    plausibility,
    postal_codes,
    sexes,
)
from privaudit.detect.subjects.context import Posting, Table, describes_people
from privaudit.detect.subjects.countries import countries_of_table
from privaudit.detect.text.free_text import read_cells, suggest_free_text
from privaudit.detect.unproven_names import why_unassessed
from privaudit.headers import read_header
from privaudit.model import ColumnProfile, Contained, Detection
from privaudit.profile.alphabet import alphabet
from privaudit.profile.numbers import all_match
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
    spent: parallel.Spent | None = None,
    without: Collection[str] = (),
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
    spent : dict, optional
        Gets the processor time of each column.
    without : names
        `WITNESSES`, `RELATIONS` or "check digits" that are switched off, to measure what they add.

    Returns
    -------
    tuple of Detection, one for each column, in order.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    found = _detect(dataset, profiles, settings, progress, auxiliary, spent, without)
    if settings.rules is None:
        return found
    # The packs of the user add to what the shipped ones detect; the language model reads the text once.
    shipped = replace(settings, rules=None, ner=False)
    least = _detect(dataset, profiles, shipped, progress, auxiliary, spent, without)
    own_types = declared(settings.rules)
    return tuple(at_least(one, other, own_types) for one, other in zip(found, least, strict=True))


def _detect(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress,
    auxiliary: Dataset | None,
    spent: parallel.Spent | None,
    without: Collection[str],
) -> tuple[Detection, ...]:
    table, latest = examine(dataset, profiles, settings, progress, spent=spent, without=without)
    assess_pseudonyms(table, dataset, auxiliary, settings, progress)
    split, described = other_forms.split_numbers(table), describes_people(table)

    def finish(item: ColumnEvidence) -> Detection:
        with parallel.timed(spent, item.column.name):
            return _finish(item, settings, latest, progress, split, described)

    detections = parallel.each(
        finish,
        table,
        1
        if settings.ner
        else parallel.threads_for(dataset.n_rows, settings.threads),  # one model, one thread
        started=lambda i: progress(f"Reading {table[i].column.name}", 0.6 + 0.4 * i / len(table)),
    )
    progress("Detecting", 1.0)
    return tuple(detections)


def examine(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress = silent,
    *,
    spent: parallel.Spent | None = None,
    without: Collection[str] = (),
) -> tuple[list[ColumnEvidence], float]:
    """Return the ledger of every column, relations included, and the latest year among the dates of the table.

    Parameters and errors are those of `detect`; text is not read yet.
    """
    every, fitted = detectors.load(settings.rules), weights.load(settings.rules)
    calendars = _calendars(dataset, profiles, settings)
    latest = _latest(calendars)

    def built(profile: ColumnProfile) -> Column:
        with parallel.timed(spent, profile.name):
            return build(dataset, profile, settings)

    def examined(pair: tuple[Column, list[patterns.Screened]]) -> ColumnEvidence:
        column, asked = pair
        with parallel.timed(spent, column.name):
            calendar = calendars.get(column.name) or read_calendar(column)
            item = ColumnEvidence(column, calendar, Ledger(), fitted)
            _examine(item, _Known(asked, every, latest), without)
            return item

    threads = parallel.threads_for(dataset.n_rows, settings.threads)
    columns = parallel.each(built, profiles, threads)
    table = parallel.each(
        examined,
        list(zip(columns, patterns.screen(columns, every, threads), strict=True)),
        threads,
        started=lambda i: progress(f"Detecting in {columns[i].name}", 0.6 * i / len(profiles)),
    )
    _relate(table, every, without)
    for item, entry in licences.find_licences(table, dataset) if "licences" not in without else ():
        item.post([entry])
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
    if profile.data_type not in ("decimal", "text") or not len(values):
        return False
    return all_match(values, r"^[0-9]{5,19}\.0+$")


def _calendars(
    dataset: Dataset, profiles: Sequence[ColumnProfile], settings: Settings
) -> dict[str, Calendar]:
    chosen = (p for p in profiles if p.data_type in ("date", "timestamp"))
    return {p.name: read_calendar(build(dataset, p, settings)) for p in chosen}


def _latest(calendars: dict[str, Calendar]) -> float:
    """Return the latest plausible year among the dates of the table, which stands for its present."""
    years = [float(np.nanmax(c.years)) for c in calendars.values() if c.share > 0]
    return max([y for y in years if y < 2101], default=2025.0)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the witnesses of one column may read besides it."""

    asked: Sequence[patterns.Screened]
    every: Sequence[Detector]
    latest: float


Witness = Callable[[ColumnEvidence, _Known], Iterable[Entry]]
Relation = Callable[[Table], Iterable[Posting]]

WITNESSES: dict[str, Witness] = {
    "detectors": lambda item, known: patterns.run(item.column, known.asked),
    "versions": lambda item, _: patterns.versions(item.column, item.ledger),
    "UUIDs": lambda item, _: hashes.random_uuids(item.column, item.ledger),
    "cards": lambda item, _: cards.run(item.column),
    "phones": lambda item, _: phones.run(item.column, frozenset()),
    "dates": lambda item, known: dates.run(item.column, item.calendar, known.latest),
    "names": lambda item, _: names.run(item.column),
    "names with numbers": lambda item, _: names.numbered(item.column),
    "jobs": lambda item, _: names.jobs(item.column),
    "diseases": lambda item, _: health.mentioned(item.column),
    "places": lambda item, _: places.run(item.column),
    "affixes": lambda item, _: places.by_affixes(item.column),
    "ages": lambda item, _: ages.claim_ages(item.column),
    "keys": lambda item, _: keys.run(item.column),
    "free text": lambda item, _: suggest_free_text(item.column),
    "user cells": lambda item, known: user_detectors.count_contained(item.column, known.every),
    "column name": lambda item, _: plausibility.run(item.column, item.calendar),
    "user names": lambda item, known: user_detectors.named(item.column, known.every, item.ledger),
}
"""The witnesses that read one column, in their order."""

RELATIONS: dict[str, Relation] = {
    "letters of sexes": sexes.reject_letters,
    "births": dates.reject_births,
    "ages of people": ages.choose_age,
    "codes of sexes": sexes.suggest_code,
    "body weights": health.name_body_weights,
    "towns": places.suggest_towns,
    "person keys": owners.name_person_keys,
    "pseudonyms": owners.suggest_pseudonyms,
    "single names": names.suggest_single_words,
    "postal codes": postal_codes.suggest_postal_codes,
    "points": places.suggest_points,
    "credentials": hashes.interpret,
    "references": owners.name_references,
    "things": owners.revise_things,
    "described codes": owners.name_described_codes,
}
"""What columns mean next to others, in their order."""


def _examine(item: ColumnEvidence, known: _Known, without: Collection[str]) -> None:
    """Post the claims of the witnesses that need nothing but the column."""
    for name, witness in WITNESSES.items():
        if name not in without:
            item.post(witness(item, known))
    reading = names.read(item.column)
    item.undecided_names = item.verdict is None and reading is not None and reading.shaped > 0.6
    item.column.release()


def _relate(table: Table, every: Sequence[Detector], without: Collection[str]) -> None:
    """Read check digits with the countries of the table, then post what columns mean next to others."""
    locale = countries_of_table(table)
    for item in table if "check digits" not in without else ():
        sure = item.reading is not None and item.reading.probability >= 0.97
        if not sure or checkdigits.named(item.column, every):
            item.post(checkdigits.run(item.column, every, locale))
    user_detectors.weaken_other_countries(table)
    for name, relation in RELATIONS.items():
        for item, entry in relation(table) if name not in without else ():
            item.post([entry])


def _finish(
    item: ColumnEvidence,
    settings: Settings,
    latest: float,
    progress: Progress,
    split: frozenset[str],
    described: bool,
) -> Detection:
    column, ledger = item.column, item.ledger
    if item.entity in with_trait("may_be_hash") and not hashes.is_random_or_time(column):
        item.post(hashes.preimages(column, ledger))
    search_encoded_text(item)
    unassessed = read_cells(item, settings, progress)
    if not unassessed and not _is_declared(column.name, settings):
        unassessed = other_forms.why_unassessed(item, split, among_people=described) or why_unassessed(
            item, among_people=described
        )
    measurements.measure(column, item.calendar, item.verdict, latest, ledger.measurements)
    contains = _merge(item, ledger.contained)
    return Detection(
        column=column.name,
        is_=item.verdict,
        contains=contains,
        rejected=item.rejected,
        measurements=dict(sorted(ledger.measurements.items())),
        unassessed=unassessed,
        notes=tuple(ledger.notes),
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
    """Whether cells of one type are written like those of the other: 88.60.15.31 in a column of phone numbers."""
    if one == other or {one, other} <= with_trait("groups_of_digits"):
        return True
    return {"national_number"} <= {*entity_type(one).families} & {*entity_type(other).families}
