"""What a measure reads and what it returns.

Question: what passes between the checks and the evidence?
Method: a `Context` holds the evidence and the terms it is judged by; a measure returns a `Measurement`: observations,
and what could not be measured. "Measured, nothing found" and "not measured" are different results.
Limits: records and the register of measures only.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import wraps

from privaudit.base.records import dataclass
from privaudit.model import (
    AcceptanceState,
    ColumnReport,
    CountedUnit,
    Evidence,
    Finding,
    GivenAnswer,
    PolicyInfo,
    Severity,
    UnitKind,
)
from privaudit.model.unit import PEOPLE
from privaudit.model.wording import Columns, Fact, Value, fact
from privaudit.rulebook.packs import Check
from privaudit.settings.acceptance import AcceptanceEntry


@dataclass(frozen=True, kw_only=True)
class MatchedAcceptance:
    """An acceptance, its status, the findings it matches, and those of them that are worse than accepted."""

    entry: AcceptanceEntry
    status: AcceptanceState
    findings: tuple[Finding, ...] = ()
    exceeded: tuple[Finding, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Context:
    """Evidence and the terms it is judged by.

    Attributes
    ----------
    as_of : mapping of str to date
        The date of each pack and reference list in use, by its id.
    titles : mapping of str to str
        The titles of packs and reference lists, by their id.
    sensitive : frozenset of str
        Entity types that a chosen framework counts as special categories, beyond those of the check.
    counts_people : bool
        Whether the counts of an aggregate are data about people: a control asks about them, a check does not.
    acceptances : tuple of MatchedAcceptance
        The acceptances, matched with the findings of the checks that were run before.
    answers : tuple of GivenAnswer
        The answers of people, with their status.
    """

    evidence: Evidence
    policy: PolicyInfo
    today: datetime.date
    as_of: Mapping[str, datetime.date] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    sensitive: frozenset[str] = frozenset()
    counts_people: bool = False
    acceptances: tuple[MatchedAcceptance, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()

    @property
    def columns(self) -> tuple[ColumnReport, ...]:
        """The columns of the table."""
        return self.evidence.columns

    @property
    def unit_kind(self) -> UnitKind:
        """What a row of the table is; unknown in reports that do not state it."""
        unit = self.evidence.dataset.unit
        return "unknown" if unit is None else unit.kind

    @property
    def is_about_people(self) -> bool:
        """Whether the rows are judged as rows about people."""
        return self.counts_people or self.unit_kind in PEOPLE

    @property
    def n_rows(self) -> int:
        """Rows of the table; each row counts as one person."""
        return self.evidence.dataset.n_rows

    @property
    def unit(self) -> CountedUnit:
        """What the measures of classes count: people, or records where a row is not one person."""
        return self.evidence.counted

    @property
    def n_units(self) -> int:
        """The people or records that the measures of classes refer to."""
        return self.evidence.n_units


@dataclass(frozen=True, kw_only=True)
class Observation:
    """One measured number about one subject.

    Attributes
    ----------
    observed : float, int, str or None
        What is compared with the limit.
    n_people, n_total : int or None
        The people concerned, where they can be counted.
    unit : {"person", "record"} or None
        What `n_people` counts; None where it counts rows of the table.
    values : mapping of str to typed value
        Fills the message of the check, besides the values that every finding has.
    key : str or None
        Distinguishes observations of one check about one subject.
    at_most : int or None
        Caps the limit where the subject cannot reach the policy's.
    is_from_model : bool
        Whether a language model alone shows it, which takes names of things for names of people.
    """

    subject: tuple[str, ...]
    observed: float | int | str | None
    n_people: int | None = None
    n_total: int | None = None
    unit: CountedUnit | None = None
    confidence: float = 1.0
    entity: str | None = None
    severity: Severity | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    key: str | None = None
    at_most: int | None = None
    is_from_model: bool = False


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What a measure returns.

    ``gaps`` state what was not measured, ``run`` is false where nothing was measured, and ``incomplete`` is true where
    something that was requested could not be measured.
    """

    observations: tuple[Observation, ...] = ()
    gaps: tuple[Fact, ...] = ()
    run: bool = True
    incomplete: bool = False

    @classmethod
    def of(cls, found: Iterable[Observation | Fact], *, incomplete: bool = False) -> Measurement:
        """Return the measurement of these observations and gaps; one that found only gaps was not run."""
        parts = tuple(found)
        gaps = tuple(part for part in parts if isinstance(part, Fact))
        observations = tuple(part for part in parts if isinstance(part, Observation))
        return cls(observations=observations, gaps=gaps, run=bool(observations) or not gaps, incomplete=incomplete)


