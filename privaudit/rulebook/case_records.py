"""The tables of a case in a pack, validated as records."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from privaudit.base.records import dataclass
from privaudit.base.typed import Strict
from privaudit.model import AcceptanceState, DataType, Role, Severity, UnitKind
from privaudit.model.judgement import AnswerState
from privaudit.model.wording.render import FREE_TEXT

Sizes = tuple[tuple[int, int], ...]


@dataclass(frozen=True, kw_only=True)
class Contained(Strict):
    """Cells of a column that contain an entity type."""

    entity: str
    cells: int


@dataclass(frozen=True, kw_only=True)
class Column(Strict):
    """A column, its verdict and what was measured of it."""

    name: str
    kind: DataType = "text"
    entity: str | None = None
    detail: str | None = None
    missing: int = 0
    distinct: int = 50
    contains: tuple[Contained, ...] = ()
    rejected: tuple[str, ...] = ()
    facts: Mapping[str, float] = field(default_factory=dict)
    date_precision: str | None = None
    geo_precision: str | None = None
    geo_decimals: int | None = None
    length_max: int | None = None
    monotonic: bool = False
    role: Role = "none"
    unassessed: str | None = None


@dataclass(frozen=True, kw_only=True)
class Combination(Strict):
    """Columns, and the sizes of their equivalence classes."""

    columns: tuple[str, ...]
    classes: Sizes


@dataclass(frozen=True, kw_only=True)
class Sensitive(Strict):
    """The diversity of a sensitive column."""

    l: int | None = None  # noqa: E741 - the literature's name
    t: float | None = None
    delta: float | Literal["unbounded"] | None = None
    alike: int | None = None
    entropy: float | None = None
    recursive: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Population(Strict):
    """What was estimated or counted of a population."""

    size: int = 0
    dankar: float | None = None
    k_map: int | None = None
    unique_in_both: int | None = None


@dataclass(frozen=True, kw_only=True)
class Attack(Strict):
    """The targets of an attack, and how many it reached."""

    kind: str
    targets: int
    correct: int
    baseline: float = 0.0
    outsiders: int | None = None
    control: int = 0


@dataclass(frozen=True, kw_only=True)
class Acceptance(Strict):
    """An accepted finding, and what became of it."""

    status: AcceptanceState
    columns: tuple[str, ...] = ()
    expires: datetime.date = datetime.date(2026, 12, 31)
    severity: Severity = "high"
    observed: float | int | str = 0.2
    worst_accepted: float | int | str | None = None


@dataclass(frozen=True, kw_only=True)
class GivenAnswer(Strict):
    """An answer of a person, and whether it holds."""

    status: AnswerState
    until: datetime.date = datetime.date(2026, 12, 31)


@dataclass(frozen=True, kw_only=True)
class Limit(Strict):
    """A limit of the scan."""

    what: str = ""
    why: str = ""
    incomplete: bool = False
    code: str = FREE_TEXT
    columns: tuple[str, ...] = ()
    part: str | None = None
    place: str | None = None
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Cells(Strict):
    """The cells of a table of counts."""

    column: str
    cells: int
    zero: int
    smallest: int | None = None
    disclosing: int | None = None
    hidden: int | None = None
    derivable: int | None = None
    dominant: float | None = None


@dataclass(frozen=True, kw_only=True)
class Potential(Strict):
    """The classes over columns that an attacker may know."""

    columns: tuple[str, ...]
    sizes: Sizes


@dataclass(frozen=True, kw_only=True)
class CaseEvidence(Strict):
    """The evidence of a case, as packs write it."""

    rows: int | None = None
    unit: UnitKind | None = None
    cells: tuple[Cells, ...] = ()
    columns: tuple[Column, ...] = ()
    classes: Sizes = ()
    potential: Potential | None = None
    combinations: tuple[Combination, ...] = ()
    sensitive: Mapping[str, Sensitive] = field(default_factory=dict)
    population: Population | None = None
    attacks: tuple[Attack, ...] = ()
    limits: tuple[Limit, ...] = ()
    as_of: Mapping[str, datetime.date] = field(default_factory=dict)
    acceptances: tuple[Acceptance, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()
