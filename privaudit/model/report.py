"""The whole report, and its record of the run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire, assembled
from privaudit.model.attacks import Attack
from privaudit.model.columns import ColumnReport
from privaudit.model.judgement import (
    Acceptance,
    BaselineUse,
    CheckOutcome,
    Control,
    Finding,
    GateResult,
    GivenAnswer,
    PolicyInfo,
    Remedy,
)
from privaudit.model.pictures import Pictures
from privaudit.model.risk import CellCounts, Combination, CountedUnit, PotentialRisk, Risk
from privaudit.model.unit import DatasetUnit
from privaudit.model.vocabulary.records import Severity
from privaudit.model.wording import Columns, Fact, Value, fact
from privaudit.model.wording.render import FREE_TEXT, FULL

SCHEMA_VERSION = "2"
UNASSESSED_COLUMN = "pipeline.column"
"""Code of the limit that the content of a column was not assessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit(Wire):
    """Something that was not measured, or that bounds what a number means.

    Attributes
    ----------
    code : str
        ``room.key`` of the pair of sentences in ``rules/wording/limits/``.
    values : mapping of str to typed value
        What the sentences are filled with.
    incomplete : bool
        Whether something that was requested could not be assessed; the scan then exits with 3.
    """

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)
    incomplete: bool = False

    @property
    def what(self) -> str:
        """What is limited, in the full edition."""
        return FULL.what(self)

    @property
    def why(self) -> str:
        """The reason, in the full edition."""
        return FULL.why(self)

    def is_settled_without(self, columns: Collection[str]) -> bool:
        """Return whether the limit is that one of `columns` was not assessed, so that nothing is open without it."""
        column = self.values.get("column")
        return self.code == UNASSESSED_COLUMN and isinstance(column, Columns) and {*column.names} <= {*columns}

    def part(self, name: Literal["what", "why"]) -> Fact:
        """Return what is limited, or the reason, as a fact that other facts can contain."""
        if self.code == FREE_TEXT:
            return Fact(code=FREE_TEXT, values={"text": self.values[name]})
        return Fact(code=f"{self.code}.{name}", values=self.values)


def limit(code: str, /, *, incomplete: bool = False, **values: Value) -> Limit:
    """Return a `Limit`; the values must be typed, as in `privaudit.model.wording.fact`.

    Raises
    ------
    TypeError
        If a value is not typed.
    """
    return Limit(code=code, values=fact(code, **values).values, incomplete=incomplete)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInfo(Wire):
    """Which program wrote the report, and the versions that matter to its numbers."""

    name: str
    version: str
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedFile(Wire):
    """A file that decides how the table is judged: settings, a policy or a rule pack, with the SHA-256 of its bytes."""

    purpose: Literal["settings", "policy", "rules", "baseline"]
    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetInfo(Wire):
    """What was scanned. ``fingerprint`` hashes what this report publishes anyway, never the values.

    ``path`` is the path of the file below the folder of the run; empty where it is elsewhere or not a file.

    ``unit`` states what a row is; null in reports of older versions, which are judged as tables about people.
    """

    name: str
    fingerprint: str
    format: str
    engine: str
    n_rows: int
    n_columns: int
    path: str = ""
    unit: DatasetUnit | None = None


class Units:
    """What the counts of a report refer to."""

    __slots__ = ()
    dataset: DatasetInfo
    risk: Risk | None

    @property
    def counted(self) -> CountedUnit:
        """What the counts of classes and rows are: people, or records where a row is not one person."""
        unit = self.dataset.unit
        if unit is None or (self.risk is not None and self.risk.unit == "person"):
            return "person"
        return unit.counted

    @property
    def n_units(self) -> int:
        """The number of people where the scan named a data subject column, otherwise of records."""
        return self.dataset.n_rows if self.risk is None else self.risk.n_units(self.dataset.n_rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Wire, Units):
    """Everything that was measured: independent of laws and thresholds, and without cell values."""

    dataset: DatasetInfo
    columns: tuple[ColumnReport, ...]
    combinations: tuple[Combination, ...]
    risk: Risk | None
    attacks: tuple[Attack, ...]
    limits: tuple[Limit, ...]
    potential: PotentialRisk | None = None
    cells: tuple[CellCounts, ...] = ()
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Wire, Units):
    """``report.json``, version 2: the evidence, the judgement and the advice.

    ``digest`` is written into the file and hashes everything else in it; a report in memory has none. ``files`` are the
    files of the user that decide about the judgement.
    """

    # The keys of the file in their order, which is part of the contract: that is why the fields of `Evidence` and of a
    # judgement are listed here once more. Nothing else lists them: `assembled` takes them by name.
    schema_version: str = SCHEMA_VERSION
    tool: ToolInfo
    generated_at: str
    seed: int
    command: str
    dataset: DatasetInfo
    policy: PolicyInfo
    columns: tuple[ColumnReport, ...]
    combinations: tuple[Combination, ...]
    risk: Risk | None
    potential: PotentialRisk | None = None
    pictures: Pictures | None = None
    cells: tuple[CellCounts, ...] = ()
    attacks: tuple[Attack, ...]
    findings: tuple[Finding, ...]
    acceptances: tuple[Acceptance, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()
    baseline: BaselineUse | None = None
    checks: tuple[CheckOutcome, ...] = ()
    controls: tuple[Control, ...]
    advice: tuple[Remedy, ...]
    limits: tuple[Limit, ...]
    gate_: GateResult
    timings: Mapping[str, float] = field(default_factory=dict)
    files: tuple[UsedFile, ...] = ()
    digest: str = ""

    @property
    def fail_on(self) -> Severity:
        """The least severity that fails the gate: the one that was set, otherwise that of the policy."""
        return self.gate_.fail_on or self.policy.fail_on

    @property
    def evidence(self) -> Evidence:
        """The measured part alone, ready to be judged again."""
        return assembled(Evidence, self)
