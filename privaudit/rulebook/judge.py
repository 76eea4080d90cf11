"""Judge evidence: which checks fire, and which controls the outcomes support or contradict.

Question: given the evidence, a policy and some frameworks, what are the findings?
Method: each check takes its measure and compares it with its limit; an observation beyond the limit becomes a finding.
The controls of the frameworks read the same outcomes. The records below the policy's k are filled in from what was
counted. Each check states what it is about (``about``). In a table that is not about people, checks of people do not
apply, and checks of identifiers judge only what identifies a person by itself, counted in records. Where the scan is
incomplete because nothing shows what a row is, findings are medium, except on what identifies a person by itself.
Limits: never touches the table, so a saved report can be judged again under other terms. What the evidence does not
answer under those terms is a limit, never 0. What a row is, is the unit that the scan inferred or the user stated.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from privaudit.base import clock
from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass
from privaudit.model import (
    Acceptance,
    BaselineUse,
    CheckOutcome,
    ColumnReport,
    Combination,
    Control,
    Evidence,
    Finding,
    GivenAnswer,
    Limit,
    PolicyInfo,
    Risk,
    Severity,
    limit,
    severity_level,
    vocabulary,
    worst_first,
)
from privaudit.model.minimal import mark_minimal, ranked
from privaudit.model.vocabulary.families import family
from privaudit.model.vocabulary.table import identifying_types
from privaudit.model.wording import Fact, Name, Number, Term, Threshold, Value, fact
from privaudit.rulebook.acceptances import Acceptances, check_entries, record
from privaudit.rulebook.baseline import KnownBefore, apply_baseline
from privaudit.rulebook.changes import TOLERANCE
from privaudit.rulebook.comparison import fires
from privaudit.rulebook.controls import answer
from privaudit.rulebook.given_answers import match_answers
from privaudit.rulebook.load import load_checks, load_frameworks
from privaudit.rulebook.measurement import (
    DECLARED_DIRECT,
    DECLARED_NONE,
    MEASURES,
    NOT_ASSESSED,
    Context,
    Observation,
    gap,
)
from privaudit.rulebook.measures.precision import may_be_zip
from privaudit.rulebook.outcome import Fired, Outcome, build_finding, check_outcome
from privaudit.rulebook.packs import Check, Framework, zip3
from privaudit.settings.acceptance import AcceptanceEntry
from privaudit.settings.answers import AnswerBook

NO_ANSWERS = AnswerBook()
"""The answers where no person gave any."""
_JUDGED = frozenset(
    {
        "rulebook.check_not_measured",
        "rulebook.records_below_k",
        "rulebook.unknown_entity_type",
        "rulebook.reference_list",
    }
)
"""The codes of limits that a judgement adds; judging again replaces them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The result of judging: the parts of a report that a judgement decides, under their names in `Report`.

    Attributes
    ----------
    findings : tuple of Finding
        Worst first (`privaudit.model.severity.order`).
    baseline : BaselineUse or None
        How the findings compare with the baseline.
    acceptances : tuple of Acceptance
        In the order of the entries.
    answers : tuple of GivenAnswer
        In the order of the entries.
    checks : tuple of CheckOutcome
        The outcome of every check, in the order of their codes.
    controls : tuple of Control
        In the order of the frameworks and of their packs.
    combinations, risk
        Those of the evidence with the policy's k filled in.
    limits : tuple of Limit
        The limits of the evidence, then what these terms require and the evidence does not answer.
    """

    findings: tuple[Finding, ...]
    baseline: BaselineUse | None
    acceptances: tuple[Acceptance, ...]
    answers: tuple[GivenAnswer, ...]
    checks: tuple[CheckOutcome, ...]
    controls: tuple[Control, ...]
    combinations: tuple[Combination, ...]
    risk: Risk | None
    limits: tuple[Limit, ...]


def _with_invented(outcome: Outcome, invented: Collection[str]) -> Outcome:
    """Return `outcome` with the status "invented" for findings about invented columns alone."""
    if not invented or not outcome.fired:
        return outcome
    return replace(
        outcome,
        fired=tuple(
            replace(item, finding=replace(item.finding, status="invented"))
            if item.finding.subject and set(item.finding.subject) <= set(invented)
            else item
            for item in outcome.fired
        ),
    )


def judge(
    evidence: Evidence,
    policy: PolicyInfo,
    frameworks: Sequence[str] = (),
    *,
    today: datetime.date | None = None,
    preview: bool = False,
    rules: Path | None = None,
    accept: Sequence[AcceptanceEntry] = (),
    answers: AnswerBook = NO_ANSWERS,
    baseline: KnownBefore | None = None,
    tolerance: float = TOLERANCE,
    invented: Collection[str] = (),
) -> Judgement:
    """Judge `evidence` by the checks under `policy`, and answer the controls of `frameworks`.

    Parameters
    ----------
    evidence : Evidence
        Measured before, with or without the table at hand.
    policy : PolicyInfo
        The thresholds.
    frameworks : sequence of str
        Ids of frameworks.
    today : datetime.date, optional
        The day on which reference data may be out of date; SOURCE_DATE_EPOCH or the current day by default.
    preview : bool
        Whether controls whose wording was not verified against its source are judged too.
    rules : Path, optional
        A folder with further packs of the user.
    accept : sequence of AcceptanceEntry
        Findings that somebody accepted, with a reason and a last day.
    answers : AnswerBook
        What people answered; overdue answers are findings, and no answer changes anything else.
    baseline : KnownBefore, optional
        The findings of the table that were known before: those that are not worse get the status "baseline".
    tolerance : float
        Share by which counts and shares may grow before a finding is worse.
    invented : collection of str
        Columns whose values the run itself invented: findings about them alone get the status "invented".

    Raises
    ------
    RuleError
        For an unknown framework or a pack that fails validation.
    ConfigError
        For an acceptance of an unknown check, of one that cannot be accepted, or of more than a year.
    """
    checks = load_checks(rules)
    unknown = sorted(set(policy.severity) - {check.code for check in checks})
    if unknown:
        raise RuleError(f'The policy sets the severity of an unknown check: "{unknown[0]}".')
    evidence = replace(evidence, limits=measured_limits(evidence.limits))
    packs = load_frameworks(tuple(frameworks), folder=rules)
    context = _context(evidence, policy, packs, today or clock.today())
    check_entries(accept, checks, context.today)
    context = replace(context, answers=match_answers(answers, packs, evidence.dataset, context.today, rules))
    acceptances = Acceptances(accept, context.today)

    def run_and_accept(check: Check, terms: Context) -> Outcome:
        return acceptances.apply(_with_invented(run(check, terms), invented))

    by_code = {check.code: run_and_accept(check, context) for check in checks}
    context = replace(context, acceptances=acceptances.match(by_code))
    # Checks of acceptances are run a second time: only after all others is known which findings each entry matches.
    about = (check for check in checks if family(check.measure).acceptance)
    outcomes = tuple({**by_code, **{check.code: run(check, context) for check in about}}.values())
    combinations, uncounted = _fill_combinations(evidence, policy.k)
    findings = [item.finding for outcome in outcomes for item in outcome.fired]
    limits = _limits(outcomes) + uncounted + _reference_limits(evidence) + _unknown_types(evidence, rules)
    compared, use = (tuple(findings), None)
    if baseline is not None:
        compared, use = apply_baseline(findings, baseline, checks, tolerance)
    return Judgement(
        findings=tuple(worst_first(compared)),
        baseline=use,
        acceptances=tuple(map(record, context.acceptances)),
        answers=context.answers,
        checks=tuple(check_outcome(outcome, policy) for outcome in outcomes),
        controls=tuple(
            control for pack in packs for control in answer(pack, checks, outcomes, context, run_and_accept, preview)
        ),
        combinations=combinations,
        risk=_fill_risk(evidence, policy.k),
        limits=evidence.limits + limits,
    )


def findings_of(
    codes: Collection[str], evidence: Evidence, policy: PolicyInfo, rules: Path | None = None
) -> tuple[Finding, ...]:
    """Return the findings of some checks alone, as they are before acceptances and baselines."""
    context = _context(evidence, policy, (), clock.today())
    outcomes = (run(check, context) for check in load_checks(rules) if check.code in codes)
    return tuple(item.finding for outcome in outcomes for item in outcome.fired)


def _context(evidence: Evidence, policy: PolicyInfo, packs: Sequence[Framework], today: datetime.date) -> Context:
    dates = {pack.id: pack.as_of for pack in packs}
    if _uses_zip3(evidence):
        dates[zip3().id] = zip3().as_of
    return Context(
        evidence=evidence,
        policy=policy,
        today=today,
        as_of=dates,
        titles={pack.id: pack.title for pack in packs} | {zip3().id: zip3().title},
        sensitive=frozenset(entity for pack in packs for entity in pack.sensitive),
    )


def measured_limits(limits: Iterable[Limit]) -> tuple[Limit, ...]:
    """Return the limits of a report without those that a judgement added: judging again adds its own."""
    return tuple(item for item in limits if item.code not in _JUDGED)


def run(check: Check, context: Context) -> Outcome:
    """Take the measure of `check` and compare each observation with its limit, if it is about such tables."""
    if not applies(check, context):
        why = fact("rulebook.not_about", unit=Term(f"unit.{context.unit_kind}"))
        return Outcome(check=check, gaps=(why,), run=False, applies=False)
    limiting = limit_of(check, context.policy)
    if limiting is None:
        no_limit = fact("rulebook.no_limit", policy=Name(context.policy.name))
        return Outcome(check=check, gaps=(no_limit,), run=False, has_limit=False)
    measured = MEASURES[check.measure](context, check)
    fired: list[Fired] = []
    exempt: dict[str, Fact] = {}
    for item in about_unit(check, measured.observations, context):
        # A subject with fewer than k possible members can never reach k: it is held to what it can reach.
        capped = _capped(limiting, item)
        if item.observed is None or not fires(check, item.observed, capped):
            continue
        column = _declared_none(check, item, context)
        if column is not None:
            exempt[column.name] = gap(DECLARED_NONE, column)
            continue
        finding = build_finding(check, item, capped, context.policy)
        fired.append(Fired(finding=finding, entity=item.entity))
    return Outcome(
        check=check,
        limit=limiting,
        fired=tuple(fired),
        gaps=measured.gaps + tuple(exempt.values()),
        run=measured.run,
        incomplete=measured.incomplete,
    )


def _declared_none(check: Check, item: Observation, context: Context) -> ColumnReport | None:
    """Return the column of `item` where it was declared to have the role none, and the role decides (``by_role``).

    What single cells contain is judged in every column.
    """
    if not check.by_role or len(item.subject) != 1:
        return None
    column = next((column for column in context.columns if column.name == item.subject[0]), None)
    if column is None or column.role != "none":
        return None
    return column if any(reason.code == "roles.declared" for reason in column.role_because) else None


def _capped(limiting: float | int | str, item: Observation) -> float | int | str:
    return limiting if item.at_most is None or isinstance(limiting, str) else min(limiting, item.at_most)


def limit_of(check: Check, policy: PolicyInfo) -> float | int | str | None:
    """Return the limit of `check` under `policy`, or None where the policy sets none."""
    key = check.limit_key
    if key is None:
        return check.limit
    if key == "one_in_k":
        return 1 / policy.k
    if key == "k_map" and policy.k_map is None:
        return policy.k
    value = getattr(policy, key)
    if value is not None and not isinstance(value, (int, float, str)):
        raise RuleError(f'Check "{check.code}" refers to "policy.{key}", which is not a threshold.')
    return value


def _fill_combinations(evidence: Evidence, k: int) -> tuple[tuple[Combination, ...], tuple[Limit, ...]]:
    n = evidence.n_units
    shares = [_share_below(c, k, n) for c in evidence.combinations]
    filled = [replace(c, share_below_k=s) for c, s in zip(evidence.combinations, shares, strict=True)]
    unknown = sum(share is None for share in shares) if n else 0
    uncounted = limit(
        "rulebook.records_below_k", incomplete=True, k=Threshold(k), unknown=Number(unknown), total=Number(len(shares))
    )
    return mark_minimal(ranked(filled, k), k), (uncounted,) if unknown else ()


def _share_below(counted: Combination | Risk, k: int, n: int) -> float | None:
    below = counted.n_below_k(k)
    return None if below is None or n == 0 else below / n


def _fill_risk(evidence: Evidence, k: int) -> Risk | None:
    risk = evidence.risk
    if risk is None:
        return None
    return replace(risk, share_below_k=_share_below(risk, k, risk.n_units(evidence.dataset.n_rows)))


def _limits(outcomes: Iterable[Outcome]) -> tuple[Limit, ...]:
    found: list[Limit] = []
    for outcome in outcomes:
        if (
            not outcome.applies
            or not outcome.gaps
            or (outcome.run and not outcome.incomplete and _only_columns(outcome))
        ):
            continue
        values: dict[str, Value] = {
            "code": Name(outcome.check.code),
            "check": Name(outcome.check.name),
            "reason": outcome.gaps[0],
        }
        if len(outcome.gaps) > 1:
            values["more"] = fact("rulebook.and_more", n=Number(len(outcome.gaps) - 1))
        found.append(limit("rulebook.check_not_measured", incomplete=outcome.incomplete, **values))
    return tuple(found)


def _only_columns(outcome: Outcome) -> bool:
    # A column that detection could not assess has its own limit already, and declared roles have a section.
    return all(reason.code in (NOT_ASSESSED, DECLARED_NONE) for reason in outcome.gaps)


def _unknown_types(evidence: Evidence, rules: Path | None) -> tuple[Limit, ...]:
    """Return a limit for each entity type of the evidence that neither privaudit nor the user's `rules` describes."""
    seen = {item.entity for c in evidence.columns for item in (c.is_, *c.contains) if item is not None}
    known: Mapping[str, object] = vocabulary.known_types(rules) if seen else {}
    return tuple(
        limit("rulebook.unknown_entity_type", incomplete=True, entity=Name(code)) for code in sorted(seen - set(known))
    )


