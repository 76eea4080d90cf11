"""Run the cases of the checks: small evidence as data, and whether the check fires on it.

Question: does each check fire, and stay silent, as its cases state?
Method: the evidence of a case is built into the same records a scan fills, and the check is run on it as in a scan.
Limits: a case tests one check; consistency between packs is validated when they are loaded.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from privaudit import vocabulary
from privaudit.acceptance import AcceptanceEntry
from privaudit.errors import RuleError
from privaudit.model import (
    AcceptanceState,
    Attack,
    CellCounts,
    ClassSizeTable,
    ColumnReport,
    Combination,
    Contained,
    DatasetInfo,
    DatasetUnit,
    DataType,
    Diversity,
    Evidence,
    Finding,
    Limit,
    Population,
    Rejected,
    Risk,
    Severity,
    TCloseness,
    UnitKind,
    Verdict,
)
from privaudit.rulebook.judge import run
from privaudit.rulebook.load import load_checks
from privaudit.rulebook.measurement import Context, MatchedAcceptance
from privaudit.rulebook.measures.identifiers import NAME_CONTRADICTED
from privaudit.rulebook.packs import Case, Check, _Pack, check_record
from privaudit.rulebook.policy import load_policy
from privaudit.stats import exact, wilson
from privaudit.wording import Columns, Fact, Name, Term, Value, fact
from privaudit.wording.render import LEGACY

DEFAULT_ROWS = 100
POSTAL_AREA_LENGTH = 3
_NAME_CONTRADICTED = Fact(code=min(NAME_CONTRADICTED))
_THRESHOLDS = (2, 3, 5, 10, 11, 15, 20)
Sizes = tuple[tuple[int, int], ...]


@dataclass(frozen=True, kw_only=True)
class CaseResult:
    """The result of one case; ``why`` is empty where it passed."""

    check: str
    case: str
    passed: bool
    why: str = ""

    @property
    def name(self) -> str:
        """Check and case on one line."""
        return f"{self.check}: {self.case}"


@dataclass(frozen=True, kw_only=True)
class _CaseContained(_Pack):
    entity: str
    cells: int


@dataclass(frozen=True, kw_only=True)
class _CaseColumn(_Pack):
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
    unassessed: str | None = None


@dataclass(frozen=True, kw_only=True)
class _CaseCombination(_Pack):
    columns: tuple[str, ...]
    classes: Sizes


@dataclass(frozen=True, kw_only=True)
class _Sensitive(_Pack):
    l: int | None = None  # noqa: E741 - the literature's name
    t: float | None = None
    delta: float | Literal["unbounded"] | None = None
    alike: int | None = None


@dataclass(frozen=True, kw_only=True)
class _Population(_Pack):
    size: int = 0
    dankar: float | None = None
    k_map: int | None = None
    unique_in_both: int | None = None


@dataclass(frozen=True, kw_only=True)
class _Attack(_Pack):
    kind: str
    targets: int
    correct: int
    baseline: float = 0.0


@dataclass(frozen=True, kw_only=True)
class _Acceptance(_Pack):
    status: AcceptanceState
    columns: tuple[str, ...] = ()
    expires: datetime.date = datetime.date(2026, 12, 31)
    severity: Severity = "high"
    observed: float | int | str = 0.2
    worst_accepted: float | int | str | None = None


@dataclass(frozen=True, kw_only=True)
class _Limit(_Pack):
    what: str = ""
    why: str = ""
    incomplete: bool = False
    code: str = LEGACY
    columns: tuple[str, ...] = ()
    part: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Cells(_Pack):
    column: str
    cells: int
    zero: int
    smallest: int | None = None
    disclosing: int | None = None
    dominant: float | None = None


@dataclass(frozen=True, kw_only=True)
class CaseEvidence(_Pack):
    """The evidence of a case, as packs write it."""

    rows: int | None = None
    unit: UnitKind | None = None
    cells: tuple[_Cells, ...] = ()
    columns: tuple[_CaseColumn, ...] = ()
    classes: Sizes = ()
    combinations: tuple[_CaseCombination, ...] = ()
    sensitive: Mapping[str, _Sensitive] = field(default_factory=dict)
    population: _Population | None = None
    attacks: tuple[_Attack, ...] = ()
    limits: tuple[_Limit, ...] = ()
    as_of: Mapping[str, datetime.date] = field(default_factory=dict)
    acceptances: tuple[_Acceptance, ...] = ()


def test_rules(folder: Path | None = None) -> tuple[CaseResult, ...]:  # noqa: PT028 - not a test of the suite
    """Run the cases of every shipped check, and of those in the user's `folder`.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    return tuple(run_case(check, case) for check in load_checks(folder) for case in check.case)


