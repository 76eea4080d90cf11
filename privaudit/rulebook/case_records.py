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
class _CaseContained(Strict):
    entity: str
    cells: int


@dataclass(frozen=True, kw_only=True)
class _CaseColumn(Strict):
    name: str
    kind: DataType = "text"
    entity: str | None = None
    detail: str | None = None
    missing: int = 0
    distinct: int = 50
    contains: tuple[_CaseContained, ...] = ()
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
class _CaseCombination(Strict):
    columns: tuple[str, ...]
    classes: Sizes


@dataclass(frozen=True, kw_only=True)
class _Sensitive(Strict):
    l: int | None = None  # noqa: E741 - the literature's name
    t: float | None = None
    delta: float | Literal["unbounded"] | None = None
    alike: int | None = None
    entropy: float | None = None
    recursive: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Population(Strict):
    size: int = 0
    dankar: float | None = None
    k_map: int | None = None
    unique_in_both: int | None = None


@dataclass(frozen=True, kw_only=True)
class _Attack(Strict):
    kind: str
    targets: int
    correct: int
    baseline: float = 0.0
    outsiders: int | None = None
    control: int = 0


@dataclass(frozen=True, kw_only=True)
class _Acceptance(Strict):
    status: AcceptanceState
    columns: tuple[str, ...] = ()
    expires: datetime.date = datetime.date(2026, 12, 31)
    severity: Severity = "high"
    observed: float | int | str = 0.2
    worst_accepted: float | int | str | None = None


@dataclass(frozen=True, kw_only=True)
class _GivenAnswer(Strict):
    status: AnswerState
    until: datetime.date = datetime.date(2026, 12, 31)


@dataclass(frozen=True, kw_only=True)
class _Limit(Strict):
    what: str = ""
    why: str = ""
    incomplete: bool = False
    code: str = FREE_TEXT
    columns: tuple[str, ...] = ()
    part: str | None = None
    place: str | None = None
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Cells(Strict):
    column: str
    cells: int
    zero: int
    smallest: int | None = None
    disclosing: int | None = None
    hidden: int | None = None
    derivable: int | None = None
    dominant: float | None = None


@dataclass(frozen=True, kw_only=True)
class _Potential(Strict):
    columns: tuple[str, ...]
    sizes: Sizes


@dataclass(frozen=True, kw_only=True)
class CaseEvidence(Strict):
    """The evidence of a case, as packs write it."""

    rows: int | None = None
    unit: UnitKind | None = None
    cells: tuple[_Cells, ...] = ()
    columns: tuple[_CaseColumn, ...] = ()
    classes: Sizes = ()
    potential: _Potential | None = None
    combinations: tuple[_CaseCombination, ...] = ()
    sensitive: Mapping[str, _Sensitive] = field(default_factory=dict)
    population: _Population | None = None
    attacks: tuple[_Attack, ...] = ()
    limits: tuple[_Limit, ...] = ()
    as_of: Mapping[str, datetime.date] = field(default_factory=dict)
    acceptances: tuple[_Acceptance, ...] = ()
    answers: tuple[_GivenAnswer, ...] = ()
