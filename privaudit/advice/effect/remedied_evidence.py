"""The evidence that a table would give after a remedy.

Question: what would a scan of the remedied table measure?
Method: the coded table is recoded, classes that fail are removed, and the classes, combinations and diversity are
measured again. The reports of recoded columns state what is left of them: dates of the new precision, postal areas,
ages that the names of groups state, one category of old ages, no identifiers where they were masked or replaced. A
column that was not assessed leaves no gap where nothing is left of its values. A population table is recoded as the
table is, and compared with it.
Limits: detection does not run again, so a column keeps its entity type. Attacks, weights and potential
quasi-identifiers are not measured again: findings about them stay open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.technique import Recoding
from privaudit.advice.technique.protection import Protection
from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.detect.measurements import POSTAL_AREA_LENGTH
from privaudit.detect.stated_ages import ADULT, ELDERLY, MINORS, OLD_AGES, ages_in, in_unit_of
from privaudit.model import ColumnReport, Evidence, Verdict
from privaudit.model.headers import read_header
from privaudit.model.stats import exact
from privaudit.risk.assessment.remedied_codes import reassess
from privaudit.risk.codes.coded import CodedTable, merge_equal_rows
from privaudit.risk.codes.people import People
from privaudit.risk.measures.potential import not_measured
from privaudit.settings.config import Settings

DATE_PRECISIONS = {"month": "month", "quarter": "month", "year": "year", "decade": "year"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a remedy does.

    Attributes
    ----------
    recodings : mapping of column to Recoding
        Of quasi-identifiers and sensitive attributes; the technique "drop" removes the column.
    replaced : mapping of column to technique
        Of columns that are in no class: drop, mask or pseudonymise.
    protection : Protection or None
        The classes that are suppressed afterwards; None where none are.
    """

    recodings: Mapping[str, Recoding] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    protection: Protection | None = None

    @property
    def drops_a_column(self) -> bool:
        """Whether a column is removed."""
        return "drop" in (*self.replaced.values(), *(step.technique for step in self.recodings.values()))

    @property
    def columns_without_values(self) -> frozenset[str]:
        """The columns that are dropped, or of whose values nothing is left."""
        dropped = (name for name, step in self.recodings.items() if step.technique == "drop")
        return frozenset((*self.replaced, *dropped))


def remedied_column(column: ColumnReport, technique: str, recoding: Recoding | None) -> ColumnReport | None:
    """Return the report of a column after a remedy, None where it is dropped; the same report where nothing changes."""
    if technique == "hierarchy_level" and recoding is not None:
        return _named(column, recoding.labels().drop_null().to_pylist())
    left = _LEFT.get(technique)
    return column if left is None else left(column, {} if recoding is None else recoding.parameters)


Parameters = Mapping[str, Any]


def _named(column: ColumnReport, names: Sequence[str]) -> ColumnReport:
    """Return the report of a column of which the names at a level of a hierarchy are left.

    Names state ages as values do; what is left of a postal code is in front of the masked characters. A name that is
    not read so may state anything, and resolves nothing.
    """
    left = {name: name.rstrip("*xX") for name in names}
    if _is_age(column):
        ages = ages_in([name.casefold() for name in names if left[name]], read_header(column.name))
        if ages.known.all():
            hidden = (*(() if ages.minors.any() else MINORS), *(() if ages.elderly.any() else OLD_AGES))
            return replace(column, measurements=_without(column, hidden))
    is_area = all(len(part) <= POSTAL_AREA_LENGTH and part != name for name, part in left.items())
    return replace(column, geo_precision="postal area") if column.geo_precision == "postal" and is_area else column


def _pseudonyms(column: ColumnReport) -> ColumnReport:
    random = Verdict(entity="PSEUDONYM", detail="random", share=exact(1.0, column.n_rows), confidence=1.0)
    return replace(_without_values(column, is_=random), role="direct")


def _bands(column: ColumnReport, how: Parameters) -> ColumnReport:
    measurements = _after_ends(column, under=how.get("under"), over=how.get("over"))
    return replace(column, data_type="text", measurements=measurements)


def _bottom_coded(column: ColumnReport, how: Parameters) -> ColumnReport:
    return replace(column, measurements=_after_ends(column, under=math.nextafter(how["at"], math.inf)))


def _top_coded(column: ColumnReport, how: Parameters) -> ColumnReport:
    return replace(column, measurements=_after_ends(column, over=how["at"]))


def _rounded_dates(column: ColumnReport, how: Parameters) -> ColumnReport:
    measurements = _without(column, ("date_finer_than_year",))
    return replace(column, date_precision=DATE_PRECISIONS[how["precision"]], measurements=measurements)


def _prefixes(column: ColumnReport, how: Parameters) -> ColumnReport:
    if how["characters_kept"] > POSTAL_AREA_LENGTH or column.geo_precision != "postal":
        return column
    return replace(column, geo_precision="postal area")


_LEFT: Mapping[str, Callable[[ColumnReport, Parameters], ColumnReport | None]] = {
    "drop": lambda column, how: None,
    "mask": lambda column, how: _without_values(column, is_=None),
    "pseudonymise": lambda column, how: _pseudonyms(column),
    "band": _bands,
    "bottom_code": _bottom_coded,
    "top_code": _top_coded,
    "round_date": _rounded_dates,
    "prefix": _prefixes,
}
"""What each technique leaves of the report of its column; the others change nothing of it."""