test_rules.__test__ = False  # type: ignore[attr-defined]  # not a test of the suite


def run_case(check: Check, case: Case) -> CaseResult:
    """Run `check` on the evidence of `case` and compare the outcome with what the case states."""
    facts = check_record(case.evidence, CaseEvidence, where=f"{check.code}, case {case.name}")
    context = Context(
        evidence=build_evidence(facts),
        policy=load_policy(case.policy),
        today=case.today or datetime.date(2026, 1, 1),
        as_of=facts.as_of,
        acceptances=tuple(map(_acceptance, facts.acceptances)),
    )
    outcome = run(check, context)
    first = outcome.fired[0].finding if outcome.fired else None
    expected = {
        "fires": (bool(outcome.fired), case.fires),
        "people": (first.n_people if first else None, case.people),
        "severity": (first.severity if first else None, case.severity),
        "measured": (outcome.run and not outcome.gaps, case.measured),
    }
    wrong = [
        f"{name} is {found}, expected {claimed}"
        for name, (found, claimed) in expected.items()
        if claimed is not None and found != claimed
    ]
    return CaseResult(check=check.code, case=case.name, passed=not wrong, why="; ".join(wrong))


def build_evidence(facts: CaseEvidence) -> Evidence:
    """Return the evidence that a case describes."""
    rows = facts.rows or _rows(facts)
    return Evidence(
        dataset=DatasetInfo(
            name="case",
            fingerprint="",
            format="case",
            engine="",
            n_rows=rows,
            n_columns=len(facts.columns),
            unit=_unit(facts.unit),
        ),
        columns=tuple(_column(column, rows) for column in facts.columns),
        combinations=tuple(_combination(item) for item in facts.combinations),
        risk=_risk(facts, rows) if facts.classes else None,
        attacks=tuple(map(_attack, facts.attacks)),
        limits=tuple(map(_limit, facts.limits)),
        seed=0,
        cells=tuple(map(_cells, facts.cells)),
    )


def _unit(kind: UnitKind | None) -> DatasetUnit | None:
    if kind is None:
        return None
    return DatasetUnit(kind=kind, declared=True, confidence=1.0, statement=fact("unit.statement_unknown"))


def _cells(item: _Cells) -> CellCounts:
    return CellCounts(
        column=item.column,
        n_cells=item.cells,
        n_zero=item.zero,
        smallest=item.smallest,
        n_below={},
        n_disclosing=item.disclosing,
        dominant=item.dominant,
    )


def _limit(item: _Limit) -> Limit:
    values: dict[str, Value] = {"what": Name(text=item.what), "why": Name(text=item.why)}
    if item.code != LEGACY:
        values = (
            {"columns": Columns(names=item.columns)} if item.part is None else {"part": Term(code=item.part)}
        )
    return Limit(code=item.code, values=values, incomplete=item.incomplete)


def _acceptance(item: _Acceptance) -> MatchedAcceptance:
    entry = AcceptanceEntry(
        code="QI002",
        columns=item.columns,
        reason="case",
        owner="case",
        expires=item.expires,
        worst_accepted=item.worst_accepted,
    )
    finding = Finding(
        code="QI002",
        name="case",
        subject=item.columns,
        severity=item.severity,
        confidence=1.0,
        message=Fact(code="QI002"),
        measure="class.share_below",
        observed=item.observed,
        limit=0.0,
        fingerprint="case",
    )
    found = () if item.status in ("unused", "not_measured") else (finding,)
    exceeded = found if item.status == "exceeded" else ()
    return MatchedAcceptance(entry=entry, status=item.status, findings=found, exceeded=exceeded)


def _rows(facts: CaseEvidence) -> int:
    sizes: Sequence[Sizes] = (facts.classes, *(item.classes for item in facts.combinations))
    totals = {sum(size * count for size, count in one) for one in sizes if one}
    if len(totals) > 1:
        raise RuleError("A case's class sizes do not add up to one number of rows.")
    return totals.pop() if totals else DEFAULT_ROWS


