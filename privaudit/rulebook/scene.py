"""What a measure sees and what it answers.

Question: what passes between the checks and the evidence?
Method: a `Scene` holds the evidence and the terms of judging; a measure turns it into a `Reading`: observations,
and what could not be measured. "Measured and nothing there" and "not measured" are different answers.
Limits: records only, no arithmetic.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from privaudit.model import ColumnReport, Evidence, Finding, PolicyInfo, Severity
from privaudit.rulebook.packs import Check


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Evidence and the terms it is judged by.

    ``as_of`` maps reference data and packs in use to their dates; ``sensitive`` holds entities that a chosen
    framework counts as special categories beyond those of the check, ``places`` levels of place that it allows
    although they are finer than its limit.
    """

    evidence: Evidence
    policy: PolicyInfo
    today: datetime.date
    as_of: Mapping[str, datetime.date] = field(default_factory=dict)
    sensitive: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()

    @property
    def columns(self) -> tuple[ColumnReport, ...]:
        """The columns of the table."""
        return self.evidence.columns

    @property
    def n_rows(self) -> int:
        """Rows of the table; each row counts as one person."""
        return self.evidence.dataset.n_rows


@dataclass(frozen=True, kw_only=True)
class Observation:
    """One measured number about one subject.

    ``n_people`` of ``n_total`` people are concerned, where they can be counted. ``words`` fill the message;
    the word ``key`` tells apart observations of one check about one subject.
    ``at_most`` caps the limit where the subject cannot reach the policy's.
    """

    subject: tuple[str, ...]
    observed: float | int | str | None
    n_people: int | None = None
    n_total: int | None = None
    confidence: float = 1.0
    entity: str | None = None
    severity: Severity | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    at_most: int | None = None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a measure answers. ``gaps`` say what was not measured; ``run`` is false where nothing was.

    ``incomplete`` is true where what could not be measured was asked for.
    """

    observations: tuple[Observation, ...] = ()
    gaps: tuple[str, ...] = ()
    run: bool = True
    incomplete: bool = False


Measure = Callable[[Scene, Check], Reading]

MEASURES: dict[str, Measure] = {}
"""Every measure by the id that packs refer to."""


def measure(identifier: str) -> Callable[[Measure], Measure]:
    """Register a function as the measure that packs call `identifier`."""

    def register(function: Measure) -> Measure:
        if identifier in MEASURES:
            raise ValueError(f"two measures are called {identifier}")
        MEASURES[identifier] = function
        return function

    return register


def fact(column: ColumnReport, *names: str) -> float | None:
    """Return the first of the facts called `names` that detection took of `column`, or None."""
    return next((column.measurements[name] for name in names if name in column.measurements), None)


def not_measured(why: str, *, incomplete: bool = False) -> Reading:
    """Return the reading of a measure that could not be taken, with the reason."""
    return Reading(gaps=(why,), run=False, incomplete=incomplete)


@dataclass(frozen=True, kw_only=True)
class Fired:
    """A finding and the entity it is about, which the controls ask for."""

    finding: Finding
    entity: str | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one check: the findings, and what was not measured.

    ``run`` is false where nothing was measured, ``asked`` is false where the policy sets no limit.
    """

    check: Check
    fired: tuple[Fired, ...] = ()
    gaps: tuple[str, ...] = ()
    run: bool = True
    asked: bool = True
    incomplete: bool = False
