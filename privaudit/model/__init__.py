"""The records that cross a stage border: frozen, plain, without cell values.

Question: what does one stage hand to the next?
Method: standard-library dataclasses whose field names are the keys of ``report.json`` (`base.wire` has the rule).
The report is written from these records and read back into them, and its JSON Schema is derived from them, so the
three cannot drift apart. Reasons and messages are facts: a code and typed values (`privaudit.model.wording`).
Limits: no I/O. No record may hold a cell value or anything from which one follows; column names are the only text
that comes from the table. Imports `base`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from privaudit.model.attacks import (
        Attack,
        AttackDetail,
        ColumnLinks,
        Curve,
        LinkageDetail,
        LinkageDirection,
        MeasuredDetail,
    )
    from privaudit.model.columns import (
        Assignment,
        Clue,
        ColumnProfile,
        ColumnReport,
        Contained,
        DataType,
        Detection,
        Rejected,
        Verdict,
    )
    from privaudit.model.diversity import Diversity, RecursiveL, TCloseness
    from privaudit.model.judgement import (
        Acceptance,
        AcceptanceState,
        BaselineUse,
        CheckOutcome,
        CheckState,
        Control,
        ControlState,
        Finding,
        FindingChange,
        FindingRef,
        GateResult,
        GivenAnswer,
        OpenFinding,
        PolicyInfo,
        Remedy,
        first_of_each_cause,
    )
    from privaudit.model.lattice_search import Alternative, FrontierPoint, LatticeSearch, MeasuredStates
    from privaudit.model.population import DeltaPresence, Population, UniquesInterval
    from privaudit.model.potential import Exclusion, PotentialRisk
    from privaudit.model.report import (
        SCHEMA_VERSION,
        UNASSESSED_COLUMN,
        DatasetInfo,
        Evidence,
        Limit,
        Report,
        ToolInfo,
        UsedFile,
        limit,
    )
    from privaudit.model.risk import (
        ClassSizeTable,
        Combination,
        CountedUnit,
        MatchTable,
        RecordRisk,
        Risk,
        SubjectRisk,
        WeightedRisk,
    )
    from privaudit.model.severity import fails, order, reaches, worst_first
    from privaudit.model.stats import Estimate
    from privaudit.model.uniques import ExposedValues, Marginal, SpecialUniques, UniqueCounts
    from privaudit.model.unit import CellCounts, DatasetUnit, UnitKind
    from privaudit.model.vocabulary.records import ROLES, SEVERITIES, Role, Severity, severity_level
    from privaudit.model.vocabulary.statements import MissingSemantics

__all__ = [
    "ROLES",
    "SCHEMA_VERSION",
    "SEVERITIES",
    "UNASSESSED_COLUMN",
    "Acceptance",
    "AcceptanceState",
    "Alternative",
    "Assignment",
    "Attack",
    "AttackDetail",
    "BaselineUse",
    "CellCounts",
    "CheckOutcome",
    "CheckState",
    "ClassSizeTable",
    "Clue",
    "ColumnLinks",
    "ColumnProfile",
    "ColumnReport",
    "Combination",
    "Contained",
    "Control",
    "ControlState",
    "CountedUnit",
    "Curve",
    "DataType",
    "DatasetInfo",
    "DatasetUnit",
    "DeltaPresence",
    "Detection",
    "Diversity",
    "Estimate",
    "Evidence",
    "Exclusion",
    "ExposedValues",
    "Finding",
    "FindingChange",
    "FindingRef",
    "FrontierPoint",
    "GateResult",
    "GivenAnswer",
    "LatticeSearch",
    "Limit",
    "LinkageDetail",
    "LinkageDirection",
    "Marginal",
    "MatchTable",
    "MeasuredDetail",
    "MeasuredStates",
    "MissingSemantics",
    "OpenFinding",
    "PolicyInfo",
    "Population",
    "PotentialRisk",
    "RecordRisk",
    "RecursiveL",
    "Rejected",
    "Remedy",
    "Report",
    "Risk",
    "Role",
    "Severity",
    "SpecialUniques",
    "SubjectRisk",
    "TCloseness",
    "ToolInfo",
    "UniqueCounts",
    "UniquesInterval",
    "UnitKind",
    "UsedFile",
    "Verdict",
    "WeightedRisk",
    "fails",
    "first_of_each_cause",
    "limit",
    "order",
    "reaches",
    "severity_level",
    "worst_first",
]

_HOMES = {
    "privaudit.model.attacks": (
        "Attack",
        "AttackDetail",
        "ColumnLinks",
        "Curve",
        "LinkageDetail",
        "LinkageDirection",
        "MeasuredDetail",
    ),
    "privaudit.model.columns": (
        "Assignment",
        "Clue",
        "ColumnProfile",
        "ColumnReport",
        "Contained",
        "DataType",
        "Detection",
        "Rejected",
        "Verdict",
    ),
    "privaudit.model.diversity": (
        "Diversity",
        "RecursiveL",
        "TCloseness",
    ),
    "privaudit.model.judgement": (
        "Acceptance",
        "AcceptanceState",
        "BaselineUse",
        "CheckOutcome",
        "CheckState",
        "Control",
        "ControlState",
        "Finding",
        "FindingChange",
        "FindingRef",
        "GateResult",
        "GivenAnswer",
        "OpenFinding",
        "PolicyInfo",
        "Remedy",
        "first_of_each_cause",
    ),
    "privaudit.model.lattice_search": (
        "Alternative",
        "FrontierPoint",
        "LatticeSearch",
        "MeasuredStates",
    ),
    "privaudit.model.population": (
        "DeltaPresence",
        "Population",
        "UniquesInterval",
    ),
    "privaudit.model.potential": (
        "Exclusion",
        "PotentialRisk",
    ),
    "privaudit.model.report": (
        "SCHEMA_VERSION",
        "UNASSESSED_COLUMN",
        "DatasetInfo",
        "Evidence",
        "Limit",
        "Report",
        "ToolInfo",
        "UsedFile",
        "limit",
    ),
    "privaudit.model.risk": (
        "ClassSizeTable",
        "Combination",
        "CountedUnit",
        "MatchTable",
        "RecordRisk",
        "Risk",
        "SubjectRisk",
        "WeightedRisk",
    ),
    "privaudit.model.severity": (
        "fails",
        "order",
        "reaches",
        "worst_first",
    ),
    "privaudit.model.stats": ("Estimate",),
    "privaudit.model.uniques": (
        "ExposedValues",
        "Marginal",
        "SpecialUniques",
        "UniqueCounts",
    ),
    "privaudit.model.unit": (
        "CellCounts",
        "DatasetUnit",
        "UnitKind",
    ),
    "privaudit.model.vocabulary.records": (
        "ROLES",
        "SEVERITIES",
        "Role",
        "Severity",
        "severity_level",
    ),
    "privaudit.model.vocabulary.statements": ("MissingSemantics",),
}


def __getattr__(name: str) -> Any:
    # On first use: the command line needs the vocabulary and the wording, and no record.
    import importlib

    for home, names in _HOMES.items():
        if name in names:
            return globals().setdefault(name, getattr(importlib.import_module(home), name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
