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

from privaudit import parallel
from privaudit.config import Progress, Settings, silent
from privaudit.detect import measurements, other_forms, user_detectors, weights
from privaudit.detect.calendars import Calendar, read_calendar
from privaudit.detect.column import LONGEST, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.encoded_text import search_encoded_text
from privaudit.detect.ledger import Ledger
from privaudit.detect.normalise import normalise
from privaudit.detect.packs import detectors, patterns
from privaudit.detect.packs.detector import Detector
from privaudit.detect.packs.precedence import at_least
from privaudit.detect.pseudonyms.assessment import assess_pseudonyms
from privaudit.detect.siblings import ages
from privaudit.detect.siblings.composed_names import find_person_names
from privaudit.detect.siblings.countries import countries_in_columns, countries_of_table
from privaudit.detect.siblings.licences import find_licences
from privaudit.detect.siblings.second_look import describes_people, revise_verdicts
from privaudit.detect.text.free_text import read_cells, suggest_free_text
from privaudit.detect.unproven_names import why_unassessed
from privaudit.detect.values import (
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
from privaudit.headers import read_header
from privaudit.model import ColumnProfile, Contained, Detection
from privaudit.profile.alphabet import alphabet
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

    Returns
    -------
    tuple of Detection, one for each column, in order.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    found = _detect(dataset, profiles, settings, progress, auxiliary, spent)
    if settings.rules is None:
        return found
    # The packs of the user add to what the shipped ones detect; the language model reads the text once.
    shipped = replace(settings, rules=None, ner=False)
    least = _detect(dataset, profiles, shipped, progress, auxiliary, spent)
    own_types = declared(settings.rules)
    return tuple(at_least(one, other, own_types) for one, other in zip(found, least, strict=True))


def _detect(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress,
    auxiliary: Dataset | None,
    spent: parallel.Spent | None,
) -> tuple[Detection, ...]:
    table, latest = examine(dataset, profiles, settings, progress, spent=spent)
    assess_pseudonyms(table, dataset, auxiliary, settings, progress)
    split, described = other_forms.split_numbers(table), describes_people(table)

    def finish(item: ColumnEvidence) -> Detection:
        with parallel.timed(spent, item.column.name):
            return _finish(item, settings, latest, progress, split, described)

    detections = parallel.each(
        finish,
        table,
        1 if settings.ner else parallel.threads_for(dataset.n_rows, settings.threads),  # one model, one thread
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
) -> tuple[list[ColumnEvidence], float]:
    """Return the ledger of every column, siblings included, and the latest year among the dates of the table.

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
            _examine(item, asked, every, latest)
            return item

    threads = parallel.threads_for(dataset.n_rows, settings.threads)
    columns = parallel.each(built, profiles, threads)
    table = parallel.each(
        examined,
        list(zip(columns, patterns.screen(columns, every, threads), strict=True)),
        threads,
        started=lambda i: progress(f"Detecting in {columns[i].name}", 0.6 * i / len(profiles)),
    )
    _second_round(table, every)
    find_licences(table, dataset)
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
) -> dict[str, Calendar]:
    chosen = (p for p in profiles if p.data_type in ("date", "timestamp"))
    return {p.name: read_calendar(build(dataset, p, settings)) for p in chosen}


def _latest(calendars: dict[str, Calendar]) -> float:
    """Return the latest plausible year among the dates of the table, which stands for its present."""
    years = [float(np.nanmax(c.years)) for c in calendars.values() if c.share > 0]
    return max([y for y in years if y < 2101], default=2025.0)


def _examine(
    item: ColumnEvidence, asked: Sequence[patterns.Screened], every: Sequence[Detector], latest: float
) -> None:
    """Post the claims of the witnesses that need nothing but the column."""
    column, calendar, ledger = item.column, item.calendar, item.ledger
    item.post(patterns.run(column, asked))
    item.post(patterns.versions(column, ledger))
    item.post(uuids.run(column, ledger))
    item.post(cards.run(column))
    item.post(phones.run(column, frozenset()))
    item.post(dates.run(column, calendar, latest))
    reading = names.read(column)
    item.post(names.run(column, reading))
    item.post(names.jobs(column, reading))
    item.post(names.medical(column))
    item.post(places.run(column, reading))
    item.post(affixes.run(column))
    item.post(compound_names.with_address(column, ledger))
    item.post(ages.claim_ages(column))
    item.post(identifiers.run(column))
    item.post(suggest_free_text(column))
    item.post(user_detectors.count_contained(column, every))
    item.post(plausibility.run(column, calendar))
    item.post(user_detectors.named(column, every, ledger))
    item.undecided_names = item.verdict is None and reading is not None and reading.shaped > 0.6
    column.release()


def _second_round(table: Sequence[ColumnEvidence], every: Sequence[Detector]) -> None:
    """Read check digits and phone numbers with the countries of the table, then all columns with their siblings."""
    locale, home = countries_of_table(table), countries_in_columns(table)
    for item in table:
        column, ledger = item.column, item.ledger
        if home and (item.entity is None or item.entity in with_trait("may_be_phone")):
            item.post(phones.national_numbers(column, ledger, home))
        sure = item.reading is not None and item.reading.probability >= 0.97
        if not sure or checkdigits.named(column, every):
            item.post(checkdigits.run(column, every, ledger, locale))
    user_detectors.weaken_other_countries(table)
    if describes_people(table):
        find_person_names(table)
    revise_verdicts(table)


def _finish(
    item: ColumnEvidence,
    settings: Settings,
    latest: float,
    progress: Progress,
    split: frozenset[str],
    described: bool,
) -> Detection:
    column, ledger = item.column, item.ledger
    if item.entity in with_trait("may_be_hash") and not uuids.is_random_or_time(column):
        item.post(identifiers.hashes(column, ledger))
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
