"""Run the cases that packs bring along: does each check fire where it says, and keep silent where it says?

Question: do the packs do what their own examples claim?
Method: a case is tiny evidence as data; it is built into the same records a scan fills, and the one check is run on
it as in a scan.
Limits: a case tests one check; the laws between packs are tested when they are loaded.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from privaudit.errors import RuleError
from privaudit.model import (
    Attack,
    ClassSizeTable,
    ColumnReport,
    Combination,
    Contained,
    DatasetInfo,
    Estimate,
    Evidence,
    DataType,
    Limit, untyped_limit,
    Rejected,
    Risk,
    Verdict,
)
from privaudit.rulebook.judge import run
from privaudit.rulebook.load import load_checks
from privaudit.rulebook.measures_identifiers import BY_NAME
from privaudit.rulebook.packs import Case, Check, _Pack, check_record
from privaudit.rulebook.policy import load_policy
from privaudit.rulebook.scene import Scene

DEFAULT_ROWS = 100
_THRESHOLDS = (2, 3, 5, 10, 11, 15, 20)
Sizes = tuple[tuple[int, int], ...]


@dataclass(frozen=True, kw_only=True)
class CaseResult:
    """How one case of a pack went; ``why`` is empty where it passed."""

    check: str
    case: str
    passed: bool
    why: str = ""

    @property
    def name(self) -> str:
        """Check and case in one line."""
        return f"{self.check}: {self.case}"


@dataclass(frozen=True, kw_only=True)
class _Held(_Pack):
    entity: str
    cells: int


@dataclass(frozen=True, kw_only=True)
class _Column(_Pack):
    name: str
    kind: DataType = "text"
    entity: str | None = None
    detail: str | None = None
    missing: int = 0
    distinct: int = 50
    contains: tuple[_Held, ...] = ()
    rejected: tuple[str, ...] = ()
    facts: Mapping[str, float] = field(default_factory=dict)
    date_precision: str | None = None
    geo_precision: str | None = None
    geo_decimals: int | None = None
    length_max: int | None = None
    monotonic: bool = False
    unassessed: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Set(_Pack):
    columns: tuple[str, ...]
    classes: Sizes


@dataclass(frozen=True, kw_only=True)
class _Sensitive(_Pack):
    l: int | None = None  # noqa: E741 - the literature's name
    t: float | None = None
    alike: int | None = None


@dataclass(frozen=True, kw_only=True)
class _Attack(_Pack):
    kind: str
    targets: int
    correct: int
    baseline: float = 0.0


@dataclass(frozen=True, kw_only=True)
class _Limit(_Pack):
    what: str
    why: str
    incomplete: bool = False


@dataclass(frozen=True, kw_only=True)
class _Facts(_Pack):
    rows: int | None = None
    columns: tuple[_Column, ...] = ()
    classes: Sizes = ()
    combinations: tuple[_Set, ...] = ()
    sensitive: Mapping[str, _Sensitive] = field(default_factory=dict)
    population: Mapping[str, float | int] | None = None
    attacks: tuple[_Attack, ...] = ()
    limits: tuple[_Limit, ...] = ()
    as_of: Mapping[str, datetime.date] = field(default_factory=dict)


def test_rules(folder: Path | None = None) -> tuple[CaseResult, ...]:  # noqa: PT028 - not a test of the suite
    """Run the cases of every check that is shipped, and of the user's `folder`.

    Raises
    ------
    RuleError
        For a pack that breaks a law.
    """
    return tuple(run_case(check, case) for check in load_checks(folder) for case in check.case)


test_rules.__test__ = False  # type: ignore[attr-defined]  # not a test of the suite


def run_case(check: Check, case: Case) -> CaseResult:
    """Run `check` on the evidence of `case` and compare with what the case claims."""
    facts = check_record(case.evidence, _Facts, where=f"{check.code}, case {case.name}")
    scene = Scene(
        evidence=build_evidence(facts),
        policy=load_policy(case.policy),
        today=case.today or datetime.date(2026, 1, 1),
        as_of=facts.as_of,
    )
    outcome = run(check, scene)
    first = outcome.fired[0].finding if outcome.fired else None
    claims = {
        "fires": (bool(outcome.fired), case.fires),
        "people": (first.n_people if first else None, case.people),
        "severity": (first.severity if first else None, case.severity),
        "measured": (outcome.run and not outcome.gaps, case.measured),
    }
    wrong = [
        f"{name} is {found}, expected {claimed}"
        for name, (found, claimed) in claims.items()
        if claimed is not None and found != claimed
    ]
    return CaseResult(check=check.code, case=case.name, passed=not wrong, why="; ".join(wrong))


def build_evidence(facts: _Facts) -> Evidence:
    """Return the evidence that the data of a case describes."""
    rows = facts.rows or _rows(facts)
    return Evidence(
        dataset=DatasetInfo(
            name="case", fingerprint="", format="case", engine="", n_rows=rows, n_columns=len(facts.columns)
        ),
        columns=tuple(_column(column, rows) for column in facts.columns),
        combinations=tuple(_combination(item) for item in facts.combinations),
        risk=_risk(facts, rows) if facts.classes else None,
        attacks=tuple(map(_attack, facts.attacks)),
        limits=tuple(untyped_limit(what=i.what, why=i.why, incomplete=i.incomplete) for i in facts.limits),
        seed=0,
    )


def _rows(facts: _Facts) -> int:
    sizes: Sequence[Sizes] = (facts.classes, *(item.classes for item in facts.combinations))
    totals = {sum(size * count for size, count in one) for one in sizes if one}
    if len(totals) > 1:
        raise RuleError("A case's class sizes do not add up to one number of rows.")
    return totals.pop() if totals else DEFAULT_ROWS


def _exact(n: int) -> Estimate:
    return Estimate(value=1.0, low=1.0, high=1.0, level=1.0, n=n, method="exact")


def _column(column: _Column, rows: int) -> ColumnReport:
    verdict = None
    if column.entity:
        verdict = Verdict(
            entity=column.entity, detail=column.detail, share=_exact(rows - column.missing), confidence=0.95
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
        geo_precision=column.geo_precision,
        geo_decimals=column.geo_decimals,
        monotonic=column.monotonic,
        role="none",
        is_=verdict,
        contains=tuple(_held(item, rows) for item in column.contains),
        rejected=tuple(Rejected(entity=entity, because=BY_NAME) for entity in column.rejected),
        measurements=column.facts,
        unassessed=column.unassessed,
    )


def _held(item: _Held, rows: int) -> Contained:
    share = item.cells / rows
    exact = Estimate(value=share, low=share, high=share, level=1.0, n=rows, method="exact")
    return Contained(entity=item.entity, n_cells=item.cells, share=exact)


def _below(sizes: Sizes) -> dict[str, int]:
    return {str(k): sum(size * count for size, count in sizes if size < k) for k in _THRESHOLDS}


def _combination(item: _Set) -> Combination:
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


def _risk(facts: _Facts, rows: int) -> Risk:
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
        population=facts.population,
        diversity={name: _diversity(item) for name, item in facts.sensitive.items()},
    )


def _diversity(item: _Sensitive) -> dict[str, Any]:
    return {
        "l_distinct": item.l,
        "homogeneous_records": item.alike,
        "t_closeness": None if item.t is None else {"equal": item.t, "ordered": None},
    }


def _attack(item: _Attack) -> Attack:
    from privaudit.attacks.success import advantage, wilson

    success = wilson(item.correct, item.targets)
    return Attack(
        kind=item.kind,
        knowledge=("a", "b"),
        n_targets=item.targets,
        n_auxiliary=item.targets,
        n_unmatched=item.targets - item.correct,
        n_ambiguous=0,
        n_unique=item.correct,
        n_mutual=item.correct,
        expected_correct=float(item.correct),
        n_correct=item.correct,
        success=success,
        baseline=item.baseline,
        advantage=advantage(success, item.baseline),
    )