def _column(column: _CaseColumn, rows: int) -> ColumnReport:
    verdict = None
    if column.entity:
        verdict = Verdict(
            entity=column.entity,
            detail=column.detail,
            share=exact(1.0, rows - column.missing),
            confidence=0.95,
        )
    return ColumnReport(
        name=column.name,
        data_type=column.kind,
        n_rows=rows,
        n_missing=column.missing,
        n_distinct=column.distinct,
        n_held_once=0,
        uniqueness=None,
        entropy_bits=None,
        length_max=column.length_max,
        date_precision=column.date_precision,
        geo_precision=_place_level(column),
        geo_decimals=column.geo_decimals,
        monotonic=column.monotonic,
        role="none",
        is_=verdict,
        contains=tuple(_contained(item, rows) for item in column.contains),
        rejected=tuple(Rejected(entity=entity, because=_NAME_CONTRADICTED) for entity in column.rejected),
        measurements=column.facts,
        unassessed=_text(column.unassessed),
    )


def _text(reason: str | None) -> Fact | None:
    return None if reason is None else Fact(code=LEGACY, values={"text": Name(text=reason)})


def _place_level(column: _CaseColumn) -> str | None:
    level = vocabulary.entity_type(column.entity).place_level if column.entity else None
    short = column.length_max is not None and column.length_max <= POSTAL_AREA_LENGTH
    if level == "postal" and (short or column.facts.get("zip3")):
        return "postal area"
    return level or column.geo_precision


def _contained(item: _CaseContained, rows: int) -> Contained:
    return Contained(entity=item.entity, n_cells=item.cells, share=exact(item.cells / rows, rows))


def _below(sizes: Sizes) -> dict[str, int]:
    return {str(k): sum(size * count for size, count in sizes if size < k) for k in _THRESHOLDS}


def _combination(item: _CaseCombination) -> Combination:
    rows = sum(size * count for size, count in item.classes)
    classes = sum(count for _size, count in item.classes)
    unique = sum(count for size, count in item.classes if size == 1)
    return Combination(
        columns=item.columns,
        n_classes=classes,
        k_min=min(size for size, _count in item.classes),
        n_unique=unique,
        share_unique=unique / rows,
        n_below=_below(item.classes),
        mean_class_size=rows / classes,
        distinction=classes / rows,
        separation=None,
    )


def _risk(facts: CaseEvidence, rows: int) -> Risk:
    ordered = sorted(facts.classes)
    classes = sum(count for _size, count in ordered)
    return Risk(
        quasi_identifiers=("a", "b"),
        sensitive=tuple(facts.sensitive),
        missing="category",
        n_classes=classes,
        k_min=ordered[0][0],
        n_unique=sum(count for size, count in ordered if size == 1),
        n_below=_below(facts.classes),
        prosecutor_max=1 / ordered[0][0],
        prosecutor_mean=classes / rows,
        marketer=classes / rows,
        share_at_risk={},
        class_sizes=ClassSizeTable(
            size=tuple(size for size, _count in ordered), count=tuple(count for _size, count in ordered)
        ),
        population=_population(facts.population),
        diversity={name: _diversity(item) for name, item in facts.sensitive.items()},
    )


def _population(item: _Population | None) -> Population | None:
    if item is None:
        return None
    return Population(
        size=item.size,
        source="number" if item.k_map is None else "table",
        dankar=item.dankar,
        k_map=item.k_map,
        unique_in_both=item.unique_in_both,
    )


def _diversity(item: _Sensitive) -> Diversity:
    return Diversity(
        l_distinct=item.l,
        homogeneous_records=item.alike,
        t_closeness=None if item.t is None else TCloseness(equal=item.t),
        delta_disclosure=item.delta if isinstance(item.delta, float) else None,
        delta_disclosure_unbounded=None if item.delta is None else item.delta == "unbounded",
    )


def _attack(item: _Attack) -> Attack:
    from privaudit.attacks.advantage import advantage

    success = wilson(item.correct, item.targets)
    return Attack(
        kind=item.kind,
        knowledge=("a", "b"),
        n_targets=item.targets,
        success=success,
        baseline=item.baseline,
        advantage=advantage(success, item.baseline),
    )