def _without_values(column: ColumnReport, *, is_: Verdict | None) -> ColumnReport:
    return replace(
        column,
        data_type="text",
        role="none",
        is_=is_,
        contains=(),
        unassessed=None,
        rejected=(),
        measurements={},
        date_precision=None,
        geo_precision=None,
        geo_decimals=None,
        monotonic=False,
    )


def _after_ends(column: ColumnReport, under: float | None = None, over: float | None = None) -> dict[str, float]:
    """Return the measurements of a column whose numbers below `under`, and from `over` on, are one category each.

    Bands without such ends still show minors and old ages; minors are at the other end of years of birth.
    """
    hides_minors = _is_age(column) and under is not None and under > in_unit_of(column.name, ADULT)
    hides_old = over is not None and over <= in_unit_of(column.name, ELDERLY)
    return _without(column, (*(MINORS if hides_minors else ()), *(OLD_AGES if hides_old else ())))


def _is_age(column: ColumnReport) -> bool:
    return column.is_ is not None and column.is_.entity == "AGE"


def _without(column: ColumnReport, names: Sequence[str]) -> dict[str, float]:
    return {name: value for name, value in column.measurements.items() if name not in names}


def remedied_evidence(
    evidence: Evidence,
    outcome: Outcome,
    trial: TrialTable | None,
    everything: CodedTable | None,
    settings: Settings,
    population: CodedTable | None = None,
) -> Evidence:
    """Return the evidence after `outcome`.

    Parameters
    ----------
    evidence : Evidence
        Of the table as it is.
    trial : TrialTable or None
        The quasi-identifiers; None where there are none.
    everything : CodedTable or None
        Quasi-identifiers and sensitive attributes.
    population : CodedTable, optional
        The quasi-identifiers of the population over the dictionaries of `everything`; it contains its records.
    """
    columns = _remedied_columns(evidence, outcome)
    limits = tuple(limit for limit in evidence.limits if not limit.is_settled_without(outcome.columns_without_values))
    if trial is None or everything is None:
        return replace(evidence, columns=tuple(columns), limits=limits)
    table = remedied_table(trial, everything, outcome)
    left = {column.name: column for column in columns}
    quasi = [name for name in trial.names if name in left]
    sensitive = {name: left[name].data_type for name in everything.names if name not in trial.names and name in left}
    people = None if population is None else recoded_table(population, outcome)
    risk, combinations = reassess(table, quasi, sensitive, trial.k, settings, people)
    missing = () if quasi else filter(None, (not_measured(columns, settings),))
    return replace(
        evidence,
        dataset=replace(evidence.dataset, n_rows=table.n_rows, n_columns=len(columns)),
        columns=tuple(replace(column, n_rows=table.n_rows) for column in columns),
        risk=risk,
        combinations=combinations,
        limits=(*limits, *missing),
        potential=None,
    )


def _remedied_columns(evidence: Evidence, outcome: Outcome) -> list[ColumnReport]:
    """Return the reports of the columns that are left."""
    columns = []
    for column in evidence.columns:
        recoding = outcome.recodings.get(column.name)
        technique = outcome.replaced.get(column.name) or (recoding.technique if recoding else "keep")
        made = remedied_column(column, technique, recoding)
        if made is not None:
            columns.append(made)
    return columns


def remedied_table(trial: TrialTable, everything: CodedTable, outcome: Outcome) -> CodedTable:
    """Return the coded table after recodings, dropped columns and suppressed classes."""
    kept = None if outcome.protection is None else _kept(trial, everything, outcome)
    return recoded_table(everything, outcome, kept)


def recoded_table(table: CodedTable, outcome: Outcome, kept: Flags | None = None) -> CodedTable:
    """Return some rows of a coded table after recodings and dropped columns."""
    kept = np.ones(table.n_distinct, dtype=bool) if kept is None else kept
    names, codes, dictionaries = [], [], []
    for name, code, words in zip(table.names, table.codes, table.dictionaries, strict=True):
        recoding = outcome.recodings.get(name)
        if "drop" in (outcome.replaced.get(name), recoding.technique if recoding else None):
            continue
        names.append(name)
        codes.append((recoding.lookup[code] if recoding else code)[kept])
        size = int(recoding.lookup[-1]) if recoding else 0
        dictionaries.append(pa.array([f"group {i}" for i in range(size)], pa.string()) if recoding else words)
    weights = table.weights[kept]
    people = None if table.people is None else _people_of_rows(table.people, kept)
    return merge_equal_rows(tuple(names), codes, dictionaries, weights, int(weights.sum()), people)


def _kept(trial: TrialTable, everything: CodedTable, outcome: Outcome) -> Flags:
    """Return which rows of the coded table are in classes that do not fail."""
    assert outcome.protection is not None
    labels, sizes = trial.labels(outcome.recodings)
    return ~outcome.protection.failing(sizes, labels)[labels[trial.rows_of(everything)]]


def _people_of_rows(people: People, kept: Flags) -> People:
    """Return the people who still have a row, numbered again."""
    row = np.cumsum(kept) - 1
    stays = kept[people.row]
    held, person = np.unique(people.person[stays], return_inverse=True)
    return replace(
        people,
        row=row[people.row[stays]],
        person=person.astype(np.int64),
        records=people.records[stays],
        n=len(held),
        n_without=0,
    )