Measure = Callable[[Context, Check], Measurement]
Measured = Callable[[Context, Check], Measurement | Iterable[Observation | Fact]]
"""How a measure is written: it yields observations and what was not measured, or returns a `Measurement`."""

MEASURES: dict[str, Measure] = {}
"""Every measure by the id that packs refer to."""


def measure(identifier: str) -> Callable[[Measured], Measure]:
    """Register a function as the measure that packs call `identifier`.

    What it yields besides observations are gaps of single columns: the measure was run nevertheless.
    """

    def register(function: Measured) -> Measure:
        if identifier in MEASURES:
            # A second function under the same name would replace the first silently, in an order that imports decide.
            raise ValueError(f"two measures are registered as {identifier}")

        @wraps(function)
        def measured(context: Context, check: Check) -> Measurement:
            found = function(context, check)
            return found if isinstance(found, Measurement) else replace(Measurement.of(found), run=True)

        MEASURES[identifier] = measured
        return measured

    return register


def not_measured(code: str, *, incomplete: bool = False) -> Measurement:
    """Return the measurement of a measure that could not be taken, with the code of the reason."""
    return Measurement(gaps=(fact(code),), run=False, incomplete=incomplete)


NOT_ASSESSED = "rulebook.column_not_assessed"
"""The code of the gap that a column leaves which detection could not assess."""

DECLARED_NONE = "rulebook.column_declared_none"
"""The code of the gap that a column leaves which was declared to have the role none."""


DECLARED_DIRECT = "declared"
"""The key of an observation about a column that was declared to be a direct identifier."""


def gap(code: str, column: ColumnReport) -> Fact:
    """Return the reason `code` why something was not measured in `column`."""
    return fact(code, column=column_name(column))


def unassessed(context: Context) -> tuple[Fact, ...]:
    """Return one gap for each column that detection could not assess."""
    return tuple(
        fact(NOT_ASSESSED, column=column_name(c), reason=c.unassessed) for c in context.columns if c.unassessed
    )


def column_name(column: ColumnReport) -> Columns:
    """Return the name of `column` as a typed value."""
    return Columns((column.name,))


def filled_cells(column: ColumnReport) -> int:
    """Return the number of cells of `column` that are not missing."""
    return column.n_rows - column.n_missing


def cells_of_type(column: ColumnReport) -> int:
    """Return the number of cells of `column` that have its entity type; all filled ones without a verdict."""
    return filled_cells(column) if column.is_ is None else round(column.is_.share.value * filled_cells(column))


def entity_of(column: ColumnReport) -> str | None:
    """Return the entity type of `column`, or None."""
    return column.is_.entity if column.is_ else None


def first_measurement(column: ColumnReport, *names: str) -> float | None:
    """Return the first of the measurements `names` that detection took of `column`, or None."""
    return next((column.measurements[name] for name in names if name in column.measurements), None)


def whole_column(
    column: ColumnReport, observed: float | int | str | None = None, *, confidence: float = 0.8
) -> Observation:
    """Return an observation about every filled cell of `column`; `confidence` applies without a verdict."""
    return Observation(
        subject=(column.name,),
        observed=filled_cells(column) if observed is None else observed,
        n_people=filled_cells(column),
        n_total=column.n_rows,
        confidence=column.is_.confidence if column.is_ else confidence,
        entity=entity_of(column),
    )
