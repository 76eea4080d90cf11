"""Build the evidence of a case: small facts as data become the records that a scan fills.

Question: which evidence does a case of a check describe?
Method: the tables of a case are validated as records and built into `Evidence`.
Limits: only what checks read is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from privaudit.base.errors import RuleError
from privaudit.base.wire import assembled
from privaudit.model import (
    Attack,
    CellCounts,
    ClassSizeTable,
    ColumnReport,
    Combination,
    Contained,
    DatasetInfo,
    DatasetUnit,
    Diversity,
    Evidence,
    Finding,
    GivenAnswer,
    Limit,
    Population,
    PotentialRisk,
    RecursiveL,
    Rejected,
    Risk,
    TCloseness,
    UnitKind,
    Verdict,
    vocabulary,
)
from privaudit.model.stats import exact, wilson
from privaudit.model.wording import Columns, EntityType, Fact, Listing, Name, Term, Value, fact
from privaudit.model.wording.render import FREE_TEXT
from privaudit.rulebook import case_records as stated
from privaudit.rulebook.measurement import MatchedAcceptance
from privaudit.rulebook.measures.identifiers import NAME_CONTRADICTED
from privaudit.settings.acceptance import AcceptanceEntry

DEFAULT_ROWS = 100


POSTAL_AREA_LENGTH = 3


_NAME_CONTRADICTED = Fact(code=min(NAME_CONTRADICTED))


_THRESHOLDS = (2, 3, 5, 10, 11, 15, 20)


def build_evidence(facts: stated.CaseEvidence) -> Evidence:
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
        potential=None if facts.potential is None else _potential(facts.potential),
        cells=tuple(map(_cells, facts.cells)),
    )


def _potential(item: stated.Potential) -> PotentialRisk:
    return PotentialRisk(columns=item.columns, **_counts(item.sizes), n_records=_n_records(item.sizes))


def _unit(kind: UnitKind | None) -> DatasetUnit | None:
    if kind is None:
        return None
    return DatasetUnit(kind=kind, declared=True, confidence=1.0, statement=fact("unit.statement_unknown"))


def _cells(item: stated.Cells) -> CellCounts:
    return CellCounts(
        column=item.column,
        n_cells=item.cells,
        n_zero=item.zero,
        smallest=item.smallest,
        n_below={},
        n_disclosing=item.disclosing,
        dominant=item.dominant,
        n_hidden=item.hidden,
        n_derivable=item.derivable,
    )


def _limit(item: stated.Limit) -> Limit:
    values: dict[str, Value] = {"what": Name(item.what), "why": Name(item.why)}
    if item.place is not None:
        entities = tuple(EntityType(entity) for entity in item.entities)
        values = {"place": Term(item.place), "entities": Listing(entities)}
    elif item.code != FREE_TEXT:
        values = {"columns": Columns(item.columns)} if item.part is None else {"part": Term(item.part)}
    return Limit(code=item.code, values=values, incomplete=item.incomplete)


def build_acceptance(item: stated.Acceptance) -> MatchedAcceptance:
    """Return the acceptance of a case as the rulebook matches it."""
    entry = assembled(AcceptanceEntry, item, code="QI002", reason="case", owner="case")
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


def build_answer(item: stated.GivenAnswer) -> GivenAnswer:
    """Return the answer of a case as the rulebook matches it."""
    return GivenAnswer(key="purpose", text="case", until=item.until.isoformat(), status=item.status)


def _rows(facts: stated.CaseEvidence) -> int:
    sizes: Sequence[stated.Sizes] = (facts.classes, *(item.classes for item in facts.combinations))
    totals = {_n_records(one) for one in sizes if one}
    if len(totals) > 1:
        raise RuleError("A case's class sizes do not add up to one number of rows.")
    return totals.pop() if totals else DEFAULT_ROWS


def _column(column: stated.Column, rows: int) -> ColumnReport:
    verdict = None
    if column.entity:
        verdict = Verdict(
            entity=column.entity, detail=column.detail, share=exact(1.0, rows - column.missing), confidence=0.95
        )
    return assembled(
        ColumnReport,
        column,
        data_type=column.kind,
        n_rows=rows,
        n_missing=column.missing,
        n_distinct=column.distinct,
        n_held_once=0,
        uniqueness=None,
        entropy_bits=None,
        geo_precision=_place_level(column),
        is_=verdict,
        contains=tuple(_contained(item, rows) for item in column.contains),
        rejected=tuple(Rejected(entity=entity, because=_NAME_CONTRADICTED) for entity in column.rejected),
        measurements=column.facts,
        unassessed=_text(column.unassessed),
    )


def _text(reason: str | None) -> Fact | None:
    return None if reason is None else Fact(code=FREE_TEXT, values={"text": Name(reason)})


def _place_level(column: stated.Column) -> str | None:
    level = vocabulary.entity_type(column.entity).place_level if column.entity else None
    short = column.length_max is not None and column.length_max <= POSTAL_AREA_LENGTH
    if level == "postal" and (short or column.facts.get("zip3")):
        return "postal area"
    return level or column.geo_precision


def _contained(item: stated.Contained, rows: int) -> Contained:
    return Contained(entity=item.entity, n_cells=item.cells, share=exact(item.cells / rows, rows))


class _Counts(TypedDict):
    n_classes: int
    k_min: int
    n_unique: int
    n_below: dict[str, int]


def _n_records(sizes: stated.Sizes) -> int:
    return sum(size * count for size, count in sizes)


def _counts(sizes: stated.Sizes) -> _Counts:
    return _Counts(
        n_classes=sum(count for _size, count in sizes),
        k_min=min(size for size, _count in sizes),
        n_unique=sum(count for size, count in sizes if size == 1),
        n_below={str(k): _n_records(tuple(one for one in sizes if one[0] < k)) for k in _THRESHOLDS},
    )


def _combination(item: stated.Combination) -> Combination:
    rows, counts = _n_records(item.classes), _counts(item.classes)
    return Combination(
        columns=item.columns,
        **counts,
        share_unique=counts["n_unique"] / rows,
        mean_class_size=rows / counts["n_classes"],
        distinction=counts["n_classes"] / rows,
        separation=None,
    )


def _risk(facts: stated.CaseEvidence, rows: int) -> Risk:
    counts = _counts(facts.classes)
    size, count = zip(*sorted(facts.classes), strict=True)
    return Risk(
        quasi_identifiers=("a", "b"),
        sensitive=tuple(facts.sensitive),
        missing="category",
        **counts,
        prosecutor_max=1 / counts["k_min"],
        prosecutor_mean=counts["n_classes"] / rows,
        marketer=counts["n_classes"] / rows,
        share_at_risk={},
        class_sizes=ClassSizeTable(size=size, count=count),
        population=_population(facts.population),
        diversity={name: _diversity(item) for name, item in facts.sensitive.items()},
    )


def _population(item: stated.Population | None) -> Population | None:
    if item is None:
        return None
    return assembled(Population, item, source="number" if item.k_map is None else "table")


def _diversity(item: stated.Sensitive) -> Diversity:
    return Diversity(
        l_distinct=item.l,
        l_entropy=item.entropy,
        l_recursive=None if not item.recursive else _recursive(item),
        homogeneous_records=item.alike,
        t_closeness=None if item.t is None else TCloseness(equal=item.t),
        delta_disclosure=item.delta if isinstance(item.delta, float) else None,
        delta_disclosure_unbounded=None if item.delta is None else item.delta == "unbounded",
    )


def _recursive(item: stated.Sensitive) -> RecursiveL:
    return RecursiveL(c=item.recursive[-1], l=len(item.recursive) + 1, by_l=item.recursive)


def _attack(item: stated.Attack) -> Attack:
    from privaudit.model.advantage import advantage

    success = wilson(item.correct, item.targets)
    control = None if item.outsiders is None else wilson(item.control, item.outsiders)
    return Attack(
        kind=item.kind,
        knowledge=("a", "b"),
        n_targets=item.targets,
        success=success,
        baseline=item.baseline,
        control=None if control is None else control.value,
        control_rate=control,
        advantage=advantage(success, item.baseline if control is None else control),
        against="guessing" if control is None else "control",
    )
