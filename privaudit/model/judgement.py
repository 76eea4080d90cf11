"""The judgement of the evidence: findings, outcomes of checks, controls, policy, gate; and measured remedies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.lattice_search import Alternative, LatticeSearch
from privaudit.model.risk import CountedUnit
from privaudit.model.vocabulary.records import Severity
from privaudit.model.wording import Fact

ControlState = Literal["supported", "contradicted", "not_measured", "human"]
Answer = Literal["yes", "no", "not_measured", "person", "not_applicable"]
CheckState = Literal["fired", "passed", "not_measured", "no_limit", "not_applicable"]
FindingChange = Literal["new", "worse", "same"]
AnswerState = Literal["holds", "overdue", "other_data", "not_asked"]
AcceptanceState = Literal["used", "expired", "exceeded", "unused", "not_measured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Wire):
    """The finding of a check that fired. ``n_people`` of ``n_total`` are concerned where they can be counted.

    ``unit`` states what they count, people or records. Findings with the same ``group`` have the same cause, such as
    small classes over the same quasi-identifiers: treating it resolves all of them.

    The code of ``message`` is the code of the check, whose record in ``Report.checks`` holds the sentence.
    ``fingerprint`` hashes code and subject, never a value or a measured number. ``status`` is "open",
    "accepted" where an acceptance closes the finding, or "baseline" where a baseline contains it and it is not worse.
    With a baseline, ``change`` states how the finding compares with it, and ``before`` is the value observed then.
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
    unit: CountedUnit = "person"
    status: str = "open"
    fingerprint: str
    group: str | None = None
    change: FindingChange | None = None
    before: float | int | str | None = None


