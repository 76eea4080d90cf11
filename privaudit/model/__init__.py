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
        DeltaPresence,
        Diversity,
        Exclusion,
        ExposedValues,
        Marginal,
        MatchTable,
        Population,
        PotentialRisk,
        RecordRisk,
        RecursiveL,
        Risk,
        SpecialUniques,
        SubjectRisk,
        TCloseness,
        UniqueCounts,
        UniquesInterval,
        WeightedRisk,
    )
    from privaudit.model.severity import fails, open_by, order, reaches, worst_first
    from privaudit.model.stats import Estimate
    from privaudit.model.unit import CellCounts, DatasetUnit, UnitKind
    from privaudit.model.vocabulary.records import ROLES, SEVERITIES, Role, Severity, severity_level
    from privaudit.model.vocabulary.statements import MissingSemantics

_HOMES = {
    "attacks": (
        "Attack", "AttackDetail", "ColumnLinks", "Curve", "LinkageDetail", "LinkageDirection", "MeasuredDetail",
    ),
    "columns": (
        "Assignment", "Clue", "ColumnProfile", "ColumnReport", "Contained", "DataType", "Detection", "Rejected",
        "Verdict",
    ),
    "judgement": (
        "Acceptance", "AcceptanceState", "BaselineUse", "CheckOutcome", "CheckState", "Control", "ControlState",
        "Finding", "FindingChange", "FindingRef", "GateResult", "GivenAnswer", "OpenFinding", "PolicyInfo",
        "Remedy", "first_of_each_cause",
    ),
    "lattice_search": ("Alternative", "FrontierPoint", "LatticeSearch", "MeasuredStates"),
    "report": (
        "SCHEMA_VERSION", "UNASSESSED_COLUMN", "DatasetInfo", "Evidence", "Limit", "Report", "ToolInfo",
        "UsedFile", "limit",
    ),
    "risk": (
        "ClassSizeTable", "Combination", "CountedUnit", "DeltaPresence", "Diversity", "Exclusion",
        "ExposedValues", "Marginal", "MatchTable", "Population", "PotentialRisk", "RecordRisk", "RecursiveL",
        "Risk", "SpecialUniques", "SubjectRisk", "TCloseness", "UniqueCounts", "UniquesInterval",
        "WeightedRisk",
    ),
    "severity": ("fails", "open_by", "order", "reaches", "worst_first"),
    "stats": ("Estimate",),
    "unit": ("CellCounts", "DatasetUnit", "UnitKind"),
    "vocabulary.records": ("ROLES", "SEVERITIES", "Role", "Severity", "severity_level"),
    "vocabulary.statements": ("MissingSemantics",),
}  # fmt: skip
"""The records by the module that declares them; the imports above state the same to readers of types."""


def __getattr__(name: str) -> Any:
    # On first use: the command line needs the vocabulary and the wording, and no record.
    import importlib

    for home, names in _HOMES.items():
        if name in names:
            return globals().setdefault(name, getattr(importlib.import_module(f"{__name__}.{home}"), name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
