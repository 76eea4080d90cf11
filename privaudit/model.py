"""The records that cross a stage border: frozen, plain, without cell values.

Question: what does one stage hand to the next?
Method: standard-library dataclasses whose field names are the keys of ``report.json`` version 1; a trailing
underscore is dropped on the wire (``is_`` is written ``is``). `report.json` is generated from these records and
read back into them, and its JSON Schema is derived from them, so the three cannot drift apart.
Limits: no I/O and no third-party import here. Nothing here may hold a value of the audited table or anything
from which one follows; column names are the only text that comes from the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["direct", "quasi", "sensitive", "none"]
Severity = Literal["info", "low", "medium", "high", "critical"]
ControlState = Literal["supported", "contradicted", "not_measured", "human"]
Kind = Literal[
    "integer", "decimal", "boolean", "date", "timestamp", "time", "text", "binary", "nested", "empty"
]
MissingSemantics = Literal["category", "wildcard", "one-sided"]

ROLES: tuple[Role, ...] = ("direct", "quasi", "sensitive", "none")
SEVERITIES: tuple[Severity, ...] = ("info", "low", "medium", "high", "critical")
SCHEMA_VERSION = "1"


def _drop_underscore(name: str) -> str:
    return name.rstrip("_")


class _Wire:
    """Mark a record as part of report.json: wire names are field names without a trailing underscore."""

    __slots__ = ()
    __pydantic_config__ = {  # noqa: RUF012 - read by pydantic, which wants a plain dict
        "alias_generator": _drop_underscore,
        "validate_by_name": True,
        "validate_by_alias": True,
        "serialize_by_alias": True,
        "ser_json_inf_nan": "null",
        "allow_inf_nan": False,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(_Wire):
    """A sampled or simulated number with its interval.

    Attributes
    ----------
    value, low, high : float
        The estimate and the bounds of its confidence interval, ``low <= value <= high``.
    level : float
        Confidence level of the interval, in (0, 1). An exact number has ``low == value == high`` and level 1.
    n : int
        How many units the number rests on.
    method : str
        How the interval was made, for example "wilson" or "exact".
    """

    value: float
    low: float
    high: float
    level: float = 0.95
    n: int
    method: str

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError("an estimate lies within its interval: low <= value <= high")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit(_Wire):
    """Something that was not measured or that bounds what a number says.

    ``incomplete`` is true where something that was asked for could not be assessed: then the scan exits with 3.
    """

    what: str
    why: str
    incomplete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInfo(_Wire):
    """Which program wrote the report, and the versions that matter to its numbers."""

    name: str
    version: str
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetInfo(_Wire):
    """What was scanned. ``fingerprint`` hashes what this report publishes anyway, never the values."""

    name: str
    fingerprint: str
    format: str
    engine: str
    n_rows: int
    n_columns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clue(_Wire):
    """One piece of evidence for a verdict, in words without values.

    ``kind`` is one of: type, shape, pattern, check-digit, header, list, model, declared.
    """

    kind: str
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(_Wire):
    """What a column *is*: the entity most of its cells hold."""

    entity: str
    detail: str | None = None
    share: Estimate
    confidence: float
    evidence: tuple[Clue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contained(_Wire):
    """What some cells of a column *contain*, counted in cells."""

    entity: str
    detail: str | None = None
    n_cells: int
    share: Estimate
    evidence: tuple[Clue, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected(_Wire):
    """A candidate that was looked at and turned down, with the reason."""

    entity: str
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnProfile(_Wire):
    """Exact statistics of one column.

    ``uniqueness`` is distinct over non-missing cells (null where all are missing); ``entropy_bits`` is the Shannon
    entropy of the non-missing cells; lengths are in characters of the text form. ``n_held_once`` counts values
    that exactly one row holds. ``date_precision`` is year, month, day, minute or second; ``geo_precision`` is
    country, region, county, city, postal area, postal or point and ``geo_decimals`` the decimals of a coordinate.
    """

    name: str
    kind: Kind
    n_rows: int
    n_missing: int
    n_distinct: int
    n_held_once: int
    uniqueness: float | None
    entropy_bits: float | None
    length_min: int | None = None
    length_max: int | None = None
    length_mean: float | None = None
    words_mean: float | None = None
    date_precision: str | None = None
    geo_precision: str | None = None
    geo_decimals: int | None = None
    monotonic: bool = False
    constant: bool = False
    n_suppressed: int = 0
    generalised: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReport(ColumnProfile):
    """A column as the report tells it: profile, verdicts and role."""

    role: Role
    role_because: tuple[str, ...] = ()
    is_: Verdict | None = None
    contains: tuple[Contained, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    facts: Mapping[str, float] = field(default_factory=dict)
    unassessed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection(_Wire):
    """What detection says of one column; ``facts`` are value-free measures that checks and roles read.

    ``unassessed`` names why the column could not be judged, or is null; ``notes`` bound what was looked at.
    """

    column: str
    is_: Verdict | None = None
    contains: tuple[Contained, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    facts: Mapping[str, float] = field(default_factory=dict)
    unassessed: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment(_Wire):
    """The role of one column and why."""

    column: str
    role: Role
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination(_Wire):
    """Equivalence classes of one set of quasi-identifiers.

    ``n_below`` maps a threshold k to the number of *records* in classes smaller than k; ``share_below_k`` is that
    number at the policy's k over all records. ``minimal`` is true when some class is below the policy's k and no
    proper subset of the columns has such a class. ``minimal_to`` says the same for any k at once: the set is
    minimal for each k above ``k_min`` up to it (null where not all sets with one column less were searched).
    """

    columns: tuple[str, ...]
    n_classes: int
    k_min: int
    n_unique: int
    share_unique: float
    n_below: Mapping[str, int]
    share_below_k: float | None = None
    mean_class_size: float
    distinction: float
    separation: float | None
    minimal: bool | None = None
    minimal_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSizeTable(_Wire):
    """Histogram of class sizes: ``count[i]`` classes hold ``size[i]`` records; sizes ascend."""

    size: tuple[int, ...]
    count: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk(_Wire):
    """Re-identification risk over all quasi-identifiers together; docs/report.md describes the nested tables."""

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    missing: MissingSemantics
    n_classes: int
    k_min: int
    n_unique: int
    n_below: Mapping[str, int]
    share_below_k: float | None = None
    prosecutor_max: float
    prosecutor_mean: float
    journalist_max: float | None = None
    marketer: float
    share_at_risk: Mapping[str, float]
    class_sizes: ClassSizeTable
    population: Mapping[str, Any] | None = None
    diversity: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    special_uniques: Mapping[str, Any] | None = None
    marginal: Mapping[str, Any] = field(default_factory=dict)
    entity: Mapping[str, Any] | None = None
    weighted: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(_Wire):
    """What an adversary with the named knowledge gets: success beside what guessing gets.

    ``success`` is correct re-identifications over targets where the truth is known, else expected correct
    over targets. ``baseline`` is the success of guessing, ``control`` the share of people who are not in
    the table that are linked all the same (null where none were given), ``advantage`` is ``(success - base)
    / (1 - base)``, base the success of guessing. ``over_control`` is ``(c - control) / (1 - control)``, c
    the share of targets linked to one record, rightly or not. Unmatched, ambiguous and unique add up to
    ``n_auxiliary``; ``n_targets`` are those known or assumed to be in the table. ``n_release_linked`` of
    ``n_release`` released records agree with some auxiliary row; ``n_verbatim`` of them repeat one in every
    column (null where not every column could be compared). ``precision`` is the correct share of unique
    links, ``reasons`` say for each mapped column why and how it was compared.
    """

    kind: str
    knowledge: tuple[str, ...]
    n_targets: int
    n_auxiliary: int
    n_unmatched: int
    n_ambiguous: int
    n_unique: int
    n_mutual: int
    expected_correct: float
    n_correct: int | None = None
    success: Estimate
    baseline: float
    control: float | None = None
    advantage: Estimate
    mapping: Mapping[str, str] = field(default_factory=dict)
    method: str = "exact"
    n_release: int = 0
    n_release_linked: int = 0
    n_verbatim: int | None = None
    n_control: int | None = None
    precision: Estimate | None = None
    over_control: Estimate | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(_Wire):
    """A rule that fired. ``n_people`` of ``n_total`` are concerned where people can be counted.

    ``fingerprint`` hashes code and subject, never a value or a measured number.
    """

    code: str
    name: str
    subject: tuple[str, ...]
    severity: Severity
    confidence: float
    message: str
    measure: str
    observed: float | int | str | None
    limit: float | int | str | None
    n_people: int | None = None
    n_total: int | None = None
    status: str = "open"
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(_Wire):
    """One control of a framework and what the evidence says of it."""

    framework: str
    id: str
    title: str
    requirement: str = ""
    state: ControlState
    findings: tuple[str, ...] = ()
    why: str = ""
    source: str
    verified: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy(_Wire):
    """One candidate remedy, measured on the coded table.

    ``before`` and ``after`` hold ``k_min``, ``n_unique``, ``n_below_k``, ``share_below_k`` and ``n_records``.
    ``utility_cost`` is the share of information lost, 0 to 1, by the measure named in ``cost_measure``.
    """

    technique: str
    columns: tuple[str, ...]
    parameters: Mapping[str, Any]
    text: str
    before: Mapping[str, float | int]
    after: Mapping[str, float | int]
    utility_cost: float
    cost_measure: str
    resolves: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInfo(_Wire):
    """The thresholds a report was judged by, each with its origin (``origins`` has the same keys)."""

    name: str
    title: str
    k: int
    probability: float
    share_below_k: float
    uniques: int | None
    l: int | None  # noqa: E741 - the literature's name
    t: float | None
    attack_advantage: float
    date: str
    geo: str
    fail_on: Severity
    origins: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult(_Wire):
    """The decision of the gate: reasons are sentences, worst first."""

    passed: bool
    exit_code: int
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(_Wire):
    """All that was measured. It knows no law and no threshold, and holds no cell value."""

    dataset: DatasetInfo
    columns: tuple[ColumnReport, ...]
    combinations: tuple[Combination, ...]
    risk: Risk | None
    attacks: tuple[Attack, ...]
    limits: tuple[Limit, ...]
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(_Wire):
    """``report.json``, version 1: evidence, what was judged of it, and what would help."""

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
    attacks: tuple[Attack, ...]
    findings: tuple[Finding, ...]
    controls: tuple[Control, ...]
    advice: tuple[Remedy, ...]
    limits: tuple[Limit, ...]
    gate_: GateResult
    timings: Mapping[str, float] = field(default_factory=dict)

    @property
    def evidence(self) -> Evidence:
        """The measured part alone, ready to be judged again."""
        return Evidence(
            dataset=self.dataset,
            columns=self.columns,
            combinations=self.combinations,
            risk=self.risk,
            attacks=self.attacks,
            limits=self.limits,
            seed=self.seed,
        )