def first_of_each_cause(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without those whose cause an earlier one has: each cause counts once.

    Parameters
    ----------
    findings : iterable of Finding
        The most severe first.
    """
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.group or finding.fingerprint, finding)
    return tuple(first.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance(Wire):
    """An entry of the settings that accepts a finding, and what became of it.

    Attributes
    ----------
    code, columns : str, tuple of str
        The check, and the columns of the finding in any order; no columns for the whole table.
    reason, owner : str
        Why the finding is accepted, and who decided so.
    expires : str
        The last day on which it holds, as YYYY-MM-DD.
    worst_accepted : float, int, str or None
        The worst observed value that is accepted; None accepts any value.
    fingerprint : str or None
        The one finding that is accepted, where several have the same code and columns.
    status : {"used", "expired", "exceeded", "unused", "not_measured"}
        Used where it closes a finding; expired where its last day has passed, and exceeded where a finding is
        worse than accepted (the finding is then open); unused where no finding matches; not measured where the
        check was not measured, so that nothing shows whether it is needed.
    findings : tuple of str
        The fingerprints of the findings it matches.
    """

    code: str
    columns: tuple[str, ...]
    reason: str
    owner: str
    expires: str
    worst_accepted: float | int | str | None = None
    fingerprint: str | None = None
    status: AcceptanceState
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer(Wire):
    """What a person answered about the table or to a control; it changes no measurement and no state of a control.

    Attributes
    ----------
    key : str
        The id of the control, or one of `CONTEXT`.
    text, owner : str
        The answer, and who gave it; the owner may be empty for the context.
    date, until : str
        The day of the answer and the last day on which it holds, as YYYY-MM-DD; empty where not stated.
    fingerprint : str
        That of the table it was given about; empty where it holds for any data.
    status : {"holds", "overdue", "other_data", "not_asked"}
        Overdue after its last day; other data where the table has another fingerprint; not asked where no framework of
        the report has the control.
    """

    key: str
    text: str
    owner: str = ""
    date: str = ""
    until: str = ""
    fingerprint: str = ""
    status: AnswerState


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(Wire):
    """One control of a framework as a question, its answer, and the state that follows from it.

    The favourable answer supports the control and the unfavourable one contradicts it; a person's answer, and one
    without a favourable side, is ``human``; what does not apply is ``not_measured`` with its reason.
    """

    framework: str
    id: str
    title: str
    requirement: str = ""
    question: str = ""
    answer: Answer = "person"
    state: ControlState
    findings: tuple[str, ...] = ()
    why: tuple[Fact, ...] = ()
    source: str
    verified: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRef(Wire):
    """A finding by its code, its subject and its fingerprint."""

    code: str
    subject: tuple[str, ...] = ()
    fingerprint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineUse(Wire):
    """The comparison of the findings with a baseline; ``gone`` lists what the baseline contains and is not found now.

    ``table`` is the key of the table in the baseline; ``is_new`` states that the baseline does not hold it.
    ``tolerance`` is the share by which counts and shares may grow before they are called worse.
    """

    table: str
    is_new: bool = False
    created: str
    tolerance: float
    n_new: int
    n_worse: int
    n_same: int
    gone: tuple[FindingRef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFinding(Wire):
    """A finding that would still fail the gate after a remedy, and why the remedy does not resolve it."""

    finding: FindingRef
    because: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy(Wire):
    """One candidate remedy, measured on the coded table.

    ``before`` and ``after`` hold ``k_min``, ``n_unique``, ``n_below_k``, ``share_below_k`` and ``n_records``.
    ``utility_cost`` is the share of information lost, 0 to 1, by the measure named in ``cost_measure``.
    ``resolves`` lists the findings that would no longer be reported. The table after a plan was judged again:
    ``passes`` states whether the gate would pass, ``remaining`` the findings that would still fail it, and ``stays``
    which of ``resolves`` are still reported and do not fail it; null and empty for other remedies. ``search`` states
    whether the plan is optimal and what else there is to choose; null where no recoding was searched.
    ``alternatives`` compares the methods that a plan can use, where they were measured;
    ``method`` is the one that loses least, and ``not_tried`` names the others with the reason. ``under_wildcard`` are
    methods that reach k only where a suppressed cell matches every value: they are chosen only where missing cells are
    counted so. ``excess`` states why k is far above the policy, and ``question`` asks whether a requirement is worth
    what it costs.
    """

    technique: str
    columns: tuple[str, ...]
    parameters: Mapping[str, Any]
    text: Fact
    before: Mapping[str, float | int]
    after: Mapping[str, float | int]
    utility_cost: float
    cost_measure: str
    resolves: tuple[FindingRef, ...]
    passes: bool | None = None
    remaining: tuple[OpenFinding, ...] = ()
    stays: tuple[FindingRef, ...] = ()
    search: LatticeSearch | None = None
    alternatives: tuple[Alternative, ...] = ()
    under_wildcard: tuple[Alternative, ...] = ()
    method: str = ""
    not_tried: tuple[Fact, ...] = ()
    excess: Fact | None = None
    question: Fact | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInfo(Wire):
    """The thresholds a report was judged by, each with its origin (``origins`` has the same keys).

    ``l_recursive`` and ``c_recursive`` are the l and c of recursive (c, l)-diversity, a pair. ``suppression`` is the
    share of the records that a plan may suppress; None leaves it to the advice. ``k_map`` is the fewest people of the
    population in a class of the table; None stands for ``k``. ``person_keys`` is the most people whose key may be
    released: 0 where the table leaves the organisation, None within it.
    ``copies`` is the advantage of looking for copies of members over that for outsiders, ``reconstructed`` the people
    in hidden cells that the published ones determine. ``epsilon`` is the most that one release under differential
    privacy may spend.
    ``places`` are levels of place that are allowed although they are finer than ``geo``.
    ``severity`` holds the severity of every finding of a check, by its code, where the policy sets one.
    """

    name: str
    title: str
    k: int
    probability: float
    share_below_k: float
    uniques: int | None
    l: int | None  # noqa: E741 - the literature's name
    t: float | None
    l_entropy: float | None = None
    l_recursive: int | None = None
    c_recursive: float | None = None
    suppression: float | None = None
    k_map: int | None = None
    person_keys: int | None = None
    attack_advantage: float
    copies: float | None = None
    reconstructed: int | None = None
    epsilon: float | None = None
    date: str
    geo: str
    places: tuple[str, ...] = ()
    fail_on: Severity
    origins: Mapping[str, str]
    severity: Mapping[str, Severity] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult(Wire):
    """The decision of the gate, with its reasons, worst first; ``headline`` states it in one sentence.

    ``fail_on`` is the lowest severity that fails, where it is not that of the policy.
    """

    passed: bool
    exit_code: int
    fail_on: Severity | None = None
    headline: Fact | None = None
    reasons: tuple[Fact, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a finding fails the gate, also where the result is incomplete as well (exit code 3)."""
        return self.exit_code == 1 or any(reason.code == "gate.finding" for reason in self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome(Wire):
    """The outcome of one check, whether it fired or not.

    Attributes
    ----------
    code, name, title : str
        The check's code (QI001), its short name and its title.
    severity : str
        The severity of the check; a finding may have another.
    state : {"fired", "passed", "not_measured", "no_limit", "not_applicable"}
        Fired where there is a finding; passed where it was measured and within its limit; not measured where the
        evidence does not answer it; no limit where the policy sets none; not applicable where the check is not
        about such tables.
    measure, fires_when : str
        What is compared with the limit, and how: below, above, at_least, at_most or finer_than.
    limit : float, int, str or None
        The limit it was compared with; None where the policy sets none.
    message : str
        The sentence of its findings, with placeholders.
    why, remedy, docs : str
        Why it matters, what to do, and how it is measured.
    n_findings : int
    gaps : tuple of Fact
        What could not be measured.
    """

    code: str
    name: str
    title: str
    severity: Severity
    state: CheckState
    measure: str
    fires_when: str
    limit: float | int | str | None
    message: str
    why: str
    remedy: str
    docs: str
    n_findings: int
    gaps: tuple[Fact, ...] = ()