def _reference_limits(evidence: Evidence) -> tuple[Limit, ...]:
    if not _uses_zip3(evidence):
        return ()
    table = zip3()
    return (limit("rulebook.reference_list", title=Name(table.title), why=Name(table.limits)),)


def _uses_zip3(evidence: Evidence) -> bool:
    return any("rows_zip3_restricted" in c.measurements and may_be_zip(c) for c in evidence.columns)


def applies(check: Check, context: Context) -> bool:
    """Whether `check` is about tables such as this one."""
    if check.about == "people":
        return context.is_about_people
    return check.about != "aggregate" or context.unit_kind == "aggregate"


def about_unit(check: Check, observations: Iterable[Observation], context: Context) -> Iterable[Observation]:
    """Return what is judged: in a table that is not about people, what identifies a person by itself.

    Rows count as what they are: people, or records where a row is not one person or a person has several. Contact data
    that organisations have too are medium in a table of them, and so are names that a language model alone sees in a
    table about things, as it takes their names for those of people. Medium is also what only matters if the rows are
    people where that is not known: the gate does not pass such a scan, but nothing shows that its findings are about
    people.
    """
    rows = context.unit if context.n_units == context.n_rows else "record"
    counted = [item if item.unit else replace(item, unit=rows) for item in observations]
    if context.is_about_people:
        if check.about not in ("people", "identifiers") or not _is_unit_open(context):
            return counted
        return [item if item.entity in identifying_types() else _medium(check, item) for item in counted]
    counted = [replace(item, unit="record") for item in counted if _identifies(check, item)]
    is_organisation = context.unit_kind == "organisation"
    shared = vocabulary.with_trait("shared_by_organisations") if is_organisation else frozenset()
    return [_medium(check, item) if item.entity in shared or item.is_from_model else item for item in counted]


def _is_unit_open(context: Context) -> bool:
    """Whether nothing shows what a row is, and the scan is incomplete for it: otherwise high findings must fail it."""
    without = {"pipeline.unit", "pipeline.unit_of_keys", "risk.no_quasi_identifiers"}
    return context.unit_kind == "unknown" and any(
        item.incomplete and item.code in without for item in context.evidence.limits
    )


def _identifies(check: Check, item: Observation) -> bool:
    return check.about != "identifiers" or item.entity in identifying_types() or item.key == DECLARED_DIRECT


def _medium(check: Check, item: Observation) -> Observation:
    """Return the observation with a severity of medium at most."""
    severity: Severity = min(item.severity or check.severity, "medium", key=severity_level)
    return replace(item, severity=severity)
