"""What checks, frameworks, policy and gate make of the evidence, and what would help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from privaudit.vocabulary.records import Severity
from privaudit.wire import Wire
from privaudit.wording import Fact

ControlState = Literal["supported", "contradicted", "not_measured", "human"]
CheckState = Literal["fired", "passed", "not_measured", "no_limit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Wire):
    """A rule that fired. ``n_people`` of ``n_total`` are concerned where people can be counted.

    ``fingerprint`` hashes code and subject, never a value or a measured number.
    """

    code: str
    name: str
    subject: tuple[str, ...]
    severity: Severity
    confidence: float
    message: Fact
    measure: str
    observed: float | int | str | None
    limit: float | int | str | None
    n_people: int | None = None
    n_total: int | None = None
    status: str = "open"
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(Wire):
    """One control of a framework and what the evidence says of it."""

    framework: str
    id: str
    title: str
    requirement: str = ""
    state: ControlState
    findings: tuple[str, ...] = ()
    why: tuple[Fact, ...] = ()
    source: str
    verified: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy(Wire):
    """One candidate remedy, measured on the coded table.

    ``before`` and ``after`` hold ``k_min``, ``n_unique``, ``n_below_k``, ``share_below_k`` and ``n_records``.
    ``utility_cost`` is the share of information lost, 0 to 1, by the measure named in ``cost_measure``.
    """

    technique: str
    columns: tuple[str, ...]
    parameters: Mapping[str, Any]
    text: Fact
    before: Mapping[str, float | int]
    after: Mapping[str, float | int]
    utility_cost: float
    cost_measure: str
    resolves: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInfo(Wire):
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
class GateResult(Wire):
    """The decision of the gate, with its reasons, worst first."""

    passed: bool
    exit_code: int
    reasons: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome(Wire):
    """The outcome of one check, whether it fired or not.

    Attributes
    ----------
    code, name, title : str
        The check's code (QI001), its short name and its title.
    severity : str
        The check's own severity; a finding may carry another.
    state : {"fired", "passed", "not_measured", "no_limit"}
        Fired where there is a finding; passed where it was measured and within its limit; not measured where the
        evidence does not answer it; no limit where the policy sets none.
    limit : float, int, str or None
        The limit it was compared with.
    message : str
        The sentence of its findings, with placeholders.
    why, remedy : str
        Why it matters and what to do.
    n_findings : int
    gaps : tuple of Fact
        What could not be measured.
    """

    code: str
    name: str
    title: str
    severity: Severity
    state: CheckState
    limit: float | int | str | None
    message: str
    why: str
    remedy: str
    n_findings: int
    gaps: tuple[Fact, ...] = ()
