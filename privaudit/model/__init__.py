"""The records that cross a stage border: frozen, plain, without cell values.

Question: what does one stage hand to the next?
Method: standard-library dataclasses whose field names are the keys of ``report.json`` (`privaudit.wire` has the rule).
The report is written from these records and read back into them, and its JSON Schema is derived from them, so the
three cannot drift apart. Reasons and messages are facts: a code and typed values (`privaudit.wording`).
Limits: no I/O. No record may hold a cell value or anything from which one follows; column names are the only text
that comes from the table.
"""

from privaudit.model.attacks import Attack, AttackDetail, LinkageDetail, LinkageDirection
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
    CheckOutcome,
    CheckState,
    Control,
    ControlState,
    Finding,
    GateResult,
    PolicyInfo,
    Remedy,
    first_of_each_cause,
)
from privaudit.model.potential import Exclusion, PotentialRisk
from privaudit.model.report import (
    SCHEMA_VERSION,
    DatasetInfo,
    Evidence,
    Limit,
    Report,
    ToolInfo,
    UsedFile,
    limit,
    untyped_limit,
)
from privaudit.model.risk import (
    ClassSizeTable,
    Combination,
    CountedUnit,
    DeltaPresence,
    Diversity,
    ExposedValues,
    Marginal,
    MatchTable,
    MissingSemantics,
    Population,
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
from privaudit.stats import Estimate
from privaudit.vocabulary.records import ROLES, SEVERITIES, Role, Severity

__all__ = [
    "ROLES",
    "SCHEMA_VERSION",
    "SEVERITIES",
    "Assignment",
    "Attack",
    "AttackDetail",
    "CheckOutcome",
    "CheckState",
    "ClassSizeTable",
    "Clue",
    "ColumnProfile",
    "ColumnReport",
    "Combination",
    "Contained",
    "Control",
    "ControlState",
    "CountedUnit",
    "DataType",
    "DatasetInfo",
    "DeltaPresence",
    "Detection",
    "Diversity",
    "Estimate",
    "Evidence",
    "ExposedValues",
    "Finding",
    "GateResult",
    "Limit",
    "Exclusion",
    "LinkageDetail",
    "LinkageDirection",
    "Marginal",
    "MatchTable",
    "MissingSemantics",
    "PolicyInfo",
    "Population",
    "RecordRisk",
    "RecursiveL",
    "Rejected",
    "Remedy",
    "Report",
    "Risk",
    "PotentialRisk",
    "Role",
    "Severity",
    "SpecialUniques",
    "SubjectRisk",
    "TCloseness",
    "ToolInfo",
    "UniqueCounts",
    "UniquesInterval",
    "UsedFile",
    "Verdict",
    "WeightedRisk",
    "first_of_each_cause",
    "limit",
    "untyped_limit",
]
