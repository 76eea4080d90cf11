"""The columns of a table as witnesses read them, all witnesses and relations in their order, and the ledgers they fill.

Question: what is read of each column, and in which order is it examined by itself and next to the others?
Method: the distinct values of each column are normalised, read as dates, and a sample of them is compared with every
detector; several columns at a time. A witness reads one column that has values, a relation all columns; both yield
claims. Each claim is posted before the next is made, so that it may rest on the claims before it.
Limits: at most `LONGEST` characters of a cell are read; the text of cells is read later (free_text.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base import parallel
from privaudit.base.records import dataclass
from privaudit.detect import patterns, user_detectors
from privaudit.detect.calendars import calendar_of
from privaudit.detect.catalogue import detectors
from privaudit.detect.catalogue.detector import Detector
from privaudit.detect.catalogue.matching import matching
from privaudit.detect.catalogue.normalise import normalise
from privaudit.detect.column import LONGEST, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.composite_cells import read_parts
from privaudit.detect.free_text import suggest_free_text
from privaudit.detect.grouped_values import first_values
from privaudit.detect.ledger import Entry
from privaudit.detect.resolver import Weights, load_weights
from privaudit.detect.subjects import (
    ages,
    cards,
    categories,
    checkdigits,
    column_names,
    countries,
    dates,
    hashes,
    health,
    keys,
    licences,
    logins,
    masks,
    names,
    numbered_names,
    owners,
    phones,
    places,
    postal_codes,
    sexes,
)
from privaudit.detect.subjects.components import find_components
from privaudit.detect.subjects.context import Posting, Table
from privaudit.detect.subjects.incomes import suggest_incomes
from privaudit.detect.subjects.person_keys import find_person_keys
from privaudit.detect.subjects.repeated_names import find_repeated_names
from privaudit.model import ColumnProfile
from privaudit.model.headers import read_header
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.dataset import Dataset
from privaudit.source.profile.alphabet import alphabet
from privaudit.source.profile.numbers import all_match

_NEVER = 2101  # the first year that stands for "never" in columns of ends, such as 9999
_NO_DATES = 2025.0
_NOT_OF_PARTS = frozenset({"user cells", "column name", "user names"})
_AMONG_PARTS = ("check digits", "towns", "postal codes")  # the relations of a cell of several values, in their order
_OF_GROUPS = frozenset({"bands of ages"})  # the witnesses that read the names of groups, not their first values


@dataclass(frozen=True, slots=True)
class Prepared:
    """What witnesses and relations read.

    `screened` are the detectors that may match each column, by its name; `detectors` are all, those of the user
    included, and `of_user` are those of the user alone; `latest` is the latest plausible year among the dates, which
    stands for the present of the table.
    """

    dataset: Dataset
    columns: tuple[Column, ...]
    screened: Mapping[str, list[patterns.Screened]]
    detectors: tuple[Detector, ...]
    of_user: tuple[Detector, ...]
    weights: Weights
    latest: float
    threads: int


def prepare(
    dataset: Dataset, profiles: Sequence[ColumnProfile], settings: Settings, *, spent: parallel.Spent | None = None
) -> Prepared:
    """Return the table as witnesses read it; parameters and errors are those of `detect`."""

    def read(profile: ColumnProfile) -> Column:
        with parallel.timed(spent, profile.name):
            column = build(dataset, profile, settings)
            calendar_of(first_values(column))
            return column

    every, threads = detectors.load(settings.rules), parallel.threads_for(dataset.n_rows, settings.threads)
    columns = tuple(parallel.each(read, profiles, threads, size=lambda profile: profile.n_distinct))
    screened = patterns.screen([first_values(column) for column in columns], every, threads)
    return Prepared(
        dataset=dataset,
        columns=columns,
        screened={column.name: found for column, found in zip(columns, screened, strict=True)},
        detectors=tuple(every),
        of_user=tuple(detector for detector in every if detector.user),
        weights=load_weights(settings.rules),
        latest=_latest(columns),
        threads=threads,
    )


def _latest(columns: Sequence[Column]) -> float:
    """Return the latest plausible year among the dates of the table but births; that of the rules where it has none."""
    dated = [
        calendar_of(column)
        for column in columns
        if column.data_type in ("date", "timestamp") and not column.header.strength("DATE_OF_BIRTH")
    ]
    years = [float(np.nanmax(calendar.years)) for calendar in dated if calendar.share > 0]
    return max([year for year in years if year < _NEVER], default=_NO_DATES)


def build(dataset: Dataset, profile: ColumnProfile, settings: Settings) -> Column:
    """Return a column of `dataset` with its distinct values normalised."""
    cells = dataset.frequencies(profile.name)
    values = cells.values
    if pa.types.is_string_view(values.type) or not pa.types.is_string(values.type):
        values = values.cast(pa.large_string())
    raw = values
    if len(values) and pc.max(pc.binary_length(values)).as_py() > LONGEST:
        values = pc.utf8_slice_codeunits(values, 0, LONGEST)
    values = normalise(values)
    # Whole numbers of at least five digits that were stored as 12345.0.
    if profile.data_type in ("decimal", "text") and len(values) and all_match(values, r"^[0-9]{5,19}\.0+$"):
        values = pc.replace_substring_regex(values, r"\.0+$", "")
        profile = replace(profile, data_type="integer")
    if alphabet(values)[:33].any() and matching(values, r"^\s|\s$").any():
        values = pc.utf8_trim_whitespace(values)
    threads = parallel.threads_for(dataset.n_rows, settings.threads)
    return Column(profile, read_header(profile.name), values, cells.counts, settings.seed, raw, cells.totals, threads)


Witness = Callable[[ColumnEvidence, Prepared], Iterable[Entry]]
Relation = Callable[[Table, Prepared], Iterable[Posting]]

WITNESSES: dict[str, Witness] = {
    "detectors": lambda item, known: patterns.run(item.column, known.screened[item.column.name]),
    "versions": lambda item, _: patterns.versions(item.column, item.ledger),
    "UUIDs": lambda item, _: hashes.random_uuids(item.column, item.ledger),
    "masks": lambda item, _: masks.run(item.column),
    "cards": lambda item, _: cards.run(item.column),
    "phones": lambda item, _: phones.run(item.column),
    "dates": lambda item, known: dates.run(item.column, known.latest),
    "names": lambda item, _: names.run(item.column),
    "logins": lambda item, _: logins.run(item.column),
    "names with numbers": lambda item, _: numbered_names.run(item.column),
    "jobs": lambda item, _: names.jobs(item.column),
    "diseases": lambda item, _: health.mentioned(item.column),
    "places": lambda item, _: places.run(item.column),
    "affixes": lambda item, _: places.by_affixes(item.column),
    "ages": lambda item, _: ages.claim_ages(item.column),
    "bands of ages": lambda item, _: ages.claim_age_bands(item.column),
    "years": lambda item, _: dates.claim_years(item.column),
    "categories": lambda item, _: categories.run(item.column),
    "keys": lambda item, _: keys.run(item.column),
    "free text": lambda item, _: suggest_free_text(item),
    "user cells": lambda item, known: user_detectors.count_contained(item.column, known.of_user),
    "column name": lambda item, _: column_names.run(item.column),
    "user names": lambda item, known: user_detectors.named(item.column, known.of_user, item.ledger),
}
"""The witnesses that read one column, in their order."""

RELATIONS: dict[str, Relation] = {
    "check digits": lambda table, known: checkdigits.prove_numbers(table, known.detectors),
    "other countries": lambda table, _: countries.weaken_other_countries(table),
    "letters of sexes": lambda table, _: sexes.reject_letters(table),
    "births": lambda table, _: dates.reject_births(table),
    "birth years of people": lambda table, _: dates.reject_birth_years(table),
    "flags": lambda table, _: categories.name_flags(table),
    "ages of people": lambda table, _: ages.choose_age(table),
    "values of people": lambda table, _: column_names.name_values_of_people(table),
    "codes of sexes": lambda table, _: sexes.suggest_code(table, [item for item in table if item.is_unexplained]),
    "body measures": lambda table, _: health.name_body_measures(table),
    "towns": lambda table, _: places.suggest_towns(table),
    "person keys": lambda table, _: owners.name_person_keys(table),
    "credentials": lambda table, _: hashes.interpret(table),
    "pseudonyms": lambda table, _: owners.suggest_pseudonyms(table),
    "pairs of names": lambda table, _: names.suggest_pairs(table),
    "single names": lambda table, _: names.suggest_single_words(table),
    "streets": lambda table, _: places.suggest_streets(table),
    "numbers that never repeat": lambda table, _: keys.suggest_keys(table),
    "postal codes": lambda table, _: postal_codes.suggest_postal_codes(table),
    "streets next to house numbers": lambda table, _: places.suggest_street_of_house(table),
    "towns of addresses": lambda table, _: places.suggest_town_of_address(table),
    "towns of people": lambda table, _: places.suggest_towns_of_people(table),
    "points": lambda table, _: places.suggest_points(table),
    "references": lambda table, _: owners.name_references(table),
    "things": lambda table, _: owners.revise_things(table),
    "described codes": lambda table, _: owners.name_described_codes(table),
    "clinical measures": lambda table, _: health.name_clinical_measures(table),
    "keys that determine people": lambda table, known: find_person_keys(table, known.dataset),
    "repeated names": lambda table, known: find_repeated_names(table, known.dataset),
    "incomes": lambda table, _: suggest_incomes(table),
    "components": lambda table, known: find_components(table, known.dataset),
    "licences": lambda table, known: licences.find_licences(table, known.dataset),
}
"""What columns mean next to others, in their order."""


def fill_ledgers(
    known: Prepared,
    progress: Progress = silent,
    *,
    spent: parallel.Spent | None = None,
    witnesses: Mapping[str, Witness] = WITNESSES,
    relations: Mapping[str, Relation] = RELATIONS,
) -> list[ColumnEvidence]:
    """Return each column with its ledger; fewer `witnesses` or `relations` show what the others add."""

    def examine(column: Column) -> ColumnEvidence:
        with parallel.timed(spent, column.name):
            item = ColumnEvidence(column, known.weights)
            first = replace(item, column=first_values(column))  # with the same ledger
            for name, witness in witnesses.items() if column.n_distinct else ():
                item.post(witness(item if name in _OF_GROUPS else first, known))
            item.post(read_parts(item, lambda parts: _read_parts(parts, known, witnesses, relations)))
            column.release()
            return item

    table = parallel.each(
        examine,
        known.columns,
        known.threads,
        started=lambda i: progress(f"Detecting in {known.columns[i].name}", 0.6 * i / len(known.columns)),
        size=lambda column: column.values.nbytes,
    )
    for relation in relations.values():
        for item, entry in relation(table, known):
            item.post([entry])
    return table


def _read_parts(
    parts: Sequence[Column], known: Prepared, witnesses: Mapping[str, Witness], relations: Mapping[str, Relation]
) -> list[ColumnEvidence]:
    """Return the evidence on the parts of composite cells, which are read as the columns of one table."""
    table = [ColumnEvidence(column, known.weights) for column in parts]
    for item, screened in zip(table, patterns.screen(parts, known.detectors), strict=True):
        of_parts = replace(known, screened={item.column.name: screened})
        for name, witness in witnesses.items():
            if name not in _NOT_OF_PARTS:
                item.post(witness(item, of_parts))
    for name in (name for name in _AMONG_PARTS if name in relations):
        for item, entry in relations[name](table, known):
            item.post([entry])
    return table
